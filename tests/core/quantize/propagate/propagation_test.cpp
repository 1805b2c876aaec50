// SPDX-License-Identifier: Apache-2.0
// Placement as NNCF does it (resources/docs/quantization.md, "Propagation"): all settings are nncf_compatible.
#include "tests/core/quantize/placed.h"
#include "tests/support/model_builder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using duo::test::decisionLine;
using duo::test::likeNncf;
using duo::test::ModelBuilder;
using duo::test::placed;
using duo::test::pointLines;
using ::testing::ElementsAre;

namespace duo {
namespace {

TEST(Propagation, QuantizesTheInputAndTheFusedActivationBetweenConvolutions)
{
    const auto model = ModelBuilder()
                           .input("x", {1, 3, 8, 8})
                           .weight("w1", {4, 3, 3, 3})
                           .weight("w2", {4, 4, 3, 3})
                           .node("Conv", "conv1", {"x", "w1"}, {"a"})
                           .node("Relu", "relu", {"a"}, {"b"})
                           .node("Conv", "conv2", {"b", "w2"}, {"y"})
                           .output("y")
                           .build();
    const Placement placement = placed(*model, likeNncf());
    EXPECT_THAT(pointLines(*model, placement.setup),
        ElementsAre("model input x: S8 -> conv1", "conv1 weight 1: S8 per channel -> conv1", "relu behind: S8 -> conv2",
            "conv2 weight 1: S8 per channel -> conv2"));
    EXPECT_EQ(decisionLine(*model, placement, "conv1"), "quantized: its inputs and weights are quantized");
    EXPECT_EQ(
        decisionLine(*model, placement, "relu"), "fused: it is computed together with 'conv1' (linear, activation)");
    EXPECT_EQ(placement.setup.sharedInputGroups.size(), 2U);
}

TEST(Propagation, MergesQuantizersAboveABranch)
{
    const auto model = ModelBuilder()
                           .input("x", {1, 4, 8, 8})
                           .weight("w", {4, 4, 3, 3})
                           .node("Relu", "relu", {"x"}, {"r"})
                           .node("Conv", "conv", {"r", "w"}, {"c"})
                           .node("Add", "add", {"c", "r"}, {"y"})
                           .output("y")
                           .build();
    EXPECT_THAT(pointLines(*model, placed(*model, likeNncf()).setup),
        ElementsAre("relu behind: S8 -> conv add", "conv weight 1: S8 per channel -> conv", "conv behind: S8 -> add"));
}

TEST(Propagation, LeavesABranchAloneThatFeedsAnIgnoredNode)
{
    const auto model = ModelBuilder()
                           .input("x", {1, 4, 8, 8})
                           .weight("w1", {4, 4, 3, 3})
                           .weight("w2", {4, 4, 3, 3})
                           .node("Relu", "relu", {"x"}, {"r"})
                           .node("Conv", "conv1", {"r", "w1"}, {"c"})
                           .node("Conv", "conv2", {"r", "w2"}, {"d"})
                           .node("Add", "add", {"c", "d"}, {"y"})
                           .output("y")
                           .build();
    const Placement placement = placed(*model, likeNncf(), {"conv1"});
    EXPECT_THAT(pointLines(*model, placement.setup),
        ElementsAre("conv1 behind: S8 -> add", "conv2 input 0: S8 -> conv2", "conv2 weight 1: S8 per channel -> conv2",
            "conv2 behind: S8 -> add"));
    EXPECT_EQ(decisionLine(*model, placement, "conv1"), "ignored: rule 'ignore name conv1' names it");
}

TEST(Propagation, PassesOperatorsThatOnlyMoveDataUnlessTheyAreIgnored)
{
    const auto model = ModelBuilder()
                           .input("x", {1, 4, 8, 8})
                           .weight("w", {4, 4, 3, 3})
                           .node("Tanh", "tanh", {"x"}, {"t"})
                           .node("MaxPool", "pool", {"t"}, {"p"})
                           .node("Conv", "conv", {"p", "w"}, {"y"})
                           .output("y")
                           .build();
    EXPECT_EQ(pointLines(*model, placed(*model, likeNncf()).setup).front(), "tanh behind: S8 -> conv");
    EXPECT_EQ(pointLines(*model, placed(*model, likeNncf(), {"pool"}).setup).front(), "pool behind: S8 -> conv");
}

TEST(Propagation, GivesAllInputsOfAConcatOneScaleWhereAConvolutionFollows)
{
    ModelBuilder builder;
    builder.input("x", {1, 4, 8, 8}).weight("w", {4, 8, 3, 3});
    builder.node("Relu", "left", {"x"}, {"l"}).node("Tanh", "right", {"x"}, {"r"});
    builder.node("Concat", "cat", {"l", "r"}, {"c"}, {{"axis", std::int64_t{1}}});
    const auto model = builder.node("Conv", "conv", {"c", "w"}, {"y"}).output("y").build();
    EXPECT_THAT(pointLines(*model, placed(*model, likeNncf()).setup),
        ElementsAre("left behind: S8 -> conv", "right behind: S8 -> conv", "conv weight 1: S8 per channel -> conv",
            "one scale: 0 1"));
}

TEST(Propagation, FusesABiasButNoResidualIntoAProduct)
{
    const auto model = ModelBuilder()
                           .input("x", {1, 4})
                           .weight("w", {4, 4})
                           .weight("b", {4})
                           .node("Tanh", "tanh", {"x"}, {"t"})
                           .node("MatMul", "product", {"t", "w"}, {"p"})
                           .node("Add", "bias", {"p", "b"}, {"q"})
                           .node("Add", "residual", {"q", "t"}, {"y"})
                           .output("y")
                           .build();
    const Placement placement = placed(*model, likeNncf());
    EXPECT_THAT(pointLines(*model, placement.setup),
        ElementsAre("tanh behind: S8 -> product residual", "product weight 1: S8 per channel -> product",
            "bias behind: S8 -> residual"));
    EXPECT_EQ(
        decisionLine(*model, placement, "bias"), "fused: it is computed together with 'product' (linear, arithmetic)");
}

TEST(Propagation, LetsATableQuantizeWhatItGives)
{
    const auto model = ModelBuilder()
                           .input("ids", {1, 8}, ElementType::Int64)
                           .weight("table", {100, 4})
                           .weight("w", {4, 4})
                           .node("Gather", "lookup", {"table", "ids"}, {"e"})
                           .node("MatMul", "product", {"e", "w"}, {"y"})
                           .output("y")
                           .build();
    EXPECT_THAT(pointLines(*model, placed(*model, likeNncf()).setup),
        ElementsAre("lookup weight 0: S8 -> lookup product", "product weight 1: S8 per channel -> product"));
}

TEST(Propagation, QuantizesNoIntegersAndNoShapes)
{
    const auto model = ModelBuilder()
                           .input("x", {1, 4})
                           .input("i", {1, 4}, ElementType::Int64)
                           .ints("two", {2})
                           .node("Add", "indices", {"i", "i"}, {"j"})
                           .node("Shape", "shape", {"x"}, {"s"})
                           .node("Mul", "double", {"s", "two"}, {"d"})
                           .node("Reshape", "reshape", {"x", "d"}, {"y"})
                           .output("y")
                           .output("j")
                           .build();
    const Placement placement = placed(*model, likeNncf());
    EXPECT_TRUE(placement.setup.points.empty());
    EXPECT_EQ(decisionLine(*model, placement, "double"), "unsupported: it computes a shape, not data");
    EXPECT_EQ(decisionLine(*model, placement, "indices"), "unsupported: int64 values are not quantized");
}

TEST(Propagation, KeepsSqueezeAndExciteInFloat)
{
    const auto model = ModelBuilder()
                           .input("x", {1, 8, 8, 8})
                           .weight("w0", {8, 8, 3, 3})
                           .weight("w1", {2, 8, 1, 1})
                           .weight("w2", {8, 2, 1, 1})
                           .node("Conv", "conv", {"x", "w0"}, {"c"})
                           .node("GlobalAveragePool", "mean", {"c"}, {"m"})
                           .node("Conv", "squeeze", {"m", "w1"}, {"s"})
                           .node("Relu", "relu", {"s"}, {"r"})
                           .node("Conv", "excite", {"r", "w2"}, {"e"})
                           .node("Sigmoid", "gate", {"e"}, {"g"})
                           .node("Mul", "scale", {"g", "c"}, {"y"})
                           .output("y")
                           .build();
    const Placement placement = placed(*model, likeNncf());
    EXPECT_THAT(pointLines(*model, placement.setup),
        ElementsAre("model input x: S8 -> conv", "conv weight 1: S8 per channel -> conv",
            "conv behind: S8 -> mean scale", "gate behind: S8 -> scale"));
    EXPECT_EQ(decisionLine(*model, placement, "excite"),
        "preset: it belongs to a squeeze-and-excite block, which stays in float for accuracy");
}

TEST(Propagation, KeepsTheAttentionOutputOfTransformersInFloat)
{
    ModelBuilder builder;
    builder.input("x", {1, 8, 16}).weight("wq", {16, 16}).weight("wv", {16, 16}).ints("shape", {1, 8, 16});
    builder.node("MatMul", "query", {"x", "wq"}, {"q"}).node("MatMul", "value", {"x", "wv"}, {"v"});
    builder.node("Softmax", "softmax", {"q"}, {"s"}).node("Reshape", "split", {"v", "shape"}, {"v2"});
    const auto model = builder.node("MatMul", "attention", {"s", "v2"}, {"y"}).output("y").build();
    QuantizationSettings settings = likeNncf();
    settings.modelType = ModelType::Transformer;
    const Placement placement = placed(*model, settings);
    EXPECT_THAT(pointLines(*model, placement.setup),
        ElementsAre("model input x: A8 -> query value", "query weight 1: S8 per channel -> query",
            "value weight 1: S8 per channel -> value"));
    EXPECT_EQ(decisionLine(*model, placement, "attention"),
        "preset: it belongs to an attention output, which stays in float for accuracy");
}

TEST(Propagation, LeavesPostProcessingInFloat)
{
    const auto model = ModelBuilder()
                           .input("x", {1, 4})
                           .weight("w", {4, 100})
                           .ints("k", {10})
                           .node("MatMul", "product", {"x", "w"}, {"p"})
                           .node("Tanh", "tanh", {"p"}, {"t"})
                           .node("Mul", "square", {"p", "t"}, {"q"})
                           .node("TopK", "best", {"q", "k"}, {"y", "i"})
                           .output("y")
                           .build();
    const Placement placement = placed(*model, likeNncf());
    EXPECT_EQ(placement.setup.points.size(), 2U);
    EXPECT_EQ(decisionLine(*model, placement, "square"), "preset: it belongs to the post-processing of the model");
}

TEST(Propagation, DropsALoneQuantizerBesideAConstant)
{
    const auto model = ModelBuilder()
                           .input("x", {1, 4})
                           .weight("c", {4})
                           .node("Tanh", "tanh", {"x"}, {"t"})
                           .node("Sub", "sub", {"t", "c"}, {"y"})
                           .output("y")
                           .build();
    EXPECT_TRUE(placed(*model, likeNncf()).setup.points.empty());
}

TEST(Propagation, QuantizesASharedWeightOnce)
{
    const auto model = ModelBuilder()
                           .input("x", {1, 4})
                           .weight("w", {4, 4})
                           .node("MatMul", "first", {"x", "w"}, {"a"})
                           .node("Tanh", "tanh", {"a"}, {"t"})
                           .node("MatMul", "second", {"t", "w"}, {"y"})
                           .output("y")
                           .build();
    EXPECT_THAT(pointLines(*model, placed(*model, likeNncf()).setup),
        ElementsAre("model input x: S8 -> first", "first weight 1: S8 per channel -> first second",
            "tanh behind: S8 -> second"));
}

} // namespace
} // namespace duo
