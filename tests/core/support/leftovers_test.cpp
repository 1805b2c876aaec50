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

TEST(Leftovers, WhatIsMadeInAFolderIsNamedWhereItIsToBe)
{
    const std::filesystem::path target = "models/m.onnx";
    EXPECT_EQ(finalPlaceOf(temporaryFor(target) / "m.onnx.data"), "models/m.onnx.data");
    EXPECT_EQ(finalPlaceOf("models/.duoscope-x/m.onnx"), "models/.duoscope-x/m.onnx") << "a folder of the user's";
    EXPECT_EQ(notWritable(temporaryFor(target) / "m.onnx", std::make_error_code(std::errc::no_space_on_device)).line(),
        "cannot write file: models/m.onnx: No space left on device");
}

} // namespace
} // namespace duo
