// SPDX-License-Identifier: Apache-2.0
#include "app/session/foreground_job.h"

#include <QCoreApplication>
#include <QDeadlineTimer>
#include <QSignalSpy>
#include <QTest>
#include <QTimer>

#include <optional>
#include <semaphore>

#include <gtest/gtest.h>

namespace duo::app {
namespace {

constexpr int kLong = 60000; // milliseconds; far beyond what is waited for a job that was stopped

class ForegroundJobTest : public testing::Test
{
protected:
    ~ForegroundJobTest() override { m_goOn.release(8); }

    /// Work that hears no stop, as the engine while it opens a model: it goes on when it is let.
    void startDeafWork(Stopping stopping, int result = 1)
    {
        const auto work = [this, result](const JobContext& job) -> Result<int> {
            m_begun.release();
            m_goOn.acquire();
            job.tell({"late", 1, 2});
            return result;
        };
        m_job.start<int>(
            work, [this](Result<int>&& ended) { m_ends.push_back(std::move(ended)); }, stopping);
    }

    /// Handles each event as it comes, without the naps of QTest::qWaitFor.
    bool ended(std::size_t count)
    {
        const QDeadlineTimer end(kLong);
        QTimer wakes;
        wakes.start(100);
        while (m_ends.size() < count && !end.hasExpired())
            QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
        return m_ends.size() >= count;
    }

    std::counting_semaphore<> m_begun{0};
    std::counting_semaphore<> m_goOn{0};
    std::vector<Result<int>> m_ends;
    ForegroundJob m_job;
};

TEST_F(ForegroundJobTest, GivesTheResultOfTheWork)
{
    startDeafWork(Stopping::LeavesIt, 7);
    m_goOn.release();
    ASSERT_TRUE(ended(1));
    EXPECT_EQ(*m_ends.front(), 7);
}

/// Else what is started next is too late to stop it, now and then.
TEST_F(ForegroundJobTest, AQuickEndIsNotHeardInsideStart)
{
    constexpr std::size_t kOften = 1000;
    for (std::size_t i = 0; i < kOften; ++i) {
        m_job.start<int>([](const JobContext&) -> Result<int> { return 1; },
            [this](Result<int>&& end) { m_ends.push_back(std::move(end)); }, Stopping::LeavesIt);
        ASSERT_EQ(m_ends.size(), i);
        ASSERT_TRUE(ended(i + 1));
    }
}

TEST_F(ForegroundJobTest, StoppedWorkThatDoesNotListenIsLeftAndNotHeardAnyMore)
{
    QSignalSpy progressed(&m_job, &ForegroundJob::progressed);
    startDeafWork(Stopping::LeavesIt);
    m_begun.acquire();
    m_job.stop();
    ASSERT_TRUE(ended(1)); // while the work still stands
    EXPECT_EQ(m_ends.front().error().code, ErrorCode::Cancelled);
    startDeafWork(Stopping::LeavesIt, 2); // beside it
    m_begun.acquire();
    m_goOn.release(2);
    ASSERT_TRUE(ended(2));
    EXPECT_EQ(*m_ends.back(), 2);
    EXPECT_EQ(progressed.count(), 1); // of the second
}

TEST_F(ForegroundJobTest, WorkThatWritesIsWaitedFor)
{
    startDeafWork(Stopping::WaitsForIt, 3);
    m_begun.acquire();
    m_job.stop();
    EXPECT_FALSE(QTest::qWaitFor([this] { return !m_ends.empty(); }, 300));
    m_goOn.release();
    ASSERT_TRUE(ended(1));
    EXPECT_EQ(*m_ends.front(), 3);
}

TEST_F(ForegroundJobTest, WhatIsStoppedBeforeThereIsAThreadForItDoesNotRun)
{
    for (int i = 0; i < 2; ++i) { // hold the threads there are
        startDeafWork(Stopping::LeavesIt);
        m_begun.acquire();
        m_job.stop();
        ASSERT_TRUE(ended(static_cast<std::size_t>(i) + 1));
    }
    startDeafWork(Stopping::LeavesIt);
    m_job.stop();
    ASSERT_TRUE(ended(3));
    EXPECT_EQ(m_ends.back().error().code, ErrorCode::Cancelled);
    m_goOn.release(2);
    startDeafWork(Stopping::LeavesIt, 4);
    m_begun.acquire(); // of this one: the third never began
    m_goOn.release();
    ASSERT_TRUE(ended(4));
    EXPECT_EQ(*m_ends.back(), 4);
}

} // namespace
} // namespace duo::app
