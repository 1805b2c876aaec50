// SPDX-License-Identifier: Apache-2.0
// What rules change: nodes with another outcome, and the reasons of those without.
#include "core/quantize/left_in_float.h"
#include "core/report/match_report.h"
#include "tests/core/quantize/two_convs.h"
#include "tests/core/rules/rule_match.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace duo::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> effective(const Snapshot& snapshot, std::size_t rule)
{
    std::vector<std::string> names;
    for (const NodeId node : (*snapshot.effects)[rule].effective)
        names.push_back(snapshot.model->node(node).name);
    return names;
}

MatchedRules matched(const Snapshot& snapshot)
{
    return {*snapshot.model, snapshot.recipe.rules, *snapshot.hits, *snapshot.effects, snapshot.placement.get(),
        snapshot.unruled.get()};
}

std::string finding(const Snapshot& snapshot, std::size_t rule)
{
    return ruleFinding(matched(snapshot), rule);
}

std::vector<std::string> idle(const Snapshot& snapshot, std::size_t rule)
{
    std::vector<std::string> texts;
    for (const IdleNodes& group : (*snapshot.effects)[rule].idle) {
        for (const NodeId node : group.nodes)
            texts.push_back(snapshot.model->node(node).name + ": " + idleText(matched(snapshot), rule, group.cause));
    }
    return texts;
}

TEST(RuleEffects, AnIgnoreRuleChangesWhatWouldBeCompressed)
{
    const Snapshot snapshot = twoConvs({ignoreRule(RuleKind::Type, "Conv")});
    EXPECT_THAT(effective(snapshot, 0), ElementsAre("conv1", "conv2"));
    EXPECT_EQ((*snapshot.effects)[0].verdict, RuleVerdict::Works);
    EXPECT_EQ(finding(snapshot, 0), "");
}

TEST(RuleEffects, ATargetRuleChangesWhatItLetsBeCompressed)
{
    const Snapshot snapshot = twoConvs({targetRule(RuleKind::Pattern, ".*1"), targetRule(RuleKind::Type, "Det")});
    EXPECT_THAT(effective(snapshot, 0), ElementsAre("conv1", "relu1"));
    EXPECT_THAT(effective(snapshot, 1), IsEmpty());
    EXPECT_EQ(finding(snapshot, 1),
        "matches 1 node, but has no effect: it stays in float without any rule: Det computes in float");
}

TEST(RuleEffects, TheFirstTargetRuleLeavesInFloatWhatNoneCatches)
{
    const Snapshot snapshot = twoConvs({targetRule(RuleKind::Type, "Det"), targetRule(RuleKind::Name, "conv2")});
    EXPECT_THAT(effective(snapshot, 0), IsEmpty());
    EXPECT_EQ((*snapshot.effects)[0].verdict, RuleVerdict::Works);
    EXPECT_EQ(finding(snapshot, 0),
        "changes nothing of the 1 node it matches, but 2 nodes that no target rule catches stay in float for it");
    EXPECT_EQ(leftInFloatBy(1, *snapshot.hits, snapshot.placement.get(), snapshot.unruled.get()), 0U) << "with it";
}

TEST(RuleEffects, ALaterNodeOfAGroupIsDecidedByItsFirst)
{
    const Snapshot snapshot = twoConvs({ignoreRule(RuleKind::Name, "relu1")});
    const RuleEffect& effect = snapshot.effects->front();
    EXPECT_EQ(effect.verdict, RuleVerdict::NoEffect);
    EXPECT_THAT(idle(snapshot, 0), ElementsAre("relu1: it is computed together with 'conv1', which no rule ignores"));
    ASSERT_EQ(effect.suggestions.size(), 1U);
    EXPECT_EQ(effect.suggestions[0].kind, RuleKind::Name);
    EXPECT_EQ(effect.suggestions[0].value, "conv1");
    EXPECT_EQ(effect.suggestions[0].text, "'relu1' is computed together with 'conv1', whose rules decide for both");
}

TEST(RuleEffects, ARuleOnWhatStaysFloatAnywaySaysWhy)
{
    const Snapshot snapshot = twoConvs({ignoreRule(RuleKind::Type, "Det")});
    EXPECT_EQ(snapshot.effects->front().verdict, RuleVerdict::NoEffect);
    EXPECT_THAT(idle(snapshot, 0), ElementsAre("det: it stays in float without any rule: Det computes in float"));
}

TEST(RuleEffects, TheBroaderRuleShadowsTheNarrowerWhateverTheirOrder)
{
    const Snapshot snapshot = twoConvs({ignoreRule(RuleKind::Name, "conv1"), ignoreRule(RuleKind::Type, "Conv")});
    const RuleEffect& narrow = (*snapshot.effects)[0];
    EXPECT_EQ(narrow.verdict, RuleVerdict::Shadowed);
    EXPECT_EQ(narrow.shadowedBy, 1);
    EXPECT_EQ(finding(snapshot, 0), "shadowed by rule 2 'ignore type Conv', which catches all it catches");
    EXPECT_THAT(idle(snapshot, 0), ElementsAre("conv1: rule 2 already ignores it"));
    EXPECT_THAT(effective(snapshot, 1), ElementsAre("conv1", "conv2"));
}

TEST(RuleEffects, OfEqualRulesTheFirstCounts)
{
    const Snapshot snapshot = twoConvs({ignoreRule(RuleKind::Name, "conv1"), ignoreRule(RuleKind::Pattern, "conv1$")});
    EXPECT_EQ((*snapshot.effects)[0].verdict, RuleVerdict::Works);
    EXPECT_EQ((*snapshot.effects)[1].shadowedBy, 0);
}

TEST(RuleEffects, OverlappingRulesShareTheirNodes)
{
    const Snapshot snapshot
        = twoConvs({ignoreRule(RuleKind::Pattern, "conv1|relu1"), ignoreRule(RuleKind::Pattern, "conv|det")});
    EXPECT_THAT(effective(snapshot, 0), IsEmpty());
    EXPECT_THAT(idle(snapshot, 0),
        ElementsAre(
            "conv1: rule 2 already ignores it", "relu1: it is computed together with 'conv1', which decides for it"));
    EXPECT_THAT(effective(snapshot, 1), ElementsAre("conv1", "conv2"));
    EXPECT_EQ((*snapshot.effects)[1].verdict, RuleVerdict::Works);
}

TEST(RuleEffects, IgnoringWinsOverTargets)
{
    const Snapshot snapshot = twoConvs({targetRule(RuleKind::Name, "conv1"), ignoreRule(RuleKind::Type, "Conv")});
    EXPECT_EQ(finding(snapshot, 0), "matches 1 node, but has no effect: rule 2 ignores it, and ignoring wins");
    EXPECT_THAT(effective(snapshot, 1), ElementsAre("conv1"));
    EXPECT_THAT(idle(snapshot, 1), ElementsAre("conv2: no target rule catches it, so it stays in float anyway"));
}

TEST(RuleEffects, UndoingAnEditComesBackToTheSameOutcome)
{
    const Snapshot before = twoConvs({ignoreRule(RuleKind::Type, "Conv")});
    Recipe edited = before.recipe;
    edited.rules.rules.push_back(ignoreRule(RuleKind::Type, "Det"));
    const Snapshot after = *withRecipe(before, edited);
    EXPECT_NE(after.placement, before.placement);
    const Snapshot undone = *withRecipe(after, before.recipe);
    EXPECT_EQ(undone.hits, before.hits);
    EXPECT_EQ(undone.placement, before.placement);
    EXPECT_EQ(undone.effects, before.effects);
    Recipe mixed = before.recipe;
    mixed.quantization.preset = Preset::Mixed;
    EXPECT_NE(withRecipe(after, mixed)->placement, before.placement);
}

TEST(RuleEffects, AnEditPlacesAsOpeningWithTheRulesDoes)
{
    const Snapshot opened = twoConvs({ignoreRule(RuleKind::Name, "conv2")});
    const Snapshot edited = *withRecipe(twoConvs({targetRule(RuleKind::Name, "conv2")}), opened.recipe);
    EXPECT_EQ(edited.placement->decisions, opened.placement->decisions);
    EXPECT_EQ(edited.placement->setup.points.size(), opened.placement->setup.points.size());
}

TEST(RuleEffects, RulesWithoutNodesSayWhy)
{
    Rule disabled = ignoreRule(RuleKind::Name, "conv1");
    disabled.enabled = false;
    const Snapshot snapshot
        = twoConvs({disabled, ignoreRule(RuleKind::Name, "nothing"), ignoreRule(RuleKind::Pattern, "(")});
    EXPECT_EQ((*snapshot.effects)[0].verdict, RuleVerdict::Disabled);
    EXPECT_EQ((*snapshot.effects)[1].verdict, RuleVerdict::MatchesNothing);
    EXPECT_EQ((*snapshot.effects)[2].verdict, RuleVerdict::Invalid);
    EXPECT_THAT(finding(snapshot, 2), testing::StartsWith("pattern is not valid at "));
}

} // namespace
} // namespace duo::test
