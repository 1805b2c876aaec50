// SPDX-License-Identifier: Apache-2.0
#include "core/model/element_types.h"

#include "core/onnx/reader.h"
#include "tests/support/proto_builder.h"

#include <gtest/gtest.h>

namespace duo {
namespace {

/// Of an output of a node; x and w are floats, codes are whole numbers.
ElementType typeOf(const std::string& opType, const std::vector<std::string>& inputs, std::size_t output,
    int opset = 17, const std::string& domain = {})
{
    test::ProtoBuilder file;
    file.model().mutable_opset_import(0)->set_version(opset);
    file.input("x", {2, 2}).weight("w", {2, 2});
    file.tensor("codes", {2}, onnx::TensorProto::INT64).set_raw_data(std::string(16, '\0'));
    const std::vector<std::string> outputs
        = output == 0 ? std::vector<std::string>{"out"} : std::vector<std::string>{"first", "out"};
    file.node(opType, "node", inputs, outputs).set_domain(domain);
    file.node("Identity", "last", {"out"}, {"y"});
    file.output("y", {2, 2});
    const auto model = readModelBytes(file.bytes(), "test.onnx");
    EXPECT_TRUE(model) << model.error().line();
    return model ? (*model)->value((*model)->findValue("out")).type.element : ElementType::Undefined;
}

/// A Cast of it that were thought to change nothing would go (no_ops.cpp).
TEST(ElementTypes, AMaskOfDropoutIsOfTruthsSinceOpsetTen)
{
    EXPECT_EQ(typeOf("Dropout", {"x"}, 0), ElementType::Float32);
    EXPECT_EQ(typeOf("Dropout", {"x"}, 1), ElementType::Bool);
    EXPECT_EQ(typeOf("Dropout", {"x"}, 1, 10), ElementType::Bool);
    EXPECT_EQ(typeOf("Dropout", {"x"}, 1, 9), ElementType::Float32);
}

TEST(ElementTypes, OfOutputsThatAreNotLikeTheFirstInput)
{
    EXPECT_EQ(typeOf("Multinomial", {"x"}, 0), ElementType::Int32);
    EXPECT_EQ(typeOf("HannWindow", {"codes"}, 0), ElementType::Float32);
    EXPECT_EQ(typeOf("EyeLike", {"codes"}, 0), ElementType::Int64);
    EXPECT_EQ(typeOf("MaxPool", {"x"}, 1), ElementType::Int64);
    EXPECT_EQ(
        typeOf("MatMulIntegerToFloat", {"codes", "codes", "w", "w"}, 0, 17, "com.microsoft"), ElementType::Float32);
    EXPECT_EQ(typeOf("QLinearConcat", {"w", "codes", "codes"}, 0, 17, "com.microsoft"), ElementType::Int64);
}

TEST(ElementTypes, OfAnOperatorThatNobodyKnowsAreNotKnown)
{
    EXPECT_EQ(typeOf("Abs", {"codes"}, 0), ElementType::Int64);
    EXPECT_EQ(typeOf("Abs", {"x"}, 0, 17, "com.microsoft"), ElementType::Undefined);
    EXPECT_EQ(typeOf("Newest", {"x"}, 0), ElementType::Undefined);
    EXPECT_EQ(typeOf("Newest", {"x"}, 0, 17, "com.microsoft"), ElementType::Undefined);
    EXPECT_EQ(typeOf("Abs", {"x"}, 0, 17, "of.somebody"), ElementType::Undefined);
}

TEST(ElementTypes, OfOnnxRuntimesOperatorsAreToldWhereTheyAreLikeTheFirstInput)
{
    EXPECT_EQ(typeOf("QuickGelu", {"x"}, 0, 17, "com.microsoft"), ElementType::Float32);
    EXPECT_EQ(typeOf("MatMulInteger16", {"codes", "codes"}, 0, 17, "com.microsoft"), ElementType::Undefined);
    EXPECT_EQ(typeOf("GridSample", {"x", "x"}, 0), ElementType::Float32);
    EXPECT_EQ(typeOf("GridSample", {"x", "x"}, 0, 17, "com.microsoft"), ElementType::Undefined);
    EXPECT_EQ(typeOf("MultiHeadAttention", {"x", "x", "x"}, 0, 17, "com.microsoft"), ElementType::Float32);
    EXPECT_EQ(typeOf("MultiHeadAttention", {"x", "x", "x"}, 1, 17, "com.microsoft"), ElementType::Undefined);
}

} // namespace
} // namespace duo
