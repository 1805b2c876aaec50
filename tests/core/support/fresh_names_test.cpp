// SPDX-License-Identifier: Apache-2.0
#include "core/support/fresh_names.h"

#include <gtest/gtest.h>

#include <string>

namespace duo {
namespace {

TEST(FreshNames, AreWhatIsWishedOrHaveANumber)
{
    FreshNames names;
    names.take("scale");
    names.take("scale_2");
    EXPECT_EQ(names.fresh("other"), "other");
    EXPECT_EQ(names.fresh("scale"), "scale_1");
    EXPECT_EQ(names.fresh("scale"), "scale_3");
    names.take("scale_4");
    EXPECT_EQ(names.fresh("scale"), "scale_5");
    EXPECT_EQ(names.fresh("scale_5"), "scale_5_1");
    EXPECT_EQ(names.fresh(""), "");
    EXPECT_EQ(names.fresh(""), "_1");
}

/// Each in one step: one after the other these would take 20 billion.
TEST(FreshNames, DoNotCostMoreTheOftenerTheyAreWished)
{
    constexpr int kMany = 200'000;
    FreshNames names;
    names.fresh("scale");
    std::string last;
    for (int i = 0; i < kMany; ++i)
        last = names.fresh("scale");
    EXPECT_EQ(last, "scale_200000");
}

} // namespace
} // namespace duo
