// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/bounded_export.h"

#include "core/pipeline/calibration/known_statistics.h"
#include "tests/core/pipeline/normal_samples.h"
#include "tests/core/pipeline/quantized_case.h"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace duo {
namespace {

using namespace test;

/// Two products of the same input, of which one channel is three thousand times the others and counts as much.
std::vector<std::vector<float>> outlierSamples()
{
    auto samples = normalSamples(12, 64, 5);
    for (auto& sample : samples)
        sample[0] *= 3000;
    return samples;
}

std::vector<float> outlierWeights(unsigned seed)
{
    std::vector<float> weights = normal(64 * 16, seed);
    for (std::size_t column = 0; column < 16; ++column)
        weights[column] /= 3000;
    return weights;
}

TEST(BoundedExport, SuggestsScopesThatHelpOnlyTogether)
{
    ProtoBuilder model;
    model.input("x", {1, 64}).output("y", {1, 16});
    model.weight("a.W", {64, 16}, outlierWeights(1)).weight("b.W", {64, 16}, outlierWeights(2));
    model.node("MatMul", "/a/MatMul", {"x", "a.W"}, {"h"});
    model.node("MatMul", "/b/MatMul", {"x", "b.W"}, {"k"});
    model.node("Add", "/join/Add", {"h", "k"}, {"s"});
    model.node("Tanh", "/join/Tanh", {"s"}, {"t"});
    model.weight("c.W", {16, 16}, normal(256, 3, 0, 0.25F)).node("MatMul", "/c/MatMul", {"t", "c.W"}, {"y"});
    QuantizedCase outlier(model, {1, 64}, outlierSamples());
    ASSERT_EQ(outlier.quantize("").verdict.kind, VerdictKind::Regression);
    const MeasureOptions measuring;
    const JobContext job;
    const auto made = exportWithin({}, outlier.planned(), outlier.compression(), &outlier.data(), outlier.exported(),
        recalibration(outlier.compression(), {.dataset = &outlier.data(), .measuring = measuring}, 2, job), 2, job);
    ASSERT_TRUE(made) << made.error().line();
    std::vector<std::string> names;
    for (const SuggestedFloat& kept : made->report.verdict.suggested)
        names.push_back(kept.name);
    std::ranges::sort(names);
    ASSERT_EQ(names.size(), 2U);
    EXPECT_EQ(names[0].front(), 'a');
    EXPECT_EQ(names[1].front(), 'b');
}

/// Four coordinates and three scores at each of 40 positions.
QuantizedCase detector(float bias)
{
    ProtoBuilder model;
    model.input("x", {1, 40, 32}).output("y", {1, 40, 7});
    model.weight("w", {32, 32}, normal(32 * 32, 1, 0, 0.25F)).weight("bias", {3}, {bias});
    model.weight("box.W", {32, 4}, normal(32 * 4, 2)).weight("class.W", {32, 3}, normal(32 * 3, 3, 0, 0.3F));
    model.node("MatMul", "body", {"x", "w"}, {"h"});
    model.node("Relu", "relu", {"h"}, {"r"});
    model.node("MatMul", "box", {"r", "box.W"}, {"boxes"});
    model.node("MatMul", "class", {"r", "class.W"}, {"c"});
    model.node("Add", "shift", {"c", "bias"}, {"logits"});
    model.node("Sigmoid", "score", {"logits"}, {"scores"});
    addInt(model.node("Concat", "join", {"boxes", "scores"}, {"y"}), "axis", 2);
    return {model, {1, 40, 32}, normalSamples(8, 40 * 32, 5)};
}

Result<BoundedExport> agreeing(QuantizedCase& made, double share)
{
    made.quantize("");
    ExportDemands demands;
    demands.bounds.minAgreement = share;
    const JobContext job;
    return exportWithin(demands, made.planned(), made.compression(), &made.data(), made.exported(),
        recalibration(made.compression(), {.dataset = &made.data()}, 2, job), 2, job);
}

TEST(BoundedExport, AgreementOfADetectorIsThatOfItsDetections)
{
    QuantizedCase finds = detector(0);
    const auto made = agreeing(finds, 0.9);
    ASSERT_TRUE(made) << made.error().line();
    ASSERT_EQ(made->report.verdict.outputs.size(), 1U);
    const OutputMeasure& measure = made->report.verdict.outputs[0].measure;
    EXPECT_EQ(measure.kind, AnswerKind::Detection);
    EXPECT_GT(measure.predictions, 40);
    EXPECT_GE(static_cast<double>(measure.agreeing), 0.9 * static_cast<double>(measure.predictions));
}

TEST(BoundedExport, AgreementNeedsSomethingThatMayAgree)
{
    QuantizedCase blind = detector(-40);
    const auto made = agreeing(blind, 0.9);
    ASSERT_FALSE(made);
    EXPECT_THAT(made.error().line(),
        testing::StartsWith("the float model detects nothing in the first samples that could agree"));
}

TEST(BoundedExport, SaysThatOnlyTheFloatModelReachesABound)
{
    ProtoBuilder model;
    model.input("x", {1, 64}).output("y", {1, 16}).weight("W", {64, 16}, normal(64 * 16, 1));
    model.node("MatMul", "fc", {"x", "W"}, {"y"});
    QuantizedCase made(model, {1, 64}, normalSamples(8, 64, 5));
    made.quantize("");
    const TemporaryFolder folder;
    const JobContext job;
    const Recalibrate again = recalibration(made.compression(), {.dataset = &made.data()}, 1, job);
    ExportDemands demands;
    demands.bounds.minSqnrDb = 90;
    const auto all
        = exportWithin(demands, made.planned(), made.compression(), &made.data(), folder / "m.onnx", again, 1, job);
    ASSERT_TRUE(all) << all.error().line();
    EXPECT_EQ(all->report.verdict.kind, VerdictKind::NothingQuantized);
    EXPECT_THAT(all->report.verdict.notes,
        testing::Contains(
            testing::Field(&Note::text, testing::StartsWith("nothing short of the whole model in float"))));
}

} // namespace
} // namespace duo
