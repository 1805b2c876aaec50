// SPDX-License-Identifier: Apache-2.0
#include "core/support/leftovers.h"

#include "core/support/file.h"

#include "tests/support/temporary_folder.h"

#include <gtest/gtest.h>

namespace duo {
namespace {

TEST(Leftovers, OfKilledProcessesAreRemovedByTheNextThatWritesTheFile)
{
    const test::TemporaryFolder folder;
    const auto left = folder.write(".a.npy.duoscope-4711", "half");
    const auto ofAnother = folder.write(".b.npy.duoscope-4711", "half");
    ASSERT_TRUE(writeFileAtomically(folder / "a.npy", [](std::ostream&) { return success(); }));
    EXPECT_FALSE(std::filesystem::exists(left));
    EXPECT_TRUE(std::filesystem::exists(ofAnother));
    dropLeftovers(folder.path(), {});
    EXPECT_FALSE(std::filesystem::exists(ofAnother));
}

TEST(Leftovers, WhatIsBeingWrittenIsNone)
{
    const test::TemporaryFolder folder;
    ASSERT_TRUE(writeFileAtomically(folder / "a.npy", [&](std::ostream&) {
        dropLeftovers(folder.path(), {});
        EXPECT_TRUE(std::filesystem::exists(temporaryFor(folder / "a.npy")));
        return success();
    }));
    EXPECT_TRUE(std::filesystem::exists(folder / "a.npy"));
}

TEST(Leftovers, WhatIsGoneIsNotHeld)
{
    const test::TemporaryFolder folder;
    EXPECT_EQ(HeldPath(folder / "gone").holding(), Holding::Busy);
    EXPECT_EQ(HeldPath(folder.path()).holding(), Holding::Held);
}

TEST(Leftovers, FilesOfUsersAreNone)
{
    const test::TemporaryFolder folder;
    for (const char* name :
        {"a.npy.part1", ".a.npy.duoscope-", ".a.npy.duoscope-1x", "a.npy.duoscope-1", ".duoscope-1"})
        folder.write(name, "mine");
    EXPECT_TRUE(leftoversIn(folder.path(), {}).empty());
}

} // namespace
} // namespace duo
