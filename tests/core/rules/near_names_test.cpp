// SPDX-License-Identifier: Apache-2.0
#include "core/rules/near_names.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace duo {
namespace {

using testing::ElementsAre;

TEST(EditDistance, CountsEditsUpToTheLimit)
{
    EXPECT_EQ(editDistance("conv1", "conv1", 2), 0U);
    EXPECT_EQ(editDistance("conv1", "cnv2", 2), 2U);
    EXPECT_EQ(editDistance("kitten", "sitting", 3), 3U);
    EXPECT_EQ(editDistance("kitten", "sitting", 2), 3U); // limit + 1
    EXPECT_EQ(editDistance("", "ab", 2), 2U);
    EXPECT_EQ(editDistance("abcdef", "", 3), 4U);
}

TEST(NearestNames, WholePartsComeBeforeEdits)
{
    const std::vector<std::string_view> names{"/layer1/conv2/Conv", "/conv10/Conv", "/layer1/conv1/Conv", "conw1"};
    EXPECT_THAT(nearestNames("conv1", names), ElementsAre("/layer1/conv1/Conv", "conw1"));
}

TEST(NearestNames, CaseAloneIsNear)
{
    const std::vector<std::string_view> names{"Conv", "ConvTranspose", "Gemm"};
    EXPECT_THAT(nearestNames("conv", names), ElementsAre("Conv"));
}

TEST(NearestNames, AtMostAsManyAsWanted)
{
    const std::vector<std::string_view> names{"a/fc", "b/fc", "b/fc", "c/fc", "d/fc"};
    EXPECT_THAT(nearestNames("fc", names, 2), ElementsAre("a/fc", "b/fc"));
    EXPECT_THAT(nearestNames("", names), ElementsAre());
}

} // namespace
} // namespace duo
