// SPDX-License-Identifier: Apache-2.0
#include "core/support/disjoint_sets.h"

#include <gtest/gtest.h>

namespace duo {
namespace {

TEST(DisjointSets, AreToldByTheirLowestNumberHoweverTheyWereJoined)
{
    DisjointSets sets(6);
    sets.join(5, 4);
    sets.join(2, 5);
    sets.join(1, 0);
    for (const std::uint32_t item : {2U, 4U, 5U})
        EXPECT_EQ(sets.of(item), 2U);
    EXPECT_EQ(sets.of(1), 0U);
    EXPECT_EQ(sets.of(3), 3U);
}

} // namespace
} // namespace duo
