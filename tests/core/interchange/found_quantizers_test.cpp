// SPDX-License-Identifier: Apache-2.0
#include "core/interchange/found_quantizers.h"

#include "tests/core/interchange/quantized_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

namespace duo::test {
namespace {

/// `fc.weight weight codes int8`
std::vector<std::string> linesOf(const FoundQuantizers& found)
{
    std::vector<std::string> lines;
    for (const FoundQuantizer& each : found.quantizers) {
        lines.push_back(each.tensor
            + (each.isBias          ? " bias "
                    : each.isWeight ? " weight "
                                    : " activation ")
            + std::string(quantizerFormText(each.form)) + " " + std::string(elementTypeName(each.codes)));
    }
    return lines;
}

TEST(FindQuantizers, FindsPairsAndCodesOfWeights)
{
    QuantizedFile file;
    file.quantize("x", 0.5F, 3).dequantize("x", "x_dq");
    file.codes("fc.weight_quantized", {3, 2}, {1, -2, 3, 4, 5, -6}).scale("w_scale", {0.5F, 2});
    file.op("DequantizeLinear", "dq", {"fc.weight_quantized", "w_scale"}, {"w"}, {{"axis", std::int64_t{1}}});
    file.op("MatMul", "fc", {"x_dq", "w"}, {"y"}).result();
    const FoundQuantizers found = findQuantizers(*file.read());
    EXPECT_THAT(
        linesOf(found), testing::UnorderedElementsAre("x activation pair uint8", "fc.weight weight codes int8"));
    for (const FoundQuantizer& each : found.quantizers) {
        EXPECT_THAT(each.scale, SizeIs(each.isWeight ? 2 : 1)) << each.tensor;
        EXPECT_EQ(each.axis, each.isWeight ? std::optional<std::int64_t>(1) : std::nullopt) << each.tensor;
        EXPECT_EQ(each.zeroPoint, each.isWeight ? Ints({0, 0}) : Ints({3})) << each.tensor;
    }
}

TEST(FindQuantizers, FindsWhatOperatorsOnCodesSay)
{
    QuantizedFile file;
    file.quantize("x", 0.5F, 3)
        .codes("w_quantized", {3, 1}, {1, 2, 3})
        .scale("w_scale", {0.25F})
        .codes("w_zero", {}, {0});
    file.codes("b_quantized", {1}, {16}, onnx::TensorProto::INT32).scale("y_scale", {1});
    file.codes("y_zero", {}, {7}, onnx::TensorProto::UINT8);
    file.contrib("QGemm", "fc",
        {"x_q", "x_scale", "x_zero_point", "w_quantized", "w_scale", "w_zero", "b_quantized", "y_scale", "y_zero"},
        {"y_quantized"});
    file.op("DequantizeLinear", "dq", {"y_quantized", "y_scale", "y_zero"}, {"y"}).result();
    const FoundQuantizers found = findQuantizers(*file.read());
    EXPECT_THAT(linesOf(found),
        ElementsAre("x activation pair uint8", "w weight operator int8", "b bias operator int32",
            "y activation operator uint8"));
    EXPECT_THAT(found.quantizers[2].scale, ElementsAre(0.125F));
    EXPECT_THAT(found.quantizers[3].zeroPoint, ElementsAre(7));
}

TEST(FindQuantizers, SaysOfDynamicOnesThatEachRunMakesTheirScale)
{
    QuantizedFile file;
    file.codes("w_quantized", {3, 2}, {1, 2, 3, 4, 5, 6}).scale("w_scale", {0.5F, 2});
    file.contrib("DynamicQuantizeMatMul", "fc", {"x", "w_quantized", "w_scale"}, {"y"}).result();
    const FoundQuantizers found = findQuantizers(*file.read());
    EXPECT_THAT(linesOf(found), ElementsAre("x activation dynamic uint8", "w weight operator int8"));
    EXPECT_THAT(found.quantizers[0].scale, IsEmpty());
}

/// As an export of this program: `exp` stays in float, and what it gives keeps its name behind the quantizer.
TEST(FindQuantizers, NamesWhatIsBehindABarrierAsTheFloatModelDoes)
{
    QuantizedFile file;
    file.op("Exp", "exp", {"x"}, {"h_float_1"});
    file.op("LeakyRelu", "h_KeepFloat_1", {"h_float_1"}, {"h_kept_float"}, {{"alpha", 1.0F}});
    file.quantize("h_kept_float", 0.5F, 3).dequantize("h_kept_float", "h").op("Neg", "neg", {"h"}, {"y"}).result();
    EXPECT_THAT(linesOf(findQuantizers(*file.read())), ElementsAre("h activation pair uint8"));
}

/// As an export of this program, where others read the value in float.
TEST(FindQuantizers, NamesWhatIsReadThroughABarrierByWhatTheBarrierReads)
{
    QuantizedFile file;
    file.op("Exp", "exp", {"x"}, {"h"});
    file.op("LeakyRelu", "h_KeepFloat", {"h"}, {"h_kept_float"}, {{"alpha", 1.0F}});
    file.quantize("h_kept_float", 0.5F, 3).dequantize("h_kept_float", "dq1").op("Add", "add", {"h", "dq1"}, {"y"});
    file.result();
    EXPECT_THAT(linesOf(findQuantizers(*file.read())), ElementsAre("h activation pair uint8"));
}

TEST(FindQuantizers, TakesNoLeakyReluOfTheModelForABarrier)
{
    QuantizedFile file;
    file.op("LeakyRelu", "act", {"x"}, {"h"}, {{"alpha", 1.0F}});
    file.quantize("h", 0.5F, 3).dequantize("h", "h_dq").op("Neg", "neg", {"h_dq"}, {"y"}).result();
    EXPECT_THAT(linesOf(findQuantizers(*file.read())), ElementsAre("h activation pair uint8"));
}

TEST(FindQuantizers, ReadsZeroPointsThatShareAByte)
{
    QuantizedFile file;
    file.tensor("w_quantized", {3, 2}, onnx::TensorProto::INT4).set_raw_data("\x21\x43\x65");
    file.tensor("w_zero", {2}, onnx::TensorProto::INT4).set_raw_data("\xF1");
    file.scale("w_scale", {0.5F, 2}).op("DequantizeLinear", "dq", {"w_quantized", "w_scale", "w_zero"}, {"w"});
    file.op("MatMul", "fc", {"x", "w"}, {"y"}).result();
    const FoundQuantizers found = findQuantizers(*file.read());
    EXPECT_THAT(found.notRecovered, IsEmpty());
    ASSERT_THAT(linesOf(found), ElementsAre("w weight codes int4"));
    EXPECT_THAT(found.quantizers[0].zeroPoint, ElementsAre(1, -1));
}

TEST(FindQuantizers, NamesOutputsThatAToolRenamedAsTheFloatModelDoes)
{
    for (const char* name : {"y_QuantizeLinear_Input", "y_updated"}) {
        QuantizedFile file;
        file.op("Neg", "neg", {"x"}, {name}).quantize(name, 0.5F, 3).dequantize(name, "y").result();
        EXPECT_THAT(linesOf(findQuantizers(*file.read())), ElementsAre("y activation pair uint8"));
    }
}

TEST(FindQuantizers, NamesAnInputAsBeforeItsHalf)
{
    QuantizedFile file;
    file.op("Cast", "half", {"x"}, {"x_cast_to_fp16"}, {{"to", std::int64_t{10}}});
    file.quantize("x_cast_to_fp16", 0.5F, 3).dequantize("x_cast_to_fp16", "y").result();
    EXPECT_THAT(linesOf(findQuantizers(*file.read())), ElementsAre("x activation pair uint8"));
}

/// As ONNX Runtime quantizes a Gemm with transB: the float weight has its scales along the other axis.
TEST(FindQuantizers, TurnsAWeightBackThatItsToolTransposed)
{
    QuantizedFile file;
    file.codes("w_Transposed_quantized", {3, 2}, {1, 2, 3, 4, 5, 6}).scale("w_scale", {0.5F, 2});
    file.op("DequantizeLinear", "dq", {"w_Transposed_quantized", "w_scale"}, {"w"}, {{"axis", std::int64_t{-1}}});
    file.op("MatMul", "fc", {"x", "w"}, {"y"}).result();
    const FoundQuantizers found = findQuantizers(*file.read());
    ASSERT_THAT(linesOf(found), ElementsAre("w weight codes int8"));
    EXPECT_EQ(found.quantizers[0].axis, -2);
}

TEST(NameBeforeCodes, DropsWhatOtherToolsAdd)
{
    EXPECT_EQ(nameBeforeCodes("q_output_fc.weight_1"), "fc.weight"); // NNCF
    EXPECT_EQ(nameBeforeCodes("q_output_gate"), "q_output_gate");
    EXPECT_EQ(nameBeforeCodes("onnx::MatMul_313_i4"), "onnx::MatMul_313"); // ModelOpt
}

TEST(NameBeforeCodes, DropsTheNumberOfASecondCopy)
{
    EXPECT_EQ(nameBeforeCodes("fc.weight_quantized_1"), "fc.weight");
    EXPECT_EQ(nameBeforeCodes("fc.weight_quantized_12"), "fc.weight");
    EXPECT_EQ(nameBeforeCodes("fc.weight_1_quantized"), "fc.weight_1");
    EXPECT_EQ(nameBeforeCodes("fc.weight_1"), "fc.weight_1");
    EXPECT_EQ(nameBeforeCodes("_1"), "_1");
    EXPECT_EQ(nameBeforeCodes("12"), "12");
}

TEST(FindQuantizers, SaysWhatItCannotTell)
{
    QuantizedFile file;
    file.op("ReduceMax", "most", {"x"}, {"scale"}, {{"keepdims", std::int64_t{0}}});
    file.op("QuantizeLinear", "q", {"x", "scale"}, {"x_q"})
        .op("DequantizeLinear", "dq", {"x_q", "scale"}, {"y"})
        .result();
    const FoundQuantizers found = findQuantizers(*file.read());
    EXPECT_THAT(found.quantizers, IsEmpty());
    ASSERT_THAT(found.notRecovered, SizeIs(1));
    EXPECT_EQ(found.notRecovered.front().why, "its scale or zero point is computed while the model runs");
}

TEST(FindQuantizers, NamesQuantizersOfAToolsOwn)
{
    QuantizedFile file;
    file.scale("x_scale", {1});
    file.node("ExtendedQuantizeLinear", "q", {"x", "x_scale"}, {"x_q"}).set_domain("com.amd.quark");
    file.op("Relu", "relu", {"x_q"}, {"y"}).result();
    const FoundQuantizers found = findQuantizers(*file.read());
    EXPECT_THAT(found.quantizers, IsEmpty());
    ASSERT_THAT(found.notRecovered, SizeIs(1));
    EXPECT_EQ(found.notRecovered.front().why,
        "the codes of com.amd.quark.ExtendedQuantizeLinear are not known, an operator of a tool's own");
}

TEST(FindQuantizers, KnowsNothingOfOperatorsOfAnotherDomainWithTheirNames)
{
    QuantizedFile file;
    file.scale("x_scale", {1}).codes("zero", {}, {0}, onnx::TensorProto::UINT8);
    file.node("QuantizeLinear", "q", {"x", "x_scale", "zero"}, {"x_q"}).set_domain("own");
    file.node("DequantizeLinear", "dq", {"x_q", "x_scale", "zero"}, {"x_dq"}).set_domain("own");
    file.op("Relu", "relu", {"x_dq"}, {"y"}).result();
    const FoundQuantizers found = findQuantizers(*file.read());
    EXPECT_THAT(found.quantizers, IsEmpty());
    ASSERT_THAT(found.notRecovered, SizeIs(2));
    EXPECT_EQ(
        found.notRecovered.front().why, "the codes of own.QuantizeLinear are not known, an operator of a tool's own");
}

TEST(FindQuantizers, TakesAScaleThatIsNoNumberForNone)
{
    QuantizedFile file;
    file.codes("x_scale", {}, {1}, onnx::TensorProto::FLOAT8E4M3FN).codes("zero", {}, {0}, onnx::TensorProto::UINT8);
    file.codes("x_q", {1, 1}, {1}, onnx::TensorProto::UINT8).codes("w_q", {1, 1}, {1}, onnx::TensorProto::UINT8);
    file.codes("b_q", {1}, {16}, onnx::TensorProto::INT32).scale("w_scale", {0.25F}).scale("y_scale", {1});
    file.contrib(
        "QGemm", "fc", {"x_q", "x_scale", "zero", "w_q", "w_scale", "zero", "b_q", "y_scale", "zero"}, {"y_q"});
    file.op("DequantizeLinear", "dq", {"y_q", "y_scale", "zero"}, {"y"}).result();
    const FoundQuantizers found = findQuantizers(*file.read());
    EXPECT_THAT(linesOf(found), ElementsAre("w_q weight operator uint8", "y_q activation operator uint8"));
    ASSERT_THAT(found.notRecovered, SizeIs(2));
    EXPECT_EQ(found.notRecovered.front().why, "its scales and zero points do not belong together");
    EXPECT_EQ(found.notRecovered.back().why, "the scale of its data, and so that of its bias, is no constant");
}

TEST(FindQuantizers, SaysOfLstmWeightsWithoutTheirDimensionsThatTheyAreNotRecovered)
{
    QuantizedFile file;
    file.op("Unsqueeze", "one", {"x", "axis"}, {"rows"}).ints("axis", {0});
    file.codes("w_q", {}, {1}).codes("r_q", {2}, {1, 2}).scale("scales", {1, 2}).codes("zeros", {2}, {0, 0});
    file.contrib("DynamicQuantizeLSTM", "lstm",
        {"rows", "w_q", "r_q", "", "", "", "", "", "scales", "zeros", "scales", "zeros"}, {"", "y"});
    file.result();
    const FoundQuantizers found = findQuantizers(*file.read());
    ASSERT_THAT(found.notRecovered, SizeIs(2));
    EXPECT_EQ(found.notRecovered.front().why, "its weights do not have three dimensions");
}

} // namespace
} // namespace duo::test
