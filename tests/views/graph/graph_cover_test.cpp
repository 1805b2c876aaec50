// SPDX-License-Identifier: Apache-2.0
// What stands over the graph: the bar of the selection, the legend, the map.
#include "tests/views/graph/graph_view_fixture.h"
#include "tests/views/support/snapshot_builder.h"

#include <QAbstractButton>
#include <QLabel>
#include <QSignalSpy>

namespace duo::ui {
namespace {

class GraphCoverTest : public test::GraphViewFixture
{
};

TEST_F(GraphCoverTest, BarOffersWhatCanBeDoneWithTheSelection)
{
    QSignalSpy intents(&m_view, &GraphView::rulesIntended);
    auto* bar = m_view.findChild<SelectionBar*>();
    EXPECT_FALSE(bar->isVisible());
    m_view.setSelection(selectNodes({NodeId(0), NodeId(6)}));
    EXPECT_TRUE(bar->isVisible());
    EXPECT_EQ(bar->findChild<QLabel*>(QStringLiteral("selectionCount"))->text(), QStringLiteral("2 nodes"));
    bar->findChild<QAbstractButton*>(QStringLiteral("barTarget"))->click();
    bar->findChild<QAbstractButton*>(QStringLiteral("barSubgraph"))->click();
    ASSERT_EQ(intents.count(), 2);
    EXPECT_EQ(intents[0][0].value<RuleIntent>(),
        (RuleIntent{
            RuleIntent::Verb::Target, {{RuleKind::Name, "/conv1/Conv", "conv1"}, {RuleKind::Name, "/Softmax"}}}));
    EXPECT_EQ(intents[1][0].value<RuleIntent>(), (RuleIntent{RuleIntent::Verb::AsSubgraph, {}}));
    m_view.setSelection({});
    EXPECT_FALSE(bar->isVisible());
}

TEST(SelectionBar, LosesLettersOfAScopeAndNeverTheCount)
{
    const std::string scope = "encoder_of_images/layers_of_attention/projection_of_queries";
    const auto snapshot
        = test::makeSnapshot({{scope + "/a", "Conv", scope, {}, {}}, {scope + "/b", "Relu", scope, {}, {}}});
    SelectionBar bar;
    bar.setSelection(selectScope(*snapshot->scopes, TreeKind::Execution, snapshot->scopes->execution.find(scope)),
        snapshot->model, snapshot->scopes);
    const auto* count = bar.findChild<QLabel*>(QStringLiteral("selectionCount"));
    EXPECT_TRUE(count->text().endsWith(QStringLiteral("projection_of_queries: 2 nodes")))
        << count->text().toStdString();
    bar.fitInto(10);
    EXPECT_TRUE(count->text().endsWith(QStringLiteral("2 nodes"))) << count->text().toStdString();
    EXPECT_LE(count->text().size(), 24);
}

TEST_F(GraphCoverTest, BarAndMapStandAtTheBottomWhateverTheHeightOfTheStrip)
{
    m_view.strip()->show();
    m_view.strip()->setAbout(QStringLiteral("What is told of the form that is shown."));
    m_view.zoomTo(4);
    m_view.setSelection(selectNode(NodeId(0)));
    const auto* bar = m_view.findChild<SelectionBar*>(QStringLiteral("selectionBar"));
    const auto* map = m_view.findChild<Minimap*>(QStringLiteral("minimap"));
    ASSERT_TRUE(bar->isVisible() && map->isVisible());
    EXPECT_EQ(bar->geometry().bottom() + 1, m_view.height() - 10);
    const QRect mapInView(map->mapTo(&m_view, QPoint(0, 0)), map->size());
    EXPECT_FALSE(bar->geometry().intersects(mapInView));
    m_view.resize(500, 700); // now the bar is in the way of the map
    EXPECT_FALSE(bar->geometry().intersects(QRect(map->mapTo(&m_view, QPoint(0, 0)), map->size())));
}

TEST_F(GraphCoverTest, FitShowsTheWholeAboveTheBar)
{
    const auto* bar = m_view.findChild<SelectionBar*>(QStringLiteral("selectionBar"));
    const auto shown = [&] {
        return m_view.viewportTransform().mapRect(m_view.picture()->bounds()).translated(m_view.viewport()->pos());
    };
    m_view.resize(900, 400); // as high as it is shown
    m_view.fit();
    const QRectF before = shown();
    m_view.setSelection(selectNode(NodeId(0)));
    ASSERT_TRUE(bar->isVisible());
    EXPECT_EQ(shown(), before) << "what was clicked does not move";
    m_view.fit();
    EXPECT_LT(shown().bottom(), bar->y());
    EXPECT_GT(shown().top(), 0);
    m_view.resize(900, 80); // the bar would leave nothing
    m_view.fit();
    EXPECT_GT(shown().height(), 80 / 2);
}

TEST_F(GraphCoverTest, TheBarStandsWhereItHidesLeast)
{
    const auto* bar = m_view.findChild<SelectionBar*>(QStringLiteral("selectionBar"));
    auto picture = std::make_shared<Picture>(*m_view.picture());
    picture->layout.size = {1400, 1100};
    for (auto& line : picture->layout.lines)
        line = {{100, 100}, {100, 200}};
    picture->layout.frames.assign(picture->layout.frames.size(), {{50, 50}, {100, 100}});
    picture->layout.frames[0] = {{300, 1000}, {450, 100}}; // at the bottom, left of the middle and in it
    m_view.setPicture(picture);
    m_view.fit();
    m_view.setSelection(selectNode(NodeId(0)));
    ASSERT_TRUE(bar->isVisible());
    const QRectF box = m_view.viewportTransform().mapRect(m_view.picture()->frame(0));
    EXPECT_FALSE(box.translated(m_view.viewport()->pos()).intersects(bar->geometry()));
    EXPECT_EQ(bar->geometry().bottom() + 1, m_view.height() - 10);
}

TEST_F(GraphCoverTest, ABoxThatIsOpenedIsSeenWholeAboveTheBarWhereItFits)
{
    const auto* bar = m_view.findChild<SelectionBar*>(QStringLiteral("selectionBar"));
    const int blk = m_view.picture()->boxOfKey("blk");
    m_view.zoomTo(1);
    m_view.centerOn(m_view.picture()->frame(blk).center() - QPointF(0, 300)); // at the lower edge
    m_view.setSelection(m_view.picture()->selectionOf(blk));
    m_view.setBoxOpen(blk, true);
    m_view.setPicture(test::makePicture(m_snapshot, {"blk"}));
    const QRectF open = m_view.picture()->frame(m_view.picture()->boxOfKey("blk"));
    const QRectF shown = m_view.viewportTransform().mapRect(open).translated(m_view.viewport()->pos());
    ASSERT_TRUE(bar->isVisible());
    EXPECT_LE(shown.bottom(), bar->y());
    EXPECT_GE(shown.top(), 0);
}

TEST_F(GraphCoverTest, ASmallGraphIsNotCoveredByItsMap)
{
    const auto* map = m_view.findChild<Minimap*>(QStringLiteral("minimap"));
    m_view.zoomTo(4);
    ASSERT_TRUE(map->isVisible());
    m_view.resize(2 * map->width() - 1, 700);
    EXPECT_FALSE(map->isVisible());
    m_view.resize(900, 700);
    EXPECT_TRUE(map->isVisible());
    m_view.setSelection(selectNode(NodeId(0)));
    for (const int width : {900, 430}) { // beside the bar, above it
        m_view.resize(width, 700);
        const auto* bar = m_view.findChild<SelectionBar*>(QStringLiteral("selectionBar"));
        ASSERT_TRUE(map->isVisible() && bar->isVisible()) << width;
        EXPECT_FALSE(map->geometry().intersects(bar->geometry())) << width;
    }
}

TEST_F(GraphCoverTest, TheMapStaysInItsCornerWhileOneMoves)
{
    const auto* map = m_view.findChild<Minimap*>(QStringLiteral("minimap"));
    const Picture first = *m_view.picture();
    const QRectF bounds = first.bounds();
    m_view.lookAt(bounds.center(), 4);
    ASSERT_TRUE(map->isVisible());
    const QPoint before = map->pos();
    for (const double zoom : {4.0, 2.0, 6.0, 12.0, m_view.zoom() / 40, 9.0}) {
        for (const QPointF& middle : {bounds.center(), bounds.topLeft(), bounds.bottomRight()}) {
            m_view.lookAt(middle, zoom);
            m_view.setPicture(test::withInsides(first, {"blk"})); // as zooming in asks for
            if (map->isVisible())
                EXPECT_EQ(map->pos(), before) << zoom;
            m_view.setPicture(std::make_shared<Picture>(first));
        }
    }
}

TEST_F(GraphCoverTest, LegendAndMapStandInCornersWhereTheyCoverNoBox)
{
    const auto* legend = m_view.findChild<OverlayLegend*>(QStringLiteral("overlayLegend"));
    const auto* map = m_view.findChild<Minimap*>(QStringLiteral("minimap"));
    ShownOverlay unknown;
    unknown.kind = OverlayKind::Error;
    auto picture = std::make_shared<Picture>(*m_view.picture());
    picture->layout.size = {1400, 1100};
    for (auto& line : picture->layout.lines)
        line = {{700, 500}, {700, 600}};
    picture->layout.frames.assign(picture->layout.frames.size(), {{650, 500}, {100, 100}});
    picture->layout.frames[0] = {{0, 800}, {500, 300}}; // lower left
    picture->layout.frames[1] = {{1100, 800}, {300, 300}};
    m_view.setPicture(picture);
    m_view.fit();
    m_view.setOverlay(std::make_shared<const ShownOverlay>(unknown));
    EXPECT_LT(legend->geometry().center().y(), m_view.height() / 2);
    m_view.zoomBy(1.2);
    ASSERT_TRUE(map->isVisible());
    const QRect mapInView(map->mapTo(&m_view, QPoint(0, 0)), map->size());
    EXPECT_LT(mapInView.center().y(), m_view.height() / 2);
    EXPECT_FALSE(mapInView.intersects(legend->geometry()));
}

TEST_F(GraphCoverTest, WhatAnOverlayTakesIsSaidWholeInANarrowGraph)
{
    const auto* legend = m_view.findChild<OverlayLegend*>(QStringLiteral("overlayLegend"));
    ShownOverlay unknown;
    unknown.kind = OverlayKind::Error;
    m_view.setOverlay(std::make_shared<const ShownOverlay>(unknown));
    const QSize wide = legend->size();
    m_view.resize(220, 500);
    EXPECT_TRUE(m_view.viewport()->rect().contains(legend->geometry()));
    EXPECT_GT(legend->height(), wide.height());
    m_view.resize(900, 500);
    EXPECT_EQ(legend->size(), wide);
}

TEST_F(GraphCoverTest, WhatCanBeDoneWithTheSelectionIsWholeInANarrowGraph)
{
    auto* bar = m_view.findChild<SelectionBar*>(QStringLiteral("selectionBar"));
    m_view.setSelection(
        selectScope(*m_snapshot->scopes, TreeKind::Execution, m_snapshot->scopes->execution.find("blk#1/lin#1")));
    ASSERT_TRUE(bar->isVisible());
    for (const int width : {420, 300, 220, 900}) {
        m_view.resize(width, 500);
        EXPECT_TRUE(m_view.viewport()->rect().contains(bar->geometry()))
            << width << ": " << bar->x() << " to " << bar->geometry().right();
        for (const auto* button : bar->findChildren<QAbstractButton*>())
            EXPECT_GE(button->width(), button->sizeHint().width()) << width;
    }
}

} // namespace
} // namespace duo::ui
