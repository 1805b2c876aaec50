// SPDX-License-Identifier: Apache-2.0
#include "app/gui/cut_files.h"

#include "core/support/file.h"
#include "tests/support/temporary_folder.h"

#include <gtest/gtest.h>

namespace duo::app {
namespace {

TEST(CutFiles, WhatAMappedFileDoesNotHaveAnyMoreReadsAsZeros)
{
    constexpr std::size_t kBytes = 1 << 20;
    const test::TemporaryFolder folder;
    const auto file = folder.write("f", std::string(kBytes, 'x'));
    const auto mapped = *MappedFile::open(file);
    readCutFilesAsZeros();
    std::filesystem::resize_file(file, 1);
    EXPECT_EQ(mapped->bytes()[0], std::byte('x'));
    EXPECT_EQ(mapped->bytes()[kBytes / 2], std::byte(0));
    EXPECT_EQ(mapped->bytes()[kBytes - 1], std::byte(0));
}

} // namespace
} // namespace duo::app
