// SPDX-License-Identifier: Apache-2.0
#include "views/transforms/transforms_view.h"

#include "core/transform/pass.h"
#include "tests/views/support/snapshot_builder.h"

#include <QSignalSpy>

#include <gtest/gtest.h>

namespace duo::ui {
namespace {

class TransformsViewTest : public testing::Test
{
protected:
    TransformsViewTest()
        : m_snapshot(test::exampleSnapshot())
    {
        m_view.setSnapshot(m_snapshot);
        m_view.setRecipe({});
    }

    template <typename T> T* part(const char* name) { return m_view.findChild<T*>(QLatin1String(name)); }

    QTreeWidgetItem* row(const char* id)
    {
        auto* passes = part<QTreeWidget>("transformsPasses");
        for (int i = 0; i < passes->topLevelItemCount(); ++i) {
            if (passes->topLevelItem(i)->text(0) == QLatin1String(id))
                return passes->topLevelItem(i);
        }
        return nullptr;
    }

    /// Of a pass that takes out two nodes, and cannot take out a third.
    [[nodiscard]] std::shared_ptr<const TransformReport> report() const
    {
        auto report = std::make_shared<TransformReport>();
        report->nodesBefore = 12345;
        report->nodesAfter = 12343;
        PassReport& pass = report->passes.emplace_back();
        pass.id = "identity";
        const auto& nodes = m_snapshot->model->nodes;
        pass.applied = {{nodes[0].name, "", ""}, {nodes[2].name, "", ""}};
        pass.skipped = {{nodes[1].name, "", "its output is an output of the graph"}};
        report->passes.push_back({"same-size", 1, "", true, "needs sizes"});
        return report;
    }

    std::shared_ptr<const Snapshot> m_snapshot;
    TransformsView m_view;
};

TEST_F(TransformsViewTest, ListsThePassesOfTheStageInTheirOrder)
{
    QStringList wanted;
    for (const Pass& pass : passes()) {
        if (pass.stage == PassStage::Common || pass.stage == PassStage::Target)
            wanted += QLatin1String(pass.id.data(), static_cast<int>(pass.id.size()));
    }
    QStringList shown;
    auto* list = part<QTreeWidget>("transformsPasses");
    for (int i = 0; i < list->topLevelItemCount(); ++i)
        shown += list->topLevelItem(i)->text(0);
    EXPECT_EQ(shown, wanted);
    EXPECT_EQ(row("identity")->text(2), QStringLiteral("common"));
    EXPECT_EQ(row("gemm")->text(2), QStringLiteral("target"));
    EXPECT_EQ(row("gemm")->checkState(0), Qt::Unchecked);
    Recipe recipe;
    recipe.transforms = TransformOptions{.target = "ort-cpu"};
    m_view.setRecipe(recipe);
    EXPECT_EQ(row("gemm")->checkState(0), Qt::Checked);
    EXPECT_EQ(row("split-gemm")->checkState(0), Qt::Unchecked);
}

TEST_F(TransformsViewTest, PassesThatNoTargetWantsAreSwitchedOn)
{
    Recipe recipe;
    recipe.transforms = TransformOptions{.target = "ort-cpu"};
    m_view.setRecipe(recipe);
    const QSignalSpy edits(&m_view, &TransformsView::recipeEdited);
    row("split-gemm")->setCheckState(0, Qt::Checked);
    ASSERT_EQ(edits.size(), 1);
    recipe = edits[0][0].value<Recipe>();
    EXPECT_EQ(recipe.transforms->enabled, std::set<std::string>{"split-gemm"});
    EXPECT_TRUE(recipe.transforms->disabled.empty());
    m_view.setRecipe(recipe);
    row("split-gemm")->setCheckState(0, Qt::Unchecked);
    EXPECT_EQ(edits[1][0].value<Recipe>().transforms, TransformOptions{.target = "ort-cpu"});
    row("gemm")->setCheckState(0, Qt::Unchecked); // the target wants it
    EXPECT_EQ(edits[2][0].value<Recipe>().transforms->disabled, std::set<std::string>{"gemm"});
}

TEST_F(TransformsViewTest, SwitchesAreEditsOfTheRecipe)
{
    const QSignalSpy edits(&m_view, &TransformsView::recipeEdited);
    part<QCheckBox>("transformsOn")->click();
    ASSERT_EQ(edits.size(), 1);
    auto recipe = edits[0][0].value<Recipe>();
    EXPECT_EQ(recipe.transforms, TransformOptions());
    m_view.setRecipe(recipe);
    row("dropout")->setCheckState(0, Qt::Unchecked);
    ASSERT_EQ(edits.size(), 2);
    recipe = edits[1][0].value<Recipe>();
    EXPECT_EQ(recipe.transforms->disabled, std::set<std::string>{"dropout"});
    EXPECT_EQ(edits[1][1].toString(), QStringLiteral("Pass dropout off"));
    m_view.setRecipe(recipe);
    EXPECT_EQ(row("dropout")->checkState(0), Qt::Unchecked);
    part<QCheckBox>("transformsStaticShapes")->click();
    EXPECT_TRUE(edits[2][0].value<Recipe>().transforms->staticShapes);
}

TEST_F(TransformsViewTest, WhatIsNotWantedYetIsRememberedUntilItIs)
{
    const QSignalSpy edits(&m_view, &TransformsView::recipeEdited);
    row("dropout")->setCheckState(0, Qt::Unchecked);
    EXPECT_EQ(edits.size(), 0);
    part<QCheckBox>("transformsOn")->click();
    ASSERT_EQ(edits.size(), 1);
    EXPECT_EQ(edits[0][0].value<Recipe>().transforms->disabled, std::set<std::string>{"dropout"});
}

TEST_F(TransformsViewTest, AModelThatNothingIsDoneToIsNotWaitedFor)
{
    Recipe recipe;
    recipe.transforms = TransformOptions();
    m_view.setRecipe(recipe);
    EXPECT_EQ(part<QLabel>("transformsSummary")->text(), QStringLiteral("The model is being simplified…"));
    auto placed = std::make_shared<Snapshot>(*m_snapshot);
    placed->recipe = recipe; // with it, and without a report: a program of PyTorch
    m_view.setSnapshot(placed);
    EXPECT_EQ(part<QLabel>("transformsSummary")->text(),
        QStringLiteral("A model that cannot be run is left as it was opened."));
}

TEST_F(TransformsViewTest, ALookAheadTellsCountsAndWhyNot)
{
    const QSignalSpy wanted(&m_view, &TransformsView::previewRequested);
    part<QPushButton>("transformsLook")->click();
    ASSERT_EQ(wanted.size(), 1);
    m_view.setPreview(report());
    EXPECT_EQ(part<QLabel>("transformsSummary")->text(), QStringLiteral("12,345 nodes would become 12,343."));
    EXPECT_EQ(row("identity")->text(1), QStringLiteral("2 (not 1)"));
    EXPECT_EQ(row("identity")->toolTip(1), QStringLiteral("not 1 node: its output is an output of the graph"));
    EXPECT_EQ(row("same-size")->text(1), QStringLiteral("–"));
    EXPECT_FALSE(part<QPushButton>("transformsLook")->isEnabled());
    row("dropout")->setCheckState(0, Qt::Unchecked); // other switches: it is not known any more
    EXPECT_EQ(row("identity")->text(1), QString());
    EXPECT_TRUE(part<QPushButton>("transformsLook")->isEnabled());
}

TEST_F(TransformsViewTest, ARowSelectsItsNodes)
{
    part<QPushButton>("transformsLook")->click();
    m_view.setPreview(report());
    const QSignalSpy selected(&m_view, &TransformsView::selected);
    part<QTreeWidget>("transformsPasses")->setCurrentItem(row("identity"));
    ASSERT_EQ(selected.size(), 1);
    EXPECT_EQ(selected[0][0].value<Selection>().nodes, (std::vector{NodeId(0), NodeId(2)}));
}

TEST_F(TransformsViewTest, ARowSelectsItsNodesAgain)
{
    auto* passes = part<QTreeWidget>("transformsPasses");
    passes->setCurrentItem(row("identity")); // before anything is known
    part<QPushButton>("transformsLook")->click();
    m_view.setPreview(report());
    const QSignalSpy selected(&m_view, &TransformsView::selected);
    Q_EMIT passes->itemClicked(row("identity"), 1);
    ASSERT_EQ(selected.size(), 1);
    EXPECT_EQ(selected[0][0].value<Selection>().nodes, (std::vector{NodeId(0), NodeId(2)}));
    Q_EMIT passes->itemClicked(row("identity"), 0); // the switch
    passes->setCurrentItem(row("same-size")); // did not run
    EXPECT_EQ(selected.size(), 1);
}

TEST_F(TransformsViewTest, ARowOfWhichNothingIsLeftSaysSo)
{
    auto gone = std::make_shared<TransformReport>(*report());
    gone->passes.front().applied = {{"a node that went", "", ""}};
    part<QPushButton>("transformsLook")->click();
    m_view.setPreview(gone);
    const QSignalSpy selected(&m_view, &TransformsView::selected);
    const QSignalSpy told(&m_view, &TransformsView::told);
    part<QTreeWidget>("transformsPasses")->setCurrentItem(row("identity"));
    ASSERT_EQ(told.size(), 1);
    EXPECT_EQ(told[0][0].toString(),
        QStringLiteral(
            "Of what pass identity took nothing is left to select. Original above the graph draws it: 1 node."));
    ASSERT_EQ(selected.size(), 1);
    EXPECT_TRUE(selected[0][0].value<Selection>().nodes.empty());
}

/// Of pass "half" only data tell.
TEST_F(TransformsViewTest, SixteenBitsAreAPassOfTheTargetWhoseNodesAreToldOnceTheyAreMeasured)
{
    EXPECT_EQ(row("half")->text(2), QStringLiteral("target"));
    EXPECT_EQ(row("half")->checkState(0), Qt::Unchecked);
    EXPECT_EQ(row("half")->text(1), QString());
    Recipe recipe;
    recipe.transforms = TransformOptions{.half = ElementType::BFloat16};
    m_view.setRecipe(recipe);
    EXPECT_EQ(row("half")->checkState(0), Qt::Checked);
    m_view.setHalves(std::make_shared<const PassReport>(report()->passes.front()));
    EXPECT_EQ(row("half")->text(1), QStringLiteral("2 (not 1)"));
    const QSignalSpy selected(&m_view, &TransformsView::selected);
    part<QTreeWidget>("transformsPasses")->setCurrentItem(row("half"));
    ASSERT_EQ(selected.size(), 1);
    EXPECT_EQ(selected[0][0].value<Selection>().nodes, (std::vector{NodeId(0), NodeId(2)}));
    m_view.setHalves(nullptr); // rules were changed
    EXPECT_EQ(row("half")->text(1), QString());
}

TEST_F(TransformsViewTest, SaysWhichRulesKeepNothing)
{
    part<QPushButton>("transformsLook")->click();
    TransformReport told = *report();
    told.keptNothing = {"rule 'ignore type Cnov' matches nothing"};
    m_view.setPreview(std::make_shared<const TransformReport>(told));
    EXPECT_EQ(part<QLabel>("transformsKept")->text(),
        QStringLiteral("No scope is kept as it is.\nKept nothing: rule 'ignore type Cnov' matches nothing"));
}

TEST_F(TransformsViewTest, KeepsTheSelectionAsItIs)
{
    Recipe recipe;
    recipe.transforms = TransformOptions();
    m_view.setRecipe(recipe);
    EXPECT_FALSE(part<QPushButton>("transformsKeep")->isEnabled());
    m_view.setSelection(selectNode(NodeId(0)));
    const QSignalSpy edits(&m_view, &TransformsView::recipeEdited);
    part<QPushButton>("transformsKeep")->click();
    ASSERT_EQ(edits.size(), 1);
    const auto kept = edits[0][0].value<Recipe>();
    ASSERT_EQ(kept.transforms->keep.rules.size(), 1U);
    EXPECT_EQ(kept.transforms->keep.rules[0].value, m_snapshot->model->nodes[0].name);
    m_view.setRecipe(kept);
    part<QPushButton>("transformsKeepNothing")->click();
    EXPECT_TRUE(edits[1][0].value<Recipe>().transforms->keep.rules.empty());
}

} // namespace
} // namespace duo::ui
