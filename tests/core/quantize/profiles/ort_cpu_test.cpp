// SPDX-License-Identifier: Apache-2.0
// What ort-cpu changes so that ONNX Runtime finds its int8 kernels (resources/docs/runtime.md, "How ort-cpu places").
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
using ::testing::IsEmpty;
using ::testing::Not;

namespace duo {
namespace {

TEST(OrtCpu, PutsAQuantizerBehindEveryConvolutionAndItsClamp)
{
    const auto model = ModelBuilder()
                           .input("x", {1, 3, 8, 8})
                           .weight("w1", {4, 3, 3, 3})
                           .weight("w2", {4, 4, 3, 3})
                           .node("Conv", "conv1", {"x", "w1"}, {"a"})
                           .node("Relu", "relu", {"a"}, {"b"})
                           .node("Conv", "conv2", {"b", "w2"}, {"c"})
                           .node("Tanh", "tanh", {"c"}, {"y"})
                           .output("y")
                           .build();
    EXPECT_THAT(pointLines(*model, placed(*model).setup),
        ElementsAre("model input x: A8 -> conv1", "conv1 weight 1: S8 per channel -> conv1", "relu behind: A8 -> conv2",
            "conv2 weight 1: S8 per channel -> conv2", "conv2 behind: A8 ->"));
}

TEST(OrtCpu, LeavesAConvolutionInFloatWhoseResultIsAnOutput)
{
    const auto model = ModelBuilder()
                           .input("x", {1, 3, 8, 8})
                           .weight("w", {4, 3, 3, 3})
                           .node("Conv", "conv", {"x", "w"}, {"y"})
                           .output("y")
                           .build();
    const Placement placement = placed(*model);
    EXPECT_THAT(pointLines(*model, placement.setup), ElementsAre("conv weight 1: S8 per channel -> conv"));
    EXPECT_EQ(decisionLine(*model, placement, "conv"),
        "weight-only: its result is an output of the model, which stays in float");
    QuantizationSettings settings;
    settings.quantizeOutputs = true;
    EXPECT_THAT(pointLines(*model, placed(*model, settings).setup), Contains("conv behind: A8 ->"));
}

TEST(OrtCpu, QuantizesBothSidesOfAResidualAddition)
{
    ModelBuilder builder;
    builder.input("x", {1, 4, 8, 8}).weight("w1", {4, 4, 3, 3}).weight("w2", {4, 4, 3, 3}).weight("w3", {4, 4, 3, 3});
    builder.node("Conv", "conv1", {"x", "w1"}, {"a"}).node("Relu", "relu1", {"a"}, {"b"});
    builder.node("Conv", "conv2", {"b", "w2"}, {"c"}).node("Add", "add", {"c", "b"}, {"d"});
    builder.node("Relu", "relu2", {"d"}, {"e"}).node("Conv", "conv3", {"e", "w3"}, {"f"});
    const auto model = builder.node("Tanh", "tanh", {"f"}, {"y"}).output("y").build();
    const Placement placement = placed(*model);
    const auto lines = pointLines(*model, placement.setup);
    EXPECT_THAT(lines, Contains("relu1 behind: A8 -> conv2 add"));
    EXPECT_THAT(lines, Contains("conv2 behind: A8 -> add"));
    EXPECT_THAT(lines, Contains("relu2 behind: A8 -> conv3"));
    EXPECT_EQ(decisionLine(*model, placement, "add"), "quantized: its inputs are quantized");
}

TEST(OrtCpu, LeavesAnAdditionInFloatWhoseResultNobodyWantsInInt8)
{
    const auto model = ModelBuilder()
                           .input("x", {1, 4})
                           .weight("w", {4, 4})
                           .node("MatMul", "product", {"x", "w"}, {"p"})
                           .node("Add", "residual", {"p", "x"}, {"r"})
                           .node("Tanh", "tanh", {"r"}, {"y"})
                           .output("y")
                           .build();
    const Placement placement = placed(*model);
    EXPECT_THAT(pointLines(*model, placement.setup),
        ElementsAre("model input x: A8 -> product", "product weight 1: S8 per channel -> product"));
    EXPECT_EQ(decisionLine(*model, placement, "residual"),
        "blocked: nothing reads its result in int8, quantizing it would only cost time");
}

TEST(OrtCpu, QuantizesBothSidesOfDataMovementWithOneScale)
{
    const auto model = ModelBuilder()
                           .input("x", {1, 4, 8, 8})
                           .weight("w1", {4, 4, 3, 3})
                           .weight("w2", {4, 4, 3, 3})
                           .node("Conv", "conv1", {"x", "w1"}, {"a"})
                           .node("MaxPool", "pool", {"a"}, {"p"})
                           .node("Conv", "conv2", {"p", "w2"}, {"c"})
                           .node("Tanh", "tanh", {"c"}, {"y"})
                           .output("y")
                           .build();
    const Placement placement = placed(*model);
    EXPECT_THAT(pointLines(*model, placement.setup),
        ElementsAre("model input x: A8 -> conv1", "conv1 weight 1: S8 per channel -> conv1",
            "conv1 behind: A8 -> conv2", "pool behind: A8 -> conv2", "conv2 weight 1: S8 per channel -> conv2",
            "conv2 behind: A8 ->", "one scale: 2 3"));
    EXPECT_EQ(decisionLine(*model, placement, "pool"), "quantized: it moves quantized data");
}

TEST(OrtCpu, KeepsAnActivationFromBeingFusedIntoAFloatProduct)
{
    ModelBuilder builder;
    builder.input("x", {1, 4}).weight("w1", {4, 4}).weight("w2", {4, 4});
    builder.node("Gemm", "first", {"x", "w1"}, {"a"}).node("Tanh", "tanh", {"a"}, {"t"});
    const auto model = builder.node("Gemm", "second", {"t", "w2"}, {"y"}).output("y").build();
    EXPECT_THAT(pointLines(*model, placed(*model).setup),
        ElementsAre("model input x: A8 -> first", "first weight 1: S8 per channel -> first", "first behind: A8 ->",
            "tanh behind: A8 -> second", "second weight 1: S8 per channel -> second"));
}

TEST(OrtCpu, SaysOfAnActivationBehindTheCodesOfItsProductHowItRuns)
{
    const auto decisionOf = [](const std::string& activation) {
        ModelBuilder builder;
        builder.input("x", {1, 4}).weight("w1", {4, 4}).weight("w2", {4, 4});
        builder.node("Gemm", "first", {"x", "w1"}, {"a"}).node(activation, "act", {"a"}, {"t"});
        const auto model = builder.node("Gemm", "second", {"t", "w2"}, {"y"}).output("y").build();
        return decisionLine(*model, placed(*model), "act");
    };
    EXPECT_EQ(decisionOf("Relu"), "fused: it is computed together with 'first' (linear, activation)");
    EXPECT_EQ(decisionOf("LeakyRelu"),
        "quantized: it reads and gives quantized values, for which ONNX Runtime has an int8 kernel");
    EXPECT_EQ(decisionOf("Elu"),
        "unsupported: codes are made of what it reads, so that ONNX Runtime runs the node before it in int8; it "
        "computes in float behind them");
}

TEST(OrtCpu, SaysOfAClampThatOnlyFloatReadsThatItRunsInFloat)
{
    ModelBuilder builder;
    builder.input("x", {1, 4}).weight("w1", {4, 4});
    builder.node("Gemm", "first", {"x", "w1"}, {"a"}).node("Relu", "relu", {"a"}, {"t"});
    const auto model = builder.node("ReduceMean", "mean", {"t"}, {"y"}).output("y").build();
    const Placement placement = placed(*model);
    EXPECT_THAT(pointLines(*model, placement.setup), testing::Contains("first behind: A8 ->"));
    EXPECT_THAT(
        decisionLine(*model, placement, "relu"), testing::StartsWith("unsupported: codes are made of what it reads"));
}

TEST(OrtCpu, PutsNothingBehindASumThatBecomesNoGemm)
{
    const auto pointsBehind = [](std::vector<std::int64_t> added) {
        ModelBuilder builder;
        builder.input("x", {2, 4}).weight("w", {4, 4}).weight("b", std::move(added));
        builder.node("MatMul", "product", {"x", "w"}, {"p"}).node("Add", "add", {"p", "b"}, {"a"});
        const auto model = builder.node("Tanh", "tanh", {"a"}, {"y"}).output("y").build();
        return pointLines(*model, placed(*model).setup);
    };
    EXPECT_THAT(pointsBehind({4}), testing::Contains("add behind: A8 ->"));
    EXPECT_THAT(pointsBehind({1}), testing::Not(testing::Contains("add behind: A8 ->")));
}

TEST(OrtCpu, QuantizesAllThreePartsOfASwish)
{
    ModelBuilder builder;
    builder.input("x", {1, 4, 8, 8}).weight("w1", {4, 4, 3, 3}).weight("w2", {4, 4, 3, 3});
    builder.node("Conv", "conv1", {"x", "w1"}, {"a"}).node("Sigmoid", "gate", {"a"}, {"g"});
    builder.node("Mul", "swish", {"a", "g"}, {"s"}).node("Conv", "conv2", {"s", "w2"}, {"c"});
    const auto model = builder.node("Tanh", "tanh", {"c"}, {"y"}).output("y").build();
    const Placement placement = placed(*model);
    EXPECT_THAT(pointLines(*model, placement.setup),
        ElementsAre("model input x: A8 -> conv1", "conv1 weight 1: S8 per channel -> conv1", "conv1 behind: A8 ->",
            "gate behind: A8 -> swish", "swish behind: A8 -> conv2", "conv2 weight 1: S8 per channel -> conv2",
            "conv2 behind: A8 ->"));
    EXPECT_THAT(decisionLine(*model, placement, "gate"), testing::StartsWith("quantized: it reads and gives"));
    EXPECT_THAT(decisionLine(*model, placement, "swish"), testing::StartsWith("quantized: it reads and gives"));
}

TEST(OrtCpu, QuantizesAPoolBetweenInt8Neighbours)
{
    ModelBuilder builder;
    builder.input("x", {1, 4, 8, 8}).weight("w1", {4, 4, 3, 3}).weight("w2", {10, 4});
    builder.node("Conv", "conv", {"x", "w1"}, {"a"}).node("GlobalAveragePool", "mean", {"a"}, {"m"});
    builder.node("Flatten", "flatten", {"m"}, {"f"});
    const auto model
        = builder.node("Gemm", "head", {"f", "w2"}, {"y"}, {{"transB", std::int64_t{1}}}).output("y").build();
    const Placement placement = placed(*model);
    EXPECT_THAT(pointLines(*model, placement.setup),
        ElementsAre("model input x: A8 -> conv", "conv weight 1: S8 per channel -> conv", "conv behind: A8 -> mean",
            "mean behind: A8 -> head", "flatten behind: A8 -> head", "head weight 1: S8 per channel -> head",
            "one scale: 3 4"));
}

TEST(OrtCpu, KeepsQuantizersAwayFromOperatorsWithoutInt8Kernels)
{
    const auto model = ModelBuilder()
                           .input("x", {1, 4, 8, 8})
                           .weight("w", {4, 4, 3, 3})
                           .node("ReduceMean", "mean", {"x"}, {"m"})
                           .node("Sub", "sub", {"x", "m"}, {"s"})
                           .node("ConvTranspose", "up", {"s", "w"}, {"y"})
                           .output("y")
                           .build();
    const Placement placement = placed(*model);
    EXPECT_THAT(pointLines(*model, placement.setup), IsEmpty());
    EXPECT_EQ(decisionLine(*model, placement, "up"),
        "unsupported: it has no int8 kernel on ONNX Runtime's CPU provider, quantizing it would only cost time");
}

TEST(OrtCpu, GivesATableAndItsRowsOneCode)
{
    const auto model = ModelBuilder()
                           .input("ids", {1, 8}, ElementType::Int64)
                           .weight("table", {100, 4})
                           .node("Gather", "lookup", {"table", "ids"}, {"e"})
                           .node("Tanh", "tanh", {"e"}, {"y"})
                           .output("y")
                           .build();
    EXPECT_THAT(pointLines(*model, placed(*model).setup),
        ElementsAre("lookup weight 0: A8 -> lookup", "lookup behind: A8 ->", "one scale: 0 1"));
}

TEST(OrtCpu, AnIgnoredNodeGetsNoQuantizerOfItsOwn)
{
    ModelBuilder builder;
    builder.input("x", {1, 3, 8, 8}).weight("w1", {4, 3, 3, 3}).weight("w2", {4, 4, 3, 3}).weight("w3", {4, 4, 3, 3});
    builder.node("Conv", "conv1", {"x", "w1"}, {"a"}).node("Conv", "conv2", {"a", "w2"}, {"b"});
    const auto model
        = builder.node("Conv", "conv3", {"b", "w3"}, {"c"}).node("Tanh", "tanh", {"c"}, {"y"}).output("y").build();
    const auto lines = pointLines(*model, placed(*model, {}, {"conv2"}).setup);
    EXPECT_THAT(lines, Contains("conv1 behind: A8 ->"));
    EXPECT_THAT(lines, Contains("conv2 behind: A8 -> conv3"));
    EXPECT_THAT(lines, Not(Contains("conv2 weight 1: S8 per channel -> conv2")));
}

TEST(OrtCpu, LeavesAGemmWithAScaledBiasInFloat)
{
    ModelBuilder builder;
    builder.input("x", {1, 4}).weight("w", {4, 4}).weight("b", {4});
    const auto model = builder.node("Gemm", "product", {"x", "w", "b"}, {"y"}, {{"beta", 0.5F}}).output("y").build();
    const Placement placement = placed(*model);
    EXPECT_EQ(decisionLine(*model, placement, "product"),
        "weight-only: ONNX Runtime has no int8 kernel for a Gemm whose beta is not 1");
    const Decision& decision = placement.decisions[model->findNode("product").index];
    EXPECT_EQ(reasonKindText(decision.kind()), "profile");
}

} // namespace
} // namespace duo
