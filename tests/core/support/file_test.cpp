// SPDX-License-Identifier: Apache-2.0
#include "core/support/file.h"

#include "core/support/job.h"

#include <gtest/gtest.h>

#include <fstream>

namespace duo {
namespace {

std::filesystem::path scratch(const std::string& name)
{
    return std::filesystem::path(testing::TempDir()) / ("duoscope-file-test-" + name);
}

TEST(WriteFileAtomically, ReplacesTheWholeFile)
{
    const auto path = scratch("replace");
    std::ofstream(path) << "old and longer";
    ASSERT_TRUE(writeFileAtomically(path, [](std::ostream& out) {
        out << "new";
        return success();
    }));
    EXPECT_EQ(*readTextFile(path, 100), "new");
}

TEST(WriteFileAtomically, LeavesTheOldFileWholeWhenWritingFails)
{
    const auto path = scratch("keep");
    std::ofstream(path) << "old";
    const auto status = writeFileAtomically(path, [](std::ostream& out) -> Status {
        out << "half";
        return cancelledError();
    });
    ASSERT_FALSE(status);
    EXPECT_EQ(*readTextFile(path, 100), "old");
}

TEST(WriteFileAtomically, SaysWhichFileCannotBeWritten)
{
    const auto status = writeFileAtomically("/no-such-folder/file", [](std::ostream&) { return success(); });
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().line(), "cannot write file: /no-such-folder/file: No such file or directory");
}

TEST(MappedFile, RefusesFolders)
{
    const auto file = MappedFile::open(testing::TempDir());
    ASSERT_FALSE(file);
    EXPECT_EQ(file.error().what, "not a regular file");
}

TEST(ReadTextFile, RefusesFilesBeyondTheLimit)
{
    const auto path = scratch("long");
    std::ofstream(path) << "0123456789";
    EXPECT_EQ(readTextFile(path, 5).error().what, "file is too large");
}

} // namespace
} // namespace duo
