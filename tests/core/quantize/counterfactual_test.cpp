// SPDX-License-Identifier: Apache-2.0
// What would have to change for a node in float to be compressed.
#include "core/quantize/counterfactual.h"

#include "core/pipeline/calibration/kept_snapshot.h"
#include "core/report/decision_sentences.h"
#include "tests/core/quantize/two_convs.h"
#include "tests/core/rules/rule_match.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace duo::test {
namespace {

using testing::ElementsAre;

Counterfactual counterfactual(const Snapshot& snapshot, const std::string& node)
{
    Counterfactuals all(
        *snapshot.model, *snapshot.scopes, *snapshot.base, *snapshot.hits, *snapshot.placement, *snapshot.unruled);
    return all.of(snapshot.model->findNode(node));
}

std::string told(const Snapshot& snapshot, const std::string& node, const Counterfactual& would)
{
    return sentenceText(counterfactualSentence(
        *snapshot.model, *snapshot.placement, *snapshot.unruled, snapshot.model->findNode(node), would));
}

TEST(CounterfactualTest, AnIgnoredNodeWouldBeQuantizedWithoutAllTheRulesThatCatchIt)
{
    const Snapshot snapshot = twoConvs(
        {ignoreRule(RuleKind::Type, "Conv"), ignoreRule(RuleKind::Type, "Det"), ignoreRule(RuleKind::Name, "conv1")});
    const Counterfactual would = counterfactual(snapshot, "conv1");
    EXPECT_EQ(would.change, RuleChange::Removal);
    EXPECT_THAT(would.rules, ElementsAre(0U, 2U));
    EXPECT_EQ(told(snapshot, "conv1", would),
        "it would be quantized without rule 1 'ignore type Conv' and rule 3 'ignore name conv1'");
}

TEST(CounterfactualTest, AnUntargetedNodeWouldBeQuantizedIfItWereTargeted)
{
    const Snapshot snapshot = twoConvs({targetRule(RuleKind::Name, "conv1")});
    const Counterfactual would = counterfactual(snapshot, "conv2");
    EXPECT_EQ(would.change, RuleChange::Target);
    EXPECT_EQ(told(snapshot, "conv2", would), "it would be quantized if target rules caught it and what is around it");
}

TEST(CounterfactualTest, AnIgnoredAndUntargetedNodeNeedsBoth)
{
    const Snapshot snapshot = twoConvs({targetRule(RuleKind::Name, "conv1"), ignoreRule(RuleKind::Name, "conv2")});
    const Counterfactual would = counterfactual(snapshot, "conv2");
    EXPECT_EQ(would.change, RuleChange::RemovalAndTarget);
    EXPECT_EQ(told(snapshot, "conv2", would),
        "it would be quantized without rule 2 'ignore name conv2' if target rules caught it and what is around it");
}

TEST(CounterfactualTest, ANodeComputedWithAnIgnoredOneIsKeptInFloatByItsNeighbour)
{
    const Snapshot snapshot = twoConvs({ignoreRule(RuleKind::Name, "conv1")});
    const Counterfactual would = counterfactual(snapshot, "relu1");
    EXPECT_EQ(would.change, RuleChange::Neighbours);
    EXPECT_EQ(told(snapshot, "relu1", would),
        "it would be fused without any rules; rules about its neighbours keep it in float");
}

/// As after an export: neither it nor what stays with it is a matter of rules, whatever rules there are.
TEST(CounterfactualTest, WhatHadToStayInFloatAfterAllIsNoMatterOfRules)
{
    Snapshot shown = twoConvs({ignoreRule(RuleKind::Name, "conv2")});
    const NodeId left = shown.model->findNode("conv1");
    const auto kept = withKeptFloat(shown, {{left, RanInFloat{"ONNX Runtime 1.32.0", Fallback::FloatBias}}});
    ASSERT_TRUE(kept) << kept.error().line();
    shown.placement = kept->placement;
    for (const std::string node : {"conv1", "relu1"}) {
        const Counterfactual would = counterfactual(shown, node);
        EXPECT_EQ(would.change, RuleChange::None) << node;
        EXPECT_EQ(would.state, NodeState::Preset) << node;
        EXPECT_EQ(would.toldBy, ToldBy::Rules) << node;
    }
    EXPECT_EQ(told(shown, "conv1", counterfactual(shown, "conv1")),
        keptTexts(*shown.model, RanInFloat{{}, Fallback::FloatBias}).counterfactual);
    EXPECT_EQ(counterfactual(shown, "conv2").change, RuleChange::Removal);
}

TEST(CounterfactualTest, WhatStaysInFloatWithoutRulesIsNoMatterOfRules)
{
    const Snapshot snapshot = twoConvs({ignoreRule(RuleKind::Name, "det")});
    const Counterfactual would = counterfactual(snapshot, "det");
    EXPECT_EQ(would.change, RuleChange::None);
    EXPECT_EQ(would.state, NodeState::Unsupported);
    EXPECT_THAT(would.rules, ElementsAre(0U));
    EXPECT_EQ(would.toldBy, ToldBy::NoRules);
}

} // namespace
} // namespace duo::test
