// SPDX-License-Identifier: Apache-2.0
#include "core/support/phrases.h"

#include <gtest/gtest.h>

namespace duo {
namespace {

TEST(Phrases, DigitsAreGroupedInThrees)
{
    EXPECT_EQ(countText(0), "0");
    EXPECT_EQ(countText(999), "999");
    EXPECT_EQ(countText(1000), "1,000");
    EXPECT_EQ(countText(std::size_t{1234567}), "1,234,567");
    EXPECT_EQ(countText(-1000), "-1,000");
    EXPECT_EQ(countText(-100), "-100");
    EXPECT_EQ(nodesText(1), "1 node");
    EXPECT_EQ(nodesText(1596), "1,596 nodes");
}

} // namespace
} // namespace duo
