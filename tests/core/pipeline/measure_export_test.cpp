// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/measure_export.h"

#include "core/engine/open_model.h"
#include "tests/core/pipeline/normal_samples.h"
#include "tests/core/pipeline/quantized_case.h"

#include <algorithm>
#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace duo {
namespace {

using namespace test;
using testing::HasSubstr;

QuantizedCase oneProduct()
{
    ProtoBuilder model;
    model.input("x", {1, 64}).output("y", {1, 16});
    model.weight("W", {64, 16}, normal(64 * 16, 1));
    model.node("MatMul", "fc", {"x", "W"}, {"y"});
    return {model, {1, 64}, normalSamples(4, 64, 5)};
}

TEST(VerdictSamples, AreThoseThatWereNotCalibratedWith)
{
    const VerdictSamples some = verdictSamples(302, 300);
    EXPECT_TRUE(some.areHeldBack);
    EXPECT_EQ(some.indices, (std::vector<std::int64_t>{300, 301}));
    const VerdictSamples many = verdictSamples(1000, 300);
    EXPECT_EQ(many.indices.size(), 16U);
    EXPECT_EQ(many.indices.front(), 300);
    EXPECT_LT(many.indices.back(), 1000);
}

TEST(VerdictSamples, AreSpreadOverAllWhereNoneIsHeldBack)
{
    const VerdictSamples spread = verdictSamples(32, 32);
    EXPECT_FALSE(spread.areHeldBack);
    ASSERT_EQ(spread.indices.size(), 16U);
    EXPECT_EQ(spread.indices[1], 2);
    EXPECT_FALSE(verdictSamples(32, std::nullopt).areHeldBack);
    EXPECT_TRUE(verdictSamples(0, 0).indices.empty());
}

TEST(MeasuredVerdict, AMetricOfAnotherFileThanTheModelIsAnError)
{
    QuantizedCase made = oneProduct();
    made.quantize("");
    const auto measured = [&] {
        const auto file = made.exported();
        return measureVerdict(
            {made.opened(), made.compression(), file}, nullptr, {.metricCommand = "wc -c < {model}"}, 1, {});
    };
    EXPECT_TRUE(measured()) << measured().error().line();
    const auto path = made.opened().model->path;
    std::filesystem::copy_file(made.exported(), path, std::filesystem::copy_options::overwrite_existing);
    const auto other = measured();
    ASSERT_FALSE(other);
    EXPECT_EQ(other.error().what, "another file took the place of the model, and the metric would be of that");
}

TEST(MeasuredVerdict, AFileThatIsOpenIsNotReadAgain)
{
    QuantizedCase made = oneProduct();
    const Verdict before = made.quantize("").verdict;
    auto open = openExport(*made.opened().model, made.exported());
    ASSERT_TRUE(open) << open.error().line();
    const std::filesystem::path gone = made.exported();
    std::filesystem::remove(gone);
    const WrittenExport written{made.planned(), made.compression(), gone};
    const auto verdict = measureVerdict(written, &made.data(), {}, 1, {}, *std::move(open));
    ASSERT_TRUE(verdict) << verdict.error().line();
    ASSERT_EQ(verdict->outputs.size(), 1U);
    EXPECT_EQ(verdict->outputs.front().measure.sqnrDb, before.outputs.front().measure.sqnrDb);
    EXPECT_FALSE(measureVerdict(written, &made.data(), {}, 1, {}));
}

/// One input is three thousand times the others, and counts as much as they do: one scale for all of them loses the
/// rest.
TEST(MeasuredVerdict, OneOutlierChannelIsARegressionAndSaysWhereItStarts)
{
    ProtoBuilder model;
    std::vector<float> weights = normal(64 * 16, 1);
    for (std::size_t column = 0; column < 16; ++column)
        weights[column] /= 3000;
    model.input("x", {1, 64}).output("y", {1, 16});
    model.weight("W", {64, 16}, weights).weight("scale", {16}, {1});
    model.node("MatMul", "fc", {"x", "W"}, {"h"});
    model.node("Mul", "rescale", {"h", "scale"}, {"y"});
    auto samples = normalSamples(12, 64, 5);
    for (auto& sample : samples)
        sample[0] *= 3000;
    QuantizedCase outlier(model, {1, 64}, samples);
    const ExportReport report = outlier.quantize("");
    EXPECT_EQ(report.verdict.kind, VerdictKind::Regression) << report.verdict.sentence;
    EXPECT_FALSE(report.isGood());
    ASSERT_FALSE(report.verdict.starts.empty());
    EXPECT_EQ(report.verdict.starts.front().node, "fc");
    EXPECT_EQ(report.verdict.samples, 12);
    EXPECT_FALSE(report.verdict.areHeldBack);
}

/// Of 300 and a little a product keeps the 300; what takes it away again makes nothing worse than it was.
TEST(MeasuredVerdict, AnErrorStartsWhereItIsMadeNotWhereItIsMagnified)
{
    ProtoBuilder model;
    std::vector<float> weights = normal(64 * 16, 1, 0, 0.05F);
    for (std::size_t column = 0; column < 16; ++column)
        weights[column] = 300;
    model.input("x", {1, 64}).output("y", {1, 16});
    model.weight("W", {64, 16}, weights).weight("offset", {16}, {300});
    model.node("MatMul", "fc", {"x", "W"}, {"h"});
    model.node("Sub", "difference", {"h", "offset"}, {"d"});
    model.node("Abs", "end", {"d"}, {"y"});
    auto samples = normalSamples(12, 64, 5);
    for (auto& sample : samples)
        sample[0] = 1;
    QuantizedCase offset(model, {1, 64}, samples);
    const ExportReport report = offset.quantize("");
    EXPECT_EQ(report.verdict.kind, VerdictKind::Regression) << report.verdict.sentence;
    ASSERT_EQ(report.verdict.starts.size(), 1U);
    const ErrorStart& start = report.verdict.starts.front();
    EXPECT_EQ(start.node, "fc");
    EXPECT_EQ(start.kind, StartKind::Starts);
    EXPECT_EQ(start.magnifier, "difference");
    EXPECT_GT(start.sqnrDb, 25);
    EXPECT_LT(start.magnifiedDb, 15);
}

/// The output is the same large number and a little that differs: what differs is lost, and hardly any decibel.
TEST(MeasuredVerdict, AnOutputThatIsAllButConstantIsJudgedByWhatDiffers)
{
    ProtoBuilder model;
    std::vector<float> weights = normal(64 * 16, 1);
    for (float& weight : weights)
        weight = std::abs(weight);
    model.input("x", {1, 64}).output("y", {1, 16});
    model.weight("W", {64, 16}, weights).weight("offset", {64}, {1000});
    model.node("Add", "raise", {"x", "offset"}, {"h"});
    model.node("MatMul", "fc", {"h", "W"}, {"y"});
    QuantizedCase offset(model, {1, 64}, normalSamples(12, 64, 5));
    const ExportReport report = offset.quantize("");
    EXPECT_EQ(report.verdict.kind, VerdictKind::Regression);
    EXPECT_THAT(report.verdict.sentence, HasSubstr("what differs between the samples is at -"));
}

/// Behind a Sigmoid numbers that differ by less than a 255th of what it can give: no 8 bits tell them apart, and the
/// bound of what differs is none for them.
TEST(MeasuredVerdict, WhatHardlyDiffersIsNotKnownToBeLost)
{
    ProtoBuilder model;
    model.input("x", {1, 64}).output("p", {1, 4});
    model.weight("W", {64, 4}, normal(64 * 4, 1)).weight("b", {4}, {-3});
    model.node("MatMul", "fc", {"x", "W"}, {"h"});
    model.node("Add", "bias", {"h", "b"}, {"z"});
    model.node("Sigmoid", "gate", {"z"}, {"p"});
    auto samples = normalSamples(12, 64, 5);
    for (auto& sample : samples) {
        for (float& number : sample)
            number *= 0.0001F;
    }
    QuantizedCase quiet(model, {1, 64}, samples);
    const ExportReport report = quiet.quantize("");
    EXPECT_EQ(report.verdict.kind, VerdictKind::Accepted) << report.verdict.sentence;
    const auto note = std::ranges::find(report.notes, "alike-samples", &Note::kind);
    ASSERT_NE(note, report.notes.end());
    EXPECT_EQ(note->text,
        "output 'p' hardly differs between the samples, by less than 8 bits tell apart: whether the quantized model "
        "keeps what differs in output 'p' is not known; give samples that differ more");
    QuantizedCase loud(model, {1, 64}, normalSamples(12, 64, 5));
    const auto ofLoud = loud.quantize("").notes;
    EXPECT_EQ(std::ranges::find(ofLoud, "alike-samples", &Note::kind), ofLoud.end());
}

/// One picture again and again, with a little noise: against its range the noise is less than a code.
TEST(MeasuredVerdict, OfOnePictureWithNoiseItIsNotKnownWhatDiffers)
{
    ProtoBuilder model;
    model.input("x", {1, 64}).output("y", {1, 16}).weight("W", {64, 16}, normal(64 * 16, 1));
    model.node("MatMul", "fc", {"x", "W"}, {"y"});
    const std::vector<float> picture = normal(64, 3, 0, 100);
    auto samples = normalSamples(12, 64, 5);
    for (auto& sample : samples) {
        for (std::size_t i = 0; i < sample.size(); ++i)
            sample[i] = picture[i] + 0.1F * sample[i];
    }
    QuantizedCase alike(model, {1, 64}, samples);
    const ExportReport report = alike.quantize("");
    EXPECT_EQ(report.verdict.kind, VerdictKind::Accepted) << report.verdict.sentence;
    const auto note = std::ranges::find(report.notes, "alike-samples", &Note::kind);
    ASSERT_NE(note, report.notes.end());
    EXPECT_THAT(note->text, testing::StartsWith("the samples hardly differ, by less than 8 bits tell apart: whether"));
}

/// Degrees of Kelvin: they use little of the range, but all of what they differ by is lost.
TEST(MeasuredVerdict, WhatIsLostAtAnInputFarFromZeroIsFound)
{
    ProtoBuilder model;
    std::vector<float> weights = normal(64 * 16, 1);
    for (float& weight : weights)
        weight = std::abs(weight);
    model.input("x", {1, 64}).output("y", {1, 16}).weight("W", {64, 16}, weights);
    model.node("MatMul", "fc", {"x", "W"}, {"y"});
    auto samples = normalSamples(12, 64, 5);
    for (auto& sample : samples) {
        for (float& number : sample)
            number = 300 + 0.5F * number;
    }
    QuantizedCase kelvin(model, {1, 64}, samples);
    EXPECT_EQ(kelvin.quantize("").verdict.kind, VerdictKind::Regression);
}

TEST(MeasuredVerdict, DataThatHoldOneNumberSayNothing)
{
    ProtoBuilder model;
    model.input("x", {1, 64}).output("y", {1, 16}).weight("W", {64, 16}, normal(64 * 16, 1));
    model.node("MatMul", "fc", {"x", "W"}, {"y"});
    QuantizedCase zeros(model, {1, 64}, std::vector<std::vector<float>>(4, std::vector<float>(64, 0)));
    const ExportReport report = zeros.quantize("");
    EXPECT_FALSE(report.isGood());
    EXPECT_FALSE(checkOf(report, "varying-data").ok);
    QuantizedCase same(model, {1, 64}, std::vector<std::vector<float>>(4, normal(64, 5)));
    const auto notes = same.quantize("").notes;
    EXPECT_NE(std::ranges::find(notes, "same-samples", &Note::kind), notes.end());
}

TEST(MeasuredVerdict, OutputsThatAreSequencesAreNotComparedAndDoNotStopTheExport)
{
    ProtoBuilder model;
    model.input("x", {1, 64}).output("y", {1, 16}).weight("W", {64, 16}, normal(64 * 16, 1));
    model.node("MatMul", "fc", {"x", "W"}, {"y"});
    model.node("SplitToSequence", "split", {"y"}, {"parts"});
    auto& parts = *model.proto().add_output();
    parts.set_name("parts");
    parts.mutable_type()->mutable_sequence_type()->mutable_elem_type()->mutable_tensor_type()->set_elem_type(
        onnx::TensorProto::FLOAT);
    QuantizedCase product(model, {1, 64}, normalSamples(12, 64, 5));
    const ExportReport report = product.quantize("");
    EXPECT_EQ(report.verdict.kind, VerdictKind::Accepted) << report.verdict.sentence;
    ASSERT_EQ(report.verdict.outputs.size(), 2U);
    EXPECT_EQ(report.verdict.outputs[1].text, "not compared: it is no tensor of numbers");
}

TEST(MeasuredVerdict, TakesSamplesThatWereNotCalibratedWith)
{
    ProtoBuilder model;
    model.input("x", {1, 64}).output("y", {1, 16}).weight("W", {64, 16}, normal(64 * 16, 1));
    model.node("MatMul", "fc", {"x", "W"}, {"y"});
    QuantizedCase product(model, {1, 64}, normalSamples(12, 64, 5));
    const ExportReport report = product.quantize(R"("subset_size": 8)");
    EXPECT_TRUE(report.verdict.areHeldBack);
    EXPECT_EQ(report.verdict.samples, 4);
    ASSERT_EQ(report.verdict.outputs.size(), 1U);
    EXPECT_TRUE(report.verdict.outputs.front().isGood) << report.verdict.outputs.front().text;
    EXPECT_EQ(report.verdict.outputs.front().measure.predictions, 4);
    EXPECT_TRUE(report.verdict.starts.empty());
}

TEST(MeasuredVerdict, WithoutQuantizersNothingIsQuantized)
{
    ProtoBuilder model;
    model.input("x", {1, 64}).output("y", {1, 64});
    model.node("Tanh", "t", {"x"}, {"y"});
    QuantizedCase empty(model, {1, 64}, normalSamples(4, 64, 5));
    const ExportReport report = empty.quantize("");
    EXPECT_EQ(report.verdict.kind, VerdictKind::NothingQuantized);
    EXPECT_FALSE(report.isGood());
}

} // namespace
} // namespace duo
