// SPDX-License-Identifier: Apache-2.0
// What the rules table finds odd about a rule, and the ways out of it, each taken with one click in the real window.
#include "tests/app/gui/rules_window.h"

#include <QAbstractButton>
#include <QLabel>
#include <QPushButton>

#include <gtest/gtest.h>

namespace duo::test {
namespace {

class RuleFindings : public RulesWindow
{
protected:
    void useRules(std::vector<Rule> rules)
    {
        RuleSet set;
        set.rules = std::move(rules);
        m_driver.window().session().editRules(set, QStringLiteral("Test"));
        ASSERT_TRUE(m_driver.settled());
    }

    static Rule rule(RuleKind kind, const std::string& value)
    {
        Rule made;
        made.kind = kind;
        made.value = value;
        return made;
    }

    [[nodiscard]] std::string findings()
    {
        return m_driver.find<QLabel>("ruleFindings")->text().remove(QChar(0x200b)).toStdString();
    }

    /// Clicks the word of a link in the findings, wherever it stands.
    bool clickFinding(const QString& link)
    {
        return WindowDriver::clickLink(m_driver.find<QLabel>("ruleFindings"), link);
    }

    void ignoreEncoderThenClear(const std::string& name)
    {
        ASSERT_TRUE(m_driver.clickScope(ui::TreeKind::Execution, "encoder"));
        m_driver.key(tree(), Qt::Key_I);
        expectIgnored(name, true);
        select({name});
        m_driver.key(tree(), Qt::Key_X);
        ASSERT_TRUE(m_driver.answered());
        ASSERT_TRUE(m_driver.find<ui::ProposalPanel>("proposalPanel")->isVisible());
    }

    /// Takes the choice that begins so, and returns what it said it would do.
    std::string choose(const QString& beginning)
    {
        for (QAbstractButton* choice :
            m_driver.find<ui::ProposalPanel>("proposalPanel")->findChildren<QAbstractButton*>()) {
            if (!choice->accessibleName().startsWith(beginning))
                continue;
            const std::string text = choice->accessibleName().toStdString();
            QTest::mouseClick(choice, Qt::LeftButton, {}, QPoint(8, choice->height() / 2));
            EXPECT_TRUE(choice->isChecked());
            QTest::mouseClick(m_driver.find<QPushButton>("proposalApply"), Qt::LeftButton);
            return text;
        }
        return {};
    }

    [[nodiscard]] std::int64_t ignoredCount()
    {
        const auto& ignoredBy = snapshot()->hits->ignoredBy;
        return std::count_if(ignoredBy.begin(), ignoredBy.end(), [](int rule) { return rule != RuleHits::kNoRule; });
    }
};

TEST_F(RuleFindings, NearestNameIsTakenByOneClick)
{
    useRules({rule(RuleKind::Name, "/encoder/stem/conv/Cnov")});
    expectIgnored(kConv, false);
    EXPECT_NE(findings().find("Rule 1 matches nothing"), std::string::npos) << findings();
    EXPECT_NE(findings().find("did you mean node '" + kConv + "'?"), std::string::npos) << findings();
    const int steps = undoSteps();
    ASSERT_TRUE(clickFinding(QStringLiteral("0:0"))) << findings();
    EXPECT_EQ(rules(), std::vector<std::string>{"ignore name " + kConv});
    expectIgnored(kConv, true);
    expectIgnored(kSecond, false);
    EXPECT_EQ(undoSteps(), steps + 1);
    EXPECT_EQ(findings().find("matches nothing"), std::string::npos) << findings();
}

TEST_F(RuleFindings, TranslationIntoTheOtherTreeIsTakenByOneClick)
{
    ASSERT_TRUE(m_driver.open(m_driver.copySample("digits_transformer.onnx")));
    useRules({rule(RuleKind::ExecutionScope, "encoder.bridge")});
    expectIgnored("/head/bridge/MatMul", false);
    EXPECT_NE(findings().find("is a storage scope of"), std::string::npos) << findings();
    EXPECT_NE(findings().find("in execution scope it is 'head/@encoder.bridge'"), std::string::npos) << findings();
    ASSERT_TRUE(clickFinding(QStringLiteral("0:1"))) << findings();
    EXPECT_EQ(rules(), std::vector<std::string>{"ignore execution-scope head/@encoder.bridge"});
    expectIgnored("/head/bridge/MatMul", true);

    m_driver.action("actionUndo")->trigger();
    ASSERT_TRUE(m_driver.settled());
    ASSERT_TRUE(clickFinding(QStringLiteral("0:0"))) << findings();
    EXPECT_EQ(rules(), std::vector<std::string>{"ignore storage-scope encoder.bridge"});
    expectIgnored("/head/bridge/MatMul", true);
}

TEST_F(RuleFindings, SuggestionIsAlsoInTheMenuOfTheRule)
{
    useRules({rule(RuleKind::Type, "conv")});
    rulesTable()->selectRow(0);
    Q_EMIT rulesTable()->customContextMenuRequested({10, 10});
    ASSERT_TRUE(trigger("rulesMenu", QStringLiteral("Use Conv")));
    EXPECT_EQ(rules(), std::vector<std::string>{"ignore type Conv"});
    expectIgnored(kConv, true);
}

TEST_F(RuleFindings, ShadowedRuleIsShownAndRemovedByOneClick)
{
    useRules({rule(RuleKind::ExecutionScope, "encoder"), rule(RuleKind::Name, kConv)});
    EXPECT_NE(findings().find("Rule 2 shadowed by rule 1"), std::string::npos) << findings();
    ASSERT_TRUE(clickFinding(QStringLiteral("show:0"))) << findings();
    EXPECT_EQ(rulesTable()->currentIndex().row(), 0);
    ASSERT_TRUE(clickFinding(QStringLiteral("remove:1"))) << findings();
    EXPECT_EQ(rules(), std::vector<std::string>{"ignore execution-scope encoder"});
    expectIgnored(kConv, true);
}

TEST_F(RuleFindings, UnignoringByRulesForTheRest)
{
    ignoreEncoderThenClear(kConv);
    const std::string said = choose(QStringLiteral("Replace rule 1"));
    EXPECT_NE(said.find("1 node no longer ignored"), std::string::npos) << said;
    expectIgnored(kConv, false);
    expectIgnored(kSecond, true);
    expectIgnored(kBetween, true);
    EXPECT_NE(said.find(std::to_string(ignoredCount()) + " ignored still"), std::string::npos) << said;
    EXPECT_EQ(undoSteps(), 2);
}

TEST_F(RuleFindings, UnignoringByDisablingTheRule)
{
    ignoreEncoderThenClear(kConv);
    const std::string said = choose(QStringLiteral("Disable rule 1"));
    EXPECT_NE(said.find("0 ignored still"), std::string::npos) << said;
    EXPECT_EQ(rules(), std::vector<std::string>{"off ignore execution-scope encoder"});
    expectIgnored(kConv, false);
    expectIgnored(kSecond, false);
}

TEST_F(RuleFindings, UnignoringByRemovingTheRule)
{
    ignoreEncoderThenClear(kConv);
    EXPECT_FALSE(choose(QStringLiteral("Remove rule 1")).empty());
    EXPECT_TRUE(rules().empty());
    expectIgnored(kConv, false);
    expectIgnored(kSecond, false);
    m_driver.action("actionUndo")->trigger();
    expectIgnored(kConv, true);
}

TEST_F(RuleFindings, UnignoringByAPatternThatLeavesNamesOut)
{
    useRules({rule(RuleKind::Pattern, "/encoder/.*Conv")});
    select({kConv});
    m_driver.key(tree(), Qt::Key_X);
    ASSERT_TRUE(m_driver.answered());
    EXPECT_FALSE(choose(QStringLiteral("Let rule 1 leave out")).empty());
    ASSERT_EQ(rules().size(), 1U);
    EXPECT_TRUE(rules().front().starts_with("ignore pattern (?!")) << rules().front();
    expectIgnored(kConv, false);
    expectIgnored(kSecond, true);
}

} // namespace
} // namespace duo::test
