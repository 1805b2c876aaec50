// SPDX-License-Identifier: Apache-2.0
#include "core/support/scratch_file.h"

#include <algorithm>
#include <filesystem>

#include <gtest/gtest.h>

namespace duo {
namespace {

TEST(ScratchFile, HoldsItsPiecesAlsoAfterTheirMemoryWasGivenBack)
{
    const std::vector<std::byte> first(1 << 20, std::byte(7));
    const std::vector<std::byte> second(3, std::byte(9));
    const auto file = *ScratchFile::of({first, {}, second});
    file->file().dropPages();
    EXPECT_TRUE(std::ranges::equal(file->piece(0), first));
    EXPECT_TRUE(file->piece(1).empty());
    EXPECT_TRUE(std::ranges::equal(file->piece(2), second));
    EXPECT_TRUE(file->file().checkWhole());
}

TEST(ScratchFile, IsGoneWithItsOwner)
{
    const std::vector<std::byte> bytes(1 << 20);
    auto file = *ScratchFile::of({bytes});
    const std::filesystem::path path = file->file().path();
    EXPECT_TRUE(std::filesystem::exists(path));
    file = nullptr;
    EXPECT_FALSE(std::filesystem::exists(path.parent_path()));
}

} // namespace
} // namespace duo
