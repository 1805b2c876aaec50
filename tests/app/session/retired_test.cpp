// SPDX-License-Identifier: Apache-2.0
#include "app/session/retired.h"

#include <QTest>

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

namespace duo::app {
namespace {

TEST(Retired, IsFreedByAnotherThreadOnceNothingElseHoldsIt)
{
    QThreadPool pool;
    Retired retired(pool);
    std::atomic<bool> isFreed = false;
    std::atomic<bool> isElsewhere = false;
    std::shared_ptr<const int> part(new int(1), [&, here = std::this_thread::get_id()](const int* number) {
        delete number;
        isElsewhere = std::this_thread::get_id() != here;
        isFreed = true;
    });
    retired.add({part, nullptr});
    QTest::qWait(450);
    EXPECT_FALSE(isFreed) << "it is held here";
    part.reset();
    EXPECT_FALSE(isFreed);
    EXPECT_TRUE(QTest::qWaitFor([&] { return isFreed.load(); }));
    EXPECT_TRUE(isElsewhere);
}

} // namespace
} // namespace duo::app
