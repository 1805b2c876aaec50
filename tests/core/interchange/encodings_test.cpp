// SPDX-License-Identifier: Apache-2.0
#include "core/interchange/encodings.h"

#include "tests/core/interchange/quantized_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

using testing::ElementsAre;
using testing::IsEmpty;

namespace duo::test {
namespace {

using Json = nlohmann::ordered_json;

/// x in uint8 with zero point 3, a weight in int8 with a scale for each of two columns, a bias in int32.
class Encodings : public testing::Test
{
protected:
    Encodings()
    {
        m_file.quantize("x", 0.5F, 3).dequantize("x", "x_dq");
        m_file.codes("fc.weight_quantized", {3, 2}, {1, -2, 3, 4, 5, -6}).scale("w_scale", {0.5F, 2});
        m_file.op("DequantizeLinear", "dq", {"fc.weight_quantized", "w_scale"}, {"w"}, {{"axis", std::int64_t{1}}});
        m_file.codes("fc.bias_quantized", {2}, {1, 2}, onnx::TensorProto::INT32).scale("b_scale", {0.25F});
        m_file.op("DequantizeLinear", "dqb", {"fc.bias_quantized", "b_scale"}, {"b"});
        m_file.op("Gemm", "fc", {"x_dq", "w", "b"}, {"y"}).result();
    }
    [[nodiscard]] EncodingsText as(EncodingForm form) const
    {
        const auto model = m_file.read();
        return encodingsText(*model, findQuantizers(*model), form);
    }
    [[nodiscard]] Json json(EncodingForm form) const { return Json::parse(as(form).text); }

    QuantizedFile m_file;
};

TEST_F(Encodings, CountAimetsOffsetsFromCodeZero)
{
    const Json document = json(EncodingForm::Aimet061);
    EXPECT_EQ(document["version"], "0.6.1");
    EXPECT_EQ(document["activation_encodings"]["x"],
        Json::parse(R"([{"bitwidth": 8, "dtype": "int", "is_symmetric": "False", "min": -1.5, "max": 126.0,
                         "scale": 0.5, "offset": -3}])"));
    const Json& weight = document["param_encodings"]["fc.weight"];
    ASSERT_EQ(weight.size(), 2U);
    EXPECT_EQ(
        weight[1], Json::parse(R"({"bitwidth": 8, "dtype": "int", "is_symmetric": "True", "min": -256.0, "max": 254.0,
                        "scale": 2.0, "offset": -128})"));
}

TEST(EncodingsAroundZero, AreTheMagnitudeOfTheHighestCodeInATable)
{
    QuantizedFile file;
    file.quantize("x", 0.5F, 128).dequantize("x", "y").result();
    const auto model = file.read();
    EXPECT_EQ(encodingsText(*model, findQuantizers(*model), EncodingForm::OrtTable).text, "x 63.5\n")
        << "a tool that makes 127 codes of it, as ours does, comes back to the scale";
}

TEST_F(Encodings, AreListsInTheNewerForm)
{
    const Json document = json(EncodingForm::Aimet100);
    EXPECT_EQ(document["activation_encodings"],
        Json::parse(R"([{"name": "x", "dtype": "INT", "bw": 8, "is_sym": false, "enc_type": "PER_TENSOR",
                         "scale": [0.5], "offset": [-3]}])"));
    EXPECT_EQ(document["param_encodings"][0]["enc_type"], "PER_CHANNEL");
    EXPECT_EQ(document["param_encodings"].size(), 1U) << "biases follow from data and weight";
}

TEST_F(Encodings, SayScalesAsOnnxDoesInTheNewest)
{
    EXPECT_EQ(json(EncodingForm::Aimet200)["encodings"],
        Json::parse(R"([{"name": "x", "output_dtype": "uint8", "y_scale": 0.5, "y_zero_point": 3},
                        {"name": "fc.weight", "output_dtype": "int8", "y_scale": [0.5, 2.0], "axis": 1},
                        {"name": "fc.bias", "output_dtype": "int32", "y_scale": 0.25}])"));
}

TEST_F(Encodings, OverrideOnnxRuntimesOwn)
{
    EXPECT_EQ(json(EncodingForm::OrtOverrides),
        Json::parse(R"({"x": [{"quant_type": "QUInt8", "scale": 0.5, "zero_point": 3}],
                        "fc.weight": [{"quant_type": "QInt8", "scale": 0.5, "zero_point": 0, "axis": 1},
                                      {"quant_type": "QInt8", "scale": 2.0, "zero_point": 0}]})"));
}

TEST_F(Encodings, AreALineAtEachTensorInNetron)
{
    const Json document = json(EncodingForm::Netron);
    EXPECT_EQ(document["signature"], "netron:attachment");
    EXPECT_EQ(document["metadata"][0], Json::parse(R"({"kind": "value", "target": "x", "name": "duoscope.quantizer",
                        "value": "uint8, scale 0.5, zero point 3", "type": "string"})"));
    std::vector<std::string> kindsOfWeight;
    for (const Json& entry : document["metadata"]) {
        if (entry["target"] == "fc.weight")
            kindsOfWeight.push_back(entry["kind"]);
    }
    EXPECT_THAT(kindsOfWeight, ElementsAre("value", "tensor")) << "the float model may have it in a node";
}

TEST_F(Encodings, NameValuesThatAConverterWouldHaveToInventOneFor)
{
    EXPECT_THAT(as(EncodingForm::Aimet100).without, ElementsAre("y"));
    EXPECT_THAT(as(EncodingForm::Aimet100).losses, IsEmpty());
}

/// As an export of this program writes a value of a node in float, and a weight of two graphs or two products.
TEST(EncodingsText, NameTensorsOfTheFloatModelAlone)
{
    QuantizedFile file;
    file.op("Exp", "exp", {"x"}, {"h_float"});
    file.op("LeakyRelu", "h_KeepFloat", {"h_float"}, {"h_kept_float"}, {{"alpha", 1.0F}});
    file.quantize("h_kept_float", 0.5F, 3).dequantize("h_kept_float", "h").scale("w_scale", {0.5F});
    file.codes("w_quantized", {3, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9});
    file.codes("w_quantized_1", {3, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9});
    file.op("DequantizeLinear", "dq1", {"w_quantized", "w_scale"}, {"w1"});
    file.op("DequantizeLinear", "dq2", {"w_quantized_1", "w_scale"}, {"w2"});
    file.op("MatMul", "first", {"h", "w1"}, {"z"}).op("MatMul", "second", {"z", "w2"}, {"y"}).result();
    const auto model = file.read();
    const EncodingsText made = encodingsText(*model, findQuantizers(*model), EncodingForm::OrtOverrides);
    EXPECT_EQ(Json::parse(made.text), Json::parse(R"({"h": [{"quant_type": "QUInt8", "scale": 0.5, "zero_point": 3}],
                        "w": [{"quant_type": "QInt8", "scale": 0.5, "zero_point": 0}]})"));
    EXPECT_THAT(made.losses, IsEmpty()) << "both copies of the weight say the same";
    EXPECT_THAT(made.without, ElementsAre("z", "y"));
}

TEST(EncodingsText, SayWhichTensorHasSeveral)
{
    QuantizedFile file;
    file.quantize("x", 0.5F, 3).dequantize("x", "x_dq").scale("first", {0.5F}).scale("second", {0.25F});
    file.codes("w_quantized", {3, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9});
    file.codes("w_quantized_1", {3, 3}, {2, 4, 6, 8, 10, 12, 14, 16, 18});
    file.op("DequantizeLinear", "dq1", {"w_quantized", "first"}, {"w1"});
    file.op("DequantizeLinear", "dq2", {"w_quantized_1", "second"}, {"w2"});
    file.op("MatMul", "one", {"x_dq", "w1"}, {"z"}).op("MatMul", "two", {"z", "w2"}, {"y"}).result();
    const auto model = file.read();
    EXPECT_THAT(encodingsText(*model, findQuantizers(*model), EncodingForm::Aimet100).losses,
        ElementsAre("1 tensor quantized more than once, in several ways: the first counts: 'w'"));
}

/// As an export of this program with SmoothQuant writes a product: neither its data nor its weight is the float
/// model's.
TEST(EncodingsText, LeaveOutWhatSmoothQuantRescaled)
{
    QuantizedFile file;
    file.op("Exp", "exp", {"x"}, {"h"}).scale("h_smoothing", {0.5F, 0.25F, 1});
    file.op("Mul", "h_smooth_quant", {"h", "h_smoothing"}, {"h_smooth_quant"});
    file.quantize("h_smooth_quant", 0.5F, 3).dequantize("h_smooth_quant", "dq1").scale("w_scale", {0.5F});
    file.codes("w_quantized", {3, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9});
    file.op("DequantizeLinear", "dq2", {"w_quantized", "w_scale"}, {"w1"});
    file.op("MatMul", "product", {"dq1", "w1"}, {"z"}).quantize("z", 0.5F, 3).dequantize("z", "y").result();
    const auto model = file.read();
    const EncodingsText made = encodingsText(*model, findQuantizers(*model), EncodingForm::OrtOverrides);
    EXPECT_EQ(
        Json::parse(made.text), Json::parse(R"({"z": [{"quant_type": "QUInt8", "scale": 0.5, "zero_point": 3}]})"));
    EXPECT_THAT(made.losses,
        ElementsAre("2 tensors of numbers that SmoothQuant or equalization rescaled: the float model has others there: "
                    "'h_smooth_quant' and others"));
}

/// NNCF gives a channel that is all zero the scale 0, which no tool reads.
TEST(EncodingsText, GiveAChannelOfZerosAnyScale)
{
    QuantizedFile file;
    file.codes("w_quantized", {3, 2}, {1, 0, 3, 0, 5, 0}).scale("w_scale", {0.5F, 0});
    file.op("DequantizeLinear", "dq", {"w_quantized", "w_scale"}, {"w"}).op("MatMul", "fc", {"x", "w"}, {"y"}).result();
    const auto model = file.read();
    const EncodingsText made = encodingsText(*model, findQuantizers(*model), EncodingForm::Aimet100);
    EXPECT_EQ(Json::parse(made.text)["param_encodings"][0]["scale"], Json::parse("[0.5, 1.0]"));
    EXPECT_THAT(made.losses, IsEmpty());
}

/// NNCF puts the largest number of a channel at the lowest code, by a negative scale where it is positive.
TEST(EncodingsText, TakeScalesBelowZeroAsPositive)
{
    QuantizedFile file;
    file.codes("w_quantized", {3, 2}, {1, 0, 3, 0, 5, 0}).scale("w_scale", {0.5F, -2});
    file.op("DequantizeLinear", "dq", {"w_quantized", "w_scale"}, {"w"}).op("MatMul", "fc", {"x", "w"}, {"y"}).result();
    const auto model = file.read();
    const EncodingsText made = encodingsText(*model, findQuantizers(*model), EncodingForm::Aimet100);
    EXPECT_EQ(Json::parse(made.text)["param_encodings"][0]["scale"], Json::parse("[0.5, 2.0]"));
    EXPECT_THAT(made.losses,
        ElementsAre("1 tensor with scales below zero, taken as positive: the largest number may be a code off: 'w'"));
}

TEST(EncodingsText, LeaveOutScalesThatNoToolReads)
{
    QuantizedFile file;
    file.quantize("x", 0, 3).dequantize("x", "y").result();
    const auto model = file.read();
    EXPECT_THAT(encodingsText(*model, findQuantizers(*model), EncodingForm::Aimet100).losses,
        ElementsAre("1 tensor with a scale that is not above zero and finite: 'x'"));
}

TEST(EncodingsText, SayWhatTheirFormCannot)
{
    QuantizedFile file;
    file.codes("w_quantized", {3, 2}, {1, 2, 3, 4, 5, 6}).scale("w_scale", {0.5F, 2});
    file.contrib("DynamicQuantizeMatMul", "fc", {"x", "w_quantized", "w_scale"}, {"y"}).result();
    const auto model = file.read();
    EXPECT_THAT(encodingsText(*model, findQuantizers(*model), EncodingForm::OrtOverrides).losses,
        ElementsAre("1 tensor quantized by the range of each run: 'x'"));
}

} // namespace
} // namespace duo::test
