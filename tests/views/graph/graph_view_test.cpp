// SPDX-License-Identifier: Apache-2.0
#include "tests/views/graph/graph_view_fixture.h"
#include "tests/views/support/contrast.h"
#include "views/graph/box_sizes.h"

#include <QAbstractButton>
#include <QAction>
#include <QApplication>
#include <QLabel>
#include <QMenu>
#include <QSignalSpy>
#include <QTest>
#include <QTextDocumentFragment>
#include <QWheelEvent>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace duo::ui {
namespace {

class GraphViewTest : public test::GraphViewFixture
{
protected:
    [[nodiscard]] bool boxIsInSight() const
    {
        const QRectF seen = m_view.viewportTransform().inverted().mapRect(QRectF(m_view.viewport()->rect()));
        const auto& boxes = m_view.picture()->graph.boxes;
        for (std::size_t i = 0; i < boxes.size(); ++i) {
            if (!boxes[i].open && m_view.picture()->frame(static_cast<int>(i)).intersects(seen))
                return true;
        }
        return false;
    }
};

TEST_F(GraphViewTest, ClickSelects)
{
    QSignalSpy selected(&m_view, &GraphView::selected);
    const int blk = m_view.picture()->boxOfKey("blk");
    QTest::mouseClick(m_view.viewport(), Qt::LeftButton, {}, centerOf(blk));
    ASSERT_EQ(selected.count(), 1);
    EXPECT_EQ(selected.front().front().value<Selection>(),
        selectScope(*m_snapshot->scopes, TreeKind::Execution, m_snapshot->scopes->execution.find("blk")));
    EXPECT_EQ(m_view.currentBox(), blk);
}

TEST_F(GraphViewTest, DoubleClickAsksToOpenAndTheBoxStaysWhereItIs)
{
    QSignalSpy wanted(&m_view, &GraphView::openRequested);
    m_view.zoomTo(0.5); // there is room for what opens
    const QRectF before = m_view.picture()->frame(m_view.picture()->boxOfKey("blk"));
    const QPoint at = m_view.mapFromScene(QPointF(before.center().x(), before.top()));
    QTest::mouseDClick(m_view.viewport(), Qt::LeftButton, {}, centerOf(m_view.picture()->boxOfKey("blk")));
    ASSERT_EQ(wanted.count(), 1);
    const auto keys = wanted.front().front().value<std::set<std::string>>();
    EXPECT_TRUE(keys.contains("blk"));

    m_view.setPicture(test::makePicture(m_snapshot, keys));
    const QRectF after = m_view.picture()->frame(m_view.picture()->boxOfKey("blk"));
    const QPoint now = m_view.mapFromScene(QPointF(after.center().x(), after.top()));
    EXPECT_LE((now - at).manhattanLength(), 2);
}

TEST_F(GraphViewTest, KeysWalkOpenAndClose)
{
    QSignalSpy selected(&m_view, &GraphView::selected);
    QSignalSpy wanted(&m_view, &GraphView::openRequested);
    m_view.setFocus();
    for (int i = 0; i < 3; ++i) // x, Conv, blk
        QTest::keyClick(&m_view, Qt::Key_Down);
    EXPECT_EQ(m_view.currentBox(), m_view.picture()->boxOfKey("blk"));
    EXPECT_EQ(selected.count(), 3);
    QTest::keyClick(&m_view, Qt::Key_E);
    ASSERT_EQ(wanted.count(), 1);
    m_view.setPicture(test::makePicture(m_snapshot, wanted.front().front().value<std::set<std::string>>()));
    QSignalSpy unwanted(&m_view, &GraphView::closeRequested);
    QTest::keyClick(&m_view, Qt::Key_C);
    EXPECT_EQ(wanted.count(), 1);
    ASSERT_EQ(unwanted.count(), 1);
    EXPECT_EQ(unwanted.front().front().value<std::string>(), "blk");
}

TEST_F(GraphViewTest, NewPictureOfTheSameModelKeepsSelectionAndZoom)
{
    m_view.zoomTo(0.7);
    m_view.setSelection(selectNode(NodeId(0)));
    QSignalSpy selected(&m_view, &GraphView::selected);
    m_view.setPicture(test::makePicture(m_snapshot, {"blk"}));
    EXPECT_DOUBLE_EQ(m_view.zoom(), 0.7);
    EXPECT_EQ(m_view.currentBox(), test::boxOfNode(*m_view.picture(), NodeId(0)));
    EXPECT_EQ(selected.count(), 0);
}

TEST_F(GraphViewTest, WhatIsSelectedBeforeTheFirstPictureComesIsMarkedInIt)
{
    m_view.setPicture(nullptr);
    m_view.setSelection(selectNode(NodeId(0)));
    m_view.setPicture(test::makePicture(m_snapshot, {}));
    EXPECT_EQ(m_view.currentBox(), test::boxOfNode(*m_view.picture(), NodeId(0)));
    m_view.setPicture(nullptr); // another model follows
    m_view.setPicture(test::makePicture(m_snapshot, {}));
    EXPECT_EQ(m_view.currentBox(), Picture::kNoBox);
}

TEST_F(GraphViewTest, WheelKeepsWhatIsUnderThePointer)
{
    const QRectF picture = m_view.picture()->bounds();
    for (const QPointF held : {picture.topLeft(), picture.center(), picture.bottomRight()}) {
        m_view.fit();
        const QPointF at = m_view.viewportTransform().map(held);
        for (const int delta : {120, 120, 360, 30, -120, -1200, -600, 240, 2400}) {
            QWheelEvent wheel(at, m_view.viewport()->mapToGlobal(at), {}, {0, delta}, Qt::NoButton, Qt::NoModifier,
                Qt::NoScrollPhase, false);
            QApplication::sendEvent(m_view.viewport(), &wheel);
            const QPointF off = m_view.viewportTransform().map(held) - at;
            EXPECT_LE(off.manhattanLength(), 2) << held.x() << ", " << held.y() << " after " << delta;
        }
    }
}

TEST_F(GraphViewTest, ZoomByKeysKeepsTheMiddle)
{
    m_view.fit();
    const QPointF middle = QRectF(m_view.viewport()->rect()).center();
    const QPointF held = m_view.viewportTransform().inverted().map(middle);
    m_view.zoomBy(3);
    EXPECT_LE((m_view.viewportTransform().map(held) - middle).manhattanLength(), 2);
}

TEST_F(GraphViewTest, RevealOpensWhatHidesTheNode)
{
    QSignalSpy wanted(&m_view, &GraphView::openRequested);
    m_view.setSelection(selectNode(NodeId(2)));
    m_view.reveal();
    ASSERT_EQ(wanted.count(), 1);
    EXPECT_TRUE(wanted.front().front().value<std::set<std::string>>().contains("blk"));
}

TEST_F(GraphViewTest, RevealOpensTheGroupThatHidesAScopeAndNotTheScope)
{
    std::vector<test::NodeLine> lines(98, {"", "Relu", "", {}, {}});
    lines.push_back({"", "Conv", "late", {}, {}});
    lines.push_back({"", "Relu", "late", {}, {}});
    for (std::size_t i = 0; i < lines.size(); ++i)
        lines[i].name = "/node" + std::to_string(i);
    const auto snapshot = test::makeSnapshot(lines);
    m_view.setPicture(test::makePicture(snapshot, {}));
    ASSERT_EQ(m_view.picture()->boxOfKey("late"), Picture::kNoBox);
    QSignalSpy wanted(&m_view, &GraphView::openRequested);
    m_view.setSelection(selectScope(*snapshot->scopes, TreeKind::Execution, snapshot->scopes->execution.find("late")));
    m_view.reveal();
    ASSERT_EQ(wanted.count(), 1);
    const auto keys = wanted.front().front().value<std::set<std::string>>();
    EXPECT_FALSE(keys.contains("late"));
    m_view.setPicture(test::makePicture(snapshot, keys));
    EXPECT_NE(m_view.currentBox(), Picture::kNoBox);
    EXPECT_EQ(m_view.currentBox(), m_view.picture()->boxOfKey("late"));
    EXPECT_EQ(wanted.count(), 1);
}

TEST_F(GraphViewTest, ContextMenuTargetsTheScope)
{
    QSignalSpy intents(&m_view, &GraphView::rulesIntended);
    m_view.setFocus();
    for (int i = 0; i < 3; ++i)
        QTest::keyClick(&m_view, Qt::Key_Down);
    QContextMenuEvent event(QContextMenuEvent::Keyboard, {}, {});
    QApplication::sendEvent(&m_view, &event);
    auto* menu = m_view.findChild<QMenu*>(QStringLiteral("graphMenu"));
    ASSERT_NE(menu, nullptr);
    for (QAction* action : menu->actions()) {
        if (action->text() == QStringLiteral("Target scope blk"))
            action->trigger();
    }
    ASSERT_EQ(intents.count(), 1);
    EXPECT_EQ(intents.front().front().value<RuleIntent>(),
        (RuleIntent{RuleIntent::Verb::Target, {{RuleKind::ExecutionScope, "blk", {}, "blk#0"}}}));
}

TEST_F(GraphViewTest, ControlAndClickAddABoxAndTakeItAwayAgain)
{
    QSignalSpy selected(&m_view, &GraphView::selected);
    const int blk = m_view.picture()->boxOfKey("blk");
    const int conv = test::boxOfNode(*m_view.picture(), NodeId(0));
    QTest::mouseClick(m_view.viewport(), Qt::LeftButton, {}, centerOf(conv));
    QTest::mouseClick(m_view.viewport(), Qt::LeftButton, Qt::ControlModifier, centerOf(blk));
    EXPECT_EQ(selected.back().front().value<Selection>(), selectNodes({NodeId(0), NodeId(1), NodeId(2)}));
    QTest::mouseClick(m_view.viewport(), Qt::LeftButton, Qt::ControlModifier, centerOf(blk));
    EXPECT_EQ(selected.back().front().value<Selection>(), selectNode(NodeId(0)));
}

TEST_F(GraphViewTest, FirstViewShowsTheWholeUntilTheUserMovesInIt)
{
    const auto isWhole = [&] {
        const QRectF seen = m_view.viewportTransform().inverted().mapRect(QRectF(m_view.viewport()->rect()));
        return seen.contains(m_view.picture()->bounds());
    };
    for (const QSize size : {QSize(900, 700), QSize(300, 500), QSize(800, 200)}) {
        m_view.resize(size);
        EXPECT_TRUE(isWhole()) << size.width();
    }
    m_view.zoomBy(4);
    const double zoom = m_view.zoom();
    m_view.resize(300, 500);
    EXPECT_EQ(m_view.zoom(), zoom);
}

TEST_F(GraphViewTest, WhatWasFittedIsWholeInAPaneOfAnotherSizeUntilTheUserMoves)
{
    const auto isWhole = [&] {
        const QRectF seen = m_view.viewportTransform().inverted().mapRect(QRectF(m_view.viewport()->rect()));
        return seen.contains(m_view.picture()->bounds());
    };
    m_view.resize(900, 400);
    m_view.zoomBy(4);
    m_view.fit();
    m_view.resize(900, 300); // as a message takes it
    EXPECT_TRUE(isWhole());
    m_view.setPicture(test::makePicture(m_snapshot, {"blk"})); // not by a key of the graph
    EXPECT_TRUE(isWhole());
    m_view.zoomBy(1.01);
    const double zoom = m_view.zoom();
    m_view.resize(900, 200);
    EXPECT_EQ(m_view.zoom(), zoom);
}

TEST_F(GraphViewTest, TheSelectedBoxStaysInSightWhereThePaneLosesRoom)
{
    m_view.resize(900, 700);
    m_view.setSelection(selectNode(NodeId(0)));
    m_view.zoomTo(1);
    const int box = test::boxOfNode(*m_view.picture(), NodeId(0));
    const auto frame = [&] { return m_view.viewportTransform().mapRect(m_view.picture()->frame(box)); };
    m_view.verticalScrollBar()->setValue(m_view.verticalScrollBar()->value() + qRound(frame().top()) - 20);
    ASSERT_TRUE(QRectF(m_view.viewport()->rect()).contains(frame()));
    m_view.resize(900, 300);
    EXPECT_TRUE(QRectF(m_view.viewport()->rect()).contains(frame()));
}

TEST_F(GraphViewTest, APaneOfAnotherSizeAsksForAnotherPictureBeforeTheFirstMove)
{
    QSignalSpy wanted(&m_view, &GraphView::shapeWanted);
    auto picture = std::make_shared<Picture>(*m_view.picture());
    picture->pane = m_view.pane();
    m_view.setPicture(picture);
    m_view.resize(910, 700);
    EXPECT_EQ(wanted.count(), 0); // about the same
    m_view.resize(400, 700);
    EXPECT_EQ(wanted.count(), 1);
    m_view.setPicture(std::make_shared<Picture>(*picture)); // made before the pane was narrower
    EXPECT_EQ(wanted.count(), 2);
    m_view.resize(910, 500);
    EXPECT_EQ(wanted.count(), 3) << "flatter";
    m_view.zoomBy(2);
    m_view.resize(900, 300);
    EXPECT_EQ(wanted.count(), 3);
}

TEST_F(GraphViewTest, WhoAsksForTheWholeInAnotherPaneAsksForAnotherPicture)
{
    QSignalSpy wanted(&m_view, &GraphView::wholeWanted);
    auto picture = std::make_shared<Picture>(*m_view.picture());
    picture->pane = m_view.pane();
    m_view.setPicture(picture);
    m_view.zoomBy(2);
    m_view.goToWhole();
    EXPECT_EQ(wanted.count(), 0) << "the pane it was made for";
    m_view.zoomBy(2);
    m_view.resize(400, 700);
    EXPECT_EQ(wanted.count(), 0) << "somebody looks at a part";
    m_view.goToWhole();
    EXPECT_EQ(wanted.count(), 1);
}

TEST_F(GraphViewTest, APictureThatCanJustBeReadIsMadeAnewForASlightlySmallerPane)
{
    const QRectF bounds = m_view.picture()->bounds();
    const double whole = std::max(bounds.width(), bounds.height());
    QSignalSpy wanted(&m_view, &GraphView::shapeWanted);
    for (const double zoom : {1.0, 0.4}) {
        const int side = static_cast<int>(whole * zoom) + 40;
        m_view.resize(side, side);
        auto picture = std::make_shared<Picture>(*m_view.picture());
        picture->pane = m_view.pane();
        m_view.setPicture(picture);
        const auto before = wanted.count();
        m_view.resize(side, side - side / 12); // as a message takes it
        EXPECT_EQ(wanted.count() - before, zoom < 0.45 ? 1 : 0) << zoom;
    }
}

TEST_F(GraphViewTest, NoLineLeadsOverABadge)
{
    const auto shownBadge = [&](std::size_t linesAlong) {
        Picture picture = *test::makePicture(m_snapshot, {});
        const double x = picture.layout.size.width + 100;
        picture.layout.size = {x + 100, std::max(picture.layout.size.height, 200.0)};
        picture.graph.edges.front().badge = "u8";
        picture.layout.lines.front() = {{x, 20}, {x, 180}};
        for (std::size_t i = 0; i < linesAlong; ++i) {
            picture.graph.edges.push_back(
                {picture.graph.edges.front().from, picture.graph.edges.front().to, "", 2, {}});
            picture.layout.lines.push_back(picture.layout.lines.front());
        }
        m_view.setPicture(nullptr); // what comes next does not move
        m_view.setPicture(std::make_shared<const Picture>(std::move(picture)));
        m_view.zoomTo(1);
        const QPoint center = m_view.mapFromScene(QPointF(x, 100));
        return m_view.viewport()->grab(QRect(center - QPoint(8, 5), QSize(16, 10))).toImage();
    };
    const QImage alone = shownBadge(0);
    EXPECT_TRUE(alone == shownBadge(1));
}

TEST_F(GraphViewTest, WhatIsSaidWhileItIsLaidOutStandsBelowTheStrip)
{
    QAction form(QStringLiteral("Original, compressed and as run"));
    m_view.strip()->setActions({&form});
    m_view.strip()->show();
    const auto* busy = m_view.findChild<QLabel*>(QStringLiteral("graphBusy"));
    for (const int width : {900, 300}) {
        m_view.resize(width, 500);
        m_view.setBusy(true);
        EXPECT_FALSE(busy->geometry().intersects(m_view.strip()->geometry())) << width;
    }
}

TEST_F(GraphViewTest, ThePaneOfAFirstPictureEndsBelowTheStrip)
{
    const QSizeF before = m_view.pane();
    QAction form(QStringLiteral("Original"));
    m_view.strip()->setActions({&form});
    m_view.strip()->show();
    EXPECT_NEAR(m_view.pane().height(), before.height() - m_view.strip()->height(), 1);
}

TEST_F(GraphViewTest, APaneOfAnotherSizeKeepsItsMiddleOnceOneHasMoved)
{
    const auto middle
        = [&] { return m_view.viewportTransform().inverted().map(QRectF(m_view.viewport()->rect()).center()); };
    m_view.zoomTo(2);
    m_view.centerOn(m_view.picture()->frame(1).center());
    const QPointF before = middle();
    m_view.resize(250, 700);
    EXPECT_LE((middle() - before).manhattanLength(), 2);
    m_view.resize(900, 300);
    EXPECT_LE((middle() - before).manhattanLength(), 2);
}

TEST_F(GraphViewTest, BoxesThatAreLargeOnTheScreenAskForWhatIsInside)
{
    QSignalSpy wanted(&m_view, &GraphView::insideRequested);
    const int blk = m_view.picture()->boxOfKey("blk");
    const QRectF frame = m_view.picture()->frame(blk);
    m_view.centerOn(frame.center());
    m_view.zoomTo(400 / frame.width());
    ASSERT_TRUE(wanted.wait(2000));
    const auto keys = wanted.back().front().value<std::set<std::string>>();
    EXPECT_TRUE(keys.contains("blk"));

    m_view.setPicture(test::withInsides(*m_view.picture(), keys));
    EXPECT_EQ(m_view.picture()->frame(blk), frame); // the geometry stays put
    const int relu = test::boxOfNode(*m_view.picture(), NodeId(2));
    ASSERT_NE(relu, blk);
    EXPECT_TRUE(frame.contains(m_view.picture()->frame(relu)));
}

TEST_F(GraphViewTest, AClickIntoABoxThatIsDrawnClosedMeansTheBox)
{
    m_view.setPicture(test::makePicture(m_snapshot, {"blk"}));
    m_view.zoomTo(0.1); // what is inside cannot be read
    const int blk = m_view.picture()->boxOfKey("blk");
    const int relu = test::boxOfNode(*m_view.picture(), NodeId(2));
    m_view.centerOn(m_view.picture()->frame(relu).center());
    QTest::mouseClick(m_view.viewport(), Qt::LeftButton, {}, centerOf(relu));
    EXPECT_EQ(m_view.currentBox(), blk);
}

TEST_F(GraphViewTest, GoesBackToWhereTheViewWasAndForward)
{
    m_view.zoomTo(3);
    m_view.centerOn(m_view.picture()->frame(0).center());
    const auto middle
        = [&] { return m_view.viewportTransform().inverted().map(QRectF(m_view.viewport()->rect()).center()); };
    const QPointF first = middle();
    m_view.setSelection(selectNode(NodeId(6))); // out of sight: the view goes there
    const QPointF second = middle();
    ASSERT_GT((second - first).manhattanLength(), 20);
    m_view.goBack();
    EXPECT_LE((middle() - first).manhattanLength(), 2);
    m_view.goForward();
    EXPECT_LE((middle() - second).manhattanLength(), 2);
    m_view.goForward(); // no further
    EXPECT_LE((middle() - second).manhattanLength(), 2);
    m_view.goToWhole();
    ASSERT_LT(m_view.zoom(), 2);
    m_view.goBack();
    EXPECT_EQ(m_view.zoom(), 3);
    EXPECT_LE((middle() - second).manhattanLength(), 2);
}

TEST_F(GraphViewTest, GoesBackToTheWholeInAPaneOfAnotherSize)
{
    const auto isWhole = [&] {
        const QRectF seen = m_view.viewportTransform().inverted().mapRect(QRectF(m_view.viewport()->rect()));
        return seen.contains(m_view.picture()->bounds());
    };
    m_view.fit();
    m_view.setSelection(selectNode(NodeId(0)));
    m_view.reveal();
    ASSERT_FALSE(isWhole());
    m_view.resize(300, 200);
    m_view.goBack();
    EXPECT_TRUE(isWhole());
    m_view.goForward();
    EXPECT_FALSE(isWhole());
}

TEST_F(GraphViewTest, ShiftAndArrowsSelectWhatFeedsAndWhatIsFed)
{
    m_view.setFocus();
    m_view.setSelection(selectNode(NodeId(0)));
    QSignalSpy selected(&m_view, &GraphView::selected);
    QTest::keyClick(&m_view, Qt::Key_Up, Qt::ShiftModifier);
    ASSERT_EQ(selected.count(), 1);
    EXPECT_EQ(selected.back().front().value<Selection>().nodes, std::vector<NodeId>{NodeId(0)}); // the first node
    QTest::keyClick(&m_view, Qt::Key_Down, Qt::ShiftModifier);
    ASSERT_EQ(selected.count(), 2);
    EXPECT_GT(selected.back().front().value<Selection>().nodes.size(), 3U);
}

TEST_F(GraphViewTest, ThePathCanBeReadAfterTheAppearanceHasChanged)
{
    const QPalette before = QApplication::palette();
    QApplication::setPalette(lightPalette());
    Breadcrumb path;
    path.setBoxes(*m_view.picture(), {m_view.picture()->boxOfKey("blk")}, 300);
    QApplication::setPalette(darkPalette());
    const QImage image = path.grab().toImage();
    const QColor ground = image.pixelColor(0, 0);
    double best = 0;
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width() / 4; ++x) // "Model"
            best = std::max(best, test::contrast(image.pixelColor(x, y), ground));
    }
    EXPECT_GE(best, 4.5);
    QApplication::setPalette(before);
}

TEST_F(GraphViewTest, TheMapAndThePathAreThereWhereNotAllIsInSight)
{
    auto* map = m_view.findChild<Minimap*>(QStringLiteral("minimap"));
    auto* path = m_view.findChild<Breadcrumb*>(QStringLiteral("breadcrumb"));
    m_view.strip()->show();
    m_view.setPicture(test::makePicture(m_snapshot, {"blk"}));
    m_view.fit();
    EXPECT_FALSE(map->isVisible());
    EXPECT_FALSE(path->isVisible());
    const QRectF blk = m_view.picture()->frame(m_view.picture()->boxOfKey("blk"));
    m_view.zoomTo(2 * m_view.viewport()->width() / blk.width());
    m_view.centerOn(blk.center());
    EXPECT_TRUE(map->isVisible());
    ASSERT_TRUE(path->isVisible());
    EXPECT_TRUE(path->text().contains(QStringLiteral("blk")));
    Q_EMIT path->linkActivated(QStringLiteral("-1"));
    EXPECT_FALSE(path->isVisible());
    m_view.zoomTo(3);
    QTest::mouseClick(map, Qt::LeftButton, {}, QPoint(6, 6)); // the upper left corner
    const QRectF seen = m_view.viewportTransform().inverted().mapRect(QRectF(m_view.viewport()->rect()));
    EXPECT_TRUE(seen.contains(QPointF(0, 0)));
}

TEST_F(GraphViewTest, APathThatIsTooWideLeavesOuterBoxesOut)
{
    Breadcrumb path;
    const int blk = m_view.picture()->boxOfKey("blk");
    const auto words = [&path] { return QTextDocumentFragment::fromHtml(path.text()).toPlainText().toStdString(); };
    path.setBoxes(*m_view.picture(), {blk, blk, blk}, 1000);
    EXPECT_EQ(words(), "Model › blk › blk › blk");
    path.setBoxes(*m_view.picture(), {blk, blk, blk},
        path.fontMetrics().horizontalAdvance(QStringLiteral("Model › … › blk › b")));
    EXPECT_EQ(words(), "Model › … › blk");
    EXPECT_TRUE(path.isVisibleTo(nullptr));
    path.setBoxes(
        *m_view.picture(), {blk, blk, blk}, path.fontMetrics().horizontalAdvance(QStringLiteral("Model › …")));
    EXPECT_FALSE(path.isVisibleTo(nullptr)) << "it would cut what stands beside it";
}

TEST_F(GraphViewTest, ThePictureStaysOnTheScreenWhenTheStripAboveItBecomesHigher)
{
    m_view.strip()->show();
    m_view.zoomTo(2);
    const QPointF held = m_view.mapToScene(m_view.viewport()->rect().center());
    const auto place = [&] { return m_view.viewport()->mapTo(&m_view, m_view.mapFromScene(held)); };
    const QPoint before = place();
    const int height = m_view.viewport()->height();
    m_view.strip()->setAbout(QStringLiteral("What is told of the form that is shown."));
    ASSERT_LT(m_view.viewport()->height(), height);
    EXPECT_LE((place() - before).manhattanLength(), 2);
}

TEST_F(GraphViewTest, ABoxThatShrinksOutOfSightIsBroughtBack)
{
    m_view.setPicture(test::makePicture(m_snapshot, {"blk"}));
    const int blk = m_view.picture()->boxOfKey("blk");
    const QRectF frame = m_view.picture()->frame(blk);
    m_view.zoomTo(1.5 * m_view.viewport()->width() / frame.width());
    m_view.centerOn(frame.right() - 5, frame.bottom() - 5); // its top middle is out of sight
    m_view.setBoxOpen(blk, false);
    m_view.setPicture(test::makePicture(m_snapshot, {}));
    const QRectF seen = m_view.viewportTransform().inverted().mapRect(QRectF(m_view.viewport()->rect()));
    EXPECT_TRUE(seen.intersects(m_view.picture()->frame(m_view.picture()->boxOfKey("blk"))));
}

TEST_F(GraphViewTest, ABoxInsideAClosedOneStaysInPlaceAndAsLargeWhenItIsOpened)
{
    const auto snapshot = test::makeSnapshot({{"/a/Conv", "Conv", "stage/a", {}, {}},
        {"/a/Relu", "Relu", "stage/a", {}, {}}, {"/b/Conv", "Conv", "stage/b", {}, {}},
        {"/b/Relu", "Relu", "stage/b", {}, {}}, {"/c", "Conv", "", {}, {}}});
    m_view.setPicture(test::withInsides(*test::makePicture(snapshot, {}), {"stage"}));
    const int inner = m_view.picture()->boxOfKey("stage/b");
    ASSERT_NE(inner, Picture::kNoBox);
    const QRectF frame = m_view.picture()->frame(inner);
    m_view.lookAt(frame.center(), 100 / frame.width()); // what opens has room
    const QRectF before = m_view.viewportTransform().mapRect(frame);
    QSignalSpy wanted(&m_view, &GraphView::openRequested);
    m_view.setBoxOpen(inner, true);
    ASSERT_EQ(wanted.count(), 1);
    const auto keys = wanted.front().front().value<std::set<std::string>>();
    EXPECT_TRUE(keys.contains("stage"));
    m_view.setPicture(test::makePicture(snapshot, keys));
    const int opened = m_view.picture()->boxOfKey("stage/b");
    const QRectF after = m_view.viewportTransform().mapRect(m_view.picture()->frame(opened));
    EXPECT_TRUE(QRectF(m_view.viewport()->rect()).contains(after.center()));
    EXPECT_LE(std::abs(after.center().x() - before.center().x()), 2);
    EXPECT_LE(std::abs(after.top() - before.top()), 2);
    EXPECT_LE(after.width(), 3 * before.width());
    m_view.goBack();
    EXPECT_TRUE(boxIsInSight());
}

TEST_F(GraphViewTest, GoingBackNeverLeavesNothingInSight)
{
    const int blk = m_view.picture()->boxOfKey("blk");
    m_view.lookAt(m_view.picture()->frame(blk).center() + QPointF(0, 1), 4);
    m_view.setBoxOpen(blk, true);
    m_view.setPicture(test::makePicture(m_snapshot, {"blk"}));
    m_view.goBack(); // its middle is between boxes now
    EXPECT_TRUE(boxIsInSight());
}

TEST_F(GraphViewTest, WhatIsWrittenAtTheSidesOfThePictureIsFittedToo)
{
    const auto snapshot = test::makeSnapshot({{"/a", "Relu", "", {}, {}}, {"/b", "Relu", "", {}, {}}});
    m_view.resize(200, 900);
    m_view.setPicture(test::makePicture(snapshot, {}));
    const QRectF sight(m_view.viewport()->rect());
    const QRectF bounds = m_view.picture()->bounds();
    ASSERT_GT(m_view.zoom() * bounds.width(), sight.width() / 2);

    ValueTypes types;
    types.types.assign(snapshot->model->values.size(), {ElementType::Float32, std::vector<Dim>{{{}, "N"}, {4, {}}}});
    m_view.setTypes(std::make_shared<const ValueTypes>(types));
    const EdgeTypes written(*m_view.picture(), types, subtitleFont(m_view.font()));
    ASSERT_FALSE(bounds.contains(written.bounds(m_view.zoom())));
    EXPECT_TRUE(sight.contains(m_view.viewportTransform().mapRect(written.bounds(m_view.zoom()))));

    m_view.setTypes(nullptr);
    const double whole = m_view.zoom();
    const NodeRuns runs{{snapshot->model->node(NodeId(0)).name, RunsAs::Float, "Conv", {}, ""}};
    m_view.setRuns(std::make_shared<const RunsOfNodes>(std::make_shared<const NodeRuns>(runs), *snapshot->model));
    EXPECT_LT(m_view.zoom(), whole) << "a pill stands on the corner of a box";
    m_view.setRuns(nullptr);
    EXPECT_EQ(m_view.zoom(), whole);
}

TEST_F(GraphViewTest, AStripOfThePictureStaysInSight)
{
    for (const double zoom : {0.3, 1.0, 3.0}) {
        for (const auto& way : {QPointF(-1, -1), QPointF(1, 1)}) {
            m_view.fit();
            m_view.zoomTo(zoom);
            m_view.centerOn(way.x() * 1e5, way.y() * 1e5);
            const QRectF seen = m_view.viewportTransform().mapRect(m_view.picture()->bounds());
            const QRectF part = seen.intersected(QRectF(m_view.viewport()->rect()));
            EXPECT_GE(part.width(), std::min(seen.width(), 79.0)) << zoom;
            EXPECT_GE(part.height(), std::min(seen.height(), 79.0)) << zoom;
        }
    }
}

TEST_F(GraphViewTest, WhoMovesToAnEmptyCornerOfThePictureIsBroughtBack)
{
    m_view.setPicture(test::makePicture(m_snapshot, {"blk"}));
    m_view.zoomTo(6);
    m_view.centerOn(m_view.picture()->bounds().topLeft() - QPointF(1e4, 1e4));
    ASSERT_FALSE(boxIsInSight());
    EXPECT_TRUE(QTest::qWaitFor([this] { return boxIsInSight(); }, 2000));
}

TEST_F(GraphViewTest, ThePathNamesAFlatBoxThatIsShownFromInside)
{
    m_view.strip()->show();
    m_view.setPicture(test::withInsides(*m_view.picture(), {"blk"}));
    const QRectF blk = m_view.picture()->frame(m_view.picture()->boxOfKey("blk"));
    m_view.lookAt(blk.center(), 0.7 * m_view.viewport()->width() / blk.width());
    ASSERT_LT(blk.height() * m_view.zoom(), m_view.viewport()->height());
    const auto* path = m_view.findChild<Breadcrumb*>(QStringLiteral("breadcrumb"));
    EXPECT_TRUE(path->isVisible());
    EXPECT_TRUE(path->text().contains(QStringLiteral("blk")));
}

TEST_F(GraphViewTest, DrawsAtEveryZoomWithoutAPictureToo)
{
    m_view.setPreview({NodeId(0), NodeId(1)});
    for (const double zoom : {0.05, 0.3, 0.45, 1.0, 3.0}) {
        m_view.zoomTo(zoom);
        EXPECT_FALSE(m_view.grab().isNull());
    }
    m_view.fit();
    m_view.setPicture(nullptr);
    m_view.fit();
    m_view.reveal();
    QTest::keyClick(&m_view, Qt::Key_Down);
    EXPECT_FALSE(m_view.grab().isNull());
}

} // namespace
} // namespace duo::ui
