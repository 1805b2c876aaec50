// SPDX-License-Identifier: Apache-2.0
#include "views/rules/rules_view.h"

#include "tests/views/support/snapshot_builder.h"
#include "tests/views/support/text_tree.h"
#include "views/rules/rule_actions.h"
#include "views/rules/rules_model.h"

#include <QAbstractItemModelTester>
#include <QApplication>
#include <QScrollArea>
#include <QSignalSpy>
#include <QTest>

#include <algorithm>

#include <gtest/gtest.h>

namespace duo::ui {
namespace {

using Model = RulesModel;

Rule rule(RuleKind kind, const std::string& value)
{
    Rule result;
    result.kind = kind;
    result.value = value;
    return result;
}

RuleSet exampleRules()
{
    RuleSet rules;
    rules.rules
        = {rule(RuleKind::ExecutionScope, "blk"), rule(RuleKind::Name, "nothing"), rule(RuleKind::Type, "Softmax")};
    return rules;
}

std::string print(const Model& model)
{
    return test::printTree(model,
        {Model::ActionColumn, Model::KindColumn, Model::ValueColumn, Model::MatchesColumn, Model::EffectiveColumn});
}

TEST(RulesModel, CountsMatchesAndWhatTheyChange)
{
    Model model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
    model.setRules(exampleRules());
    EXPECT_EQ(print(model), R"(
ignore | execution scope | blk | … | …
ignore | name | nothing | … | …
ignore | type | Softmax | … | …
)");
    model.setSnapshot(test::withRules(*test::exampleSnapshot(), exampleRules()));
    EXPECT_EQ(model.data(model.index(0, Model::MatchesColumn), Qt::DisplayRole).toString(), QStringLiteral("2"));
    EXPECT_EQ(model.data(model.index(1, Model::MatchesColumn), Qt::DisplayRole).toString(), QStringLiteral("0"));
    EXPECT_EQ(model.findingOf(0), QString());
    EXPECT_EQ(model.findingOf(1), QStringLiteral("matches nothing"));
}

TEST(RulesModel, AddingAndRemovingInTheMiddleKeepsTheOtherRows)
{
    Model model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
    RuleSet rules = exampleRules();
    model.setRules(rules);
    const QPersistentModelIndex last(model.index(2, 0));
    rules.rules.erase(rules.rules.begin() + 1);
    model.setRules(rules);
    EXPECT_EQ(last.row(), 1);
    rules.rules.insert(rules.rules.begin(), rule(RuleKind::Class, "Linear"));
    model.setRules(rules);
    EXPECT_EQ(last.row(), 2);
    EXPECT_EQ(model.rules(), rules);
    model.setRules({});
    EXPECT_EQ(model.rowCount(), 0);
}

TEST(RulesModel, EditsAreAskedForAndNotMade)
{
    Model model;
    model.setRules(exampleRules());
    QSignalSpy edits(&model, &Model::editRequested);
    EXPECT_TRUE(model.setData(model.index(0, Model::ValueColumn), QStringLiteral(" blk#1 "), Qt::EditRole));
    ASSERT_EQ(edits.count(), 1);
    EXPECT_EQ(edits.front().at(0).value<RuleSet>().rules[0].value, "blk#1");
    EXPECT_EQ(edits.front().at(1).toString(), QStringLiteral("Change rule 1"));
    EXPECT_EQ(model.rules(), exampleRules());
    EXPECT_FALSE(model.setData(model.index(0, Model::ValueColumn), QStringLiteral("blk"), Qt::EditRole));
}

TEST(RulesModel, ARuleIsGivenAnotherPrecisionByItsAction)
{
    Model model;
    model.setRules(exampleRules());
    QSignalSpy edits(&model, &Model::editRequested);
    const QModelIndex action = model.index(2, Model::ActionColumn);
    EXPECT_TRUE(model.setData(action, 2, Qt::EditRole));
    const auto asked = edits.front().at(0).value<RuleSet>();
    EXPECT_EQ(ruleText(asked.rules[2]), "precision type Softmax: activations 16 bits");
    model.setRules(asked);
    EXPECT_EQ(model.data(action, Qt::DisplayRole).toString(), QStringLiteral("activations 16 bits"));
    EXPECT_EQ(model.data(action, Qt::EditRole).toInt(), 2);
    EXPECT_TRUE(model.setData(action, 0, Qt::EditRole)); // ignoring, it wants no precision
    EXPECT_EQ(edits.back().at(0).value<RuleSet>(), exampleRules());
}

TEST(RulesModel, ARuleKeepsNodesInThirtyTwoBits)
{
    Model model;
    model.setRules(exampleRules());
    QSignalSpy edits(&model, &Model::editRequested);
    const auto choices = ruleActionChoices(exampleRules().rules[2]);
    const auto wide = std::ranges::find(choices, 32, [](const auto& choice) { return choice.precision.floatBits; });
    ASSERT_NE(wide, choices.end());
    EXPECT_EQ(ruleActionLabel(*wide), QStringLiteral("floats of 32 bits"));
    EXPECT_TRUE(
        model.setData(model.index(2, Model::ActionColumn), static_cast<int>(wide - choices.begin()), Qt::EditRole));
    EXPECT_EQ(ruleText(edits.front().at(0).value<RuleSet>().rules[2]), "precision type Softmax: floats of 32 bits");
}

TEST(RulesModel, APrecisionOfTheRecipeIsAChoiceOfItsOwn)
{
    Model model;
    RuleSet rules = exampleRules();
    rules.rules[0].action = RuleAction::Precision;
    rules.rules[0].precision.weights.narrowRange = true;
    model.setRules(rules);
    const QModelIndex action = model.index(0, Model::ActionColumn);
    EXPECT_EQ(model.data(action, Qt::DisplayRole).toString(), QStringLiteral("weights narrow"));
    EXPECT_FALSE(model.setData(action, model.data(action, Qt::EditRole), Qt::EditRole));
    EXPECT_FALSE(model.setData(action, 99, Qt::EditRole));
}

TEST(RulesModel, CheckBoxDisables)
{
    Model model;
    model.setRules(exampleRules());
    QSignalSpy edits(&model, &Model::editRequested);
    EXPECT_TRUE(model.setData(model.index(2, Model::ActionColumn), Qt::Unchecked, Qt::CheckStateRole));
    EXPECT_FALSE(edits.front().at(0).value<RuleSet>().rules[2].enabled);
    EXPECT_EQ(edits.front().at(1).toString(), QStringLiteral("Disable rule 3"));
}

TEST(RulesModel, CountsOfOtherRulesAreNotShown)
{
    Model model;
    model.setRules(exampleRules());
    model.setSnapshot(test::exampleSnapshot());
    EXPECT_EQ(model.data(model.index(0, Model::MatchesColumn), Qt::DisplayRole).toString(), QStringLiteral("…"));
}

TEST(RulesView, DeleteKeyRemovesTheSelectedRule)
{
    RulesView view;
    view.setRules(exampleRules());
    view.setSnapshot(test::withRules(*test::exampleSnapshot(), exampleRules()));
    view.show();
    ASSERT_TRUE(QTest::qWaitForWindowExposed(&view));
    view.selectRule(1);
    view.table()->setFocus();
    QSignalSpy edits(&view, &RulesView::editRequested);
    QTest::keyClick(view.table(), Qt::Key_Delete);
    ASSERT_EQ(edits.count(), 1);
    EXPECT_EQ(edits.front().at(0).value<RuleSet>().rules.size(), 2U);
    EXPECT_EQ(edits.front().at(1).toString(), QStringLiteral("Remove rule 2"));
}

TEST(RulesView, TheMenuGivesSelectedRulesAPrecision)
{
    RulesView view;
    view.setRules(exampleRules());
    view.setSnapshot(test::withRules(*test::exampleSnapshot(), exampleRules()));
    view.selectRule(0);
    QSignalSpy edits(&view, &RulesView::editRequested);
    Q_EMIT view.table()->customContextMenuRequested({});
    auto* menu = view.findChild<QMenu*>(QStringLiteral("rulesMenu"));
    ASSERT_NE(menu, nullptr);
    auto* precisions = menu->findChild<QMenu*>();
    ASSERT_NE(precisions, nullptr);
    precisions->actions().front()->trigger();
    ASSERT_EQ(edits.count(), 1);
    EXPECT_EQ(
        ruleText(edits.front().at(0).value<RuleSet>().rules[0]), "precision execution-scope blk: activations 16 bits");
    EXPECT_EQ(edits.front().at(1).toString(), QStringLiteral("Let rule 1 choose a precision"));
}

TEST(RulesView, OffersANearerSpellingForARuleThatMatchesNothing)
{
    RulesView view;
    view.setRules(exampleRules());
    view.setSnapshot(test::withRules(*test::exampleSnapshot(), exampleRules()));
    auto* findings = view.findChild<QLabel*>(QStringLiteral("ruleFindings"));
    EXPECT_TRUE(findings->text().startsWith(
        QStringLiteral("Rule 2 matches nothing · the nearest is conv1 <a href=\"1:0\">use it</a>")))
        << findings->text().toStdString();
    QSignalSpy edits(&view, &RulesView::editRequested);
    Q_EMIT findings->linkActivated(QStringLiteral("1:0"));
    ASSERT_EQ(edits.count(), 1);
    EXPECT_EQ(ruleText(edits.front().at(0).value<RuleSet>().rules[1]), "ignore execution-scope conv1");
}

TEST(RulesView, SelectingARuleSelectsWhatItCatches)
{
    RulesView view;
    view.setRules(exampleRules());
    view.setSnapshot(test::withRules(*test::exampleSnapshot(), exampleRules()));
    QSignalSpy selected(&view, &RulesView::selected);
    view.selectRule(0);
    ASSERT_EQ(selected.count(), 1);
    EXPECT_EQ(selected.front().front().value<Selection>(), selectNodes({NodeId(1), NodeId(2)}));
}

TEST(RulesView, SaysWhyARuleChangesNothingAndOffersTheWayOut)
{
    RuleSet rules;
    rules.rules = {
        rule(RuleKind::ExecutionScope, "blk"), rule(RuleKind::Name, "/blk/lin/Gemm"), rule(RuleKind::Type, "Softmax")};
    RulesView view;
    view.setRules(rules);
    view.setSnapshot(test::withRules(*test::exampleSnapshot(), rules));
    auto* findings = view.findChild<QLabel*>(QStringLiteral("ruleFindings"));
    const QString text = findings->text();
    EXPECT_TRUE(text.contains(QStringLiteral("Rule 2 shadowed by rule 1"))) << text.toStdString();
    EXPECT_TRUE(text.contains(QStringLiteral("<a href=\"show:0\">show rule 1</a>"))) << text.toStdString();
    EXPECT_TRUE(text.contains(QStringLiteral("Rule 3 matches 1 node, but has no effect: "))) << text.toStdString();
    QSignalSpy edits(&view, &RulesView::editRequested);
    Q_EMIT findings->linkActivated(QStringLiteral("remove:1"));
    ASSERT_EQ(edits.count(), 1);
    EXPECT_EQ(edits.front().at(0).value<RuleSet>().rules.size(), 2U);
}

TEST(RulesView, AtTheHeightItAsksForAFindingOfSeveralLinesIsWhole)
{
    RuleSet rules;
    rules.rules = {rule(RuleKind::Type, "Softmax")};
    RulesView view;
    view.setRules(rules);
    view.setSnapshot(test::withRules(*test::exampleSnapshot(), rules));
    view.resize(420, 600);
    view.show();
    view.resize(420, view.sizeHint().height());
    QApplication::processEvents();
    const auto* findings = view.findChild<QLabel*>(QStringLiteral("ruleFindings"));
    const auto* area = view.findChild<QScrollArea*>(QStringLiteral("ruleFindingsArea"));
    ASSERT_GT(findings->heightForWidth(area->viewport()->width()), view.fontMetrics().lineSpacing());
    EXPECT_GE(area->viewport()->height(), findings->heightForWidth(area->viewport()->width()));
}

} // namespace
} // namespace duo::ui
