// SPDX-License-Identifier: Apache-2.0
#include "core/scope/structure/tandem_runs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <ostream>
#include <random>
#include <string>

namespace duo {

std::ostream& operator<<(std::ostream& out, const TandemRun& run)
{
    return out << "[" << run.begin << ", " << run.end << ") by " << run.period;
}

namespace test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<TandemRun> runsOf(const std::string& text)
{
    const std::vector<std::uint32_t> letters(text.begin(), text.end());
    return tandemRuns(letters);
}

/// By definition, in cubic time.
std::vector<TandemRun> runsByHand(const std::vector<std::uint32_t>& letters)
{
    const auto size = static_cast<std::uint32_t>(letters.size());
    std::vector<TandemRun> runs;
    for (std::uint32_t period = 1; 2 * period <= size; ++period) {
        for (std::uint32_t begin = 0; begin + period < size;) {
            std::uint32_t end = begin + period;
            while (end < size && letters[end] == letters[end - period])
                ++end;
            const bool hasShorter = std::any_of(runs.begin(), runs.end(),
                [&](const TandemRun& run) { return run.begin <= begin && end <= run.end && period % run.period == 0; });
            if (end - begin >= 2 * period && !hasShorter)
                runs.push_back({begin, end, period});
            begin = end - period + 1;
        }
    }
    std::sort(runs.begin(), runs.end());
    return runs;
}

TEST(TandemRuns, AreMaximalAndOfTheSmallestPeriod)
{
    EXPECT_THAT(runsOf("xabababy"), ElementsAre(TandemRun{1, 7, 2}));
    EXPECT_THAT(runsOf("aaaa"), ElementsAre(TandemRun{0, 4, 1}));
    EXPECT_THAT(runsOf("aabaab"), ElementsAre(TandemRun{0, 2, 1}, TandemRun{0, 6, 3}, TandemRun{3, 5, 1}));
}

TEST(TandemRuns, OfWhatDoesNotRepeatAreNone)
{
    EXPECT_THAT(runsOf(""), IsEmpty());
    EXPECT_THAT(runsOf("a"), IsEmpty());
    EXPECT_THAT(runsOf("abcabd"), IsEmpty());
}

TEST(TandemRuns, OfRandomSequencesAreThoseOfTheDefinition)
{
    std::minstd_rand random(7);
    for (int round = 0; round < 300; ++round) {
        std::vector<std::uint32_t> letters(random() % 40);
        const auto kinds = static_cast<std::uint32_t>(1 + random() % 3);
        for (std::uint32_t& letter : letters)
            letter = static_cast<std::uint32_t>(random()) % kinds;
        ASSERT_EQ(tandemRuns(letters), runsByHand(letters)) << testing::PrintToString(letters);
    }
}

} // namespace
} // namespace test
} // namespace duo
