// SPDX-License-Identifier: Apache-2.0
#include "tests/core/quantize/placed.h"
#include "tests/support/model_builder.h"
#include "tests/support/placing.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace duo {
namespace {

using test::decisionLine;
using test::ModelBuilder;
using test::placed;
using testing::StartsWith;

constexpr std::int64_t kLength = 64;
constexpr std::int64_t kFrequencies = kLength / 2 + 1;

std::vector<float> waves(double phase)
{
    std::vector<float> values;
    for (std::int64_t k = 0; k < kFrequencies; ++k) {
        for (std::int64_t i = 0; i < kLength; ++i) {
            const double turn = 2 * std::numbers::pi * static_cast<double>(i) / kLength;
            const double window = 0.5 - 0.5 * std::cos(turn);
            values.push_back(static_cast<float>(window * std::cos(turn * static_cast<double>(k) + phase)));
        }
    }
    return values;
}

/// Samples to powers of frequencies, a logarithm, then two learned convolutions.
ModelBuilder spectrogram(const std::vector<float>& real)
{
    ModelBuilder builder;
    builder.input("x", {1, 1, 640}).weight("cos", {kFrequencies, 1, kLength}, real);
    builder.weight("sin", {kFrequencies, 1, kLength}, waves(std::numbers::pi / 2)).weight("least", {}, {1e-5F});
    builder.weight("w1", {8, kFrequencies, 3}).weight("w2", {8, 8, 3});
    builder.node("Conv", "real", {"x", "cos"}, {"re"}).node("Conv", "imaginary", {"x", "sin"}, {"im"});
    builder.node("Mul", "real power", {"re", "re"}, {"re2"}).node("Mul", "imaginary power", {"im", "im"}, {"im2"});
    builder.node("Add", "power", {"re2", "im2"}, {"p"}).node("Add", "not zero", {"p", "least"}, {"q"});
    builder.node("Log", "log", {"q"}, {"l"}).node("Conv", "first", {"l", "w1"}, {"f"});
    return builder.node("Relu", "relu", {"f"}, {"r"}).node("Conv", "second", {"r", "w2"}, {"y"}).output("y");
}

TEST(FrontEnd, LeavesAFourierTransformAndWhatFollowsInFloat)
{
    const auto model = spectrogram(waves(0)).build();
    const Placement placement = placed(*model);
    EXPECT_EQ(decisionLine(*model, placement, "real"),
        "preset: it is a fixed transform in front of the network (its weights are sinusoids), which needs float");
    EXPECT_EQ(decisionLine(*model, placement, "power"),
        "preset: it belongs to the front end of the network, behind the fixed transform 'real'");
    for (const char* node : {"imaginary", "real power", "not zero"})
        EXPECT_THAT(decisionLine(*model, placement, node), StartsWith("preset")) << node;
    EXPECT_THAT(decisionLine(*model, placement, "first"), StartsWith("quantized"));
}

TEST(FrontEnd, IsToldInANote)
{
    const Placement placement = placed(*spectrogram(waves(0)).build());
    ASSERT_EQ(placement.notes.size(), 1U);
    EXPECT_EQ(placement.notes[0].kind, "front-end");
    EXPECT_EQ(placement.notes[0].severity, Severity::Remark);
    EXPECT_THAT(
        placement.notes[0].text, StartsWith("4 nodes stay in float: a fixed transform in front of the network"));
}

TEST(FrontEnd, QuantizesLearnedFiltersOfTheSameShape)
{
    std::vector<float> learned;
    for (std::int64_t i = 0; i < kFrequencies * kLength; ++i)
        learned.push_back(std::fmod(static_cast<float>(i * i % 7919) * 0.37F, 1.0F) - 0.5F);
    const auto model = spectrogram(learned).build();
    EXPECT_THAT(decisionLine(*model, placed(*model), "real"), StartsWith("quantized"));
}

TEST(FrontEnd, EndsAtTheFirstLearnedWeights)
{
    ModelBuilder builder;
    builder.input("x", {1, 1, 640}).weight("w", {1, 1, 3}).weight("cos", {kFrequencies, 1, kLength}, waves(0));
    builder.weight("w2", {8, kFrequencies, 3});
    builder.node("Conv", "learned", {"x", "w"}, {"a"}).node("Conv", "sinusoids", {"a", "cos"}, {"b"});
    const auto model = builder.node("Conv", "last", {"b", "w2"}, {"y"}).output("y").build();
    EXPECT_THAT(decisionLine(*model, placed(*model), "sinusoids"), StartsWith("quantized"));
}

TEST(FrontEnd, BeginsBehindThePreEmphasisOfSpeech)
{
    ModelBuilder builder;
    builder.input("x", {1, 1, 640}).weight("w", {1, 1, 2}, {-0.97F, 1.0F});
    builder.weight("cos", {kFrequencies, 1, kLength}, waves(0)).weight("w2", {8, kFrequencies, 3});
    builder.node("Conv", "emphasis", {"x", "w"}, {"a"}).node("Conv", "sinusoids", {"a", "cos"}, {"b"});
    const auto model = builder.node("Conv", "last", {"b", "w2"}, {"y"}).output("y").build();
    const Placement placement = placed(*model);
    EXPECT_EQ(decisionLine(*model, placement, "emphasis"),
        "preset: it is a filter of one channel before the fixed transform in front of the network");
    EXPECT_THAT(decisionLine(*model, placement, "sinusoids"), StartsWith("preset"));
}

TEST(FrontEnd, IsQuantizedWhereAPrecisionRuleCatchesIt)
{
    const auto model = spectrogram(waves(0)).build();
    RuleHits hits = test::ignoring(*model, {});
    RulePrecision bits;
    bits.activations.numBits = 8;
    hits.precisions.push_back(bits);
    hits.precisionOf.assign(model->nodes.size(), 0);
    hits.precisionOf[model->findNode("real").index] = 1;
    const auto placement = test::placeOnce(*model, hits, {});
    ASSERT_TRUE(placement);
    EXPECT_THAT(decisionLine(*model, *placement, "real"), StartsWith("quantized"));
    EXPECT_THAT(decisionLine(*model, *placement, "imaginary"), StartsWith("preset"));
}

TEST(FrontEnd, IsQuantizedAsNncfDoesWhereThatIsAskedFor)
{
    const auto model = spectrogram(waves(0)).build();
    EXPECT_THAT(decisionLine(*model, placed(*model, test::likeNncf()), "real"), StartsWith("quantized"));
}

} // namespace
} // namespace duo
