// SPDX-License-Identifier: Apache-2.0
#include "core/state/setup_difference.h"

#include "core/state/setup_report.h"

#include <gtest/gtest.h>

#include <limits>

namespace duo {
namespace {

ComparableQuantizer quantizer(const std::string& place, float scale, const std::string& type = "uint8")
{
    return {place, "/conv/Conv", "conv", type, "per tensor", {scale}, {0}, {}};
}

ComparableSetup setup(std::vector<ComparableQuantizer> quantizers)
{
    ComparableSetup made;
    made.source = SetupSource::State;
    made.quantizers = std::move(quantizers);
    return made;
}

/// Of the quantizers, "place: change, first | second" with the factor.
std::string changes(const ComparableSetup& first, const ComparableSetup& second)
{
    std::string text;
    for (const QuantizerDifference& one : setupDifference(first, second).quantizers)
        text += one.place + ": " + std::string(quantizerChangeText(one.change)) + ", "
            + quantizerDifferenceSentence(one) + "\n";
    return text;
}

TEST(SetupDifference, ASetupIsTheSameAsItself)
{
    const auto same = setup({quantizer("x", 0.5F), quantizer("y", 0.25F)});
    const SetupDifference difference = setupDifference(same, same);
    EXPECT_TRUE(difference.isSame());
    EXPECT_EQ(difference.same, 2);
    EXPECT_EQ(setupDifferenceText(difference, "a", "b"), "the setups are the same\nquantizers: 0 of 2 differ\n");
}

TEST(SetupDifference, QuantizersAreFoundByTheirPlaceWhateverTheirOrder)
{
    EXPECT_EQ(
        changes(setup({quantizer("x", 0.5F), quantizer("y", 1)}), setup({quantizer("y", 1), quantizer("x", 0.5F)})),
        "");
    EXPECT_EQ(changes(setup({quantizer("x", 0.5F)}), setup({quantizer("y", 1)})),
        "x: only-first, only in the first, uint8 per tensor\ny: only-second, only in the second, uint8 per tensor\n");
}

TEST(SetupDifference, ARangeIsSaidWithHowManyTimesWiderItIs)
{
    EXPECT_EQ(changes(setup({quantizer("x", 0.5F)}), setup({quantizer("x", 0.125F)})),
        "x: range, scale 0.5, zero point 0 | scale 0.125, zero point 0, 4 times\n");
}

TEST(SetupDifference, NodesThatAQuantizerIsForCountWhereBothTellThem)
{
    const auto readBy = [](std::vector<std::string> readers) {
        ComparableQuantizer x = quantizer("x", 0.5F);
        x.readers = std::move(readers);
        return setup({x});
    };
    EXPECT_EQ(changes(readBy({"a", "b"}), readBy({"a"})), "x: readers, for 'b' | not for 'b'\n");
    EXPECT_EQ(changes(readBy({"a", "c"}), readBy({"b", "c"})), "x: readers, for 'a' | for 'b'\n");
    EXPECT_EQ(changes(readBy({"a"}), readBy({})), "");
    EXPECT_EQ(changes(readBy({"a"}), readBy({"b"})), "") << "a tool may have renamed them";
}

TEST(SetupDifference, NodesInFloatCountWhereBothTellThem)
{
    ComparableSetup none = setup({});
    none.keptFloat.emplace();
    ComparableSetup one = none;
    one.keptFloat->emplace("in float: /conv/Conv", "yes");
    EXPECT_EQ(
        setupDifference(none, one).corrections, (std::vector<TextDifference>{{"in float: /conv/Conv", "", "yes"}}));
    EXPECT_TRUE(setupDifference(setup({}), one).isSame()) << "an older state does not tell";
}

/// Whose quantizers are not recovered: by the constants that they read.
TEST(SetupDifference, NodesThatAreNotUnderstoodAreComparedByTheirConstants)
{
    const auto of = [](const std::string& digest) {
        ComparableSetup made = setup({});
        made.notRecovered.emplace("/emb/Gather", digest);
        return made;
    };
    const SetupDifference same = setupDifference(of("a"), of("a"));
    EXPECT_TRUE(same.isSame());
    EXPECT_EQ(setupDifferenceText(same, "1", "2"),
        "the setups are the same\n1 node on codes whose quantizers are not recovered: the constants that they read are "
        "the same\n");
    const SetupDifference other = setupDifference(of("a"), of("b"));
    EXPECT_FALSE(other.isSame());
    EXPECT_EQ(setupDifferenceText(other, "1", "2"),
        "the setups differ\n1 node on codes whose quantizers are not recovered, 1 that read other constants:\n"
        "  /emb/Gather: a | b\n");
    EXPECT_FALSE(setupDifference(of(""), of("")).isSame()) << "data that are not there are not known to be the same";
    EXPECT_FALSE(setupDifference(of("a"), setup({})).isSame());
}

TEST(SetupDifference, CorrectionsOfStatesCount)
{
    RecordedState shifted;
    shifted.biasShifts = {{"/conv/Conv", {0.5F, 0.25F}}};
    RecordedState other = shifted;
    EXPECT_TRUE(setupDifference(comparableSetup(shifted), comparableSetup(other)).isSame());
    other.biasShifts.front().second.back() = 0.26F;
    EXPECT_FALSE(setupDifference(comparableSetup(shifted), comparableSetup(other)).isSame());
    other.biasShifts.clear();
    other.floatChanges = {{FloatChangeKind::SmoothQuant, "h", {"product"}, {2}, "norm"}};
    const SetupDifference difference = setupDifference(comparableSetup(shifted), comparableSetup(other));
    ASSERT_EQ(difference.corrections.size(), 2U);
    EXPECT_EQ(difference.corrections[0].name, "bias shift of /conv/Conv");
    EXPECT_EQ(difference.corrections[0].second, "");
    EXPECT_EQ(difference.corrections[1].name, "smooth-quant of h for product");
    EXPECT_NE(setupDifferenceText(difference, "a", "b").find("corrections:\n  bias shift of /conv/Conv: 0.5, 0.25, "),
        std::string::npos);
}

TEST(SetupDifference, ARecipeWithoutRulesDiffersInNoSetting)
{
    Recipe with;
    with.rules.rules.emplace_back().value = "/conv/Conv";
    const SetupDifference difference = setupDifference(comparableSetup(Recipe()), comparableSetup(with));
    EXPECT_EQ(difference.rulesOnlySecond, std::vector<std::string>{"ignore name /conv/Conv"});
    EXPECT_TRUE(difference.settings.empty()) << difference.settings.front().name;
}

TEST(SetupDifference, OneBitOfAScaleIsADifference)
{
    const float next = std::nextafter(0.5F, 1.0F);
    EXPECT_FALSE(setupDifference(setup({quantizer("x", 0.5F)}), setup({quantizer("x", next)})).isSame());
}

TEST(SetupDifference, AnotherTypeIsSaidBeforeItsRange)
{
    EXPECT_EQ(changes(setup({quantizer("x", 0.5F)}), setup({quantizer("x", 1, "int8")})),
        "x: type, uint8 per tensor | int8 per tensor\n");
}

TEST(SetupDifference, OfChannelsTheOneFurthestApartIsSaid)
{
    ComparableQuantizer first = quantizer("w", 1);
    first.spread = "per channel";
    first.scale = {1, 1, 1};
    first.zeroPoint = {0, 0, 0};
    ComparableQuantizer second = first;
    second.scale = {1, 2, 1.5F};
    EXPECT_EQ(
        changes(setup({first}), setup({second})), "w: range, scale 1, zero point 0 | scale 2, zero point 0, 2 times\n");
    second.scale = {1, 2};
    second.zeroPoint = {0, 0};
    EXPECT_EQ(changes(setup({first}), setup({second})), "w: spread, uint8 per channel (3) | uint8 per channel (2)\n");
}

TEST(SetupDifference, RulesInAnotherOrderMeanSomethingElse)
{
    ComparableSetup first;
    first.rules = {"ignore type Conv", "ignore type Gemm"};
    ComparableSetup second;
    second.rules = {"ignore type Gemm", "ignore type Conv"};
    const SetupDifference moved = setupDifference(first, second);
    EXPECT_TRUE(moved.areRulesReordered);
    EXPECT_FALSE(moved.isSame());
    second.rules.pop_back();
    EXPECT_EQ(setupDifference(first, second).rulesOnlyFirst, std::vector<std::string>{"ignore type Conv"});
}

TEST(SetupDifference, WhatOnlyOneOfThemSetsIsSaid)
{
    ComparableSetup first;
    first.settings = {{"/quantization/preset", "\"mixed\""}, {"/quantization/subset", "300"}};
    ComparableSetup second;
    second.settings = {{"/quantization/preset", "\"performance\""}, {"/transforms/common", "true"}};
    EXPECT_EQ(setupDifferenceText(setupDifference(first, second), "a", "b"),
        "the setups differ\n"
        "settings:\n"
        "  /quantization/preset: \"mixed\" | \"performance\"\n"
        "  /quantization/subset: 300 | not set\n"
        "  /transforms/common: not set | true\n");
}

TEST(SetupDifference, OtherDataAreSaidAndNoDifferenceOfTheSetup)
{
    ComparableSetup first;
    first.facts = {{"data", "xxh3-128:1"}};
    ComparableSetup second;
    second.facts = {{"data", "xxh3-128:2"}};
    const SetupDifference difference = setupDifference(first, second);
    EXPECT_TRUE(difference.isSame());
    EXPECT_EQ(setupDifferenceText(difference, "a", "b"),
        "the setups are the same\nmade from and with:\n  data: xxh3-128:1 | xxh3-128:2\n");
}

} // namespace
} // namespace duo
