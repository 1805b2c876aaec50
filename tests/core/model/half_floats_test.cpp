// SPDX-License-Identifier: Apache-2.0
#include "core/model/half_floats.h"

#include <limits>

#include <gtest/gtest.h>

namespace duo {
namespace {

TEST(HalfFloats, RoundToNearestEven)
{
    EXPECT_EQ(toHalf(1), 0x3C00);
    EXPECT_EQ(toHalf(-2), 0xC000);
    EXPECT_EQ(toHalf(1 + 0x1p-11F), 0x3C00);
    EXPECT_EQ(toHalf(1 + 3 * 0x1p-11F), 0x3C02);
    EXPECT_EQ(toHalf(65504), 0x7BFF);
    EXPECT_EQ(toHalf(65519), 0x7BFF);
    EXPECT_EQ(toBfloat(1), 0x3F80);
    EXPECT_EQ(toBfloat(1 + 0x1p-8F), 0x3F80);
}

TEST(HalfFloats, KeepWhatIsSmallAndWhatIsNotFinite)
{
    EXPECT_EQ(toHalf(0x1p-24F), 1);
    EXPECT_EQ(toHalf(-0x1p-15F), 0x8200);
    EXPECT_EQ(toHalf(0x1p-26F), 0);
    EXPECT_EQ(toHalf(65520), 0x7C00);
    EXPECT_EQ(toHalf(-std::numeric_limits<float>::infinity()), 0xFC00);
    EXPECT_EQ(toHalf(std::numeric_limits<float>::quiet_NaN()), 0x7E00);
    EXPECT_EQ(toBfloat(std::numeric_limits<float>::quiet_NaN()), 0x7FC0);
}

} // namespace
} // namespace duo
