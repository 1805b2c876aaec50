// SPDX-License-Identifier: Apache-2.0
#include "core/interchange/foreign_encodings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>

namespace duo::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

ForeignEncodings read(std::string_view text)
{
    auto read = parseForeignEncodings(text, "e.json");
    EXPECT_TRUE(read) << (read ? "" : read.error().line());
    return read ? *std::move(read) : ForeignEncodings();
}

std::string complaint(std::string_view text)
{
    const auto read = parseForeignEncodings(text, "e.json");
    return read ? "none" : read.error().line();
}

TEST(ForeignEncodings, OfAimetCountFromCodeZero)
{
    const auto found = read(R"({"version": "0.6.1", "activation_encodings": {"x": [{"bitwidth": 8, "dtype": "int",
        "is_symmetric": "False", "min": -1.5, "max": 126.0, "scale": 0.5, "offset": -3}]}, "param_encodings": {"w": [
        {"bitwidth": 8, "dtype": "int", "is_symmetric": "True", "scale": 0.5, "offset": -128},
        {"bitwidth": 8, "dtype": "int", "is_symmetric": "True", "scale": 0.25, "offset": -128}]}})");
    EXPECT_EQ(found.form, ForeignForm::Aimet061);
    EXPECT_THAT(found.entries,
        ElementsAre(ForeignEncoding{.tensor = "x", .scale = {0.5F}, .zeroPoint = {3}},
            ForeignEncoding{.tensor = "w", .scale = {0.5F, 0.25F}, .zeroPoint = {128, 128}}));
}

TEST(ForeignEncodings, OfQualcommMayHoldARangeAlone)
{
    const auto found = read(R"({"activation_encodings": {"x": [{"bitwidth": 8, "min": -1.0, "max": 1.55}]}})");
    EXPECT_THAT(found.entries, ElementsAre(ForeignEncoding{.tensor = "x", .scale = {0.01F}, .zeroPoint = {100}}));
}

TEST(ForeignEncodings, OfAimetAreListsInTheNewerForms)
{
    EXPECT_THAT(read(R"({"version": "1.0.0", "activation_encodings": [{"name": "x", "dtype": "INT", "bw": 16,
        "is_sym": false, "enc_type": "PER_TENSOR", "scale": [0.5], "offset": [-30000]}], "param_encodings": []})")
                    .entries,
        ElementsAre(ForeignEncoding{.tensor = "x", .bits = 16, .scale = {0.5F}, .zeroPoint = {30000}}));
    EXPECT_THAT(read(R"({"version": "2.0.0", "encodings": [
        {"name": "x", "output_dtype": "uint8", "y_scale": 0.5, "y_zero_point": 3},
        {"name": "w", "output_dtype": "int8", "y_scale": [0.5, 2], "axis": 0},
        {"name": "b", "output_dtype": "int32", "y_scale": 0.25}]})")
                    .entries,
        ElementsAre(ForeignEncoding{.tensor = "x", .codes = ElementType::UInt8, .scale = {0.5F}, .zeroPoint = {3}},
            ForeignEncoding{
                .tensor = "w", .codes = ElementType::Int8, .scale = {0.5F, 2}, .zeroPoint = {0, 0}, .axis = 0},
            ForeignEncoding{.tensor = "b", .bits = 32}));
}

TEST(ForeignEncodings, OfOnnxRuntimeAreOverridesAndRanges)
{
    EXPECT_THAT(read(R"({"x": [{"quant_type": "QUInt8", "scale": 0.5, "zero_point": 3}],
        "y": [{"quant_type": "QInt16", "rmin": -1, "rmax": 2}],
        "w": [{"quant_type": "QInt8", "axis": 1, "scale": 1, "zero_point": 0},
              {"quant_type": "QInt8", "scale": 2, "zero_point": 0}]})")
                    .entries,
        ElementsAre(ForeignEncoding{.tensor = "x", .codes = ElementType::UInt8, .scale = {0.5F}, .zeroPoint = {3}},
            ForeignEncoding{.tensor = "y", .codes = ElementType::Int16, .bits = 16, .range = ForeignRange{-1, 2}},
            ForeignEncoding{
                .tensor = "w", .codes = ElementType::Int8, .scale = {1, 2}, .zeroPoint = {0, 0}, .axis = 1}));
    const auto ranges = read(R"({"CLS": "TensorsData", "data": {
        "x": {"lowest": -1.0, "highest": {"data": [2.5], "dtype": "float32", "CLS": "numpy.array"}, "CLS": "TensorData"}},
        "calibration_method": {"CLS": "CalibrationMethod", "value": "CalibrationMethod.MinMax"}, "smooth_quant": false})");
    EXPECT_EQ(ranges.form, ForeignForm::OrtCalibration);
    EXPECT_THAT(ranges.entries, ElementsAre(ForeignEncoding{.tensor = "x", .range = ForeignRange{-1, 2.5F}}));
}

TEST(ForeignEncodings, OfTensorRtAreScalesInHexadecimal)
{
    const auto found = read("TRT-8601-EntropyCalibration2\nlayer: 1: 3c010a14\nnan: 7fc00000\n");
    EXPECT_EQ(found.form, ForeignForm::TensorRtCache);
    ASSERT_EQ(found.entries.size(), 1U);
    EXPECT_EQ(found.entries[0].tensor, "layer: 1");
    EXPECT_EQ(found.entries[0].scale[0], std::bit_cast<float>(0x3c010a14U));
    EXPECT_THAT(found.notExpressed, ElementsAre("tensor 'nan' has a scale that is not positive and finite"));
}

TEST(ForeignEncodings, NameWhatHasNoCounterpart)
{
    EXPECT_THAT(read(R"({"version": "1.0.0", "activation_encodings": [
        {"name": "a", "dtype": "INT", "bw": 5, "scale": [1], "offset": [0]},
        {"name": "b", "dtype": "FLOAT", "bw": 16, "enc_type": "PER_TENSOR"}], "param_encodings": [
        {"name": "c", "dtype": "INT", "bw": 8, "enc_type": "LPBQ", "block_size": 32, "scale": [1], "offset": [0]}]})")
                    .notExpressed,
        ElementsAre("tensor 'a' has codes of 5 bits", "tensor 'b' is in floats of 16 bits: it stays as it is",
            "tensor 'c' has scales of the kind LPBQ"));
    EXPECT_THAT(read(R"({"x": [{"quant_type": "QUInt8"}], "y": [{"quant_type": "QUInt8", "scale": 1, "zero_point": 0,
        "convert": {"quant_type": "QUInt16"}}]})")
                    .notExpressed,
        ElementsAre("tensor 'x' has a type and no range",
            "tensor 'y' is converted to another type for some readers: all read the first"));
}

struct Wrong {
    const char* text;
    const char* complaint;
};

TEST(ForeignEncodings, ThatCannotBeAreRefusedByTheirEntry)
{
    const Wrong cases[] = {
        {"[", "e.json line 1"},
        {"{}", "no encodings, overrides or calibration of a tool that is known: e.json"},
        {R"({"version": "3.0.0", "encodings": []})", "version '3.0.0' of encodings is not read: e.json version"},
        {R"({"version": "2.0.0", "encodings": [{"name": "x", "output_dtype": "uint8", "y_scale": 0}]})",
            "not a positive number: e.json encodings[0].y_scale"},
        {R"({"version": "2.0.0", "encodings": [{"name": "x", "output_dtype": "uint8", "y_scale": 1e300}]})",
            "not a finite number: e.json encodings[0].y_scale"},
        {R"({"version": "2.0.0", "encodings": [{"name": "x", "output_dtype": "uint8", "y_scale": 1, "y_zero_point": 256}]})",
            "not between 0 and 255: e.json encodings[0].y_zero_point"},
        {R"({"version": "2.0.0", "encodings": [{"name": "x", "output_dtype": "int8", "y_scale": [1, 2], "y_zero_point": [0]}]})",
            "not as many as scales: e.json encodings[0].y_zero_point"},
        {R"({"version": "2.0.0", "encodings": [{"output_dtype": "int8"}]})", "missing field: e.json encodings[0].name"},
        {R"({"activation_encodings": {"x": [{"bitwidth": 8, "scale": 1, "offset": 1}]}})",
            "not between -255 and 0: e.json activation_encodings.x[0].offset"},
        {R"({"activation_encodings": {"x": [{"bitwidth": 8, "min": 1, "max": 2}]}})",
            "no range with zero in it: e.json activation_encodings.x[0]"},
        {R"({"activation_encodings": {"x": []}})", "not a list of encodings: e.json activation_encodings.x"},
        {R"({"activation_encodings": {"x": [{"bitwidth": 8, "scale": 1, "offset": 0}]},
             "param_encodings": {"x": [{"bitwidth": 8, "scale": 1, "offset": 0}]}})",
            "tensor 'x' has two entries: e.json"},
        {R"({"x": [{"quant_type": "QUInt8", "scale": 1}]})",
            "a scale without a zero point, or the other way round: e.json x[0]"},
        {R"({"x": {"lowest": 2, "highest": 1}})", "its lowest value is above its highest one: e.json x"},
        {R"({"data": {}, "calibration_method": 0, "smooth_quant": true})",
            "the ranges are of a model that SmoothQuant changed: e.json"},
        {"TRT-8601-MinMaxCalibration\nx 3c01\n", "no tensor with the hexadecimal digits of a scale: e.json line 2"},
    };
    for (const Wrong& wrong : cases)
        EXPECT_THAT(complaint(wrong.text), HasSubstr(wrong.complaint)) << wrong.text;
}

} // namespace
} // namespace duo::test
