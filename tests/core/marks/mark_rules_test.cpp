// SPDX-License-Identifier: Apache-2.0
#include "core/marks/mark_rules.h"

#include "core/rules/match.h"
#include "tests/core/marks/marked_network.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace duo::test {
namespace {

using testing::ElementsAre;

std::vector<std::string> textsOf(const std::vector<Rule>& rules)
{
    std::vector<std::string> texts;
    for (const Rule& rule : rules)
        texts.push_back(ruleText(rule));
    return texts;
}

TEST(MarkRules, CatchTheNodesOfWhatIsMarkedAndNoOther)
{
    const MarkedNetwork network(true);
    const Marked marked = annotate(network.tree, {markOf("b", {"b.act"})});
    const auto rules = rulesCatching(*network.model, network.scopes, marked.nodes, RuleAction::Ignore);
    EXPECT_THAT(textsOf(rules), ElementsAre("ignore execution-scope a", "ignore execution-scope b/blk"));
    EXPECT_EQ(ignoredNodes(matchRules(*network.model, network.scopes, RuleSet{rules})), marked.nodes);
}

TEST(MarkRules, NameWhatNoScopeCatchesAlone)
{
    const MarkedNetwork network(true);
    const Marked marked = annotate(network.tree, {markOf("", {"a.blk.lin", "a.blk.act", "b.act", "head"})});
    const auto rules = rulesCatching(*network.model, network.scopes, marked.nodes, RuleAction::Target);
    EXPECT_THAT(textsOf(rules), ElementsAre("target name /Add"));
}

TEST(MarkRules, AMarkOfWhatRulesCatch)
{
    const MarkedNetwork network(true);
    for (const Mark& mark : {markOf("b"), markOf("b", {"b.act"}), markOf("", {"head"}), markOf("head")}) {
        const Marked marked = annotate(network.tree, {mark});
        const auto again = markCatching(network.tree, marked.nodes);
        ASSERT_TRUE(again);
        EXPECT_EQ(annotate(network.tree, {*again}).nodes, marked.nodes) << markText(mark);
    }
    EXPECT_EQ(markCatching(network.tree, {network.model->findNode("/head/Gemm")})->root, "head");
    EXPECT_FALSE(markCatching(network.tree, {network.model->findNode("/a/blk/lin/Gemm")})); // half of a module
}

} // namespace
} // namespace duo::test
