// SPDX-License-Identifier: Apache-2.0
#include "core/formats/write_npy.h"

#include "core/formats/array_file.h"
#include "tests/support/file_bytes.h"
#include "tests/support/numpy_files.h"
#include "tests/support/temporary_folder.h"

#include <cstring>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace duo {
namespace {

template <typename T> Tensor tensorOf(ElementType type, std::vector<std::int64_t> dims, const std::vector<T>& values)
{
    std::vector<std::byte> bytes(values.size() * sizeof(T));
    if (!values.empty())
        std::memcpy(bytes.data(), values.data(), bytes.size());
    Tensor tensor;
    tensor.name = "w";
    tensor.type = type;
    tensor.dims = std::move(dims);
    tensor.data = SharedBytes::own(std::move(bytes));
    return tensor;
}

/// As NumPy writes it: one dimension with a comma behind it.
template <typename T> std::string fileOf(const char* descr, const char* shape, const std::vector<T>& values)
{
    const std::string data(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
    return test::npyWithHeader(
        std::string("{'descr': '") + descr + "', 'fortran_order': False, 'shape': " + shape + ", }", data);
}

class WriteNpy : public testing::Test
{
protected:
    test::TemporaryFolder m_folder;
};

TEST_F(WriteNpy, WritesTheBytesThatNumPyWrites)
{
    const std::vector<float> values{0, 1, 2, 3, 4, 5};
    ASSERT_TRUE(writeNpy(tensorOf(ElementType::Float32, {2, 3}, values), m_folder / "w.npy"));
    EXPECT_EQ(test::bytesOf(m_folder / "w.npy"), fileOf("<f4", "(2, 3)", values));
    ASSERT_TRUE(writeNpy(tensorOf<std::int64_t>(ElementType::Int64, {2}, {7, -8}), m_folder / "v.npy"));
    EXPECT_EQ(test::bytesOf(m_folder / "v.npy"), fileOf<std::int64_t>("<i8", "(2,)", {7, -8}));
}

TEST_F(WriteNpy, WhatIsWrittenIsReadAgain)
{
    for (const auto& dims : {std::vector<std::int64_t>{}, {1}, {1, 1}, {0, 4}}) {
        const std::vector<std::uint8_t> values(static_cast<std::size_t>(*elementCount(dims)), 3);
        ASSERT_TRUE(writeNpy(tensorOf(ElementType::UInt8, dims, values), m_folder / "w.npy"));
        const auto file = ArrayFile::open(m_folder / "w.npy");
        ASSERT_TRUE(file) << file.error().line();
        const auto& header = (*file)->arrays().front().header;
        ASSERT_TRUE(header) << header.error().line();
        EXPECT_EQ(header->dims, dims);
        EXPECT_EQ(header->type, ElementType::UInt8);
    }
}

TEST_F(WriteNpy, Bfloat16BecomesFloat32)
{
    ASSERT_TRUE(writeNpy(tensorOf<std::uint16_t>(ElementType::BFloat16, {2}, {0x3F80, 0xC000}), m_folder / "w.npy"));
    EXPECT_EQ(test::bytesOf(m_folder / "w.npy"), fileOf<float>("<f4", "(2,)", {1, -2}));
}

TEST_F(WriteNpy, SaysWhatCannotBeWritten)
{
    const Tensor good = tensorOf<float>(ElementType::Float32, {1}, {1});
    EXPECT_EQ(
        writeNpy(good, "model.onnx").error().line(), "not the name of an array file: model.onnx: let it end in .npy");
    EXPECT_EQ(writeNpy(tensorOf<std::uint8_t>(ElementType::Int4, {2}, {0x21}), m_folder / "w.npy").error().line(),
        "NumPy has no element type int4: w");
    Tensor missing = good;
    missing.data = {};
    EXPECT_EQ(writeNpy(missing, m_folder / "w.npy").error().line(),
        "the values are not there: w: the file they lie in is missing: put it beside the model");
    std::stop_source stop;
    stop.request_stop();
    EXPECT_EQ(writeNpy(good, m_folder / "w.npy", {stop.get_token(), {}}).error().code, ErrorCode::Cancelled);
    EXPECT_FALSE(std::filesystem::exists(m_folder / "w.npy"));
}

} // namespace
} // namespace duo
