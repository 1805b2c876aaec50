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

/// As a program that was started with this TMPDIR would make it.
Result<ScratchFolder> madeIn(const char* temporary)
{
    const char* before = std::getenv("TMPDIR");
    const std::string kept = before == nullptr ? "" : before;
    ::setenv("TMPDIR", temporary, 1);
    auto made = ScratchFolder::make();
    before == nullptr ? ::unsetenv("TMPDIR") : ::setenv("TMPDIR", kept.c_str(), 1);
    return made;
}

TEST(ScratchFolder, SaysWhereItCannotBeMade)
{
    for (const std::string folder : {"/proc", "/nowhere", "/proc/version"}) {
        const auto made = madeIn(folder.c_str());
        ASSERT_FALSE(made);
        EXPECT_EQ(made.error().line(), "cannot make a temporary folder: " + folder + ": free some space or set TMPDIR");
    }
}

TEST(ScratchFolder, IsInTheUsualPlaceWhereTheEnvironmentNamesNone)
{
    const auto made = madeIn("");
    ASSERT_TRUE(made) << made.error().line();
    EXPECT_EQ(made->path().parent_path(), "/tmp");
}

} // namespace
} // namespace duo
