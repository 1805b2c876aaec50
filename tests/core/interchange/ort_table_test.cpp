// SPDX-License-Identifier: Apache-2.0
#include "core/interchange/ort_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

namespace duo {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

const std::vector<TensorRange> kRanges{{"y", -3, 2.5F}, {"a/x", -0.1F, 0.75F}};
constexpr std::string_view kNumbers = "a/x 0.75\ny 3\n";

/// "tensor lowest highest".
std::vector<std::string> linesOf(const Result<ForeignEncodings>& read)
{
    if (!read)
        return {read.error().line()};
    std::vector<std::string> lines = read->notExpressed;
    for (const ForeignEncoding& entry : read->entries)
        lines.push_back(
            entry.tensor + " " + std::to_string(entry.range->lowest) + " " + std::to_string(entry.range->highest));
    return lines;
}

TEST(OrtTable, HasTheLargestMagnitudeOfEachTensor)
{
    EXPECT_EQ(ortTableText(kRanges), kNumbers);
    EXPECT_THAT(linesOf(parseForeignEncodings(kNumbers, "calibration.cache")),
        ElementsAre("a/x -0.750000 0.750000", "y -3.000000 3.000000"));
}

/// Also from flatbuffers that others wrote.
TEST(OrtTable, SaysTheSameAsFlatbuffers)
{
    const std::string bytes = ortTableFlatbuffers(kRanges);
    EXPECT_TRUE(isOrtFlatbuffers(bytes));
    EXPECT_FALSE(isOrtFlatbuffers(kNumbers));
    EXPECT_THAT(linesOf(parseForeignEncodings(bytes, "calibration.flatbuffers")),
        ElementsAre("a/x -0.750000 0.750000", "y -3.000000 3.000000"));
    const auto none = readOrtFlatbuffers(ortTableFlatbuffers({}), "empty");
    ASSERT_TRUE(none);
    EXPECT_THAT(none->entries, IsEmpty());
}

/// As write_calibration_table of onnxruntime 1.32 writes {"x": 2.5}.
TEST(OrtTable, ReadsFlatbuffersOfItsTool)
{
    constexpr std::string_view kWritten(
        "\x0c\0\0\0\0\0\x06\0\x08\0\x04\0\x06\0\0\0\x04\0\0\0\x01\0\0\0\x0c\0\0\0\x08\0\x0c\0\x08\0\x04\0\x08\0\0\0"
        "\x08\0\0\0\x0c\0\0\0\x03\0\0\0\x32.5\0\x01\0\0\0x\0\0\0",
        64);
    EXPECT_THAT(
        linesOf(parseForeignEncodings(kWritten, "calibration.flatbuffers")), ElementsAre("x -2.500000 2.500000"));
}

TEST(OrtTable, SaysWhichLineOrEntryCannotBe)
{
    EXPECT_THAT(linesOf(readOrtTable("x 1\n\ny\n", "t")),
        ElementsAre("no tensor with a number behind it: t line 3: take the file as its tool wrote it"));
    EXPECT_THAT(linesOf(readOrtTable("x 1\ny -2\nz nan\n", "t")),
        ElementsAre("tensor 'y' has a largest number that is no magnitude",
            "tensor 'z' has a largest number that is no magnitude", "x -1.000000 1.000000"));
    std::string bytes = ortTableFlatbuffers(kRanges);
    bytes[bytes.find("0.75") + 1] = 'x';
    EXPECT_THAT(linesOf(readOrtFlatbuffers(bytes, "t")),
        ElementsAre("no tensor with a number behind it: t entry 0: take the file as its tool wrote it"));
}

/// Bytes of a file may be anything: it is read or refused.
TEST(OrtTable, ReadsNothingBeyondTheEndOfAFile)
{
    const std::string whole = ortTableFlatbuffers(kRanges);
    for (std::size_t length = 0; length < whole.size(); ++length)
        (void)parseForeignEncodings(whole.substr(0, length), "cut");
    std::mt19937 random(21);
    for (int i = 0; i < 20000; ++i) {
        std::string bytes = whole;
        for (int changes = 1 + static_cast<int>(random() % 3); changes > 0; --changes)
            bytes[random() % bytes.size()] = static_cast<char>(random());
        const auto read = readOrtFlatbuffers(bytes, "damaged");
        if (read) {
            EXPECT_LE(read->entries.size(), bytes.size());
        }
    }
}

} // namespace
} // namespace duo
