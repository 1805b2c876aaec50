// SPDX-License-Identifier: Apache-2.0
// Models that int8 ruins, or is no use to: each ends accepted after what is repaired by itself, or with the verdict
// that is right and what to do about it.
#include "core/pipeline/bounded_export.h"

#include "core/report/note_groups.h"
#include "core/report/verdict_report.h"
#include "tests/core/pipeline/normal_samples.h"
#include "tests/core/pipeline/outlier_model.h"
#include "tests/core/pipeline/quantized_case.h"
#include "tests/core/transform/old_file.h"
#include "tests/support/half_range.h"
#include "tests/support/numpy_files.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <numbers>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace duo {
namespace {

using namespace test;
using testing::AnyOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::MatchesRegex;
using testing::Not;
using testing::StartsWith;

/// As the command line and the window export.
ExportReport exported(QuantizedCase& trap, const std::string& settings = kHalfRange, const std::string& rules = "[]",
    const ExportDemands& demands = {})
{
    trap.quantize(settings, rules);
    const JobContext job;
    const auto made = exportWithin(demands, trap.planned(), trap.compression(), &trap.data(), trap.exported(),
        recalibration(trap.compression(), {.dataset = &trap.data()}, 2, job), 2, job);
    EXPECT_TRUE(made) << made.error().line();
    return made->report;
}

void expectAccepted(const ExportReport& report)
{
    EXPECT_EQ(report.verdict.kind, VerdictKind::Accepted) << verdictHeadline(report.verdict);
    EXPECT_TRUE(report.isGood());
    EXPECT_EQ(noteOf(report.verdict.notes, kWayOut), nullptr);
    for (const OutputError& output : report.outputs)
        EXPECT_TRUE(output.isGood) << output.text;
}

/// "" where nothing is said.
std::string wayOut(const ExportReport& report)
{
    EXPECT_FALSE(report.isGood());
    const Note* way = noteOf(report.verdict.notes, kWayOut);
    return way == nullptr ? "" : way->text;
}

class OldOpsetTrap : public testing::TestWithParam<std::int64_t>
{
};

/// One scale for all channels would leave most of them two codes.
TEST_P(OldOpsetTrap, ChannelsOfWideSpreadAreQuantizedPerChannel)
{
    OldFile model(GetParam());
    std::vector<float> weights = normal(16 * 4 * 9, 1, 0, 0.3F);
    for (std::size_t i = 0; i < 4 * 9; ++i)
        weights[i] *= 100;
    model.input("x", {1, 4, 12, 12}).output("y", {1, 16, 10, 10}).weight("w", {16, 4, 3, 3}, weights);
    model.op("Conv", {"x", "w"}, {"c"});
    if (GetParam() < 11) {
        model.op("Clip", {"c"}, {"y"}, {{"min", 0.0F}, {"max", 6.0F}});
    } else {
        model.weight("min", {}, {0}).weight("max", {}, {6});
        model.op("Clip", {"c", "min", "max"}, {"y"});
    }
    QuantizedCase spread(model, {1, 4, 12, 12}, normalSamples(8, 4 * 12 * 12, 100));
    expectAccepted(exported(spread));
}

INSTANTIATE_TEST_SUITE_P(Opsets, OldOpsetTrap, testing::Values(10, 11, 12));

/// Scores of which a constant hides the later ones.
TEST(Trap, AMaskOfInfinitiesStaysInFloat)
{
    ProtoBuilder model;
    std::vector<float> mask(16 * 16, 0);
    for (std::size_t row = 0; row < 16; ++row)
        std::fill_n(mask.begin() + static_cast<std::ptrdiff_t>(row * 16 + row + 1), 15 - row,
            -std::numeric_limits<float>::infinity());
    model.input("x", {1, 16, 32}).output("y", {1, 16, 32}).weight("mask", {16, 16}, mask);
    for (const char* name : {"Wq", "Wk", "Wv", "Wo"})
        model.weight(name, {32, 32}, normal(32 * 32, static_cast<unsigned>(name[1]), 0, 0.18F));
    model.node("MatMul", "q", {"x", "Wq"}, {"q"});
    model.node("MatMul", "k", {"x", "Wk"}, {"k"});
    model.node("MatMul", "v", {"x", "Wv"}, {"v"});
    auto& turned = model.node("Transpose", "turn", {"k"}, {"kt"});
    auto& order = *turned.add_attribute();
    order.set_name("perm");
    order.set_type(onnx::AttributeProto::INTS);
    for (const std::int64_t axis : {0, 2, 1})
        order.add_ints(axis);
    model.node("MatMul", "scores", {"q", "kt"}, {"s"});
    model.node("Add", "hide", {"s", "mask"}, {"m"});
    model.node("Softmax", "softmax", {"m"}, {"p"});
    model.node("MatMul", "mix", {"p", "v"}, {"o"});
    model.node("MatMul", "out", {"o", "Wo"}, {"y"});
    QuantizedCase masked(model, {1, 16, 32}, normalSamples(8, 16 * 32, 100));
    expectAccepted(exported(masked));
}

/// Powers of a spectrum span more than eight bits tell.
TEST(Trap, ASinusoidFrontEndStaysInFloat)
{
    constexpr std::int64_t kLength = 64;
    constexpr std::int64_t kFrequencies = kLength / 2 + 1;
    const auto waves = [](double phase) {
        std::vector<float> values;
        for (std::int64_t k = 0; k < kFrequencies; ++k) {
            for (std::int64_t i = 0; i < kLength; ++i) {
                const double turn = 2 * std::numbers::pi * static_cast<double>(i) / kLength;
                values.push_back(
                    static_cast<float>((0.5 - 0.5 * std::cos(turn)) * std::cos(turn * static_cast<double>(k) + phase)));
            }
        }
        return values;
    };
    ProtoBuilder model;
    model.input("x", {1, 1, 640}).output("y", {1, 8, 575});
    model.weight("cos", {kFrequencies, 1, kLength}, waves(0));
    model.weight("sin", {kFrequencies, 1, kLength}, waves(std::numbers::pi / 2)).weight("least", {1}, {1e-5F});
    model.weight("w1", {8, kFrequencies, 3}, normal(8 * kFrequencies * 3, 1, 0, 0.1F));
    model.node("Conv", "real", {"x", "cos"}, {"re"});
    model.node("Conv", "imaginary", {"x", "sin"}, {"im"});
    model.node("Mul", "real power", {"re", "re"}, {"re2"});
    model.node("Mul", "imaginary power", {"im", "im"}, {"im2"});
    model.node("Add", "power", {"re2", "im2"}, {"p"});
    model.node("Add", "not zero", {"p", "least"}, {"q"});
    model.node("Log", "log", {"q"}, {"l"});
    model.node("Conv", "learned", {"l", "w1"}, {"f"});
    model.node("Tanh", "end", {"f"}, {"y"});
    auto samples = normalSamples(8, 640, 100);
    for (std::size_t i = 0; i < samples.size(); ++i) {
        for (std::size_t t = 0; t < samples[i].size(); ++t)
            samples[i][t] = 0.001F * samples[i][t]
                + static_cast<float>(std::sin(0.1 * static_cast<double>((i + 1) * t)) / static_cast<double>(i + 1));
    }
    QuantizedCase front(model, {1, 1, 640}, samples);
    const ExportReport report = exported(front);
    expectAccepted(report);
    EXPECT_NE(noteOf(report.notes, "front-end"), nullptr);
}

/// What one channel of the input takes is missing in the others, which decide.
QuantizedCase outlierChannel(std::size_t count = 12)
{
    ProtoBuilder model;
    addOutlierProducts(model);
    auto samples = normalSamples(count, 64, 5);
    for (auto& sample : samples)
        sample[0] *= kOutlier;
    return {model, {1, 64}, samples};
}

TEST(Trap, OneOutlierChannelIsARegressionAndItsProductTheWayOut)
{
    QuantizedCase outlier = outlierChannel();
    const ExportReport report = exported(outlier);
    EXPECT_EQ(report.verdict.kind, VerdictKind::Regression) << verdictHeadline(report.verdict);
    ASSERT_EQ(report.verdict.suggested.size(), 1U);
    EXPECT_THAT(report.verdict.suggested[0].name, HasSubstr("first"));
    EXPECT_THAT(wayOut(report), StartsWith("keep '" + report.verdict.suggested[0].name + "' in float (foreseen "));
    EXPECT_THAT(wayOut(report),
        EndsWith(" dB now); --min-sqnr 20 (in the window Quantize > Bounds) keeps as many scopes as it takes"));
    EXPECT_THAT(exportText(report), HasSubstr("\n                what to do: keep '"));
    EXPECT_EQ(exportJson(report)["verdict"]["way_out"], wayOut(report));
    expectAccepted(
        exported(outlier, kHalfRange, R"([{"action": "ignore", "kind": "name", "value": "/first/MatMul"}])"));
}

/// Which are the largest of many scores changes with little noise; numbers of places have no decibels.
TEST(Trap, WholeNumbersThatDifferAreKeptByAgreementNotByTheirError)
{
    ProtoBuilder model;
    model.input("x", {1, 64}).node("MatMul", "first", {"x", "w1"}, {"h"});
    model.weight("w1", {64, 64}, normal(64 * 64, 1, 0, 0.18F)).weight("w2", {64, 200}, normal(64 * 200, 2, 0, 0.18F));
    model.node("Relu", "relu", {"h"}, {"r"});
    model.node("MatMul", "second", {"r", "w2"}, {"scores"});
    model.tensor("count", {1}, onnx::TensorProto::INT64).add_int64_data(8);
    model.node("TopK", "largest", {"scores", "count"}, {"values", "places"});
    model.output("places", {1, 8});
    model.proto().mutable_output(0)->mutable_type()->mutable_tensor_type()->set_elem_type(onnx::TensorProto::INT64);
    QuantizedCase places(model, {1, 64}, normalSamples(16, 64, 100));
    const ExportReport report = exported(places);
    EXPECT_EQ(report.verdict.kind, VerdictKind::Regression) << verdictHeadline(report.verdict);
    EXPECT_THAT(wayOut(report), HasSubstr("--min-agreement 0.95"));
    EXPECT_THAT(wayOut(report), Not(HasSubstr("--min-sqnr")));
}

/// Two runs of the float model are as far apart as this.
TEST(Trap, AnOutputThatIsDrawnIsNotComparedWithAnotherDraw)
{
    ProtoBuilder model;
    model.input("x", {1, 64}).output("y", {1, 64});
    model.weight("w1", {64, 64}, normal(64 * 64, 1, 0, 0.18F)).weight("w2", {64, 64}, normal(64 * 64, 2, 0, 0.18F));
    model.node("MatMul", "first", {"x", "w1"}, {"h"});
    model.node("RandomNormalLike", "draw", {"h"}, {"noise"});
    model.node("Add", "voice", {"h", "noise"}, {"v"});
    model.node("MatMul", "second", {"v", "w2"}, {"y"});
    QuantizedCase drawn(model, {1, 64}, normalSamples(16, 64, 100));
    const ExportReport report = exported(drawn);
    EXPECT_EQ(report.verdict.kind, VerdictKind::NotComparable) << verdictHeadline(report.verdict);
    EXPECT_THAT(report.verdict.sentence, HasSubstr("the float model gives other numbers in each run"));
    EXPECT_THAT(wayOut(report), StartsWith("give a metric"));
}

/// What is large and the same in all samples hides what differs, whatever the error of the whole.
TEST(Trap, WhatIsHiddenByAnOffsetIsNotPromisedByABoundOnTheError)
{
    ProtoBuilder model;
    model.input("x", {1, 64}).output("y", {1, 64}).weight("offset", {}, {1000});
    model.weight("w1", {64, 256}, normal(64 * 256, 1, 0, 0.18F)).weight("w2", {256, 64}, normal(256 * 64, 2, 0, 0.1F));
    model.node("Add", "far", {"x", "offset"}, {"f"});
    model.node("MatMul", "first", {"f", "w1"}, {"h"});
    model.node("MatMul", "second", {"h", "w2"}, {"y"});
    QuantizedCase hidden(model, {1, 64}, normalSamples(16, 64, 100));
    const ExportReport report = exported(hidden);
    EXPECT_EQ(report.verdict.kind, VerdictKind::Regression) << verdictHeadline(report.verdict);
    EXPECT_THAT(wayOut(report), Not(HasSubstr("--min-sqnr")));
}

/// They are no bound, so that nothing was kept in float for them.
TEST(Trap, AccuracyLostByLabelsThatNobodyNamedHasAWayOutToo)
{
    constexpr std::size_t kSamples = 120; // enough to tell a drop of one point
    QuantizedCase outlier = outlierChannel(kSamples);
    std::vector<std::int64_t> right;
    for (std::size_t i = 0; i < kSamples; ++i) {
        const std::vector<float> scores = outlier.floatOutput(i);
        right.push_back(std::ranges::max_element(scores) - scores.begin());
    }
    const auto file = outlier.exported().parent_path() / "data.labels.npy";
    std::ofstream(file, std::ios::binary) << npy({kSamples}, right);
    ExportDemands demands;
    demands.verdict.found.labels = LabelsBeside{"", file};
    const ExportReport report = exported(outlier, kHalfRange, "[]", demands);
    ASSERT_TRUE(report.verdict.quality);
    EXPECT_EQ(report.verdict.kind, VerdictKind::Regression) << verdictHeadline(report.verdict);
    ASSERT_EQ(report.verdict.suggested.size(), 1U);
    EXPECT_THAT(wayOut(report), StartsWith("keep '" + report.verdict.suggested[0].name + "' in float (foreseen "));
    EXPECT_THAT(wayOut(report), HasSubstr("; allow a larger drop (--max-drop) (in the window Quantize > Bounds)"));
}

TEST(Trap, WhatLeavesNothingQuantizedIsNoWayOut)
{
    ProtoBuilder model;
    model.input("x", {1, 64}).output("y", {1, 16});
    for (unsigned seed = 0; seed < 2; ++seed) {
        const std::string name(1, static_cast<char>('a' + seed));
        model.weight("W" + name, {64, 16}, outlierWeights(seed));
        model.node("MatMul", "/" + name + "/MatMul", {"x", "W" + name}, {"h" + name});
    }
    model.node("Add", "/join/Add", {"ha", "hb"}, {"y"});
    auto samples = normalSamples(12, 64, 5);
    for (auto& sample : samples)
        sample[0] *= kOutlier;
    QuantizedCase only(model, {1, 64}, samples);
    const ExportReport report = exported(only);
    EXPECT_EQ(report.verdict.kind, VerdictKind::Regression) << verdictHeadline(report.verdict);
    EXPECT_TRUE(report.verdict.suggested.empty());
    EXPECT_EQ(wayOut(report),
        "with what helps in float nothing is left quantized: try cross_layer_equalization or smooth_quant_alphas in "
        "the recipe (in the window Config), or keep the float model");
}

/// A Gemm that adds a matrix has no int8 kernel.
TEST(Trap, AnUnfusedTailIsTakenOutOfInt8)
{
    ProtoBuilder model;
    model.input("x", {1, 64, 2, 2}).output("y", {1, 16, 2, 2});
    model.weight("W1", {64, 64, 1, 1}, normal(64 * 64, 1, 0, 0.12F));
    model.weight("W2", {16, 64, 1, 1}, normal(64 * 16, 2, 0, 0.12F))
        .weight("W3", {16, 64, 2, 2}, normal(64 * 64, 3, 0, 0.06F));
    model.tensor("channels", {1}, onnx::TensorProto::INT64).add_int64_data(16);
    model.node("Conv", "first", {"x", "W1"}, {"h"});
    model.node("Tanh", "squash", {"h"}, {"t"});
    model.node("Conv", "made", {"t", "W3"}, {"m"});
    model.node("Reshape", "vector", {"m", "channels"}, {"bias"});
    model.node("Conv", "tail", {"t", "W2", "bias"}, {"b"}); // a bias that is data
    model.node("Tanh", "out", {"b"}, {"y"});
    QuantizedCase tail(model, {1, 64, 2, 2}, normalSamples(8, 256, 10));
    const ExportReport report = exported(tail);
    expectAccepted(report);
    ASSERT_EQ(report.keptFloat.size(), 1U);
    EXPECT_EQ(report.keptFloat[0].node, "tail");
}

/// Products of four by four on long data: to make codes of it costs more than they do.
TEST(Trap, AModelThatIsSlowerInInt8HasNoBenefitAndSaysWhatWasTried)
{
    ProtoBuilder model;
    model.input("x", {60000, 4}).output("y", {60000, 4});
    std::string from = "x";
    for (int i = 0; i < 4; ++i) {
        const std::string number = std::to_string(i);
        model.weight("W" + number, {4, 4}, normal(16, static_cast<unsigned>(i), 0, 0.7F));
        model.node("MatMul", "/thin" + number + "/MatMul", {from, "W" + number}, {"h" + number});
        from = i == 3 ? "y" : "t" + number;
        model.node("Tanh", "/thin" + number + "/Tanh", {"h" + number}, {from});
    }
    QuantizedCase thin(model, {60000, 4}, normalSamples(2, 60000 * 4, 5));
    const ExportReport report = exported(thin);
    EXPECT_EQ(report.verdict.kind, VerdictKind::NoBenefit) << verdictHeadline(report.verdict);
    EXPECT_THAT(report.verdict.sentence, HasSubstr("x slower than float and "));
    // On a machine that is busy, a scope in float can seem to make it faster.
    EXPECT_THAT(wayOut(report),
        AnyOf("each of 4 scopes was kept in float on trial, then those that gained together, in vain: with this "
              "profile the float model is the better one",
            MatchesRegex("keep .*thin.* in float: .* x faster than float and .*, measured")));
}

TEST(Trap, RulesThatLeaveNothingSayThatTheyAreTheWayOut)
{
    ProtoBuilder model;
    model.input("x", {1, 64}).output("y", {1, 16}).weight("W", {64, 16}, normal(64 * 16, 1));
    model.node("MatMul", "fc", {"x", "W"}, {"y"});
    QuantizedCase empty(model, {1, 64}, normalSamples(8, 64, 5));
    const ExportReport report
        = exported(empty, kHalfRange, R"([{"action": "ignore", "kind": "type", "value": "MatMul"}])");
    EXPECT_EQ(report.verdict.kind, VerdictKind::NothingQuantized);
    EXPECT_EQ(wayOut(report), "take away or narrow the rules that keep nodes in float");
}

} // namespace
} // namespace duo
