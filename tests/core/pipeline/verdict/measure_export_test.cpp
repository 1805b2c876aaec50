// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/verdict/measure_export.h"

#include "tests/core/pipeline/normal_samples.h"
#include "tests/core/pipeline/quantized_case.h"

#include <gtest/gtest.h>

namespace duo {
namespace {

using namespace test;

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

/// y = x W with one column of W a thousand times the others, in a format that has one scale for all of W.
TEST(MeasuredVerdict, OneOutlierChannelIsARegressionAndSaysWhereItStarts)
{
    ProtoBuilder model;
    model.model().mutable_opset_import(0)->set_version(11); // no scales per channel
    std::vector<float> weights = normal(64 * 16, 1);
    for (std::size_t row = 0; row < 64; ++row)
        weights[row * 16] *= 3000;
    model.input("x", {1, 64}).output("y", {1, 16});
    model.weight("W", {64, 16}, weights).weight("half", {16}, std::vector<float>(16, 0));
    std::vector<float> scale(16, 1);
    scale[0] = 1e-4F; // what the outlier gives does not drown the others in the output
    model.weight("scale", {16}, scale);
    model.node("MatMul", "fc", {"x", "W"}, {"h"});
    model.node("Mul", "rescale", {"h", "scale"}, {"y"});
    QuantizedCase outlier(model, {1, 64}, normalSamples(12, 64, 5));
    const ExportReport report = outlier.quantize("");
    EXPECT_EQ(report.verdict.kind, VerdictKind::Regression) << report.verdict.sentence;
    EXPECT_FALSE(report.isGood());
    ASSERT_FALSE(report.verdict.starts.empty());
    EXPECT_EQ(report.verdict.starts.front().node, "rescale");
    EXPECT_EQ(report.verdict.samples, 12);
    EXPECT_FALSE(report.verdict.areHeldBack);
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
