// SPDX-License-Identifier: Apache-2.0
#include "views/intent/rule_intent.h"
#include "views/intent/rule_menu.h"

#include "tests/views/support/snapshot_builder.h"

#include <gtest/gtest.h>

namespace duo::ui {
namespace {

using Verb = RuleIntent::Verb;

RuleIntent about(Verb verb, RuleKind kind, const std::string& value)
{
    return {verb, {{kind, value}}};
}

std::string print(const RuleSet& rules)
{
    std::string text;
    for (const Rule& rule : rules.rules)
        text += (rule.enabled ? "" : "off ") + ruleText(rule) + "; ";
    return text;
}

TEST(RuleIntent, IgnoreAddsARuleAndIgnoringAgainTakesItAway)
{
    const auto intent = about(Verb::Ignore, RuleKind::ExecutionScope, "blk");
    const RuleSet once = applyIntent({}, intent);
    EXPECT_EQ(print(once), "ignore execution-scope blk; ");
    EXPECT_EQ(applyIntent(once, intent), RuleSet());
}

TEST(RuleIntent, TargetReplacesAnIgnoreRuleAboutTheSame)
{
    const RuleSet ignored = applyIntent({}, about(Verb::Ignore, RuleKind::Name, "/conv1/Conv"));
    EXPECT_EQ(
        print(applyIntent(ignored, about(Verb::Target, RuleKind::Name, "/conv1/Conv"))), "target name /conv1/Conv; ");
}

TEST(RuleIntent, PrecisionRulesStayUntilTheirSubjectIsCleared)
{
    RuleSet rules = applyIntent({}, about(Verb::Ignore, RuleKind::Type, "Gemm"));
    rules.rules.front().action = RuleAction::Precision;
    rules.rules.front().precision.activations.numBits = 16;
    const auto ignored = applyIntent(rules, about(Verb::Ignore, RuleKind::Type, "Gemm"));
    EXPECT_EQ(print(ignored), "precision type Gemm: activations 16 bits; ignore type Gemm; ");
    EXPECT_EQ(applyIntent(ignored, about(Verb::Ignore, RuleKind::Type, "Gemm")), rules);
    EXPECT_EQ(applyIntent(ignored, about(Verb::Clear, RuleKind::Type, "Gemm")), RuleSet());
}

TEST(RuleIntent, IgnoringWhatADisabledRuleSaysEnablesItByReplacing)
{
    RuleSet rules = applyIntent({}, about(Verb::Ignore, RuleKind::Type, "Softmax"));
    rules.rules.front().enabled = false;
    EXPECT_EQ(print(applyIntent(rules, about(Verb::Ignore, RuleKind::Type, "Softmax"))), "ignore type Softmax; ");
}

TEST(RuleIntent, ClearTakesAwayEveryRuleAboutTheSubjectAndNoOther)
{
    RuleSet rules = applyIntent({}, about(Verb::Ignore, RuleKind::ExecutionScope, "blk"));
    rules = applyIntent(rules, about(Verb::Ignore, RuleKind::StorageScope, "blk"));
    EXPECT_EQ(
        print(applyIntent(rules, about(Verb::Clear, RuleKind::ExecutionScope, "blk"))), "ignore storage-scope blk; ");
}

TEST(RuleIntent, SeveralSubjectsToggleTogether)
{
    const RuleIntent both{Verb::Ignore, {{RuleKind::Name, "a"}, {RuleKind::Name, "b"}}};
    const RuleSet one = applyIntent({}, about(Verb::Ignore, RuleKind::Name, "a"));
    EXPECT_EQ(print(applyIntent(one, both)), "ignore name a; ignore name b; ");
    EXPECT_EQ(print(applyIntent(applyIntent(one, both), both)), "");
}

TEST(RuleIntent, SubjectOfASelectionIsItsScopeElseItsNodes)
{
    const auto snapshot = test::exampleSnapshot();
    const ScopeId blk = snapshot->scopes->storage.find("blk.lin");
    const Selection scope = selectScope(*snapshot->scopes, TreeKind::Storage, blk);
    EXPECT_EQ(subjectsOf(scope, *snapshot->model, *snapshot->scopes),
        (std::vector<RuleSubject>{{RuleKind::StorageScope, "blk.lin"}}));
    EXPECT_EQ(subjectsOf(selectNode(NodeId(6)), *snapshot->model, *snapshot->scopes),
        (std::vector<RuleSubject>{{RuleKind::Name, "/Softmax"}}));
}

TEST(RuleIntent, PointingAtOneOfSeveralCallsMeansAllOfThemAndOffersTheOne)
{
    const auto snapshot = test::makeSnapshot({{"/blk/lin/Gemm", "Gemm", "blk/lin", {}, {}},
        {"/blk/lin_1/Gemm", "Gemm", "blk#1/lin#1", {}, {}}, {"/fc/Gemm", "Gemm", "fc", {}, {}}});
    const ScopeTree& tree = snapshot->scopes->execution;
    const auto at = [&](const char* path) { return callsSubject(tree, tree.find(path)); };
    const auto about = [](const char* value, const char* call) {
        return RuleSubject{RuleKind::ExecutionScope, value, {}, call};
    };
    EXPECT_EQ(at("blk"), about("blk", "blk#0"));
    EXPECT_EQ(at("blk/lin"), about("blk/lin", "blk#0/lin"));
    EXPECT_EQ(at("blk#1/lin#1"), about("blk/lin", "blk#1/lin#1"));
    EXPECT_EQ(at("fc"), about("fc", ""));
    EXPECT_EQ(callsSubject(tree, ScopeId(0)), about("", ""));
    EXPECT_EQ(callsText(at("blk#1"), tree), QStringLiteral("2 calls; only this one: blk#1"));
    EXPECT_EQ(callsText(at("fc"), tree), QString());
    const Selection second = selectScope(*snapshot->scopes, TreeKind::Execution, tree.find("blk#1"));
    std::vector<std::string> choices;
    for (const SubjectChoice& choice : subjectChoices(second, *snapshot->model, *snapshot->scopes))
        choices.push_back(choice.text.toStdString() + " = " + choice.subjects.front().value);
    EXPECT_EQ(choices, (std::vector<std::string>{"scope blk = blk", "only this call (blk#1) = blk#1"}));
}

TEST(RuleIntent, ARuleAboutTheOneCallPointedAtCountsAsOneAboutIt)
{
    const RuleIntent pointed{Verb::Ignore, {{RuleKind::ExecutionScope, "blk", {}, "blk#1"}}};
    const RuleSet one = applyIntent({}, about(Verb::Ignore, RuleKind::ExecutionScope, "blk#1"));
    EXPECT_EQ(print(applyIntent({}, pointed)), "ignore execution-scope blk; ");
    EXPECT_EQ(print(applyIntent(one, pointed)), "");
    RuleIntent target = pointed;
    target.verb = Verb::Target;
    EXPECT_EQ(print(applyIntent(one, target)), "target execution-scope blk; ");
    const RuleSet other = applyIntent({}, about(Verb::Ignore, RuleKind::ExecutionScope, "blk#0"));
    EXPECT_EQ(print(applyIntent(other, pointed)), "ignore execution-scope blk#0; ignore execution-scope blk; ");
}

} // namespace
} // namespace duo::ui
