// SPDX-License-Identifier: Apache-2.0
#include "core/support/file_stamp.h"

#include "tests/support/temporary_folder.h"

#include <gtest/gtest.h>

namespace duo {
namespace {

TEST(FileStamp, TellsSizeTimeAndWhetherAnotherFileTookThePlace)
{
    const test::TemporaryFolder folder;
    EXPECT_FALSE(stampOf(folder / "none").exists());
    const auto file = folder.write("f", "four");
    const FileStamp before = stampOf(file);
    EXPECT_EQ(before.bytes, 4);
    EXPECT_EQ(stampOf(file), before);
    const auto time = std::filesystem::last_write_time(file);
    const auto other = folder.write("g", "five");
    std::filesystem::last_write_time(other, time);
    std::filesystem::rename(other, file);
    EXPECT_NE(stampOf(file), before);
    EXPECT_TRUE(stampOf(file).isSameContent(before));
    std::filesystem::last_write_time(file, time + std::chrono::seconds(1));
    EXPECT_FALSE(stampOf(file).isSameContent(before));
}

} // namespace
} // namespace duo
