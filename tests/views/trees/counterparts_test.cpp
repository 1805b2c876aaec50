// SPDX-License-Identifier: Apache-2.0
#include "views/trees/counterparts.h"

#include "tests/views/support/snapshot_builder.h"
#include "views/trees/scope_trees_panel.h"

#include <gtest/gtest.h>

namespace duo::ui {
namespace {

class CounterpartsTest : public testing::Test
{
protected:
    CounterpartsTest() { m_panel.setSnapshot(m_snapshot); }

    ScopeTreeView& tree(TreeKind kind) { return *m_panel.tree(kind); }

    void goTo(TreeKind kind, const char* path)
    {
        const TreeContent& content = tree(kind).content();
        tree(kind).goTo(content.rowOfScope[content.tree().find(path).index]);
    }

    std::string step(bool isForward = true) { return m_panel.goToCounterpart(isForward).toStdString(); }

    std::shared_ptr<const Snapshot> m_snapshot = test::exampleSnapshot();
    ScopeTreesPanel m_panel;
};

TEST_F(CounterpartsTest, GoesThroughTheCallsOfAModuleAndBack)
{
    goTo(TreeKind::Storage, "blk.lin");
    EXPECT_EQ(step(), "Counterpart 1 of 2: blk/lin");
    EXPECT_EQ(tree(TreeKind::Execution).currentIndex().data().toString(), QStringLiteral("lin"));
    EXPECT_EQ(step(), "Counterpart 2 of 2: blk#1/lin#1");
    EXPECT_EQ(step(), "Back at blk.lin");
    EXPECT_EQ(step(false), "Counterpart 2 of 2: blk#1/lin#1");
}

TEST_F(CounterpartsTest, AForeignCallLeadsToItsModule)
{
    goTo(TreeKind::Execution, "dec/@enc.proj");
    EXPECT_EQ(step(), "Counterpart: enc.proj");
    EXPECT_EQ(step(), "Back at dec/@enc.proj");
}

TEST_F(CounterpartsTest, ANodeLeadsToItselfUnderItsOwner)
{
    goTo(TreeKind::Execution, "conv1");
    tree(TreeKind::Execution).goTo(tree(TreeKind::Execution).content().rowsOfNode.of(NodeId(0)).front());
    EXPECT_EQ(step(), "Counterpart: conv1, Conv");
}

TEST_F(CounterpartsTest, SaysWhenThereIsNone)
{
    EXPECT_EQ(step(), "Choose a row in one of the trees first");
    tree(TreeKind::Execution).goTo(tree(TreeKind::Execution).content().rowsOfNode.of(NodeId(6)).front());
    EXPECT_EQ(step(), "No counterpart: (root), Softmax has no parameters, so nothing of it is in the storage tree");
    goTo(TreeKind::Storage, "aux");
    EXPECT_EQ(step(), "No counterpart: no node reads what aux holds, it is never executed");
}

TEST_F(CounterpartsTest, SaysWhenTheFilterHidesIt)
{
    goTo(TreeKind::Storage, "conv1");
    tree(TreeKind::Execution).beginFilter(QStringLiteral("proj"), false);
    tree(TreeKind::Execution).endFilter();
    EXPECT_EQ(step(), "The filter hides the counterpart of conv1");
}

} // namespace
} // namespace duo::ui
