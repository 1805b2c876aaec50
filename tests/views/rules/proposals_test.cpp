// SPDX-License-Identifier: Apache-2.0
#include "tests/support/model_builder.h"
#include "views/intent/rule_intent.h"
#include "views/rules/selection_proposals.h"
#include "views/rules/unignore_proposals.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace duo::ui {
namespace {

using testing::ElementsAre;

/// in -> a -> (b, c) -> d -> e: with scopes found as the program finds them.
std::shared_ptr<Snapshot> diamond(const RuleSet& rules = {})
{
    auto snapshot = std::make_shared<Snapshot>();
    snapshot->model = test::ModelBuilder()
                          .input("x", {1, 2})
                          .node("Relu", "/net/a/Relu", {"x"}, {"va"})
                          .node("Relu", "/net/b.0/Relu", {"va"}, {"vb"})
                          .node("Relu", "/net/b.1/Relu", {"va"}, {"vc"})
                          .node("Add", "/net/d/Add", {"vb", "vc"}, {"vd"})
                          .node("Relu", "/out/Relu", {"vd"}, {"y"})
                          .output("y")
                          .build();
    snapshot->scopes = std::make_shared<Scopes>(findScopes(*snapshot->model));
    snapshot->recipe.rules = rules;
    snapshot->hits = std::make_shared<RuleHits>(matchRules(*snapshot->model, *snapshot->scopes, rules));
    return snapshot;
}

std::vector<NodeId> nodes(const Snapshot& snapshot, const std::vector<std::string>& names)
{
    std::vector<NodeId> ids;
    for (const auto& name : names)
        ids.push_back(snapshot.model->findNode(name));
    return ids;
}

std::vector<std::string> texts(const RuleSet& rules)
{
    std::vector<std::string> list;
    for (const Rule& rule : rules.rules)
        list.push_back((rule.enabled ? "" : "off ") + ruleText(rule));
    return list;
}

std::vector<std::string> titles(const Proposals& proposals)
{
    std::vector<std::string> list;
    for (const Proposal& choice : proposals.choices)
        list.push_back((choice.title + QStringLiteral(": ") + choice.effect).toStdString());
    return list;
}

TEST(SubgraphProposal, HoldsWhatLiesBetweenTheEndsOfTheSelection)
{
    const auto snapshot = diamond();
    const auto selected = nodes(*snapshot, {"/net/a/Relu", "/net/d/Add"});
    const Proposals proposals = proposeSubgraph(*snapshot, {}, selected);
    EXPECT_THAT(
        titles(proposals), ElementsAre("From /net/a/Relu to /net/d/Add: catches 4 nodes: 2 selected and 2 more"));
    EXPECT_EQ(proposals.choices.front().nodes,
        nodes(*snapshot, {"/net/a/Relu", "/net/b.0/Relu", "/net/b.1/Relu", "/net/d/Add"}));
    const Rule& rule = proposals.choices.front().after.rules.front();
    EXPECT_THAT(rule.inputs, ElementsAre("/net/a/Relu"));
    EXPECT_THAT(rule.outputs, ElementsAre("/net/d/Add"));
    EXPECT_EQ(proposals.choices.front().undoText, QStringLiteral("Ignore subgraph (4 nodes)"));
    EXPECT_EQ(proposals.choices.front().afterAsTarget->rules.front().action, RuleAction::Target);
}

TEST(SubgraphProposal, InnerNodesOfTheSelectionAreNoEnds)
{
    const auto snapshot = diamond();
    const auto ends = endsOf(*snapshot->model, nodes(*snapshot, {"/net/a/Relu", "/net/b.0/Relu", "/net/b.1/Relu"}));
    EXPECT_EQ(ends.inputs, nodes(*snapshot, {"/net/a/Relu"}));
    EXPECT_EQ(ends.outputs, nodes(*snapshot, {"/net/b.0/Relu", "/net/b.1/Relu"}));
}

TEST(ManyNodesProposal, OffersTheOperatorThenPatternsAndARuleForEach)
{
    const auto snapshot = diamond();
    const auto selected = nodes(*snapshot, {"/net/b.0/Relu", "/net/b.1/Relu"});
    const Proposals proposals = proposeForMany(*snapshot, {}, selected);
    EXPECT_EQ(proposals.question, QStringLiteral("2 nodes are selected. Which rule is meant?"));
    const auto lines = titles(proposals);
    EXPECT_EQ(lines.front(), "all Relu: catches 4 nodes: 2 selected and 2 more");
    EXPECT_EQ(lines[1], "/net/b\\.(?:0|1)/Relu$: catches 2 nodes: the selection and nothing else");
    EXPECT_EQ(lines.back(), "Each by its name: catches 2 nodes: a rule for each");
    EXPECT_THAT(
        texts(proposals.choices.back().after), ElementsAre("ignore name /net/b.0/Relu", "ignore name /net/b.1/Relu"));
    EXPECT_EQ(proposals.choices.back().afterAsTarget->rules.front().action, RuleAction::Target);
}

TEST(ManyNodesProposal, OffersNoOperatorForNodesOfSeveral)
{
    const auto snapshot = diamond();
    const Proposals proposals = proposeForMany(*snapshot, {}, nodes(*snapshot, {"/net/a/Relu", "/net/d/Add"}));
    EXPECT_THAT(titles(proposals), testing::Not(testing::Contains(testing::StartsWith("all "))));
}

TEST(PatternProposals, GoFromExactToGeneralAndCountWhatElseTheyCatch)
{
    const auto snapshot = diamond();
    const Proposals proposals = proposePatterns(*snapshot, {}, nodes(*snapshot, {"/net/b.0/Relu"}));
    EXPECT_THAT(titles(proposals),
        ElementsAre("/net/b\\.0/Relu$: catches 1 node: the selection and nothing else",
            "/net/b\\.\\d+/Relu$: catches 2 nodes: 1 selected and 1 more",
            "/net/.*: catches 4 nodes: 1 selected and 3 more"));
    EXPECT_THAT(texts(proposals.choices[1].after), ElementsAre("ignore pattern /net/b\\.\\d+/Relu$"));
}

TEST(UnignoreProposals, SplitAScopeIntoItsOtherChildren)
{
    RuleSet rules;
    rules.rules.push_back(ruleAbout({RuleKind::ExecutionScope, "net"}, RuleAction::Ignore));
    const auto snapshot = diamond(rules);
    const Proposals proposals
        = proposeUnignore(*snapshot, nodes(*snapshot, {"/net/d/Add"}), QStringLiteral("scope net/d"));
    EXPECT_EQ(proposals.question, QStringLiteral("Scope net/d is ignored by rule 1. What is meant?"));
    EXPECT_THAT(titles(proposals),
        ElementsAre("Replace rule 1 by 3 rules for the rest: 1 node no longer ignored, 3 ignored still",
            "Disable rule 1: 4 nodes no longer ignored, 0 ignored still",
            "Remove rule 1: 4 nodes no longer ignored, 0 ignored still"));
    EXPECT_THAT(texts(proposals.choices[0].after),
        ElementsAre(
            "ignore execution-scope net/a", "ignore execution-scope net/b.0", "ignore execution-scope net/b.1"));
    EXPECT_THAT(texts(proposals.choices[1].after), ElementsAre("off ignore execution-scope net"));
    EXPECT_TRUE(proposals.choices[2].after.rules.empty());
    EXPECT_EQ(proposals.choices[0].nodes, nodes(*snapshot, {"/net/d/Add"}));
}

TEST(UnignoreProposals, LetAPatternLeaveNamesOut)
{
    RuleSet rules;
    rules.rules.push_back(ruleAbout({RuleKind::Pattern, "/net/"}, RuleAction::Ignore));
    const auto snapshot = diamond(rules);
    const Proposals proposals = proposeUnignore(*snapshot, nodes(*snapshot, {"/net/d/Add"}), QStringLiteral("node"));
    ASSERT_GE(proposals.choices.size(), 2U);
    EXPECT_EQ(proposals.choices[1].title, QStringLiteral("Let rule 1 leave out these names"));
    EXPECT_THAT(texts(proposals.choices[1].after), ElementsAre("ignore pattern (?!(?:/net/d/Add)$)(?:/net/)"));
    EXPECT_EQ(proposals.choices[1].nodes, nodes(*snapshot, {"/net/d/Add"}));
}

TEST(UnignoreProposals, EveryRuleThatIgnoresTheNodesIsDealtWith)
{
    RuleSet rules;
    rules.rules.push_back(ruleAbout({RuleKind::Type, "Add"}, RuleAction::Ignore));
    rules.rules.push_back(ruleAbout({RuleKind::Type, "Conv"}, RuleAction::Ignore));
    rules.rules.push_back(ruleAbout({RuleKind::ExecutionScope, "net"}, RuleAction::Ignore));
    const auto snapshot = diamond(rules);
    const Proposals proposals = proposeUnignore(*snapshot, nodes(*snapshot, {"/net/d/Add"}), QStringLiteral("node"));
    EXPECT_EQ(proposals.question, QStringLiteral("Node is ignored by rules 1 and 3. What is meant?"));
    EXPECT_THAT(texts(proposals.choices.back().after), ElementsAre("ignore type Conv"));
}

TEST(UnignoreProposals, WhatNoRuleIgnoresHasNothingToChoose)
{
    const auto snapshot = diamond();
    const Proposals proposals = proposeUnignore(*snapshot, nodes(*snapshot, {"/net/d/Add"}), QStringLiteral("it"));
    EXPECT_TRUE(proposals.choices.empty());
    EXPECT_EQ(proposals.question, QStringLiteral("No rule ignores it."));
}

} // namespace
} // namespace duo::ui
