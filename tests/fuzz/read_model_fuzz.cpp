// SPDX-License-Identifier: Apache-2.0
// Every cut and bit flip of small models ends in a model or in one line.
#include "core/onnx/reader.h"
#include "core/onnx/writer.h"

#include "tests/support/file_bytes.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

namespace duo {
namespace {

constexpr std::size_t kStep = 7; // bytes between two mutations

std::string dataBytes(const std::string& file)
{
    return test::bytesOf(std::filesystem::path(DUO_TEST_DATA) / file);
}

/// Reads; what opens must also be written, and what is written must open again.
void tryModel(const std::string& text)
{
    const auto bytes = std::as_bytes(std::span(text.data(), text.size()));
    const auto model = readModelBytes({nullptr, bytes}, "mutated");
    if (!model) {
        const std::string line = model.error().line();
        EXPECT_FALSE(line.empty());
        EXPECT_EQ(line.find('\n'), std::string::npos);
        EXPECT_NE(model.error().code, ErrorCode::Internal) << line;
        return;
    }
    const auto written = engineModel(**model, {});
    ASSERT_TRUE(written) << written.error().line();
    if (!written->weights.empty())
        return; // they lie apart
    const auto again = readModelBytes({nullptr, written->proto}, "written");
    ASSERT_TRUE(again) << again.error().line();
    EXPECT_EQ((*again)->nodes.size(), (*model)->nodes.size());
}

class MutatedModel : public testing::TestWithParam<const char*>
{
};

TEST_P(MutatedModel, CutAnywhere)
{
    const std::string original = dataBytes(GetParam());
    ASSERT_FALSE(original.empty());
    for (std::size_t length = 0; length < original.size(); length += kStep)
        tryModel(original.substr(0, length));
}

TEST_P(MutatedModel, WithAFlippedBit)
{
    const std::string original = dataBytes(GetParam());
    for (std::size_t at = 0; at < original.size(); ++at) {
        std::string mutated = original;
        mutated[at] = static_cast<char>(mutated[at] ^ (1 << (at % 8)));
        tryModel(mutated);
    }
}

TEST_P(MutatedModel, WithABrokenByte)
{
    const std::string original = dataBytes(GetParam());
    for (std::size_t at = 0; at < original.size(); at += kStep) {
        std::string mutated = original;
        mutated[at] = '\xFF';
        tryModel(mutated);
    }
}

INSTANTIATE_TEST_SUITE_P(Small, MutatedModel,
    testing::Values("models/branches.onnx", "models/functions.onnx", "models/loop.onnx", "models/scan.onnx",
        "cases/a_sibling.onnx", "cases/n_functions_all.onnx", "cases/m2_opset7_old.onnx", "cases/j_control.onnx",
        "hostile/wrong_attributes.onnx", "hostile/wrong_quantizers.onnx"));

} // namespace
} // namespace duo
