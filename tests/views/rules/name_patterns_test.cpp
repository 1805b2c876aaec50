// SPDX-License-Identifier: Apache-2.0
#include "views/rules/name_patterns.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace duo::ui {
namespace {

using testing::ElementsAre;

TEST(NamePatterns, LettersWithAMeaningAreEscaped)
{
    EXPECT_EQ(escaped("/layers.0/a+b(c)/Conv"), "/layers\\.0/a\\+b\\(c\\)/Conv");
}

TEST(NamePatterns, NumbersAreLeftOpenOnlyWhereTheNamesDifferInThem)
{
    EXPECT_THAT(patternsFor({"/enc/layers.0/q2/MatMul", "/enc/layers.1/q2/MatMul"}),
        ElementsAre("/enc/layers\\.(?:0|1)/q2/MatMul$", "/enc/layers\\.\\d+/q2/MatMul$", "/enc/layers\\..*/q2/MatMul$",
            "/enc/layers\\..*", "/enc/.*"));
}

TEST(NamePatterns, OneNameGoesFromItselfToItsScope)
{
    EXPECT_THAT(patternsFor({"/enc/layers.3/q/MatMul"}),
        ElementsAre("/enc/layers\\.3/q/MatMul$", "/enc/layers\\.\\d+/q/MatMul$", "/enc/layers\\.3/q/.*",
            "/enc/layers\\.3/.*", "/enc/.*"));
}

TEST(NamePatterns, WhatNamesShareIsWrittenOnce)
{
    EXPECT_EQ(patternsFor({"/a/q/MatMul", "/a/k/MatMul", "/a/v/MatMul"}).front(), "/a/(?:k|q|v)/MatMul$");
}

TEST(NamePatterns, NamesThatBeginDifferentlyMayEndAlike)
{
    EXPECT_THAT(patternsFor({"/a/Conv", "/b/Conv"}), ElementsAre("/(?:a|b)/Conv$", ".*/Conv$"));
}

TEST(NamePatterns, NoNamesNoPatterns)
{
    EXPECT_TRUE(patternsFor({}).empty());
}

} // namespace
} // namespace duo::ui
