// SPDX-License-Identifier: Apache-2.0
#include "core/support/progress_rate.h"

#include <gtest/gtest.h>

namespace duo {
namespace {

ProgressRate::Clock::time_point at(double seconds)
{
    return ProgressRate::Clock::time_point(std::chrono::milliseconds(1 + static_cast<int>(seconds * 1000)));
}

TEST(ProgressRate, TellsSamplesPerSecondAndTimeLeft)
{
    ProgressRate rate;
    rate.note({"calibrate", 0, 300}, at(0));
    EXPECT_EQ(rate.text(), "");
    rate.note({"calibrate", 90, 300}, at(2));
    EXPECT_EQ(rate.text(), "45 samples/s, 5 s left");
    rate.note({"calibrate", 300, 300}, at(4));
    EXPECT_EQ(rate.text(), "75 samples/s");
}

TEST(ProgressRate, SaysNothingTooEarly)
{
    ProgressRate rate;
    rate.note({"calibrate", 0, 300}, at(0));
    rate.note({"calibrate", 100, 300}, at(0.4));
    EXPECT_EQ(rate.text(), "");
    rate.note({"calibrate", 1, 300}, at(9));
    EXPECT_EQ(rate.text(), "");
}

TEST(ProgressRate, StartsAnewWithEveryStage)
{
    ProgressRate rate;
    rate.note({"calibrate", 0, 10}, at(0));
    rate.note({"calibrate", 10, 10}, at(10));
    rate.note({"export", 0, 1000}, at(20));
    EXPECT_EQ(rate.text(), "");
    rate.note({"export", 10, 1000}, at(22));
    EXPECT_EQ(rate.text(), "3 min 18 s left");
}

TEST(ProgressRate, WritesSlowAndLongWork)
{
    ProgressRate rate;
    rate.note({"calibrate", 0, 100}, at(0));
    rate.note({"calibrate", 2, 100}, at(250));
    EXPECT_EQ(rate.text(), "0.01 samples/s, 3 h 24 min left");
    rate.note({"calibrate", 50, 100}, at(20));
    EXPECT_EQ(rate.text(), "2.5 samples/s, 20 s left");
}

TEST(ProgressRate, SaysNothingOfTheTimeLeftWhereTheEndIsNotKnown)
{
    ProgressRate rate;
    rate.note({"calibrate", 0, 0}, at(0));
    rate.note({"calibrate", 9, 0}, at(2));
    EXPECT_EQ(rate.text(), "4.5 samples/s");
}

} // namespace
} // namespace duo
