// SPDX-License-Identifier: Apache-2.0
#include "core/interchange/dequantize.h"

#include "core/engine/open_model.h"
#include "core/onnx/reader.h"
#include "core/report/dequantize_report.h"
#include "tests/core/interchange/quantized_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

namespace duo::test {
namespace {

struct InFloat {
    std::vector<std::string> lines; // nodeLines()
    std::vector<std::string> kept; // `node: why`
    std::shared_ptr<const Model> model;
};

/// What it becomes, which the engine opens.
InFloat inFloat(const QuantizedFile& file)
{
    const auto model = file.read();
    const auto made = dequantizeEdits(*model);
    if (!made) {
        ADD_FAILURE() << made.error().line();
        return {};
    }
    InFloat result;
    for (const auto& [node, why] : made->kept)
        result.kept.push_back(model->node(node).name + ": " + why);
    const auto changed = convertedModel(model, made->edits, {});
    if (!changed) {
        ADD_FAILURE() << changed.error().line();
        return result;
    }
    result.model = *changed;
    result.lines = nodeLines(**changed);
    const auto session = openModel(**changed);
    EXPECT_TRUE(session) << session.error().line();
    return result;
}

std::vector<float> floatsOf(const Model& model, const std::string& name)
{
    const ValueId value = model.findValue(name);
    const Tensor* tensor = value.valid() ? model.constant(value) : nullptr;
    return tensor == nullptr ? std::vector<float>() : toFloats(*tensor);
}

TEST(Dequantize, TakesAPairOutAndLetsItsReadersReadTheFloats)
{
    QuantizedFile file;
    file.quantize("x", 0.5F, 3).dequantize("x", "x_dq").op("Relu", "relu", {"x_dq"}, {"y"}).result();
    const InFloat made = inFloat(file);
    EXPECT_THAT(made.lines, ElementsAre("Relu relu(x) -> y"));
    EXPECT_FALSE(made.model->findValue("x_scale").valid()) << "nobody reads it";
}

TEST(Dequantize, KeepsTheNameOfAnOutput)
{
    QuantizedFile file;
    file.op("Relu", "relu", {"x"}, {"a"}).quantize("a", 0.5F, 3).dequantize("a", "y").result();
    EXPECT_THAT(inFloat(file).lines, ElementsAre("Relu relu(x) -> y"));
}

TEST(Dequantize, GivesAnOutputThatWasTheInputAnIdentity)
{
    QuantizedFile file;
    file.quantize("x", 0.5F, 3).dequantize("x", "y").result();
    EXPECT_THAT(inFloat(file).lines, ElementsAre("Identity x_DequantizeLinear(x) -> y"));
}

TEST(Dequantize, MakesWeightsFloatsUnderTheNameTheyHad)
{
    QuantizedFile file;
    file.codes("fc.weight_quantized", {3, 2}, {1, -2, 3, 4, 5, -6}).scale("w_scale", {0.5F, 2});
    file.codes("w_zero", {2}, {0, 1});
    file.op(
        "DequantizeLinear", "dq", {"fc.weight_quantized", "w_scale", "w_zero"}, {"w"}, {{"axis", std::int64_t{-1}}});
    file.op("MatMul", "fc", {"x", "w"}, {"y"}).result();
    const InFloat made = inFloat(file);
    EXPECT_EQ(made.model->node(made.model->findNode("fc")).opType, "MatMul");
    EXPECT_THAT(floatsOf(*made.model, "fc.weight"), ElementsAre(0.5F, -6, 1.5F, 6, 2.5F, -14));
}

TEST(Dequantize, TurnsOperatorsOnCodesIntoOnnxsOwn)
{
    QuantizedFile file;
    file.quantize("x", 0.5F, 3)
        .codes("w_quantized", {3, 1}, {1, 2, 3})
        .scale("w_scale", {0.25F})
        .codes("w_zero", {}, {0});
    file.scale("y_scale", {1}).codes("y_zero", {}, {7}, onnx::TensorProto::UINT8);
    file.op("QLinearMatMul", "fc",
        {"x_q", "x_scale", "x_zero_point", "w_quantized", "w_scale", "w_zero", "y_scale", "y_zero"}, {"y_quantized"});
    file.op("Reshape", "flat", {"y_quantized", "shape"}, {"flat_quantized"}).ints("shape", {-1});
    file.op("DequantizeLinear", "dq", {"flat_quantized", "y_scale", "y_zero"}, {"y"}).result();
    const InFloat made = inFloat(file);
    EXPECT_THAT(made.lines, ElementsAre("MatMul fc(x, [0.25 0.5 0.75]) -> y_1", "Reshape flat(y_1, [-1]) -> y"));
    EXPECT_TRUE(made.model->findValue("w").valid()) << "it has its name again";
}

TEST(Dequantize, ReadsTheBiasByTheScalesOfDataAndWeight)
{
    QuantizedFile file;
    file.quantize("x", 0.5F, 3)
        .codes("w_quantized", {3, 1}, {1, 2, 3})
        .scale("w_scale", {0.25F})
        .codes("w_zero", {}, {0});
    file.codes("b_quantized", {1}, {16}, onnx::TensorProto::INT32);
    file.contrib(
        "QGemm", "fc", {"x_q", "x_scale", "x_zero_point", "w_quantized", "w_scale", "w_zero", "b_quantized"}, {"y"});
    file.result();
    const InFloat made = inFloat(file);
    EXPECT_THAT(made.lines, ElementsAre("Gemm fc(x, [0.25 0.5 0.75], [2]) -> y"));
}

TEST(Dequantize, TakesDynamicQuantizationOutWithTheNodesThatScaleItsSums)
{
    QuantizedFile file;
    file.op("DynamicQuantizeLinear", "dyn", {"x"}, {"x_q", "x_scale", "x_zero"});
    file.codes("w_quantized", {3, 2}, {1, 2, 3, 4, 5, 6}).scale("w_scale", {0.5F, 2}).codes("w_zero", {}, {0});
    file.op("MatMulInteger", "fc", {"x_q", "w_quantized", "x_zero", "w_zero"}, {"sums"});
    file.op("Cast", "cast", {"sums"}, {"cast_out"}, {{"to", std::int64_t{1}}});
    file.op("Mul", "scales", {"x_scale", "w_scale"}, {"both"})
        .op("Mul", "scaled", {"cast_out", "both"}, {"y"})
        .result();
    const InFloat made = inFloat(file);
    EXPECT_THAT(made.lines, ElementsAre("MatMul fc(x, [0.5 4 1.5 8 2.5 12]) -> y"));
}

TEST(Dequantize, TakesBarriersOutAndGivesTheValueItsName)
{
    QuantizedFile file;
    file.op("Exp", "exp", {"x"}, {"h_float_1"});
    file.op("LeakyRelu", "h_KeepFloat_1", {"h_float_1"}, {"h_kept_float"}, {{"alpha", 1.0F}});
    file.quantize("h_kept_float", 0.5F, 3).dequantize("h_kept_float", "h").op("Neg", "neg", {"h"}, {"y"}).result();
    EXPECT_THAT(inFloat(file).lines, ElementsAre("Exp exp(x) -> h", "Neg neg(h) -> y"));
}

TEST(Dequantize, MakesAReluANodeAgainThatItsToolLeftToTheCodes)
{
    QuantizedFile file;
    file.op("Neg", "net/neg", {"x"}, {"a"}).quantize("a", 0.5F, 0).dequantize("a", "a_dq");
    file.op("Exp", "exp", {"a_dq"}, {"y"}).result();
    EXPECT_THAT(inFloat(file).lines,
        ElementsAre("Neg net/neg(x) -> a_before_clamp", "Relu Relu(a_before_clamp) -> a", "Exp exp(a) -> y"));
}

TEST(Dequantize, AddsNoReluToAnInputThatIsOnlyMoved)
{
    QuantizedFile file;
    file.ints("flat", {-1});
    file.op("Reshape", "reshape", {"x", "flat"}, {"a"}).quantize("a", 0.5F, 0).dequantize("a", "a_dq");
    file.op("Neg", "neg", {"a_dq"}, {"y"}).result();
    EXPECT_THAT(inFloat(file).lines, ElementsAre("Reshape reshape(x, [-1]) -> a", "Neg neg(a) -> y"));
}

TEST(Dequantize, MakesARelu6ANodeAgainWhereCodesEndAtSix)
{
    QuantizedFile file;
    file.op("Neg", "neg", {"x"}, {"a"}).quantize("a", 6.0F / 255, 0).dequantize("a", "y").result();
    EXPECT_THAT(inFloat(file).lines, ElementsAre("Neg neg(x) -> a", "Clip Clip(a, [0], [6]) -> y"));
}

TEST(Dequantize, AddsNoReluWhereNothingIsNegative)
{
    QuantizedFile file;
    file.op("Sigmoid", "gate", {"x"}, {"a"}).op("Transpose", "turn", {"a"}, {"t"});
    file.quantize("t", 0.5F, 0).dequantize("t", "t_dq").op("Exp", "exp", {"t_dq"}, {"y"}).result();
    EXPECT_THAT(inFloat(file).lines, ElementsAre("Sigmoid gate(x) -> a", "Transpose turn(a) -> t", "Exp exp(t) -> y"));
}

/// As ONNX Runtime's quantizer leaves it: what stands before the Clip gives what the Clip gave.
TEST(Dequantize, MakesAClampANodeAgainWhoseNameIsThere)
{
    QuantizedFile file;
    file.ints("flat", {-1}).op("Reshape", "/Reshape", {"x", "flat"}, {"/act/Clip_output_0"});
    file.quantize("/act/Clip_output_0", 0.5F, 0).dequantize("/act/Clip_output_0", "y").result();
    EXPECT_THAT(inFloat(file).lines,
        ElementsAre("Reshape /Reshape(x, [-1]) -> /act/Clip_output_0", "Relu /act/Relu(/act/Clip_output_0) -> y"));
}

TEST(Dequantize, AddsNoReluToWhatHasTheNameOfAnotherOperator)
{
    for (const char* name : {"/b/Neg_output_0", "/b/Transpose_1_output_0", "b/Neg:0", "neg", "neg_1"}) {
        QuantizedFile file;
        file.op("Neg", "node_neg", {"x"}, {name}).quantize(name, 0.5F, 0).dequantize(name, "y").result();
        EXPECT_THAT(inFloat(file).lines, ElementsAre("Neg node_neg(x) -> y")) << name;
    }
}

TEST(Dequantize, AddsNoReluToAConstantThatANodeHandsOn)
{
    QuantizedFile file;
    file.scale("bias", {-1, 2, 3}).op("Identity", "alias", {"bias"}, {"b"}).quantize("b", 0.5F, 0);
    file.dequantize("b", "b_dq").op("Add", "add", {"x", "b_dq"}, {"y"}).result();
    EXPECT_THAT(inFloat(file).lines, ElementsAre("Identity alias([-1 2 3]) -> b", "Add add(x, b) -> y"));
}

TEST(Dequantize, AddsNoReluToAMask)
{
    QuantizedFile file;
    file.op("Cast", "cast", {"x"}, {"seen"}, {{"to", std::int64_t{9}}}).scale("none", {0}).scale("low", {-9});
    file.op("Where", "mask", {"seen", "none", "low"}, {"m"}).quantize("m", 0.5F, 0).dequantize("m", "y").result();
    EXPECT_THAT(inFloat(file).lines, ElementsAre("Cast cast(x) -> seen to=9", "Where mask(seen, [0], [-9]) -> y"));
}

TEST(Dequantize, AddsNoReluToAnExportOfThisProgram)
{
    QuantizedFile file;
    file.op("Neg", "neg", {"x"}, {"a"}).quantize("a", 0.5F, 0).dequantize("a", "y").result();
    onnx::StringStringEntryProto& producer = *file.model().add_metadata_props();
    producer.set_key("duoscope.producer");
    producer.set_value("duoscope 1.0.0");
    EXPECT_THAT(inFloat(file).lines, ElementsAre("Neg neg(x) -> y"));
}

/// Of a GELU: x * (1 + Erf) on codes.
TEST(Dequantize, AddsNoReluToASumThatIsNotNegative)
{
    for (const float lowest : {1.0F, 0.5F}) {
        QuantizedFile file;
        file.op("Erf", "erf", {"x"}, {"e"}).quantize("e", 1.0F / 127, 127);
        file.codes("one", {}, {255}, onnx::TensorProto::UINT8).scale("one_scale", {lowest / 255});
        file.codes("zero", {}, {0}, onnx::TensorProto::UINT8).scale("s_scale", {2.0F / 255});
        file.contrib("QLinearAdd", "add",
            {"e_q", "e_scale", "e_zero_point", "one", "one_scale", "zero", "s_scale", "zero"}, {"s_quantized"});
        file.op("DequantizeLinear", "dq", {"s_quantized", "s_scale", "zero"}, {"y"}).result();
        EXPECT_EQ(inFloat(file).lines.size(), lowest == 1 ? 2U : 3U) << "a sum with " << lowest;
    }
}

TEST(Dequantize, NamesWhatIsClamped)
{
    QuantizedFile file;
    file.op("Neg", "net/neg", {"x"}, {"a"}).quantize("a", 0.5F, 0).dequantize("a", "y").result();
    const auto model = file.read();
    const auto made = dequantizeEdits(*model);
    ASSERT_TRUE(made) << made.error().line();
    EXPECT_THAT(dequantizeText(*model, findQuantizers(*model), *made),
        HasSubstr("1 Relu or Clip that a quantizer had taken over: nodes again, of 'a'\n"));
}

TEST(Dequantize, ReadsAShorterLastBlock)
{
    QuantizedFile file;
    file.codes("w_quantized", {3, 1}, {1, 2, 3}).weight("w_scale", {2, 1}, {0.5F, 4});
    file.op("DequantizeLinear", "dq", {"w_quantized", "w_scale"}, {"w"},
        {{"axis", std::int64_t{0}}, {"block_size", std::int64_t{2}}});
    file.model().mutable_opset_import(0)->set_version(21);
    file.op("MatMul", "fc", {"x", "w"}, {"y"}).result();
    EXPECT_THAT(inFloat(file).lines, ElementsAre("MatMul fc(x, [0.5 1 12]) -> y"));
}

TEST(Dequantize, UnpacksBlocksOfFewBits)
{
    QuantizedFile file;
    Ints packed(16, 0x98); // codes 8 and 9 in turns: 0 and 1 above the middle
    file.codes("w_quantized", {1, 1, 16}, packed, onnx::TensorProto::UINT8).scale("w_scales", {0.5F});
    file.contrib("MatMulNBits", "fc", {"x", "w_quantized", "w_scales"}, {"y"},
        {{"K", std::int64_t{3}}, {"N", std::int64_t{1}}, {"bits", std::int64_t{4}}, {"block_size", std::int64_t{32}}});
    file.result();
    const InFloat made = inFloat(file);
    EXPECT_THAT(made.lines, ElementsAre("MatMul fc(x, [0 0.5 0]) -> y"));
}

TEST(Dequantize, MakesATableFloatsThatRowsAreTakenFrom)
{
    QuantizedFile file;
    file.codes("emb_quantized", {3, 1}, {1, 2, 3}).scale("emb_scale", {0.5F}).codes("emb_zero", {}, {1});
    file.op("Cast", "cast", {"x"}, {"rows"}, {{"to", std::int64_t{7}}});
    file.op("Gather", "emb", {"emb_quantized", "rows"}, {"taken"});
    file.op("DequantizeLinear", "dq", {"taken", "emb_scale", "emb_zero"}, {"e"})
        .op("Exp", "exp", {"e"}, {"y"})
        .result();
    EXPECT_THAT(inFloat(file).lines,
        ElementsAre(
            "Cast cast(x) -> rows to=7", "Gather emb([0 0.5 1], rows) -> taken_float", "Exp exp(taken_float) -> y"));
}

TEST(Dequantize, TurnsTheWeightsOfAnLstmOverAsItTakesThem)
{
    QuantizedFile file;
    file.op("Unsqueeze", "one", {"x", "axis"}, {"rows"}).ints("axis", {0});
    file.codes("w_quantized", {1, 3, 4}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}).scale("w_scale", {0.5F});
    file.codes("r_quantized", {1, 1, 4}, {1, 2, 3, 4}).scale("r_scale", {1}).codes("zero", {1}, {0});
    file.contrib("DynamicQuantizeLSTM", "lstm_quant",
        {"rows", "w_quantized", "r_quantized", "", "", "", "", "", "w_scale", "zero", "r_scale", "zero"}, {"", "y"},
        {{"hidden_size", std::int64_t{1}}});
    file.result();
    const InFloat made = inFloat(file);
    EXPECT_EQ(made.model->node(made.model->findNode("lstm")).opType, "LSTM");
    EXPECT_THAT(floatsOf(*made.model, "w"), ElementsAre(0.5F, 2.5F, 4.5F, 1, 3, 5, 1.5F, 3.5F, 5.5F, 2, 4, 6));
    EXPECT_THAT(floatsOf(*made.model, "r"), ElementsAre(1, 2, 3, 4));
}

TEST(Dequantize, LeavesCodesThatLeaveTheModel)
{
    QuantizedFile file;
    file.quantize("x", 0.5F, 3).dequantize("x", "x_dq").op("Relu", "relu", {"x_dq"}, {"y"}).result().result("x_q");
    const InFloat made = inFloat(file);
    EXPECT_EQ(made.lines.size(), 3U);
    EXPECT_THAT(made.kept, ElementsAre("x_QuantizeLinear: its codes are an output of the graph"));
}

TEST(Dequantize, LeavesWhatComputesOnCodesInAWayItDoesNotKnow)
{
    QuantizedFile file;
    file.quantize("x", 0.5F, 3).op("Cast", "cast", {"x_q"}, {"y"}, {{"to", std::int64_t{1}}}).result();
    const InFloat made = inFloat(file);
    EXPECT_EQ(made.lines.size(), 2U);
    EXPECT_THAT(made.kept, ElementsAre("cast: Cast computes on codes in a way that is not known"));
}

TEST(Dequantize, LeavesAFloatModelAsItIs)
{
    QuantizedFile file;
    file.op("Relu", "relu", {"x"}, {"y"}).result();
    const InFloat made = inFloat(file);
    EXPECT_THAT(made.lines, ElementsAre("Relu relu(x) -> y"));
    EXPECT_THAT(made.kept, IsEmpty());
}

TEST(Dequantize, LeavesCodesThatTheirScalesDoNotFit)
{
    QuantizedFile file;
    file.codes("w_quantized", {3, 2}, {1, -2, 3, 4, 5, -6}).scale("w_scale", {0.5F, 2, 4, 8});
    file.op("DequantizeLinear", "dq", {"w_quantized", "w_scale"}, {"w"}).op("MatMul", "fc", {"x", "w"}, {"y"}).result();
    const auto made = dequantizeEdits(*file.read());
    ASSERT_TRUE(made) << made.error().line();
    ASSERT_EQ(made->kept.size(), 1U);
    EXPECT_EQ(made->kept.front().why, "its codes and their scales do not fit");
}

TEST(Dequantize, LeavesAPackedWeightWhoseSizesAreNotThere)
{
    constexpr std::int64_t kClaimed = (std::int64_t{1} << 31) - 1; // 10^18 zero points
    QuantizedFile file;
    file.codes("w_quantized", {1, 1, 16}, Ints(16), onnx::TensorProto::UINT8).scale("w_scales", {0.5F});
    file.contrib("MatMulNBits", "fc", {"x", "w_quantized", "w_scales"}, {"y"},
        {{"K", kClaimed}, {"N", kClaimed}, {"bits", std::int64_t{4}}, {"block_size", std::int64_t{32}}});
    file.result();
    const auto model = file.read();
    const auto made = dequantizeEdits(*model);
    ASSERT_TRUE(made) << made.error().line();
    ASSERT_EQ(made->kept.size(), 1U);
    EXPECT_EQ(made->kept.front().why, "how its weight is packed is not known");
}

TEST(Dequantize, RefusesToMakeMuchOfLittle)
{
    QuantizedFile file;
    constexpr std::int64_t kSide = 1024;
    file.tensor("w_quantized", {kSide, kSide}, onnx::TensorProto::INT8).set_raw_data(std::string(kSide * kSide, '\1'));
    for (int i = 0; i < 20; ++i) {
        const std::string name = std::to_string(i);
        file.scale("scale" + name, {static_cast<float>(i + 1)});
        file.op("DequantizeLinear", "dq" + name, {"w_quantized", "scale" + name}, {"w" + name}).result("w" + name);
    }
    const auto made = dequantizeEdits(*file.read()); // 1 MB
    ASSERT_FALSE(made);
    EXPECT_EQ(made.error().line(),
        "in float its weights would take more than 32 times the model's size: node 'dq16': check whether many nodes "
        "dequantize the same codes");
}

} // namespace
} // namespace duo::test
