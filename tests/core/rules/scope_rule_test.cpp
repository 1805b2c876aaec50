// SPDX-License-Identifier: Apache-2.0
#include "core/rules/scope_rule.h"

#include "core/rules/rule.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace duo {
namespace {

using testing::ElementsAre;

/// A tree with these paths; parents come first and are found by their text.
ScopeTree treeOf(const std::vector<std::pair<std::string, std::string>>& pathsAndNames)
{
    ScopeTree tree;
    tree.scopes.emplace_back();
    tree.index.emplace("", ScopeId(0));
    for (const auto& [path, name] : pathsAndNames) {
        Scope scope;
        scope.path = path;
        scope.name = name;
        const std::string above = path.size() > name.size() ? path.substr(0, path.size() - name.size() - 1) : "";
        scope.parent = tree.find(above);
        tree.index.emplace(path, ScopeId(tree.scopes.size()));
        tree.scopes.push_back(std::move(scope));
    }
    return tree;
}

const ScopeTree kCalls = treeOf({{"layer1", "layer1"}, {"layer10", "layer10"}, {"encoder.layer.0", "encoder.layer.0"},
    {"encoder.layer.0/lin", "lin"}, {"encoder.layer.0#1", "encoder.layer.0#1"}, {"encoder.layer.0#1/lin#1", "lin#1"},
    {"decoder", "decoder"}, {"decoder/@encoder.proj", "@encoder.proj"}, {"odd\\#1", "odd\\#1"}});

TEST(RuleText, SaysInWordsThatAScopeIsTheWholeModel)
{
    Rule rule;
    rule.kind = RuleKind::ExecutionScope;
    EXPECT_EQ(ruleText(rule), "ignore execution-scope (the whole model)");
    rule.value = "layer1";
    EXPECT_EQ(ruleText(rule), "ignore execution-scope layer1");
}

std::vector<std::string> caught(const std::string& rule)
{
    const auto hits = scopesCaught(kCalls, rule);
    std::vector<std::string> paths;
    for (std::size_t i = 1; i < hits.size(); ++i) {
        if (hits[i])
            paths.push_back(kCalls.scopes[i].path);
    }
    return paths;
}

TEST(ScopeRule, MatchesWholeAtoms)
{
    EXPECT_THAT(caught("layer1"), ElementsAre("layer1"));
    EXPECT_THAT(caught("layer"), ElementsAre());
}

TEST(ScopeRule, DotAndSlashAreTheSameSeparator)
{
    EXPECT_EQ(caught("encoder.layer.0.lin"), caught("encoder/layer/0/lin"));
    EXPECT_THAT(caught("encoder/layer.0/lin"), ElementsAre("encoder.layer.0/lin", "encoder.layer.0#1/lin#1"));
    EXPECT_EQ(caught("/encoder/layer/0/").size(), 4U);
}

TEST(ScopeRule, AnAtomWithoutNumberIsEveryCall)
{
    EXPECT_THAT(caught("encoder.layer.0#0"), ElementsAre("encoder.layer.0", "encoder.layer.0/lin"));
    EXPECT_THAT(caught("encoder.layer.0#1"), ElementsAre("encoder.layer.0#1", "encoder.layer.0#1/lin#1"));
    EXPECT_THAT(caught("encoder.layer.0/lin#1"), ElementsAre("encoder.layer.0#1/lin#1"));
}

TEST(ScopeRule, AScopeDoesNotCatchForeignCallsOfItsChildren)
{
    EXPECT_EQ(caught("encoder").size(), 4U);
    EXPECT_THAT(caught("decoder"), ElementsAre("decoder", "decoder/@encoder.proj"));
    EXPECT_THAT(caught("decoder/@encoder"), ElementsAre("decoder/@encoder.proj"));
    EXPECT_THAT(caught("decoder/encoder"), ElementsAre());
}

TEST(ScopeRule, EscapedSignsAreLetters)
{
    EXPECT_THAT(caught("odd\\#1"), ElementsAre("odd\\#1"));
    EXPECT_THAT(caught("odd#1"), ElementsAre());
}

TEST(ScopeRule, EveryCallIsTheTextWithoutNumbers)
{
    EXPECT_EQ(everyCall("blk#1/lin#31"), "blk/lin");
    EXPECT_EQ(everyCall("a.b#2.c/@enc.proj#1"), "a.b.c/@enc.proj");
    EXPECT_EQ(everyCall("odd\\#1/x#"), "odd\\#1/x#");
    EXPECT_EQ(everyCall("p#1q"), "p#1q");
    EXPECT_EQ(everyCall(""), "");
}

TEST(ScopeRule, OneCallIsNumberedWhereThereAreOthers)
{
    ScopeTree tree = kCalls;
    for (std::size_t i = 1; i < tree.scopes.size(); ++i)
        tree.scopes[tree.scopes[i].parent.index].children.emplace_back(i);
    EXPECT_EQ(oneCall(tree, tree.find("encoder.layer.0")), "encoder.layer.0#0");
    EXPECT_EQ(oneCall(tree, tree.find("encoder.layer.0/lin")), "encoder.layer.0#0/lin");
    EXPECT_EQ(oneCall(tree, tree.find("encoder.layer.0#1/lin#1")), "encoder.layer.0#1/lin#1");
    EXPECT_EQ(oneCall(tree, tree.find("layer1")), "layer1");
    EXPECT_EQ(oneCall(tree, ScopeId(0)), "");
    EXPECT_THAT(callsAlike(tree, tree.find("encoder.layer.0#1/lin#1")),
        ElementsAre(tree.find("encoder.layer.0/lin"), tree.find("encoder.layer.0#1/lin#1")));
    EXPECT_THAT(callsAlike(tree, tree.find("layer1")), ElementsAre(tree.find("layer1")));
}

TEST(ScopeRule, TheEmptyRuleCatchesTheRoot)
{
    EXPECT_TRUE(scopesCaught(kCalls, "")[0]);
    EXPECT_FALSE(scopesCaught(kCalls, "layer1")[0]);
}

} // namespace
} // namespace duo
