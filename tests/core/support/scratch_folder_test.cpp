// SPDX-License-Identifier: Apache-2.0
#include "core/support/scratch_folder.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <utility>

namespace duo {
namespace {

TEST(ScratchFolder, IsGoneWithItsOwnerAndAllThatIsInIt)
{
    std::filesystem::path path;
    {
        auto made = ScratchFolder::make();
        ASSERT_TRUE(made) << made.error().line();
        const ScratchFolder folder = *std::move(made); // moving does not remove it
        path = folder.path();
        std::ofstream(path / "file") << "text";
        EXPECT_TRUE(std::filesystem::exists(path / "file"));
    }
    EXPECT_FALSE(std::filesystem::exists(path));
}

TEST(ScratchFolder, SaysWhereItCannotBeMade)
{
    const char* before = std::getenv("TMPDIR");
    const std::string kept = before == nullptr ? "" : before;
    ::setenv("TMPDIR", "/proc", 1);
    const auto made = ScratchFolder::make();
    before == nullptr ? ::unsetenv("TMPDIR") : ::setenv("TMPDIR", kept.c_str(), 1);
    ASSERT_FALSE(made);
    EXPECT_EQ(made.error().line(), "cannot make a temporary folder: /proc: free some space or set TMPDIR");
}

} // namespace
} // namespace duo
