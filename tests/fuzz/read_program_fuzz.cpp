// SPDX-License-Identifier: Apache-2.0
// Cuts and bit flips of a .pt2 and of the JSON inside it end in a model whose scopes can be found, or in one line.
#include "core/formats/pt2/read_pt2.h"
#include "core/formats/read_checkpoint.h"
#include "core/scope/scope.h"
#include "core/support/stored_zip.h"

#include "tests/support/temporary_folder.h"
#include "tests/support/torch_programs.h"
#include "tests/support/zip_file.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace duo {
namespace {

constexpr std::size_t kStep = 7; // bytes between two mutations; a prime, so that every kind of place is met

template <typename T> void checkError(const Result<T>& result)
{
    if (result)
        return;
    const std::string line = result.error().line();
    EXPECT_EQ(line.find('\n'), std::string::npos);
    EXPECT_NE(result.error().code, ErrorCode::Internal) << line;
}

void tryProgram(const std::filesystem::path& path)
{
    const auto model = test::readProgram(path);
    checkError(model);
    if (!model)
        return;
    EXPECT_EQ(findScopes(**model).nodes.size(), (*model)->nodes.size());
    for (const Tensor& tensor : (*model)->tensors) {
        if (tensor.type != ElementType::Undefined)
            static_cast<void>(toFloats(tensor)); // touches every byte
    }
    checkError(readCheckpoint(path));
}

/// The archive with one member replaced; its checksums are right, so the mutation reaches the reader.
class MutatedMember : public testing::TestWithParam<std::pair<const char*, const char*>>
{
protected:
    void SetUp() override
    {
        const auto zip = StoredZip::open(std::filesystem::path(DUO_TEST_DATA) / "pt2" / GetParam().first);
        ASSERT_TRUE(zip);
        for (const ZipMember& member : (*zip)->members()) {
            const auto bytes = (*zip)->bytes(member);
            ASSERT_TRUE(bytes);
            std::string content(reinterpret_cast<const char*>(bytes->bytes.data()), bytes->bytes.size());
            if (member.path == GetParam().second)
                m_original = content;
            m_members.emplace_back(member.name, std::move(content));
        }
        ASSERT_FALSE(m_original.empty());
    }
    void tryText(const std::string& text)
    {
        for (auto& [name, content] : m_members) {
            if (name.ends_with(GetParam().second))
                content = text;
        }
        test::writeZip(m_folder / "mutated.pt2", m_members);
        tryProgram(m_folder / "mutated.pt2");
    }
    test::TemporaryFolder m_folder;
    std::vector<std::pair<std::string, std::string>> m_members;
    std::string m_original;
};

TEST_P(MutatedMember, CutAnywhere)
{
    for (std::size_t length = 0; length < m_original.size(); length += 10 * kStep)
        tryText(m_original.substr(0, length));
}

TEST_P(MutatedMember, WithAFlippedBit)
{
    for (std::size_t at = 0; at < m_original.size(); at += kStep) {
        std::string mutated = m_original;
        mutated[at] = static_cast<char>(mutated[at] ^ (1 << (at % 7)));
        tryText(mutated);
    }
}

TEST_P(MutatedMember, WithAnotherNumber)
{
    for (const char* number : {"-1", "9", "99999999999999999999", "1e308", "4611686018427387904", "{}"}) {
        for (std::size_t at = 1; at < m_original.size(); ++at) {
            const bool isNumber = m_original[at] >= '0' && m_original[at] <= '9' && m_original[at - 1] == ' ';
            if (isNumber)
                tryText(m_original.substr(0, at) + number + m_original.substr(at + 1));
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Small, MutatedMember,
    testing::Values(std::pair("archive/a2_handed.pt2", "models/model.json"),
        std::pair("archive/a2_handed.pt2", "data/weights/model_weights_config.json"),
        std::pair("flat/a2_handed.pt2", "serialized_exported_program.json"),
        std::pair("flat/a2_handed.pt2", "serialized_state_dict.pt")));

} // namespace
} // namespace duo
