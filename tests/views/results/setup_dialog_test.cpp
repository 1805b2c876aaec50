// SPDX-License-Identifier: Apache-2.0
#include "views/results/setup_dialog.h"

#include <QLabel>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTreeView>

#include <gtest/gtest.h>

namespace duo::ui {
namespace {

/// Two scopes with forty other quantizers each.
SetupDifference manyQuantizers()
{
    SetupDifference difference;
    for (const char* scope : {"decoder", "encoder"}) {
        for (int i = 0; i < 40; ++i) {
            const std::string node = std::string(scope) + "/lin" + std::to_string(i);
            difference.quantizers.push_back(
                {node + " input 1", node, scope, QuantizerChange::Range, "scale 1", "scale 2", 2});
        }
    }
    return difference;
}

struct Panes {
    explicit Panes(const SetupDifference& difference)
        : dialog({QStringLiteral("Open model"), QStringLiteral("File"), QStringLiteral("m.state.json")}, difference)
    {
        dialog.show();
    }

    [[nodiscard]] QTreeView* pane(const char* name) const { return dialog.findChild<QTreeView*>(QLatin1String(name)); }
    [[nodiscard]] QModelIndex quantizers() const { return pane("firstSetup")->model()->index(0, 0); }

    SetupDialog dialog;
};

TEST(SetupDialog, QuantizersStandByScope)
{
    const Panes panes(manyQuantizers());
    const QModelIndex quantizers = panes.quantizers();
    EXPECT_EQ(quantizers.data().toString().toStdString(), "Quantizers (80)");
    const QModelIndex encoder = quantizers.model()->index(1, 0, quantizers);
    EXPECT_EQ(encoder.data().toString().toStdString(), "encoder (40)");
    const QModelIndex place = quantizers.model()->index(0, 0, encoder);
    EXPECT_EQ(place.data().toString().toStdString(), "encoder/lin0 input 1");
    EXPECT_EQ(place.siblingAtColumn(2).data().toString().toStdString(), "scale 2");
}

TEST(SetupDialog, EachPaneShowsOneSetup)
{
    const Panes panes(manyQuantizers());
    EXPECT_FALSE(panes.pane("firstSetup")->isColumnHidden(1));
    EXPECT_TRUE(panes.pane("firstSetup")->isColumnHidden(2));
    EXPECT_TRUE(panes.pane("secondSetup")->isColumnHidden(1));
    EXPECT_FALSE(panes.pane("secondSetup")->isColumnHidden(2));
}

TEST(SetupDialog, PanesOpenScrollAndSelectTogether)
{
    Panes panes(manyQuantizers());
    QTreeView& first = *panes.pane("firstSetup");
    QTreeView& second = *panes.pane("secondSetup");
    first.verticalScrollBar()->setValue(first.verticalScrollBar()->maximum());
    EXPECT_GT(second.verticalScrollBar()->value(), 0);
    EXPECT_EQ(second.verticalScrollBar()->value(), first.verticalScrollBar()->value());

    const QModelIndex decoder = first.model()->index(0, 0, panes.quantizers());
    second.collapse(decoder);
    EXPECT_FALSE(first.isExpanded(decoder));
    first.expand(decoder);
    EXPECT_TRUE(second.isExpanded(decoder));

    QSignalSpy chosen(&panes.dialog, &SetupDialog::nodeChosen);
    second.setCurrentIndex(first.model()->index(3, 0, decoder));
    EXPECT_EQ(first.currentIndex(), second.currentIndex());
    ASSERT_EQ(chosen.count(), 1);
    EXPECT_EQ(chosen.front().front().toString().toStdString(), "decoder/lin3");
}

TEST(SetupDialog, ATitleIsNoNode)
{
    Panes panes(manyQuantizers());
    QSignalSpy chosen(&panes.dialog, &SetupDialog::nodeChosen);
    panes.pane("firstSetup")->setCurrentIndex(panes.quantizers());
    EXPECT_TRUE(chosen.isEmpty());
}

TEST(SetupDialog, WhereNothingDiffersOnlyThatIsSaid)
{
    SetupDifference nothing;
    nothing.same = 3;
    const Panes panes(nothing);
    EXPECT_FALSE(panes.pane("firstSetup")->isVisible());
    EXPECT_EQ(panes.dialog.findChild<QLabel*>(QStringLiteral("summary"))->text().toStdString(),
        "The setup of m.state.json is the same. All of its 3 quantizers are equal.");
}

} // namespace
} // namespace duo::ui
