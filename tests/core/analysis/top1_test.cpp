// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/top1.h"

#include "core/analysis/signal_error.h"
#include "core/support/bytes_of.h"

#include <gtest/gtest.h>

namespace duo {
namespace {

HostTensor numbers(const std::vector<std::int64_t>& values)
{
    return {"labels", ElementType::Int64, {static_cast<std::int64_t>(values.size())}, bytesOf(values)};
}

/// Of answers of whole numbers, one a sample.
Top1 countOf(const std::vector<std::int64_t>& answers, const std::vector<std::int64_t>& labels)
{
    auto count = *Top1Count::start(numbers(labels), static_cast<std::int64_t>(answers.size()));
    for (std::size_t i = 0; i < answers.size(); ++i) {
        const HostTensor answer = numbers({answers[i]});
        EXPECT_TRUE(count.add(static_cast<std::int64_t>(i), viewOf(answer), viewOf(answer)));
    }
    return *count.finish();
}

TEST(Top1, OfWholeNumbersEveryElementIsAClass)
{
    EXPECT_EQ(countOf({3, 1, 2, 0}, {3, 1, 2, 5}).a, 0.75);
}

TEST(Top1, SaysThatAnswersHaveNothingToDoWithTheLabels)
{
    EXPECT_TRUE(countOf({0, 1, 2, 3}, {1, 2, 3, 0}).isChance) << "none is right";
    EXPECT_TRUE(countOf({0, 0, 0, 0}, {0, 0, 0, 1}).isChance) << "a constant answer";
    EXPECT_FALSE(countOf({0, 1, 2, 3, 4, 5, 6, 7}, {0, 1, 2, 3, 4, 5, 6, 0}).isChance);
    EXPECT_FALSE(countOf({1, 1}, {1, 1}).isChance) << "all right is no accident";
}

} // namespace
} // namespace duo
