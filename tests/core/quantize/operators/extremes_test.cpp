// SPDX-License-Identifier: Apache-2.0
#include "tests/core/quantize/placed.h"
#include "tests/support/model_builder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

namespace duo {
namespace {

using test::decisionLine;
using test::ModelBuilder;
using test::placed;
using testing::HasSubstr;
using testing::StartsWith;

constexpr float kInf = std::numeric_limits<float>::infinity();

QuantizationSettings forQnn()
{
    QuantizationSettings settings;
    settings.profile = Profile::Qnn;
    return settings;
}

/// Scores of two activations, a mask added, Softmax, and the product with a third.
std::shared_ptr<const Model> maskedAttention(float mask, bool leadsToSoftmax = true)
{
    ModelBuilder builder;
    builder.input("q", {1, 4, 8}).input("k", {1, 8, 4}).input("v", {1, 4, 8}).weight("mask", {4, 4}, {0, mask});
    builder.node("MatMul", "scores", {"q", "k"}, {"s"}).node("Relu", "relu", {"s"}, {"r"});
    builder.node("Add", "masked", {"r", "mask"}, {"m"});
    builder.node(leadsToSoftmax ? "Softmax" : "Tanh", "weights", {"m"}, {"p"});
    return builder.node("MatMul", "mixed", {"p", "v"}, {"y"}).output("y").build();
}

TEST(Extremes, LeavesAMaskBeforeASoftmaxInFloat)
{
    const auto model = maskedAttention(-10000);
    const Placement placement = placed(*model, forQnn());
    const std::string why = "a mask of -10000 on its way to 'weights' goes through it, which codes cannot hold beside "
                            "other values";
    EXPECT_EQ(decisionLine(*model, placement, "masked"), "preset: " + why);
    EXPECT_EQ(decisionLine(*model, placement, "weights"), "preset: " + why);
    EXPECT_THAT(decisionLine(*model, placement, "mixed"), StartsWith("quantized"));
}

TEST(Extremes, TellsOfMasksInOneNote)
{
    const Placement placement = placed(*maskedAttention(-kInf), forQnn());
    ASSERT_EQ(placement.notes.size(), 1U);
    EXPECT_EQ(placement.notes[0].kind, "extremes");
    EXPECT_EQ(placement.notes[0].severity, Severity::Remark);
    EXPECT_EQ(placement.notes[0].text,
        "2 nodes stay in float: codes cannot hold the masks or infinities that constants bring");
    EXPECT_EQ(placement.notes[0].where, "masked");
}

TEST(Extremes, TakesNoSmallConstantForAMask)
{
    const auto model = maskedAttention(-5);
    EXPECT_THAT(decisionLine(*model, placed(*model, forQnn()), "masked"), StartsWith("quantized"));
}

TEST(Extremes, LeavesLargeConstantsAloneThatNoSoftmaxReads)
{
    const auto model = maskedAttention(-10000, false);
    EXPECT_THAT(decisionLine(*model, placed(*model, forQnn()), "masked"), StartsWith("quantized"));
}

/// (1 - mask) * -10000, as sentence encoders make it from an input.
TEST(Extremes, FollowsAMaskThroughWhatComputesIt)
{
    ModelBuilder builder;
    builder.input("q", {1, 4, 8}).input("k", {1, 8, 4}).input("keep", {1, 1, 4}).input("v", {1, 4, 8});
    builder.weight("one", {}, {1}).weight("far", {}, {-10000}).ints("shape", {1, 1, 4});
    builder.node("Sub", "hide", {"one", "keep"}, {"h"}).node("Mul", "scale", {"h", "far"}, {"bias"});
    builder.node("Reshape", "reshape", {"bias", "shape"}, {"b"}).node("MatMul", "scores", {"q", "k"}, {"s"});
    builder.node("Relu", "relu", {"s"}, {"r"}).node("Add", "masked", {"r", "b"}, {"m"});
    const auto model = builder.node("Softmax", "weights", {"m"}, {"p"})
                           .node("MatMul", "mixed", {"p", "v"}, {"y"})
                           .output("y")
                           .build();
    const Placement placement = placed(*model, forQnn());
    for (const char* node : {"scale", "reshape", "masked", "weights"})
        EXPECT_THAT(decisionLine(*model, placement, node), HasSubstr("a mask of -10000")) << node;
    EXPECT_THAT(decisionLine(*model, placement, "hide"), StartsWith("quantized"));
}

TEST(Extremes, FollowsAMaskThatIsScatteredOverScores)
{
    ModelBuilder builder;
    builder.input("q", {1, 4, 8}).input("k", {1, 8, 4}).input("v", {1, 4, 8});
    builder.input("where", {1, 4, 1}, ElementType::Int64).weight("far", {1, 4, 1}, {-10000});
    builder.node("MatMul", "scores", {"q", "k"}, {"s"}).node("Relu", "relu", {"s"}, {"r"});
    builder.node("ScatterElements", "masked", {"r", "where", "far"}, {"m"}, {{"axis", std::int64_t{2}}});
    const auto model = builder.node("Softmax", "weights", {"m"}, {"p"})
                           .node("MatMul", "mixed", {"p", "v"}, {"y"})
                           .output("y")
                           .build();
    EXPECT_THAT(decisionLine(*model, placed(*model, forQnn()), "weights"), HasSubstr("a mask of -10000"));
}

TEST(Extremes, LeavesATableWithInfinitiesInFloat)
{
    const auto model = ModelBuilder()
                           .input("rows", {4}, ElementType::Int64)
                           .weight("table", {3, 4}, {1, 2, -kInf})
                           .weight("w", {4, 4})
                           .node("Gather", "look up", {"table", "rows"}, {"t"})
                           .node("Add", "add", {"t", "t"}, {"a"})
                           .node("MatMul", "product", {"a", "w"}, {"y"})
                           .output("y")
                           .build();
    const Placement placement = placed(*model);
    EXPECT_EQ(decisionLine(*model, placement, "look up"), "preset: its table 'table' holds -inf");
    EXPECT_THAT(decisionLine(*model, placement, "product"), StartsWith("quantized"));
}

TEST(Extremes, LeavesAWeightWithInfinitiesInFloat)
{
    const auto model = ModelBuilder()
                           .input("x", {4, 4})
                           .weight("w", {4, 4}, {1, 2, 3, kInf})
                           .node("MatMul", "product", {"x", "w"}, {"y"})
                           .output("y")
                           .build();
    const Placement placement = placed(*model);
    EXPECT_EQ(decisionLine(*model, placement, "product"), "preset: its weight 'w' holds inf");
    EXPECT_TRUE(placement.setup.points.empty());
}

TEST(Extremes, PlacesAsNncfWhereThatIsAskedFor)
{
    const auto model = maskedAttention(-10000);
    EXPECT_THAT(decisionLine(*model, placed(*model, test::likeNncf()), "masked"), testing::Not(StartsWith("preset")));
}

} // namespace
} // namespace duo
