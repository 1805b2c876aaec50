// SPDX-License-Identifier: Apache-2.0
#include "core/onnx/reader.h"

#include "tests/support/proto_builder.h"

#include <gtest/gtest.h>

namespace duo {
namespace {

using Proto = onnx::TensorProto;

/// The tensor 'w' of a file that holds only this one, or the error.
Result<Tensor> readBack(
    const std::function<void(Proto&)>& fill, const std::vector<std::int64_t>& dims, Proto::DataType type)
{
    test::ProtoBuilder file;
    fill(file.tensor("w", dims, type));
    DUO_TRY(model, readModelBytes(file.bytes(), "test.onnx"));
    return model->tensor(model->initializers.at(0));
}

std::string errorOf(
    const std::function<void(Proto&)>& fill, const std::vector<std::int64_t>& dims, Proto::DataType type)
{
    const auto tensor = readBack(fill, dims, type);
    return tensor ? "none" : tensor.error().line();
}

std::vector<int> bytesOf(const Tensor& tensor)
{
    std::vector<int> numbers;
    for (const std::byte byte : tensor.bytes())
        numbers.push_back(std::to_integer<int>(byte));
    return numbers;
}

TEST(TensorReader, ReadsFloatsFromEitherField)
{
    const auto raw = readBack([](Proto& p) { p.set_raw_data(std::string("\0\0\x80\x3F", 4)); }, {1}, Proto::FLOAT);
    const auto typed = readBack([](Proto& p) { p.add_float_data(1.0F); }, {1}, Proto::FLOAT);
    const auto doubles = readBack([](Proto& p) { p.add_double_data(0.25); }, {1}, Proto::DOUBLE);
    EXPECT_EQ(toFloats(*raw), std::vector<float>{1.0F});
    EXPECT_EQ(toFloats(*typed), std::vector<float>{1.0F});
    EXPECT_EQ(toFloats(*doubles), std::vector<float>{0.25F});
}

TEST(TensorReader, NarrowsInt32DataToTheElementType)
{
    const auto fill = [](Proto& p) {
        p.add_int32_data(-2);
        p.add_int32_data(0x3C00);
    };
    EXPECT_EQ(toInts(*readBack(fill, {2}, Proto::INT32)), (std::vector<std::int64_t>{-2, 0x3C00}));
    EXPECT_EQ(toInts(*readBack(fill, {2}, Proto::INT16)), (std::vector<std::int64_t>{-2, 0x3C00}));
    EXPECT_EQ(toInts(*readBack(fill, {2}, Proto::INT8)), (std::vector<std::int64_t>{-2, 0}));
    EXPECT_EQ(toFloats(*readBack(fill, {2}, Proto::FLOAT16)).at(1), 1.0F);
    EXPECT_EQ(bytesOf(*readBack(fill, {3}, Proto::INT4)), (std::vector<int>{0xFE, 0x00})); // two to an entry
}

TEST(TensorReader, ReadsWideIntegersFromTheirFields)
{
    const auto longs = readBack([](Proto& p) { p.add_int64_data(-5'000'000'000); }, {1}, Proto::INT64);
    const auto words = readBack([](Proto& p) { p.add_uint64_data(4'000'000'000); }, {1}, Proto::UINT32);
    EXPECT_EQ(toInts(*longs), std::vector<std::int64_t>{-5'000'000'000});
    EXPECT_EQ(toInts(*words), std::vector<std::int64_t>{4'000'000'000});
}

TEST(TensorReader, AnEmptyTensorNeedsNoData)
{
    const auto tensor = readBack([](Proto&) {}, {0, 3}, Proto::FLOAT);
    ASSERT_TRUE(tensor);
    EXPECT_EQ(tensor->elements(), 0);
}

TEST(TensorReader, StringsAreKeptWithoutBytes)
{
    const auto tensor = readBack([](Proto& p) { p.add_string_data("text"); }, {1}, Proto::STRING);
    ASSERT_TRUE(tensor);
    EXPECT_EQ(tensor->type, ElementType::String);
    EXPECT_TRUE(tensor->bytes().empty());
}

TEST(TensorReader, RefusesWhatDoesNotFit)
{
    const auto nothing = [](Proto&) {};
    const auto bytes = [](Proto& p) { p.set_raw_data("1234567"); };
    EXPECT_EQ(errorOf(bytes, {2}, Proto::FLOAT),
        "tensor 'w' has 7 bytes, its shape and type need 8: test.onnx: export the model again");
    EXPECT_EQ(errorOf(nothing, {2}, Proto::FLOAT),
        "tensor 'w' has 0 bytes, its shape and type need 8: test.onnx: export the model again");
    EXPECT_EQ(errorOf(bytes, {-1}, Proto::FLOAT),
        "tensor 'w' has a negative dimension or too many elements: test.onnx: export the model again");
    EXPECT_EQ(errorOf(bytes, {1LL << 40, 1LL << 40}, Proto::FLOAT),
        "tensor 'w' has a negative dimension or too many elements: test.onnx: export the model again");
    EXPECT_EQ(
        errorOf(bytes, {1}, Proto::UNDEFINED), "tensor 'w' has no element type: test.onnx: export the model again");
    EXPECT_EQ(errorOf([](Proto& p) { p.set_data_type(77); }, {1}, Proto::FLOAT),
        "tensor 'w' has element type 77, which this program does not know: test.onnx: export the model with an older "
        "IR "
        "version");
    EXPECT_EQ(errorOf([](Proto& p) { p.add_string_data("text"); }, {1'000'000'000}, Proto::STRING),
        "tensor 'w' has 1 strings, its shape needs 1000000000: test.onnx: export the model again");
}

} // namespace
} // namespace duo
