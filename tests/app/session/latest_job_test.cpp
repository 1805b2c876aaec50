// SPDX-License-Identifier: Apache-2.0
#include "app/session/latest_job.h"

#include <QTest>

#include <semaphore>
#include <vector>

#include <gtest/gtest.h>

namespace duo::app {
namespace {

constexpr int kLong = 60000; // milliseconds

/// Work that copies `m_state` as it starts and ends when it is let.
class LatestJobTest : public testing::Test
{
protected:
    struct End {
        Result<int> result;
        bool isStale = false;
    };

    ~LatestJobTest() override
    {
        m_goOn.release(8);
        m_pool.waitForDone();
    }

    [[nodiscard]] LatestJob<int>::Work begin()
    {
        if (m_state == 0)
            return {};
        return [this, state = m_state](const JobContext& job) -> Result<int> {
            m_begun.release();
            m_goOn.acquire();
            if (m_listens && job.stopped())
                return cancelledError();
            return state;
        };
    }

    void change(int state)
    {
        m_state = state;
        m_job.run();
    }

    bool ended(std::size_t count)
    {
        return QTest::qWaitFor([&] { return m_ends.size() >= count; }, kLong);
    }

    int m_state = 0; // 0: there is nothing to do
    bool m_listens = false;
    std::counting_semaphore<> m_begun{0};
    std::counting_semaphore<> m_goOn{0};
    std::vector<End> m_ends;
    QThreadPool m_pool;
    QObject m_receiver;
    LatestJob<int> m_job{m_pool, m_receiver, [this] { return begin(); },
        [this](Result<int>&& result, bool isStale) {
            m_ends.push_back({std::move(result), isStale});
            if (m_asksAgain)
                m_job.run();
            m_asksAgain = false;
        }};
    bool m_asksAgain = false;
};

TEST_F(LatestJobTest, GivesTheResultOfTheStateItBeganWith)
{
    change(7);
    EXPECT_TRUE(m_job.isRunning());
    m_goOn.release();
    ASSERT_TRUE(ended(1));
    EXPECT_EQ(*m_ends[0].result, 7);
    EXPECT_FALSE(m_ends[0].isStale);
    EXPECT_FALSE(m_job.isRunning());
}

TEST_F(LatestJobTest, ManyChangesWhileItRunsAreOneMoreRunOfTheLast)
{
    change(1);
    m_begun.acquire();
    for (int state = 2; state <= 5; ++state)
        change(state);
    m_goOn.release(2);
    ASSERT_TRUE(ended(2));
    EXPECT_EQ(*m_ends[0].result, 1); // it does not listen
    EXPECT_TRUE(m_ends[0].isStale);
    EXPECT_EQ(*m_ends[1].result, 5);
    EXPECT_FALSE(m_ends[1].isStale);
    EXPECT_FALSE(m_job.isRunning());
}

TEST_F(LatestJobTest, AChangeStopsWorkThatListens)
{
    m_listens = true;
    change(1);
    m_begun.acquire();
    change(2);
    m_goOn.release(2);
    ASSERT_TRUE(ended(2));
    EXPECT_EQ(m_ends[0].result.error().code, ErrorCode::Cancelled);
    EXPECT_EQ(*m_ends[1].result, 2);
}

TEST_F(LatestJobTest, StoppedWorkDoesNotRunOnceMore)
{
    m_listens = true;
    change(1);
    m_begun.acquire();
    m_job.stop();
    m_goOn.release();
    ASSERT_TRUE(ended(1));
    EXPECT_EQ(m_ends[0].result.error().code, ErrorCode::Cancelled);
    EXPECT_FALSE(m_ends[0].isStale);
    EXPECT_FALSE(m_job.isRunning());
}

TEST_F(LatestJobTest, StoppedWorkDoesNotRunOnceMoreForAChangeBefore)
{
    change(1);
    m_begun.acquire();
    change(2);
    m_job.stop();
    m_goOn.release(2);
    ASSERT_TRUE(ended(1));
    EXPECT_FALSE(m_ends[0].isStale);
    EXPECT_FALSE(m_job.isRunning());
    change(3); // a later one counts
    ASSERT_TRUE(ended(2));
    EXPECT_EQ(*m_ends[1].result, 3);
}

TEST_F(LatestJobTest, NothingRunsWhereThereIsNothingToDo)
{
    change(0);
    EXPECT_FALSE(m_job.isRunning());
    change(1);
    m_begun.acquire();
    change(0); // and not once more either
    m_goOn.release();
    ASSERT_TRUE(ended(1));
    EXPECT_TRUE(m_ends[0].isStale);
    EXPECT_FALSE(m_job.isRunning());
}

TEST_F(LatestJobTest, TheEndOfARunMayAskForAnother)
{
    m_asksAgain = true;
    change(3);
    m_begun.acquire();
    change(4); // both ask; it runs once
    m_goOn.release(3);
    ASSERT_TRUE(ended(2));
    EXPECT_EQ(*m_ends[1].result, 4);
    EXPECT_FALSE(m_ends[1].isStale);
    EXPECT_FALSE(m_job.isRunning());
}

} // namespace
} // namespace duo::app
