// SPDX-License-Identifier: Apache-2.0
// What ONNX Runtime's quantizer asks of a calibration cache: the range of every value that a node gives.
#include "core/pipeline/calibration/ort_calibration.h"

#include "core/onnx/reader.h"
#include "tests/support/proto_builder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <limits>

namespace duo {
namespace {

using test::ProtoBuilder;
using testing::ElementsAre;

constexpr float kInf = std::numeric_limits<float>::infinity();

void addConstant(ProtoBuilder& builder, const std::string& name, const std::vector<float>& values)
{
    auto& attribute = *builder.node("Constant", name + "_node", {}, {name}).add_attribute();
    attribute.set_name("value");
    attribute.set_type(onnx::AttributeProto::TENSOR);
    onnx::TensorProto& tensor = *attribute.mutable_t();
    tensor.set_data_type(onnx::TensorProto::FLOAT);
    tensor.add_dims(static_cast<std::int64_t>(values.size()));
    for (const float value : values)
        tensor.add_float_data(value);
}

/// y = (x + c) with `values` as the constant.
EncodingsText calibrationWith(const std::vector<float>& values)
{
    ProtoBuilder builder;
    builder.input("x").output("y");
    addConstant(builder, "c", values);
    builder.node("Add", "add", {"x", "c"}, {"y"});
    const auto model = readModelBytes(builder.bytes(), "m.onnx");
    EXPECT_TRUE(model) << model.error().line();
    Statistics measured;
    measured.values["x"].min = -1;
    measured.values["x"].max = 2;
    measured.values["y"].min = 0;
    measured.values["y"].max = 4;
    return ortCalibrationOf(**model, measured, EncodingForm::OrtCalibration);
}

TEST(OrtCalibration, HasTheRangeOfAConstantNodeToo)
{
    const EncodingsText made = calibrationWith({-0.5F, 2.25F});
    EXPECT_TRUE(made.without.empty());
    EXPECT_EQ(made.tensors, 3U);
    const auto data = nlohmann::json::parse(made.text)["data"];
    EXPECT_EQ(data["c"]["lowest"], -0.5);
    EXPECT_EQ(data["c"]["highest"], 2.25);
}

TEST(OrtCalibration, SaysWhichConstantHasNoRange)
{
    EXPECT_THAT(calibrationWith({-kInf, 1}).without, ElementsAre("c"));
    EXPECT_THAT(calibrationWith({1, std::numeric_limits<float>::quiet_NaN()}).without, ElementsAre("c"));
    EXPECT_THAT(calibrationWith({}).without, ElementsAre("c"));
}

} // namespace
} // namespace duo
