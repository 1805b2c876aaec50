// SPDX-License-Identifier: Apache-2.0
#include "core/rules/pattern/pattern.h"

#include <gtest/gtest.h>

namespace duo {
namespace {

/// "" if the pattern compiles, else "position: text".
std::string problemOf(const std::string& pattern)
{
    const auto compiled = Pattern::compile(pattern);
    const auto* problem = std::get_if<PatternProblem>(&compiled);
    return problem == nullptr ? "" : std::to_string(problem->position) + ": " + problem->text;
}

std::string translated(const std::string& pattern)
{
    const auto result = translatePythonPattern(pattern);
    const auto* text = std::get_if<std::string>(&result);
    return text == nullptr ? "refused" : *text;
}

TEST(PythonPattern, SpellingsThatDifferAreRewritten)
{
    EXPECT_EQ(translated("a\\Z"), "a\\z");
    EXPECT_EQ(translated("a{,3}"), "a{0,3}");
    EXPECT_EQ(translated("[[:alpha:]]"), "[\\[:alpha:]]");
    EXPECT_EQ(translated("\\u00e9\\x41"), "\\x{00e9}\\x{41}");
    EXPECT_EQ(translated("(?u)a(?#note)b"), "(?)ab");
    EXPECT_EQ(translated("(?P<n>a)(?P=n)\\d{2,}"), "(?P<n>a)(?P=n)\\d{2,}");
}

TEST(PythonPattern, WhatPythonDoesNotKnowIsRefused)
{
    EXPECT_EQ(problemOf("a\\Qb"), "1: bad escape \\Q");
    EXPECT_EQ(problemOf("\\h"), "0: bad escape \\h");
    EXPECT_EQ(problemOf("x(?<n>a)"), "2: unknown extension ?<n");
    EXPECT_EQ(problemOf("(?P>n)"), "1: unknown extension ?P>");
    EXPECT_EQ(problemOf("(?|a|b)"), "1: unknown extension ?|");
    EXPECT_EQ(problemOf("(*ACCEPT)"), "1: nothing to repeat");
    EXPECT_EQ(problemOf("a(?i)b"), "1: global flags not at the start of the expression");
    EXPECT_EQ(problemOf("[a"), "0: unterminated character set");
    EXPECT_EQ(problemOf("a\\"), "1: bad escape at the end");
    EXPECT_EQ(problemOf("\\u12"), "0: incomplete escape \\u");
}

TEST(PythonPattern, Pcre2sOwnProblemsHaveAPosition)
{
    EXPECT_EQ(problemOf("a)b"), "1: unmatched closing parenthesis");
    EXPECT_EQ(problemOf("(a"), "2: missing closing parenthesis");
    EXPECT_EQ(problemOf("*a"), "0: quantifier does not follow a repeatable item");
}

TEST(Pattern, IsAnchoredAtTheStartOnly)
{
    const auto compiled = Pattern::compile("conv");
    const auto& pattern = std::get<Pattern>(compiled);
    EXPECT_EQ(pattern.match("conv10/Conv"), Pattern::Outcome::Match);
    EXPECT_EQ(pattern.match("/conv"), Pattern::Outcome::NoMatch);
    EXPECT_EQ(pattern.match(""), Pattern::Outcome::NoMatch);
}

TEST(Pattern, TextThatIsNotUtf8IsNoCrash)
{
    const auto compiled = Pattern::compile(".*b");
    EXPECT_NE(std::get<Pattern>(compiled).match("\xFF\xFE b"), Pattern::Outcome::TooCostly);
}

TEST(Pattern, CostIsBounded)
{
    const auto compiled = Pattern::compile("(a+)+(a+)+(a+)+$");
    EXPECT_EQ(std::get<Pattern>(compiled).match(std::string(200, 'a') + "b"), Pattern::Outcome::TooCostly);
}

} // namespace
} // namespace duo
