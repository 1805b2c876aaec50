// SPDX-License-Identifier: Apache-2.0
// Overlays in the real window: the column of the trees, the legend of the graph, and what measures a value.
#include "tests/app/gui/rules_window.h"
#include "views/graph/overlay_legend.h"

#include <QPushButton>
#include <QToolButton>

#include <gtest/gtest.h>

namespace duo::test {
namespace {

class OverlayWindow : public RulesWindow
{
protected:
    ui::OverlayLegend* legend() { return m_driver.find<ui::OverlayLegend>("overlayLegend"); }
    std::string cell(const std::string& name, ui::TreeKind kind = ui::TreeKind::Execution)
    {
        return rowOf(node(name), kind)
            .siblingAtColumn(ui::ScopeTreeModel::OverlayColumn)
            .data()
            .toString()
            .toStdString();
    }
    bool hasColumn() { return !tree()->isColumnHidden(ui::ScopeTreeModel::OverlayColumn); }
    void choose(const char* kind) { m_driver.action(kind)->trigger(); }
};

TEST_F(OverlayWindow, KeyGoesThroughWhatIsKnown)
{
    EXPECT_FALSE(hasColumn());
    EXPECT_FALSE(legend()->isVisible());
    std::vector<std::string> titles;
    for (int i = 0; i < 4; ++i) {
        m_driver.key(tree(), Qt::Key_O);
        titles.push_back(m_driver.find<QToolButton>("overlayButton")->text().toStdString());
    }
    EXPECT_EQ(titles,
        (std::vector<std::string>{
            "Colour: Precision", "Colour: Parameters", "Colour: Size of parameters", "Colour: Decision"}))
        << "nothing was measured";
    EXPECT_TRUE(legend()->isVisible());
    EXPECT_TRUE(legend()->text().contains(QStringLiteral("quantized")));
    EXPECT_FALSE(hasColumn()) << "states have one";
}

TEST_F(OverlayWindow, AValueIsAColumnOfBothTreesAndALegend)
{
    choose("overlay:parameters");
    EXPECT_TRUE(hasColumn());
    EXPECT_FALSE(cell(kConv).empty());
    EXPECT_EQ(cell(kConv), cell(kConv, ui::TreeKind::Storage));
    const QModelIndex root = tree()->model()->index(0, ui::ScopeTreeModel::OverlayColumn);
    EXPECT_TRUE(root.data().toString() == QStringLiteral("100 %")) << root.data().toString().toStdString();
    EXPECT_EQ(tree()->model()->headerData(ui::ScopeTreeModel::OverlayColumn, Qt::Horizontal).toString().toStdString(),
        "Parameters");
    EXPECT_TRUE(legend()->text().contains(QStringLiteral("over 20 %")));
}

TEST_F(OverlayWindow, PrecisionFollowsTheRules)
{
    choose("overlay:precision");
    EXPECT_EQ(cell(kConv), "8 bit");
    select({kConv});
    m_driver.action("actionIgnore")->trigger();
    EXPECT_TRUE(WindowDriver::waitFor([&] { return cell(kConv) == "float"; }));
}

TEST_F(OverlayWindow, TimesAreMeasuredFromTheLegend)
{
    m_driver.window().session().setData({"random:2", {}});
    choose("overlay:time");
    EXPECT_FALSE(hasColumn());
    auto* measure = m_driver.find<QPushButton>("overlayMeasure");
    ASSERT_TRUE(measure->isVisible());
    QTest::mouseClick(measure, Qt::LeftButton);
    ASSERT_TRUE(WindowDriver::waitFor([&] { return hasColumn(); }));
    EXPECT_TRUE(cell(kConv).ends_with(" %")) << cell(kConv);
    EXPECT_FALSE(measure->isVisible());
    EXPECT_TRUE(legend()->text().contains(QStringLiteral("no value"))) << "what runs in another one's kernel";
}

TEST_F(OverlayWindow, RangesTakeStatistics)
{
    m_driver.window().session().setData({"random:2", {}});
    choose("overlay:range");
    QTest::mouseClick(m_driver.find<QPushButton>("overlayMeasure"), Qt::LeftButton);
    ASSERT_TRUE(WindowDriver::waitFor([&] { return hasColumn() && !cell("/encoder/stem/act/Relu").empty(); }))
        << "what a convolution gives to its Relu is not measured";
    choose("overlay:error");
    EXPECT_TRUE(WindowDriver::waitFor([&] { return cell(kConv).ends_with(" dB"); })) << cell(kConv);
}

} // namespace
} // namespace duo::test
