// SPDX-License-Identifier: Apache-2.0
#include "core/rules/pattern.h"

#include <gmock/gmock.h>
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
    const auto* found = std::get_if<TranslatedPattern>(&result);
    return found == nullptr ? "refused" : found->pcre;
}

TEST(PythonPattern, SpellingsThatDifferAreRewritten)
{
    EXPECT_EQ(translated("a\\Z"), "a\\z");
    EXPECT_EQ(translated("a{,3}b{,}c{}d{x"), "a{0,3}b{0,}c\\{}d\\{x");
    EXPECT_EQ(translated("[[:alpha:]]"), "[\\[\\:alpha\\:]]");
    EXPECT_EQ(translated("\\u00e9\\x41\\101\\0"), "\\x{e9}\\x{41}\\x{41}\\x{0}");
    EXPECT_EQ(translated("(?u)a(?#note)b"), "ab");
    EXPECT_EQ(translated("(?P<n>a)(?P=n)\\1\\d{2,}"), "(a)\\g{1}\\g{1}\\d{2,}");
    EXPECT_EQ(translated("(?x) a b # (c\n [ ]"), "ab[ ]");
    EXPECT_EQ(translated("\\s[\\s]"), "[\\s\\x{1c}-\\x{1f}][\\s\\x{1c}-\\x{1f}]");
}

std::vector<std::string> remarks(const std::string& pattern)
{
    std::vector<std::string> texts;
    const auto compiled = Pattern::compile(pattern);
    for (const PatternRemark& remark : std::get<Pattern>(compiled).remarks())
        texts.push_back(std::to_string(remark.position) + ": " + remark.text);
    return texts;
}

TEST(PythonPattern, WhatOthersReadOtherwiseIsRemarkedOn)
{
    using testing::ElementsAre;
    EXPECT_THAT(remarks("/layer[0-9]/.*"), testing::IsEmpty());
    EXPECT_THAT(remarks("a++\\Z"),
        ElementsAre("1: possessive repetition needs Python 3.11 or newer",
            "3: the very end, as in Python; other engines let a line break follow"));
    EXPECT_THAT(remarks("(?i)(?P<n>\\w\\d)"),
        ElementsAre("0: flags inside a pattern: Python takes them at its start only",
            "4: a group named as Python does; other engines write (?<name>...)",
            "10: it knows all letters, digits or spaces of Unicode, as in Python; other engines may know ASCII only"));
    EXPECT_THAT(remarks("a{,2}(?>b)"),
        ElementsAre(
            "1: a count from zero; other engines read it as letters", "5: atomic groups need Python 3.11 or newer"));
}

TEST(PythonPattern, WhatPythonDoesNotKnowIsRefused)
{
    EXPECT_EQ(problemOf("a\\Qb"), "1: bad escape \\Q");
    EXPECT_EQ(problemOf("\\h"), "0: bad escape \\h");
    EXPECT_EQ(problemOf("x(?<n>a)"), "2: unknown extension ?<n, Python names groups (?P<name>...)");
    EXPECT_EQ(problemOf("(?P>n)"), "1: unknown extension ?P>");
    EXPECT_EQ(problemOf("(?|a|b)"), "1: unknown extension ?|");
    EXPECT_EQ(problemOf("(*ACCEPT)"), "1: nothing to repeat");
    EXPECT_EQ(problemOf("a(?i)b"), "1: global flags not at the start of the expression");
    EXPECT_EQ(problemOf("[a"), "0: unterminated character set");
    EXPECT_EQ(problemOf("a\\"), "1: bad escape at the end");
    EXPECT_EQ(problemOf("\\u12"), "0: incomplete escape \\u");
    EXPECT_EQ(problemOf("a)b"), "1: unbalanced parenthesis");
    EXPECT_EQ(problemOf("(a"), "0: missing ), unterminated subpattern");
    EXPECT_EQ(problemOf("*a"), "0: nothing to repeat");
    EXPECT_EQ(problemOf("a{2}{3}"), "4: multiple repeat");
    EXPECT_EQ(problemOf("^*"), "1: nothing to repeat");
    EXPECT_EQ(problemOf("(a)\\2"), "3: invalid group reference 2");
    EXPECT_EQ(problemOf("(a\\1)"), "2: cannot refer to an open group");
    EXPECT_EQ(problemOf("(?<=a|bc)d"), "0: look-behind requires fixed-width pattern");
    EXPECT_EQ(problemOf("\\N{DIGIT ONE}"), "0: named characters are not read: write \\u and four digits");
}

TEST(PythonPattern, Pcre2sOwnProblemsHaveAPosition)
{
    EXPECT_EQ(problemOf("[z-a]"), "3: range out of order in character class");
    EXPECT_EQ(problemOf("a{70000}"), "7: number too big in {} quantifier");
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
