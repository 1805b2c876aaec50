// SPDX-License-Identifier: Apache-2.0
// No text of a file makes a terminal do anything but show it.
#include "core/support/visible_text.h"

#include <nlohmann/json.hpp>

#include <gtest/gtest.h>

namespace duo {
namespace {

TEST(VisibleText, ShowsControlsOfSevenAndOfEightBitsAsQuestionMarks)
{
    EXPECT_EQ(visibleText("a\x1b[31m\tb\x7f"), "a?[31m?b?");
    EXPECT_EQ(visibleText("\u009b31m\u0085\u009d0;title\u009c"), "?31m??0;title?");
}

TEST(VisibleText, ShowsWhatTerminalsOfEightBitsObey)
{
    EXPECT_EQ(visibleText("a\x9b"
                          "31m\x85"),
        "a?31m?");
    EXPECT_EQ(visibleText("cut \xe2\x80"), "cut \xe2?");
    EXPECT_EQ(visibleText("\u011b\u4e9b"), "\u011b\u4e9b") << "whole characters hold the same bytes";
}

TEST(VisibleText, ShowsWhatTurnsTheDirectionOrEndsALine)
{
    EXPECT_EQ(visibleText("conv\u202e1\u2066\u2069\u200f\u061c"), "conv?1????");
    EXPECT_EQ(visibleText("a\u2028b\u2029c"), "a?b?c");
}

TEST(VisibleText, KeepsLinesWhereItIsToldTo)
{
    EXPECT_EQ(visibleText("a\nb"), "a\\nb");
    EXPECT_EQ(visibleText("a\nb\r", true), "a\nb?");
}

TEST(VisibleText, LeavesLettersOfAnyScript)
{
    for (const char* text : {"caf\u00e9", "\u05e9\u05dc\u05d5\u05dd", "\u0915\u094d\u200d\u0937", "\u5c64",
             "\U0001f600", "\u00a0", "\u2027\u202f\u2065\u206a"})
        EXPECT_EQ(visibleText(text), text);
    EXPECT_EQ(visibleText("cut \xe2"), "cut \xe2");
}

TEST(VisibleText, JsonMeansTheSame)
{
    const nlohmann::json named = {{"a\u009b\x7f\u202e", "\u2028\n\x1b\u5c64"}};
    const std::string shown = visibleJson(named.dump(2));
    EXPECT_NE(shown.find("\\u009b\\u007f\\u202e"), std::string::npos) << shown;
    EXPECT_EQ(nlohmann::json::parse(shown), named);
}

} // namespace
} // namespace duo
