// SPDX-License-Identifier: Apache-2.0
#include "core/support/parallel.h"

#include <gtest/gtest.h>

#include <atomic>

namespace duo {
namespace {

TEST(ParallelFor, VisitsEveryIndexOnceOnAnyNumberOfThreads)
{
    for (const int threads : {1, 2, 7}) {
        std::vector<std::atomic<int>> visits(100);
        const auto status = parallelFor(100, threads, {}, [&](std::size_t i) {
            ++visits[i];
            return success();
        });
        EXPECT_TRUE(status);
        for (const auto& count : visits)
            EXPECT_EQ(count, 1);
    }
}

TEST(ParallelFor, ReturnsTheErrorOfABody)
{
    const auto status = parallelFor(10, 2, {}, [](std::size_t i) -> Status {
        if (i == 3)
            return Error{ErrorCode::BadData, "three", {}, {}};
        return success();
    });
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().what, "three");
}

TEST(ParallelFor, StopsWhenAsked)
{
    std::stop_source source;
    std::atomic<int> done{0};
    const auto status = parallelFor(1000, 2, {source.get_token(), {}}, [&](std::size_t) {
        if (++done == 5)
            source.request_stop();
        return success();
    });
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().code, ErrorCode::Cancelled);
    EXPECT_LT(done, 10);
}

} // namespace
} // namespace duo
