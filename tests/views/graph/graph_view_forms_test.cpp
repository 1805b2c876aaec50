// SPDX-License-Identifier: Apache-2.0
// The forms of one graph in GraphView: the place is kept from one to the next, and what is run says what it came from.
#include "tests/views/graph/graph_view_fixture.h"
#include "views/graph/overlay_legend.h"

#include <QSignalSpy>
#include <QTest>

#include <gtest/gtest.h>

namespace duo::ui {
namespace {

using GraphViewFormsTest = test::GraphViewFixture;

TEST_F(GraphViewFormsTest, AnotherFormIsSeenFromTheSamePlace)
{
    const NodeId head(6);
    const auto run = test::exampleRun(*m_snapshot);
    m_view.zoomTo(3);
    m_view.setSelection(selectNode(head));
    m_view.centerOn(m_view.picture()->frame(test::boxOfNode(*m_view.picture(), head)).center() + QPointF(40, 30));
    const QPoint before = centerOf(test::boxOfNode(*m_view.picture(), head));
    m_view.setPicture(test::makeRunPicture(m_snapshot, run, {}));
    EXPECT_EQ(m_view.zoom(), 3);
    const QPoint now = centerOf(test::boxOfNode(*m_view.picture(), head));
    EXPECT_LE((now - before).manhattanLength(), 2) << "on the screen";
    m_view.setPicture(test::makePicture(m_snapshot, {}));
    const QPoint again = centerOf(test::boxOfNode(*m_view.picture(), head));
    EXPECT_LE((again - before).manhattanLength(), 4);
    EXPECT_EQ(m_view.nodesToHold(), std::vector<NodeId>{head});
}

TEST_F(GraphViewFormsTest, TheTitleOfASelectedOpenScopeStaysInAnotherForm)
{
    const auto title
        = [&] { return m_view.mapFromScene(m_view.picture()->frame(m_view.picture()->boxOfKey("blk")).topLeft()); };
    m_view.setPicture(test::makePicture(m_snapshot, {"blk"}));
    m_view.zoomTo(1.5);
    m_view.setSelection(
        selectScope(*m_snapshot->scopes, TreeKind::Execution, m_snapshot->scopes->execution.find("blk")));
    m_view.centerOn(m_view.picture()->frame(m_view.picture()->boxOfKey("blk")).center());
    const QPoint before = title();
    auto other = std::make_shared<Picture>(*m_view.picture());
    other->form = GraphForm::Original;
    for (const int node : {test::boxOfNode(*other, NodeId(1)), test::boxOfNode(*other, NodeId(2))})
        other->layout.frames[static_cast<std::size_t>(node)].topLeft.x += 40; // elsewhere in it
    m_view.setPicture(other);
    EXPECT_LE((title() - before).manhattanLength(), 2) << "on the screen";
}

TEST_F(GraphViewFormsTest, AKernelSaysWhatItCameFrom)
{
    m_view.setPicture(test::makeRunPicture(m_snapshot, test::exampleRun(*m_snapshot), {}));
    QSignalSpy selected(&m_view, &GraphView::selected);
    const int fused = test::boxOfNode(*m_view.picture(), NodeId(1));
    QTest::mouseClick(m_view.viewport(), Qt::LeftButton, {}, centerOf(fused));
    ASSERT_EQ(selected.count(), 1);
    EXPECT_EQ(selected.front().front().value<Selection>(), selectNodes({NodeId(1), NodeId(2)}));
    EXPECT_EQ(m_view.currentBox(), fused);
    EXPECT_EQ(m_view.accessibleDescription().toStdString(),
        "FusedGemm\n/blk/lin/Gemm\nfloat, fused from 2 nodes\n• /blk/lin/Gemm (Gemm)\n• /blk/Relu (Relu)");
}

TEST_F(GraphViewFormsTest, KernelsHaveColoursOfWhatIsRunOnly)
{
    const auto* legend = m_view.findChild<OverlayLegend*>(QStringLiteral("overlayLegend"));
    ShownOverlay plan{OverlayKind::Error, Overlay(), m_snapshot->scopes};
    plan.values->kind = plan.kind;
    plan.values->unit = OverlayUnit::Decibel;
    plan.values->ofNode.assign(m_snapshot->model->nodes.size(), 30.0);
    plan.values->ofExecution.resize(m_snapshot->scopes->execution.scopes.size());
    plan.values->ofStorage.resize(m_snapshot->scopes->storage.scopes.size());
    m_view.setPicture(test::makeRunPicture(m_snapshot, test::exampleRun(*m_snapshot), {}));
    m_view.setOverlay(std::make_shared<const ShownOverlay>(plan));
    EXPECT_TRUE(legend->text().contains(QStringLiteral("not of what is run"))) << legend->text().toStdString();
    plan.kind = plan.values->kind = OverlayKind::Precision;
    plan.values->unit = OverlayUnit::Category;
    plan.values->categories = {"8 bit"};
    plan.values->ofNode.assign(m_snapshot->model->nodes.size(), 0.0);
    m_view.setOverlay(std::make_shared<const ShownOverlay>(plan));
    EXPECT_FALSE(legend->text().contains(QStringLiteral("8 bit"))) << legend->text().toStdString();
    EXPECT_TRUE(legend->text().contains(QStringLiteral("float"))) << "as the kernels compute";
    m_view.setPicture(test::makePicture(m_snapshot, {}));
    EXPECT_TRUE(legend->text().contains(QStringLiteral("8 bit"))) << "the plan again";
}

} // namespace
} // namespace duo::ui
