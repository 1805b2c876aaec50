// SPDX-License-Identifier: Apache-2.0
// What each profile writes: types, zero points, form of biases, quantizers around a residual addition. Every file is
// loaded and run by ONNX Runtime while it is exported.
#include "tests/core/pipeline/exported_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using duo::test::ExportedFile;
using duo::test::ProtoBuilder;

namespace duo {
namespace {

/// Two convolutions with biases and a residual addition, then a product.
void addResidualBlock(ProtoBuilder& network)
{
    const std::vector<float> signs{0.5F, -0.25F, 0.125F};
    network.input("x", {1, 4, 6, 6}).output("y", {1, 4, 6, 6});
    network.weight("w1", {4, 4, 1, 1}, signs).weight("b1", {4}, {0.5F}).weight("w2", {4, 4, 1, 1}, signs);
    network.weight("b2", {4}, {0.25F}).weight("w3", {6, 6}, signs);
    network.node("Conv", "conv1", {"x", "w1", "b1"}, {"a"});
    network.node("Relu", "relu1", {"a"}, {"b"});
    network.node("Conv", "conv2", {"b", "w2", "b2"}, {"c"});
    network.node("Add", "add", {"c", "x"}, {"d"});
    network.node("Relu", "relu2", {"d"}, {"e"});
    network.node("MatMul", "product", {"e", "w3"}, {"y"});
}

Recipe recipeFor(Profile profile)
{
    Recipe recipe;
    recipe.quantization.profile = profile;
    return recipe;
}

ExportedFile exportedFor(Profile profile)
{
    ProtoBuilder network;
    addResidualBlock(network);
    return {network, recipeFor(profile)};
}

TEST(ProfileExport, OrtCpuHasUnsignedActivationsInt32BiasesAndQuantizersOnBothOperands)
{
    const ExportedFile file = exportedFor(Profile::OrtCpu);
    EXPECT_EQ(file.quantizerAt("conv1", 0), "uint8 shifted");
    EXPECT_EQ(file.quantizerAt("conv1", 1), "int8 0 per channel");
    EXPECT_EQ(file.quantizerAt("conv1", 2), "int32");
    EXPECT_EQ(file.quantizerAt("add", 0), "uint8 shifted");
    EXPECT_EQ(file.quantizerAt("add", 1), "uint8 shifted");
    EXPECT_EQ(file.quantizerAt("product", 0), "uint8 0");
}

TEST(ProfileExport, TensorRtHasSignedActivationsWithoutZeroPointsFloatBiasesAndAQuantizedSkipOnly)
{
    const ExportedFile file = exportedFor(Profile::TensorRt);
    EXPECT_EQ(file.quantizerAt("conv1", 0), "int8 0");
    EXPECT_EQ(file.quantizerAt("conv2", 0), "int8 0"); // though never negative
    EXPECT_EQ(file.quantizerAt("conv1", 1), "int8 0 per channel");
    EXPECT_EQ(file.quantizerAt("conv1", 2), "float");
    EXPECT_EQ(file.quantizerAt("add", 0), "float"); // from conv2, with which it is fused
    EXPECT_EQ(file.quantizerAt("add", 1), "int8 0");
    EXPECT_EQ(file.quantizerAt("relu2", 0), "float");
}

TEST(ProfileExport, OpenVinoHasFloatBiasesAndSignsAsMeasured)
{
    const ExportedFile file = exportedFor(Profile::OpenVino);
    EXPECT_EQ(file.quantizerAt("conv1", 0), "int8 0");
    EXPECT_EQ(file.quantizerAt("conv2", 0), "uint8 0");
    EXPECT_EQ(file.quantizerAt("conv1", 2), "float");
    EXPECT_EQ(file.quantizerAt("add", 0), "int8 0");
    EXPECT_EQ(file.quantizerAt("add", 1), "int8 0");
}

TEST(ProfileExport, QnnHasUnsignedQuantizersOnEverythingInputsAndOutputsOfTheModelIncluded)
{
    const ExportedFile file = exportedFor(Profile::Qnn);
    EXPECT_EQ(file.quantizerAt("conv1", 0), "uint8 shifted");
    EXPECT_EQ(file.quantizerAt("conv1", 2), "int32");
    EXPECT_EQ(file.quantizerAt("relu1", 0), "uint8 0"); // what it cuts off takes no codes
    EXPECT_EQ(file.quantizerAt("add", 0), "uint8 shifted");
    EXPECT_EQ(file.quantizerAt("relu2", 0), "uint8 0");
    EXPECT_EQ(file.quantizerAt("product", 1), "int8 0"); // one scale for the weight of a product
    const Value& output = file.written->value(file.written->mainGraph().outputs.front());
    EXPECT_EQ(file.written->node(output.producer).opType, "DequantizeLinear");
}

class SixteenBits : public testing::TestWithParam<std::int64_t>
{
};

TEST_P(SixteenBits, ActivationsAreWrittenAndRun)
{
    ProtoBuilder network;
    addResidualBlock(network);
    network.model().mutable_opset_import(0)->set_version(GetParam());
    network.model().set_ir_version(GetParam() >= 21 ? 10 : 8);
    Recipe recipe = recipeFor(Profile::Qnn);
    recipe.quantization.activations.numBits = 16;
    const ExportedFile file(network, recipe);
    const std::string domain = GetParam() >= 21 ? "" : " com.microsoft";
    EXPECT_EQ(file.quantizerAt("conv1", 0), "uint16 shifted" + domain);
    EXPECT_EQ(file.quantizerAt("conv1", 1), "int8 0 per channel");
    for (const OutputError& output : file.report.outputs)
        EXPECT_GT(output.sqnrDb.value_or(0), 30) << output.name;
}

INSTANTIATE_TEST_SUITE_P(Opsets, SixteenBits, testing::Values(17, 21));

TEST(ProfileExport, WeightsTakeSixteenBitsToo)
{
    ProtoBuilder network;
    addResidualBlock(network);
    Recipe recipe = recipeFor(Profile::OpenVino);
    recipe.quantization.activations.numBits = 16;
    recipe.quantization.weights.numBits = 16;
    const ExportedFile file(network, recipe);
    EXPECT_EQ(file.quantizerAt("conv1", 1), "int16 0 per channel com.microsoft");
    EXPECT_GT(file.report.outputs.front().sqnrDb.value_or(0), 60);
}

TEST(ProfileExport, ARuleGivesOneConvolutionSixteenBitsAndTheProbeSaysWhatThatCosts)
{
    ProtoBuilder network;
    addResidualBlock(network);
    Recipe recipe = recipeFor(Profile::OrtCpu);
    Rule rule;
    rule.action = RuleAction::Precision;
    rule.value = "conv2";
    rule.precision.activations.numBits = 16;
    recipe.rules.rules.push_back(rule);
    const ExportedFile file(network, recipe);
    EXPECT_EQ(file.quantizerAt("conv1", 0), "uint8 shifted");
    EXPECT_EQ(file.quantizerAt("conv2", 0), "uint16 0 com.microsoft");
    const Check& check = file.report.checks.back();
    ASSERT_EQ(check.id, "int8-kernels");
    const auto run = std::find_if(
        check.results.begin(), check.results.end(), [](const NodeRun& one) { return one.node == "conv2"; });
    ASSERT_NE(run, check.results.end());
    EXPECT_EQ(std::string(runsAsText(run->runs)) + " " + run->kernel, "float Conv");
    EXPECT_EQ(run->fallback, Fallback::WideCodes);
}

TEST(ProfileExport, WeightsBehindACastFromHalfPrecisionAreQuantizedLikeOthers)
{
    ProtoBuilder network;
    network.input("x", {2, 4}).output("y", {2, 4});
    network.tensor("half", {4, 4}, onnx::TensorProto::FLOAT16).set_raw_data(std::string(32, '\x3c'));
    test::addInt(network.node("Cast", "cast", {"half"}, {"w"}), "to", onnx::TensorProto::FLOAT);
    network.node("MatMul", "product", {"x", "w"}, {"y"});
    Recipe recipe = recipeFor(Profile::OrtCpu);
    recipe.quantization.overflowFix = OverflowFix::Enable; // as kHalfRange (tests/support/half_range.h)
    const ExportedFile file(network, recipe);
    EXPECT_EQ(file.quantizerAt("product", 1), "int8 0 per channel");
    EXPECT_EQ(file.node("cast"), nullptr);
    EXPECT_GT(file.report.outputs.front().sqnrDb.value_or(0), 30);
}

TEST(ProfileExport, WeightsThatTheFileQuantizesAlreadyStayAndTheConvolutionRunsInInt8)
{
    ProtoBuilder network;
    network.input("x", {1, 2, 4, 4}).output("y", {1, 2, 4, 4});
    network.tensor("codes", {2, 2, 1, 1}, onnx::TensorProto::INT8).set_raw_data(std::string("\x10\x20\xF0\x08"));
    network.weight("scale", {}, {0.05F});
    network.node("DequantizeLinear", "dq", {"codes", "scale"}, {"w"});
    network.node("Conv", "conv", {"x", "w"}, {"a"});
    network.node("Tanh", "tanh", {"a"}, {"y"});
    const ExportedFile file(network, recipeFor(Profile::OrtCpu));
    const Check& check = file.report.checks.back();
    ASSERT_EQ(check.results.size(), 1U);
    EXPECT_EQ(check.results[0].runs, RunsAs::Int8);
    EXPECT_EQ(check.results[0].kernel, "QLinearConv");
    EXPECT_NE(file.node("dq"), nullptr);
}

TEST(ProfileExport, WeightsThatTheFileQuantizesAlreadyAreQuantizedAgainAsNncfDoes)
{
    ProtoBuilder network;
    network.input("x", {1, 2, 4, 4}).output("y", {1, 2, 4, 4});
    network.tensor("codes", {2, 2, 1, 1}, onnx::TensorProto::INT8).set_raw_data(std::string("\x10\x20\xF0\x08"));
    network.weight("scale", {}, {0.05F});
    network.node("DequantizeLinear", "dq", {"codes", "scale"}, {"w"});
    network.node("Conv", "conv", {"x", "w"}, {"y"});
    Recipe recipe = recipeFor(Profile::OpenVino);
    recipe.quantization.nncfCompatible = true;
    const ExportedFile file(network, recipe);
    EXPECT_EQ(file.quantizerAt("conv", 1), "int8 0 per channel");
    EXPECT_EQ(file.node("dq"), nullptr);
    EXPECT_GT(file.report.outputs.front().sqnrDb.value_or(0), 30);
}

TEST(ProfileExport, OnQnnBiasesOfProductsAreInt32WithNoQuantizerBeforeThem)
{
    ProtoBuilder network;
    network.input("x", {-1, 2, 4}).output("y", {-1, 2, 4}); // on CPUs such a bias is added in float
    network.weight("w", {4, 4}, {0.5F, -0.25F, 0.125F}).weight("b", {4}, {0.25F, -0.5F});
    network.node("MatMul", "product", {"x", "w"}, {"p"});
    network.node("Add", "sum", {"p", "b"}, {"y"});
    const ExportedFile file(network, recipeFor(Profile::Qnn));
    EXPECT_EQ(file.quantizerAt("product", 0), "uint8 shifted");
    EXPECT_EQ(file.quantizerAt("sum", 0), "float");
    EXPECT_EQ(file.quantizerAt("sum", 1), "int32");
    EXPECT_GT(file.report.outputs.front().sqnrDb.value_or(0), 30);
}

TEST(ProfileExport, OnQnnABatchNormIsFoldedAndARowOfClampsHasOneRange)
{
    ProtoBuilder network;
    network.input("x", {1, 2, 4, 4}).output("y", {1, 2, 4, 4}).weight("w", {2, 2, 1, 1}, {9.0F, -5.0F});
    for (const char* parameter : {"gamma", "beta", "mean", "variance"})
        network.weight(parameter, {2});
    network.weight("low", {}, {0.0F}).weight("high", {}, {1.0F});
    network.node("Conv", "conv", {"x", "w"}, {"a"});
    network.node("BatchNormalization", "norm", {"a", "gamma", "beta", "mean", "variance"}, {"b"});
    network.node("Relu", "relu", {"b"}, {"c"});
    network.node("Clip", "clip", {"c", "low", "high"}, {"y"});
    const ExportedFile file(network, recipeFor(Profile::Qnn));
    EXPECT_EQ(file.node("norm"), nullptr);
    EXPECT_EQ(file.quantizerAt("conv", 2), "int32");
    EXPECT_EQ(file.quantizerAt("relu", 0), "uint8 0");
    const Node* dequantize = file.producer(*file.node("relu"), 0);
    EXPECT_NEAR(toFloats(*file.written->constant(dequantize->inputs[1])).front(), 1.0F / 255, 1e-6F);
}

TEST(ProfileExport, ABiasThatWouldOverflowRaisesTheScaleOfItsWeightAndStaysInt32)
{
    ProtoBuilder network;
    network.input("x", {1, 2, 4, 4}).output("y", {1, 2, 4, 4});
    network.weight("w", {2, 2, 1, 1}, {1e-9F}).weight("b", {2}, {0.5F, -0.25F});
    network.node("Conv", "conv", {"x", "w", "b"}, {"a"});
    network.node("Tanh", "tanh", {"a"}, {"y"});
    const ExportedFile file(network, recipeFor(Profile::OrtCpu));
    EXPECT_EQ(file.quantizerAt("conv", 2), "int32");
    EXPECT_GT(file.report.outputs.front().sqnrDb.value_or(99), 30); // nothing: equal
}

TEST(ProfileExport, OnQnnScalesOfNormsAreSymmetricWeightsAndTheirBiasesInt32)
{
    ProtoBuilder network;
    network.input("x", {2, 8}).output("y", {2, 8});
    network.weight("scale", {8}, {0.5F, -1.5F, 1.0F}).weight("bias", {8}, {0.25F, -0.125F});
    network.node("LayerNormalization", "norm", {"x", "scale", "bias"}, {"y"});
    const ExportedFile file(network, recipeFor(Profile::Qnn));
    EXPECT_EQ(file.quantizerAt("norm", 0), "uint8 shifted");
    EXPECT_EQ(file.quantizerAt("norm", 1), "int8 0");
    EXPECT_EQ(file.quantizerAt("norm", 2), "int32");
    EXPECT_GT(file.report.outputs.front().sqnrDb.value_or(0), 30);
}

} // namespace
} // namespace duo
