// SPDX-License-Identifier: Apache-2.0
#include "core/support/available_memory.h"

#include "tests/support/temporary_folder.h"

#include <gtest/gtest.h>

namespace duo {
namespace {

constexpr std::uint64_t kMega = std::uint64_t{1} << 20U;

/// A system of 8,000 MB, of which 6,000 are available.
class AvailableMemory : public testing::Test
{
protected:
    void SetUp() override
    {
        m_root.write("proc/meminfo",
            "MemTotal:        8192000 kB\nMemFree:          100 kB\n"
            "MemAvailable:    6144000 kB\nSwapTotal: 0 kB\nSwapFree: 0 kB\n");
    }
    [[nodiscard]] std::uint64_t megabytes() const { return availableMemory(m_root.path()).value_or(0) / kMega; }

    test::TemporaryFolder m_root;
};

TEST_F(AvailableMemory, IsWhatCanBeFreedAndSwapped)
{
    EXPECT_EQ(megabytes(), 6000U);
    m_root.write("proc/meminfo", "MemAvailable: 6144000 kB\nSwapFree: 1024000 kB\n");
    EXPECT_EQ(megabytes(), 7000U);
}

TEST_F(AvailableMemory, IsNotKnownWhereTheSystemDoesNotTell)
{
    m_root.write("proc/meminfo", "MemTotal: 8192000 kB\n");
    EXPECT_FALSE(availableMemory(m_root.path()));
    m_root.write("proc/meminfo", "MemAvailable: much kB\n");
    EXPECT_FALSE(availableMemory(m_root.path()));
}

TEST_F(AvailableMemory, IsNoMoreThanAGroupOrOneThatItLiesInLeaves)
{
    m_root.write("proc/self/cgroup", "0::/user/app\n");
    m_root.write("sys/fs/cgroup/user/app/memory.max", "max\n");
    EXPECT_EQ(megabytes(), 6000U);
    m_root.write("sys/fs/cgroup/user/memory.max", std::to_string(1000 * kMega) + "\n");
    m_root.write("sys/fs/cgroup/user/memory.current", std::to_string(700 * kMega) + "\n");
    m_root.write(
        "sys/fs/cgroup/user/memory.stat", "anon 1\nactive_file 1\ninactive_file " + std::to_string(200 * kMega) + "\n");
    EXPECT_EQ(megabytes(), 500U);
    m_root.write("sys/fs/cgroup/memory.max", std::to_string(kMega) + "\n"); // as seen inside of a container
    EXPECT_EQ(megabytes(), 1U);
}

TEST_F(AvailableMemory, IsNoMoreThanAGroupOfTheOlderKindLeaves)
{
    m_root.write("proc/self/cgroup", "5:cpu,cpuacct:/a\n4:memory:/docker/1\nnonsense\n");
    m_root.write("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
    EXPECT_EQ(megabytes(), 6000U);
    m_root.write("sys/fs/cgroup/memory/docker/1/memory.limit_in_bytes", std::to_string(100 * kMega) + "\n");
    m_root.write("sys/fs/cgroup/memory/docker/1/memory.usage_in_bytes", std::to_string(150 * kMega) + "\n");
    EXPECT_EQ(megabytes(), 0U);
}

TEST_F(AvailableMemory, LeavesSomeForOthers)
{
    EXPECT_EQ(takeableOf(800), 700U);
    EXPECT_EQ(takeableOf(80'000 * kMega), 77'952 * kMega);
    EXPECT_EQ(takeableOf(0), 0U);
}

TEST(AvailableMemoryOfThisSystem, IsTold)
{
    EXPECT_GT(availableMemory().value_or(0), kMega);
}

} // namespace
} // namespace duo
