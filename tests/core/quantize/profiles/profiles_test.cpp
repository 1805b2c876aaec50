// SPDX-License-Identifier: Apache-2.0
// Where the profiles other than ort-cpu place otherwise than NNCF (resources/docs/runtime.md, "Profiles").
#include "tests/core/quantize/placed.h"
#include "tests/support/model_builder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using duo::test::decisionLine;
using duo::test::ModelBuilder;
using duo::test::placed;
using duo::test::pointLines;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::Not;

namespace duo {
namespace {

QuantizationSettings profile(Profile profile)
{
    QuantizationSettings settings;
    settings.profile = profile;
    return settings;
}

/// A residual block with a convolution on its skip connection, then a pool and a classifier.
std::shared_ptr<const Model> residualBlock()
{
    ModelBuilder builder;
    builder.input("x", {1, 4, 8, 8}).weight("w1", {4, 4, 3, 3}).weight("w2", {4, 4, 3, 3}).weight("w3", {4, 4, 1, 1});
    builder.weight("w4", {4, 3}).node("Conv", "conv1", {"x", "w1"}, {"a"}).node("Relu", "relu1", {"a"}, {"b"});
    builder.node("Conv", "conv2", {"b", "w2"}, {"c"}).node("Conv", "skip", {"x", "w3"}, {"s"});
    builder.node("Add", "add", {"s", "c"}, {"d"}).node("Relu", "relu2", {"d"}, {"e"});
    builder.node("MaxPool", "pool", {"e"}, {"f"}).node("Flatten", "flatten", {"f"}, {"g"});
    return builder.node("MatMul", "fc", {"g", "w4"}, {"y"}).output("y").build();
}

TEST(TensorRt, QuantizesInputsOnlyAndOfAResidualAdditionTheSkipConnectionOnly)
{
    const auto model = residualBlock();
    const Placement placement = placed(*model, profile(Profile::TensorRt));
    EXPECT_THAT(pointLines(*model, placement.setup),
        ElementsAre("model input x: S8 -> conv1 skip", "conv1 weight 1: S8 per channel -> conv1",
            "relu1 behind: S8 -> conv2", "conv2 weight 1: S8 per channel -> conv2",
            "skip weight 1: S8 per channel -> skip", "skip behind: S8 -> add", "relu2 behind: S8 -> fc",
            "fc weight 1: S8 per channel -> fc"));
}

TEST(TensorRt, LeavesAnAdditionBehindNoConvolutionInFloat)
{
    const auto model = ModelBuilder()
                           .input("x", {1, 4})
                           .input("z", {1, 4})
                           .node("Add", "add", {"x", "z"}, {"y"})
                           .output("y")
                           .build();
    const Placement placement = placed(*model, profile(Profile::TensorRt));
    EXPECT_THAT(pointLines(*model, placement.setup), ElementsAre());
    EXPECT_EQ(decisionLine(*model, placement, "add"),
        "blocked: none of its operands comes straight from a convolution, so TensorRT adds in float");
}

TEST(Profiles, TakeNodesThatGiveNothing)
{
    const auto model = ModelBuilder()
                           .input("x", {1, 4})
                           .weight("w", {4, 4})
                           .node("MatMul", "nothing", {"x", "w"}, {})
                           .node("Gemm", "omitted", {"x", "w"}, {""})
                           .node("MatMul", "last", {"x", "w"}, {"y"})
                           .output("y")
                           .build();
    for (const Profile each : {Profile::OrtCpu, Profile::TensorRt, Profile::OpenVino, Profile::Qnn})
        EXPECT_EQ(placed(*model, profile(each)).decisions.size(), 3U) << profileText(each);
}

TEST(TensorRt, SaysWhyAnEmbeddingStaysInFloat)
{
    const auto model = ModelBuilder()
                           .weight("table", {8, 4})
                           .input("ids", {3}, ElementType::Int64)
                           .node("Gather", "gather", {"table", "ids"}, {"y"})
                           .output("y")
                           .build();
    const Placement placement = placed(*model, profile(Profile::TensorRt));
    EXPECT_EQ(placement.decisions[0].reason.code, ReasonCode::TensorRtFuses);
}

TEST(TensorRt, RefusesZeroPoints)
{
    auto settings = profile(Profile::TensorRt);
    settings.preset = Preset::Mixed;
    const auto model = residualBlock();
    const auto base = preparePlacement(*model, settings);
    ASSERT_FALSE(base);
    EXPECT_EQ(base.error().line(),
        "profile tensorrt takes symmetric activations only: preset mixed: leave the preset and the mode of "
        "activations out");
}

TEST(Qnn, PutsAQuantizerOnEveryTensorWithOneScaleOnBothSidesOfMovement)
{
    const auto model = residualBlock();
    const Placement placement = placed(*model, profile(Profile::Qnn));
    EXPECT_THAT(pointLines(*model, placement.setup),
        ElementsAre("model input x: A8 -> conv1 skip", "conv1 weight 1: S8 per channel -> conv1",
            "conv1 behind: A8 -> relu1", "relu1 behind: A8 -> conv2", "conv2 weight 1: S8 per channel -> conv2",
            "conv2 behind: A8 -> add", "skip weight 1: S8 per channel -> skip", "skip behind: A8 -> add",
            "add behind: A8 -> relu2", "relu2 behind: A8 -> pool fc", "pool behind: A8 -> flatten",
            "flatten behind: A8 -> fc", "fc weight 1: S8 -> fc", "fc behind: A8 ->", "one scale: 2 3",
            "one scale: 8 9 10 11"));
}

/// A product with its bias and a GELU made of Erf, as exporters write it.
std::shared_ptr<const Model> feedForward(std::vector<std::string> lastProduct)
{
    ModelBuilder builder;
    builder.input("x", {2, 4}).weight("w", {4, 4}).weight("b", {4}).weight("k", {}).weight("one", {});
    builder.node("MatMul", "product", {"x", "w"}, {"p"}).node("Add", "bias", {"b", "p"}, {"h"});
    builder.node("Div", "scale", {"h", "k"}, {"s"}).node("Erf", "erf", {"s"}, {"e"});
    builder.node("Add", "shift", {"e", "one"}, {"t"});
    if (lastProduct.empty()) {
        builder.node("Mul", "gate", {"h", "t"}, {"g"}).node("Mul", "halve", {"g", "k"}, {"y"});
    } else {
        builder.node("Mul", "halve", {lastProduct.front(), "k"}, {"g"});
        builder.node("Mul", "gate", {"g", lastProduct.back()}, {"y"});
    }
    return builder.output("y").build();
}

TEST(Qnn, LeavesWhatItComputesAsOneWithoutQuantizersInside)
{
    for (const auto& order : {std::vector<std::string>{}, {"t", "h"}, {"h", "t"}}) {
        const auto model = feedForward(order);
        const Placement placement = placed(*model, profile(Profile::Qnn));
        const std::string last = order.empty() ? "halve" : "gate";
        EXPECT_THAT(pointLines(*model, placement.setup),
            ElementsAre("model input x: A8 -> product", "product weight 1: S8 -> product",
                testing::StartsWith("bias behind: A8 -> "), last + " behind: A8 ->"));
        EXPECT_EQ(decisionLine(*model, placement, "bias"),
            "fused: it is computed together with 'product' (product and bias)");
        EXPECT_THAT(decisionLine(*model, placement, "erf"), testing::EndsWith(" (gelu)"));
    }
}

TEST(Qnn, QuantizesAllThatAGeluReadsWhereNothingIsQuantizedBeforeIt)
{
    const auto model = feedForward({});
    const Placement placement = placed(*model, profile(Profile::Qnn), {"product"});
    EXPECT_THAT(pointLines(*model, placement.setup),
        ElementsAre("scale input 0: A8 -> scale", "gate input 0: A8 -> gate", "halve behind: A8 ->"));
}

TEST(Qnn, PutsNoQuantizerBetweenAConvolutionAndTheBatchNormThatIsFoldedIntoIt)
{
    ModelBuilder builder;
    builder.input("x", {1, 2, 4, 4}).weight("w", {2, 2, 1, 1});
    for (const char* parameter : {"gamma", "beta", "mean", "variance"})
        builder.weight(parameter, {2});
    builder.node("Conv", "conv", {"x", "w"}, {"a"});
    builder.node("BatchNormalization", "norm", {"a", "gamma", "beta", "mean", "variance"}, {"b"});
    const auto model = builder.node("Relu", "relu", {"b"}, {"y"}).output("y").build();
    const Placement placement = placed(*model, profile(Profile::Qnn));
    EXPECT_THAT(pointLines(*model, placement.setup),
        ElementsAre("model input x: A8 -> conv", "conv weight 1: S8 per channel -> conv", "norm behind: A8 -> relu",
            "relu behind: A8 ->", "one scale: 2 3"));
}

TEST(Qnn, PutsAQuantizerBehindAProductWhoseSumIsNoBias)
{
    const auto model = ModelBuilder()
                           .input("x", {2, 4})
                           .weight("w", {4, 4})
                           .node("MatMul", "product", {"x", "w"}, {"p"})
                           .node("Add", "residual", {"p", "x"}, {"y"})
                           .output("y")
                           .build();
    const Placement placement = placed(*model, profile(Profile::Qnn));
    EXPECT_THAT(pointLines(*model, placement.setup), Contains("product behind: A8 -> residual"));
}

TEST(Qnn, QuantizesConstantOperandsAndWhatNncfLeavesInFloat)
{
    const auto model = ModelBuilder()
                           .input("x", {1, 4})
                           .weight("k", {4})
                           .node("Mul", "scaled", {"x", "k"}, {"a"})
                           .node("Softmax", "softmax", {"a"}, {"y"})
                           .output("y")
                           .build();
    const Placement placement = placed(*model, profile(Profile::Qnn));
    EXPECT_THAT(pointLines(*model, placement.setup),
        ElementsAre("scaled input 0: A8 -> scaled", "scaled weight 1: A8 -> scaled", "scaled behind: A8 -> softmax",
            "softmax behind: A8 ->"));
    EXPECT_EQ(decisionLine(*model, placement, "softmax"), "quantized: its inputs are quantized");
}

TEST(Qnn, AnIgnoredNodeReadsAndGivesFloat)
{
    const auto model = residualBlock();
    const Placement placement = placed(*model, profile(Profile::Qnn), {"conv2"});
    const auto lines = pointLines(*model, placement.setup);
    EXPECT_THAT(lines, Contains("relu1 behind: A8 ->")); // for relu1's sake, conv2 has no weight quantizer either
    EXPECT_THAT(lines, Not(Contains("conv2 weight 1: S8 per channel -> conv2")));
    EXPECT_THAT(lines, Contains("conv2 behind: A8 -> add")); // for the addition's sake
    EXPECT_EQ(decisionLine(*model, placement, "conv2"), "ignored: rule 'ignore name conv2' names it");
}

} // namespace
} // namespace duo
