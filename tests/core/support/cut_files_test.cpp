// SPDX-License-Identifier: Apache-2.0
// Files that shrink, change or go while they are mapped.
#include "core/support/file.h"
#include "tests/support/temporary_folder.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace duo {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLarge = 1 << 20; // mapped, not copied

/// Every byte is read.
std::size_t sumOf(std::span<const std::byte> bytes)
{
    std::size_t sum = 0;
    for (const std::byte byte : bytes)
        sum += std::to_integer<std::size_t>(byte);
    return sum;
}

class CutFiles : public testing::Test
{
protected:
    std::shared_ptr<const MappedFile> open(std::size_t bytes)
    {
        m_path = m_folder.write("file", std::string(bytes, '\1'));
        auto file = MappedFile::open(m_path);
        EXPECT_TRUE(file);
        return *file;
    }
    [[nodiscard]] std::string lineOf(const Status& status) const
    {
        return status ? "" : m_folder.withoutPath(status.error().line());
    }
    test::TemporaryFolder m_folder;
    fs::path m_path;
};

TEST_F(CutFiles, GiveZerosAndAnErrorWhereTheEndIsGone)
{
    const auto file = open(kLarge);
    fs::resize_file(m_path, kLarge / 2);
    EXPECT_EQ(sumOf(file->bytes()), kLarge / 2);
    const std::string line = "the file lost its end, or its drive, while it was open: DIR/file: copy or download it "
                             "again, then open it again";
    EXPECT_EQ(lineOf(file->checkWhole()), line);
    EXPECT_EQ(lineOf(checkMappedFiles()), line);
}

TEST_F(CutFiles, AreToldBeforeAnyByteOfTheEndIsRead)
{
    const auto file = open(kLarge);
    fs::resize_file(m_path, 10);
    EXPECT_FALSE(file->checkWhole());
}

/// More than are looked after in one place, some of them in the places of others that are gone.
TEST_F(CutFiles, AreLookedAfterHoweverManyAreOpen)
{
    open(kLarge);
    std::vector<std::shared_ptr<const MappedFile>> files;
    const auto openMore = [&](int count) {
        for (int i = 0; i < count; ++i)
            files.push_back(*MappedFile::open(m_path));
    };
    openMore(600);
    files.erase(files.begin() + 100, files.begin() + 400);
    openMore(400);
    fs::resize_file(m_path, kLarge / 2);
    for (const auto& file : files) {
        EXPECT_EQ(std::to_integer<int>(file->bytes()[kLarge - 1]), 0);
        EXPECT_FALSE(file->checkWhole());
    }
}

TEST_F(CutFiles, StayLostWhenTheyGrowAgain)
{
    const auto file = open(kLarge);
    fs::resize_file(m_path, 0);
    EXPECT_EQ(sumOf(file->bytes()), 0U);
    fs::resize_file(m_path, kLarge);
    EXPECT_FALSE(file->checkWhole());
}

TEST_F(CutFiles, AreReadByManyThreadsAtOnce)
{
    const auto file = open(kLarge);
    fs::resize_file(m_path, kLarge / 2);
    std::vector<std::thread> threads;
    for (int i = 0; i < 8; ++i)
        threads.emplace_back([&] { EXPECT_EQ(sumOf(file->bytes()), kLarge / 2); });
    for (std::thread& thread : threads)
        thread.join();
}

TEST_F(CutFiles, DoNotHarmOthersThatAreMappedInTheirPlaceLater)
{
    for (int round = 0; round < 600; ++round) { // more than are noted in one piece
        const auto file = open(kLarge);
        if (round % 2 == 0)
            fs::resize_file(m_path, 0);
        EXPECT_EQ(sumOf(file->bytes().first(1)), round % 2 == 0 ? 0U : 1U);
        EXPECT_EQ(file->checkWhole().hasValue(), round % 2 != 0);
    }
    EXPECT_TRUE(checkMappedFiles());
}

TEST_F(CutFiles, ThatAreWrittenIntoAreNotTheOnesThatWereOpened)
{
    const auto file = open(kLarge);
    fs::last_write_time(m_path, fs::last_write_time(m_path) + std::chrono::seconds(5));
    EXPECT_EQ(lineOf(file->checkWhole()), "the file was written to while it was open: DIR/file: open it again");
}

TEST_F(CutFiles, CountNoLongerOnceTheyAreReadAgain)
{
    const auto before = open(kLarge);
    for (const std::size_t size : {kLarge / 2, 2 * kLarge, std::size_t{10}}) { // the last one is copied
        const auto again = open(size);
        EXPECT_FALSE(before->checkWhole()) << size;
        EXPECT_TRUE(checkMappedFiles()) << size;
    }
    EXPECT_FALSE(checkMappedFiles()); // nobody has what it holds now
}

TEST_F(CutFiles, ThatAreReplacedOrRemovedStayAsTheyWere)
{
    const auto file = open(kLarge);
    fs::rename(m_folder.write("other", "new"), m_path);
    EXPECT_EQ(sumOf(file->bytes()), kLarge);
    EXPECT_TRUE(file->checkWhole());
    fs::remove(m_path);
    EXPECT_EQ(sumOf(file->bytes()), kLarge);
    EXPECT_TRUE(file->checkWhole());
}

TEST_F(CutFiles, ThatAreSmallAreCopies)
{
    const auto file = open(1000);
    fs::resize_file(m_path, 0);
    EXPECT_EQ(sumOf(file->bytes()), 1000U);
    EXPECT_TRUE(file->checkWhole());
}

TEST_F(CutFiles, ALossIsTheFirstReasonOfWhatFailed)
{
    const auto file = open(kLarge);
    const Error other{ErrorCode::BadData, "values are NaN", {}, {}};
    EXPECT_EQ(ifFilesWhole(Result<int>(other)).error().what, "values are NaN");
    fs::resize_file(m_path, 10);
    EXPECT_EQ(ifFilesWhole(Result<int>(other)).error().code, ErrorCode::FileNotReadable);
    EXPECT_EQ(ifFilesWhole(Result<int>(7)).error().code, ErrorCode::FileNotReadable);
    EXPECT_EQ(ifFilesWhole(Result<int>(Error{ErrorCode::Cancelled, "stopped", {}, {}})).error().what, "stopped");
}

TEST_F(CutFiles, ALossWhileAFileIsReadIsNoFaultOfWhatItHolds)
{
    m_path = m_folder.write("file", std::string(kLarge, '\1'));
    const auto read = [&](bool isCut) {
        return readMapped(m_path, [&](const std::shared_ptr<const MappedFile>& file) -> Result<std::size_t> {
            if (isCut)
                fs::resize_file(m_path, 0);
            const std::size_t sum = sumOf(file->bytes());
            return sum == 1 ? Result(sum) : Error{ErrorCode::BadData, "not an array", m_path.string(), {}};
        });
    };
    EXPECT_EQ(m_folder.withoutPath(read(false).error().line()), "not an array: DIR/file");
    EXPECT_EQ(m_folder.withoutPath(read(true).error().line()),
        "the file lost its end, or its drive, while it was open: DIR/file: copy or download it again, then open it "
        "again");
    EXPECT_EQ(
        readMapped(m_folder / "none", [](const auto&) { return Result(1); }).error().code, ErrorCode::FileNotReadable);
}

using CutFilesDeathTest = CutFiles;

TEST_F(CutFilesDeathTest, OtherBusErrorsEndTheProgramAsEver)
{
    const auto file = open(kLarge);
    EXPECT_EXIT(std::raise(SIGBUS), testing::KilledBySignal(SIGBUS), "");
}

} // namespace
} // namespace duo
