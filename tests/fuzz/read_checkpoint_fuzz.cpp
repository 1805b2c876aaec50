// SPDX-License-Identifier: Apache-2.0
// Every cut and bit flip of small checkpoints, and of the pickle inside one, ends in a checkpoint or in one line.
#include "core/formats/read_checkpoint.h"
#include "core/support/stored_zip.h"

#include "tests/support/file_bytes.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/zip_file.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

namespace duo {
namespace {

constexpr std::size_t kStep = 7; // bytes between two mutations
using Members = std::vector<std::pair<std::string, std::string>>;

std::filesystem::path dataFile(const std::string& name)
{
    return std::filesystem::path(DUO_TEST_DATA) / "checkpoints" / name;
}

/// Reads; what opens must have keys whose tensors fit their bytes.
void tryCheckpoint(const std::filesystem::path& path)
{
    const auto checkpoint = readCheckpoint(path);
    if (!checkpoint) {
        const std::string line = checkpoint.error().line();
        EXPECT_FALSE(line.empty());
        EXPECT_EQ(line.find('\n'), std::string::npos);
        EXPECT_NE(checkpoint.error().code, ErrorCode::Internal) << line;
        return;
    }
    EXPECT_FALSE((*checkpoint)->keys.empty());
    for (const CheckpointKey& key : (*checkpoint)->keys) {
        ASSERT_LT(key.tensor, (*checkpoint)->tensors.size());
        const Tensor& tensor = (*checkpoint)->tensors[key.tensor];
        EXPECT_EQ(packedBytes(tensor.type, tensor.elements()), static_cast<std::int64_t>(tensor.bytes().size()));
        static_cast<void>(toFloats(tensor)); // touches every byte
    }
}

std::string withAFlippedBit(std::string text, std::size_t at)
{
    text[at] = static_cast<char>(text[at] ^ (1 << (at % 8)));
    return text;
}

class MutatedCheckpoint : public testing::TestWithParam<const char*>
{
protected:
    void tryContent(const std::string& content) { tryCheckpoint(m_folder.write("mutated", content)); }
    test::TemporaryFolder m_folder;
};

TEST_P(MutatedCheckpoint, CutAnywhere)
{
    const std::string original = test::bytesOf(dataFile(GetParam()));
    ASSERT_FALSE(original.empty());
    for (std::size_t length = 0; length < original.size(); length += kStep)
        tryContent(original.substr(0, length));
}

TEST_P(MutatedCheckpoint, WithAFlippedBit)
{
    const std::string original = test::bytesOf(dataFile(GetParam()));
    for (std::size_t at = 0; at < original.size(); ++at)
        tryContent(withAFlippedBit(original, at));
}

INSTANTIATE_TEST_SUITE_P(Small, MutatedCheckpoint,
    testing::Values("plain.safetensors", "model.safetensors", "sharded.safetensors.index.json", "alias_sd.pth"));

class MutatedPickle : public testing::TestWithParam<const char*>
{
protected:
    void SetUp() override
    {
        const auto zip = StoredZip::open(dataFile(GetParam()));
        ASSERT_TRUE(zip);
        for (const ZipMember& member : (*zip)->members()) {
            const auto bytes = (*zip)->bytes(member);
            ASSERT_TRUE(bytes);
            std::string content(reinterpret_cast<const char*>(bytes->bytes.data()), bytes->bytes.size());
            if (member.path == "data.pkl")
                m_original = content;
            m_members.emplace_back(member.name, std::move(content));
        }
    }
    /// The archive with another pickle; its checksums are right, so the mutation reaches the reader.
    void tryPickle(const std::string& text)
    {
        for (auto& [name, content] : m_members)
            if (name.ends_with("data.pkl"))
                content = text;
        test::writeZip(m_folder / "mutated", m_members);
        tryCheckpoint(m_folder / "mutated");
    }
    test::TemporaryFolder m_folder;
    Members m_members;
    std::string m_original;
};

TEST_P(MutatedPickle, CutAnywhere)
{
    for (std::size_t length = 0; length < m_original.size(); length += kStep)
        tryPickle(m_original.substr(0, length));
}

TEST_P(MutatedPickle, WithAFlippedBit)
{
    for (std::size_t at = 0; at < m_original.size(); at += 2)
        tryPickle(withAFlippedBit(m_original, at));
}

TEST_P(MutatedPickle, WithABrokenByte)
{
    for (std::size_t at = 0; at < m_original.size(); at += kStep) {
        std::string mutated = m_original;
        mutated[at] = '\xFF';
        tryPickle(mutated);
    }
}

INSTANTIATE_TEST_SUITE_P(Small, MutatedPickle,
    testing::Values(
        "state_dict.pth", "state_dict_protocol5.pth", "tensor_kinds.pth", "whole_module.pth", "scripted.pt"));

} // namespace
} // namespace duo
