// SPDX-License-Identifier: Apache-2.0
#include "core/support/file.h"

#include "core/support/job.h"
#include "tests/support/temporary_folder.h"

#include <gtest/gtest.h>

#include <csignal>
#include <fstream>

#include <sys/resource.h>
#include <sys/stat.h>

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

TEST(WriteFileAtomically, PutsNoFileInThePlaceOfAPipe)
{
    const test::TemporaryFolder folder;
    const auto pipe = folder / "out.json";
    ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
    std::filesystem::create_symlink(pipe, folder / "link.json");
    for (const auto& target : {pipe, folder / "link.json"}) {
        const Status written = writeFileAtomically(target, [](std::ostream&) { return success(); });
        ASSERT_FALSE(written);
        EXPECT_EQ(written.error().line(), "the output is there and is no file: " + target.string() + ": name a file");
    }
    EXPECT_TRUE(std::filesystem::is_fifo(pipe));
}

TEST(CheckWritable, SaysWhatIsWrongWithANameThatCanBeNoFiles)
{
    const test::TemporaryFolder folder;
    const auto circle = folder / "circle.onnx";
    std::filesystem::create_symlink(circle, circle);
    const auto other = folder / "other.onnx";
    std::filesystem::create_symlink(other, other);
    EXPECT_EQ(checkWritable(circle).error().line(),
        "cannot write file: " + circle.string() + ": Too many levels of symbolic links");
    const auto endless = folder / std::string(300, 'a');
    EXPECT_EQ(checkWritable(endless).error().line(), "cannot write file: " + endless.string() + ": File name too long");
    EXPECT_FALSE(isSameFile(circle, other));
    EXPECT_FALSE(isSameFile(endless, circle));
    EXPECT_TRUE(isSameFile(folder / "new.onnx", folder / "." / "new.onnx"));
}

TEST(WriteFileAtomically, SaysWhyAWriteFailed)
{
    rlimit before{};
    ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
    const rlimit least{4096, before.rlim_max};
    const auto handler = std::signal(SIGXFSZ, SIG_IGN);
    ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &least), 0);
    const std::string text(100'000, 'x');
    const auto status = writeFileAtomically(scratch("limit"), [&](std::ostream& out) {
        out << text;
        return success();
    });
    setrlimit(RLIMIT_FSIZE, &before);
    std::signal(SIGXFSZ, handler);
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().whatToDo, "File too large");
    EXPECT_FALSE(std::filesystem::exists(scratch("limit")));
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
