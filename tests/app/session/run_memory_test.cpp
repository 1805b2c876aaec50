// SPDX-License-Identifier: Apache-2.0
// Runs of a model on disk: whole, bounded, and gone when they are deleted.
#include "app/session/run_memory.h"

#include "tests/app/session/session_fixture.h"
#include "tests/support/file_bytes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace duo::app {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

KeptRun runNumber(int number)
{
    KeptRun run;
    run.date = "2026-11-22T14:05:00." + std::to_string(1000 + number).substr(1) + "Z";
    run.quantizers = number;
    return run;
}

Result<std::string> noState(const JobContext& /*job*/)
{
    return Error{ErrorCode::Unsupported, "there is none", {}, {}};
}

class RunMemoryTest : public testing::Test
{
protected:
    void keep(int number, const std::string& state = "state")
    {
        m_memory.keep(runNumber(number), [state](const JobContext&) -> Result<std::string> { return state; });
        m_memory.finish();
    }
    [[nodiscard]] std::vector<std::int64_t> numbers() const
    {
        std::vector<std::int64_t> numbers;
        for (const KeptRun& run : m_memory.runs())
            numbers.push_back(run.quantizers);
        return numbers;
    }
    [[nodiscard]] std::ptrdiff_t files() const
    {
        const std::filesystem::directory_iterator all(m_runs);
        return std::distance(begin(all), end(all));
    }

    test::TemporaryFolder m_folder;
    std::filesystem::path m_runs = m_folder / "m.runs";
    std::vector<Status> m_told;
    RunMemory m_memory{m_runs, [this](const Status& status) { m_told.push_back(status); }};
};

TEST_F(RunMemoryTest, HasTheNewestFirstEachWithItsState)
{
    EXPECT_THAT(numbers(), IsEmpty());
    keep(1, "first");
    keep(2, "second");
    EXPECT_THAT(numbers(), ElementsAre(2, 1));
    EXPECT_EQ(test::bytesOf(m_memory.stateOf(runNumber(1))), "first");
    EXPECT_EQ(test::bytesOf(m_memory.stateOf(runNumber(2))), "second");
    ASSERT_TRUE(waitUntil([this] { return m_told.size() == 2; }));
    EXPECT_TRUE(m_told.front());
}

TEST_F(RunMemoryTest, KeepsARunWithoutStateWhereThereIsNone)
{
    m_memory.keep(runNumber(1), noState);
    m_memory.finish();
    EXPECT_THAT(numbers(), ElementsAre(1));
    EXPECT_EQ(m_memory.stateOf(runNumber(1)), "");
}

TEST_F(RunMemoryTest, ForgetsTheOldestBeyondItsLimits)
{
    constexpr int kMost = static_cast<int>(RunMemory::kMost);
    for (int i = 1; i <= kMost + 2; ++i)
        m_memory.keep(runNumber(i), [](const JobContext&) -> Result<std::string> { return std::string("state"); });
    m_memory.finish();
    EXPECT_THAT(numbers(), SizeIs(kMost));
    EXPECT_EQ(numbers().back(), 3);
    EXPECT_EQ(files(), 2 * kMost);
    std::filesystem::resize_file(m_memory.stateOf(runNumber(kMost)), RunMemory::kMostBytes); // sparse
    keep(kMost + 3);
    EXPECT_THAT(numbers(), ElementsAre(kMost + 3, kMost + 2, kMost + 1))
        << "neither the large one fits, nor what is older";
}

TEST_F(RunMemoryTest, WhatIsDeletedOrNoRunIsPassedOver)
{
    keep(1);
    keep(2);
    keep(3);
    std::filesystem::remove(m_memory.stateOf(runNumber(3)));
    m_memory.remove(runNumber(2));
    m_folder.write("m.runs/torn.run.json", "{");
    m_folder.write("m.runs/2026-11-22T14-05-00.009Z.run.json", runText(runNumber(1))); // of another name
    EXPECT_THAT(numbers(), ElementsAre(3, 1));
    EXPECT_EQ(m_memory.stateOf(runNumber(3)), "");
    std::filesystem::remove_all(m_runs);
    EXPECT_THAT(numbers(), IsEmpty());
    keep(4);
    EXPECT_THAT(numbers(), ElementsAre(4));
}

TEST_F(RunMemoryTest, RemovesWhatAKilledProcessLeft)
{
    using namespace std::chrono_literals;
    const auto lone = m_folder.write("m.runs/2026-11-22T14-05-00.009Z.state.json", "state");
    const auto young = m_folder.write("m.runs/2026-11-22T14-05-00.008Z.state.json", "state");
    std::filesystem::last_write_time(lone, std::filesystem::file_time_type::clock::now() - 2h);
    keep(1);
    EXPECT_FALSE(std::filesystem::exists(lone));
    EXPECT_TRUE(std::filesystem::exists(young)) << "another window may be about to write its run";
}

TEST_F(RunMemoryTest, SaysWhereItCannotWrite)
{
    m_folder.write("m.runs", "no folder");
    keep(1);
    ASSERT_TRUE(waitUntil([this] { return m_told.size() == 1; }));
    ASSERT_FALSE(m_told.front());
    EXPECT_EQ(m_told.front().error().code, ErrorCode::NotWritable);
}

} // namespace
} // namespace duo::app
