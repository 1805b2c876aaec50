// SPDX-License-Identifier: Apache-2.0
#include "views/find/find_bar.h"

#include "tests/views/support/snapshot_builder.h"

#include <QElapsedTimer>
#include <QSignalSpy>
#include <QTest>

#include <gtest/gtest.h>

namespace duo::ui {
namespace {

class FindBarTest : public testing::Test
{
protected:
    FindBarTest()
    {
        qRegisterMetaType<std::shared_ptr<const FoundMarks>>();
        QObject::connect(
            &m_bar, &FindBar::shown, [this](const std::shared_ptr<const FoundMarks>& marks) { m_marks = marks; });
        QObject::connect(
            &m_bar, &FindBar::selected, [this](const Selection& selection) { m_selected.push_back(selection); });
        m_bar.setSnapshot(m_snapshot);
        m_bar.resize(600, 60);
        m_bar.open();
    }

    QLineEdit* text() { return m_bar.findChild<QLineEdit*>(QStringLiteral("findText")); }
    QLabel* problem() { return m_bar.findChild<QLabel*>(QStringLiteral("findProblem")); }
    std::string summary() { return m_bar.summary().toStdString(); }
    std::string type(const char* words)
    {
        text()->setText(QString::fromUtf8(words));
        QTest::qWait(1);
        return summary();
    }

    std::shared_ptr<const Snapshot> m_snapshot = test::exampleSnapshot();
    FindBar m_bar;
    std::shared_ptr<const FoundMarks> m_marks;
    std::vector<Selection> m_selected;
};

TEST_F(FindBarTest, AShapeIsFoundOnceItIsKnown)
{
    EXPECT_EQ(type("shape:77x77"), "no match");
    auto types = std::make_shared<ValueTypes>();
    for (const Value& value : m_snapshot->model->values)
        types->types.push_back(value.type);
    const ValueId output = m_snapshot->model->nodes[0].outputs[0];
    types->types[output.index].shape = std::vector<Dim>{{77, {}}, {77, {}}};
    m_bar.setTypes(types);
    QTest::qWait(1);
    EXPECT_TRUE(summary().starts_with("1 of ")) << summary();
}

TEST_F(FindBarTest, TypingMarksAndSelectsNothing)
{
    EXPECT_EQ(type("type:gemm"), "1 of 3");
    ASSERT_TRUE(m_marks);
    EXPECT_EQ(m_marks->found->things.size(), 3U);
    EXPECT_EQ(m_marks->current, 0U);
    EXPECT_TRUE(m_selected.empty());
    EXPECT_EQ(type("type:gemm x"), "no match");
    EXPECT_FALSE(m_marks);
    EXPECT_EQ(type(""), "");
}

TEST_F(FindBarTest, StepsGoRoundAndSelect)
{
    type("gemm");
    m_bar.step(true);
    EXPECT_EQ(summary(), "2 of 3");
    EXPECT_EQ(m_selected.back(), selectNode(NodeId(3)));
    m_bar.step(true);
    m_bar.step(true);
    EXPECT_EQ(summary(), "1 of 3");
    EXPECT_EQ(m_selected.back(), selectNode(NodeId(1)));
    m_bar.step(false);
    EXPECT_EQ(summary(), "3 of 3");
    EXPECT_EQ(m_marks->current, 2U);
}

TEST_F(FindBarTest, EnterSelectsTheCurrentOneAndAsksToRevealIt)
{
    QSignalSpy revealed(&m_bar, &FindBar::revealRequested);
    type("blk relu");
    QTest::keyClick(text(), Qt::Key_Return);
    ASSERT_EQ(m_selected.size(), 1U);
    EXPECT_EQ(m_selected.back(), selectNode(NodeId(2)));
    EXPECT_EQ(revealed.count(), 1);
    QTest::keyClick(text(), Qt::Key_Return); // it stays there
    EXPECT_EQ(summary(), "1 of 2");
    QTest::keyClick(text(), Qt::Key_Return, Qt::AltModifier);
    EXPECT_EQ(m_selected.back(), selectNodes({NodeId(2), NodeId(4)}));
}

TEST_F(FindBarTest, AScopeIsSelectedAsAScope)
{
    EXPECT_EQ(type("blk"), "1 of 2"); // blk and blk#1, each with what is in it
    QTest::keyClick(text(), Qt::Key_Return);
    ASSERT_TRUE(m_selected.back().scope);
    EXPECT_EQ(m_selected.back().nodes, (std::vector{NodeId(1), NodeId(2)}));
    EXPECT_EQ(type("aux"), "1 of 1"); // never runs
    QTest::keyClick(text(), Qt::Key_Return);
    EXPECT_EQ(m_selected.back().scope->tree, TreeKind::Storage);
}

TEST_F(FindBarTest, SaysWhatIsWrong)
{
    type("gemm");
    type("re:(");
    EXPECT_FALSE(m_marks);
    EXPECT_TRUE(problem()->isVisibleTo(&m_bar));
    EXPECT_EQ(problem()->text().toStdString(), "the pattern is not valid at 0: missing ), unterminated subpattern");
    EXPECT_EQ(type("re:^/conv1"), "1 of 1");
    EXPECT_FALSE(problem()->isVisibleTo(&m_bar));
}

TEST_F(FindBarTest, NewRulesAreSearchedAgainFromTheSamePlace)
{
    type("state:quantized");
    m_bar.step(true);
    EXPECT_EQ(summary(), "2 of 4");
    RuleSet rules;
    rules.rules.emplace_back();
    rules.rules.back().kind = RuleKind::Type;
    rules.rules.back().value = "Conv";
    m_bar.setSnapshot(test::withRules(*m_snapshot, rules));
    QTest::qWait(1);
    EXPECT_EQ(summary(), "1 of 3");
    EXPECT_EQ(m_marks->found->things[m_marks->current].node, NodeId(1));
}

TEST_F(FindBarTest, EscapeAndAnotherModelEndTheSearch)
{
    type("gemm");
    QTest::keyClick(text(), Qt::Key_Escape);
    EXPECT_FALSE(m_bar.isVisible());
    EXPECT_FALSE(m_marks);
    m_bar.step(true); // opens it with what was looked for
    EXPECT_TRUE(m_bar.isVisible());
    EXPECT_EQ(summary(), "1 of 3");
    m_bar.setSnapshot(test::exampleSnapshot());
    EXPECT_FALSE(m_bar.isVisible());
    EXPECT_EQ(text()->text(), QString());
}

} // namespace
} // namespace duo::ui
