// SPDX-License-Identifier: Apache-2.0
// What mouse and keyboard do in the graph.
#include "views/graph/graph_view.h"

#include "core/report/decision_sentences.h"
#include "views/graph/edge_types.h"
#include "views/graph/fold_offer.h"
#include "views/graph/picture.h"
#include "views/intent/rule_menu.h"
#include "views/style/format.h"
#include "views/style/scope_text.h"
#include "views/style/state_style.h"
#include "views/style/wrapped_tip.h"

#include <QApplication>
#include <QContextMenuEvent>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QScrollBar>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace duo::ui {
namespace {

/// The nodes of all boxes that a rectangle (picture px) touches: of boxes drawn closed, and of others it holds
/// entirely. Inputs, outputs and stubs stand for nothing. O(boxes + nodes).
Selection selectionIn(const Picture& picture, const Detail& detail, const QRectF& area)
{
    std::vector<NodeId> nodes;
    for (std::size_t i = 0; i < picture.graph.boxes.size(); ++i) {
        const ViewBox& box = picture.graph.boxes[i];
        const QRectF frame = picture.frame(static_cast<int>(i));
        const bool isPort
            = box.kind != ViewBox::Kind::Node && box.kind != ViewBox::Kind::Scope && box.kind != ViewBox::Kind::Group;
        const Detail::Look look = detail.look(static_cast<int>(i));
        const bool isFrame = look == Detail::Look::Frame;
        if (isPort || look == Detail::Look::Hidden || !(isFrame ? area.contains(frame) : area.intersects(frame)))
            continue;
        const Selection part = picture.selectionOf(static_cast<int>(i));
        nodes.insert(nodes.end(), part.nodes.begin(), part.nodes.end());
    }
    return selectNodes(std::move(nodes));
}

/// Nodes of either.
Selection united(const Selection& a, const Selection& b)
{
    std::vector<NodeId> nodes = a.nodes;
    nodes.insert(nodes.end(), b.nodes.begin(), b.nodes.end());
    return selectNodes(std::move(nodes));
}

/// `whole` without `part` if all of it is in there, else both.
Selection toggled(const Selection& whole, const Selection& part)
{
    if (!std::includes(whole.nodes.begin(), whole.nodes.end(), part.nodes.begin(), part.nodes.end()))
        return whole.nodes.empty() ? part : united(whole, part);
    std::vector<NodeId> rest;
    std::set_difference(
        whole.nodes.begin(), whole.nodes.end(), part.nodes.begin(), part.nodes.end(), std::back_inserter(rest));
    return selectNodes(std::move(rest));
}

/// How a kernel computes, and which nodes of the model it came from.
QStringList kernelLines(const Picture& picture, NodeId kernel)
{
    constexpr std::size_t kMostNamed = 8;
    const RunGraph& run = *picture.run;
    if (run.isOpened())
        return {GraphView::tr("When the model is simplified: %1").arg(toQt(run.fates[kernel.index]))};
    QStringList lines = {
        toQt(kernelPrecisionText(run.precision[kernel.index])) + QStringLiteral(", ") + toQt(originText(run, kernel))};
    const std::vector<NodeId>& nodes = run.origins[kernel.index];
    for (std::size_t i = 0; i < std::min(nodes.size(), kMostNamed); ++i) {
        const Node& node = picture.snapshot->model->node(nodes[i]);
        lines += QStringLiteral("• %1 (%2)").arg(toQt(node.name), toQt(node.opType));
    }
    if (nodes.size() > kMostNamed)
        lines += GraphView::tr("… %1 more").arg(nodes.size() - kMostNamed);
    return lines;
}

QString countsOf(const Picture& picture, const ViewBox& box)
{
    switch (picture.form) {
    case GraphForm::Original:
        break;
    case GraphForm::Compressed:
        return GraphView::tr("%1, %2 quantized, %3 ignored")
            .arg(nodesText(box.total), countText(box.quantized), countText(box.ignored));
    case GraphForm::AsRun:
        return GraphView::tr("%1 of %2 kernels on int8").arg(countText(box.quantized), countText(box.total));
    }
    return nodesText(box.total);
}

constexpr double kZoomStep = 1.25;
constexpr int kStillAClick = 4; // px
constexpr double kWheelNotch = 120; // angle delta of one notch
constexpr double kHeld = 1.5; // px that a point may be off for being rounded

} // namespace

bool GraphView::event(QEvent* event)
{
    // The window has shortcuts on these keys; here they walk, open and close.
    if (event->type() == QEvent::ShortcutOverride) {
        const auto* key = static_cast<QKeyEvent*>(event);
        if (key->modifiers() == Qt::NoModifier
            && (key->key() == Qt::Key_E || key->key() == Qt::Key_C || key->key() == Qt::Key_F))
            event->accept();
    }
    if (event->type() == QEvent::FocusIn || event->type() == QEvent::FocusOut)
        refreshMarks();
    if (event->type() == QEvent::Resize)
        placeStrip(); // before the viewport takes what it leaves
    return QGraphicsView::event(event);
}

bool GraphView::viewportEvent(QEvent* event)
{
    if (event->type() != QEvent::ToolTip)
        return QGraphicsView::viewportEvent(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    if (const QString tip = tipAt(help->pos()); tip.isEmpty())
        QToolTip::hideText();
    else
        QToolTip::showText(help->globalPos(), wrappedTip(tip, fontMetrics()), viewport());
    return true;
}

/// Of a box that stands there, else of a line, else of the open box around.
QString GraphView::tipAt(const QPoint& position) const
{
    constexpr double kReach = 5; // px of the screen
    const int box = boxAtViewport(position);
    const bool isOpen = box == Picture::kNoBox || m_picture->graph.boxes[static_cast<std::size_t>(box)].open;
    if (m_picture && isOpen) {
        const QPointF point = viewportTransform().inverted().map(QPointF(position));
        if (const ViewEdge* edge = m_picture->edgeAt(point, kReach / zoom()))
            return edgeTip(*m_picture, *edge, hasTypes() ? m_types.get() : nullptr);
    }
    return box == Picture::kNoBox ? QString() : toolTipOf(box);
}

QString GraphView::toolTipOf(int index) const
{
    const ViewBox& box = m_picture->graph.boxes[static_cast<std::size_t>(index)];
    QStringList lines
        = {box.kind == ViewBox::Kind::Quantizer ? tr("Quantizer %1").arg(toQt(box.title)) : toQt(box.title)};
    if (!box.subtitle.empty())
        lines += toQt(box.subtitle);
    if (const auto at = static_cast<std::size_t>(index); !m_values.empty() && m_values[at])
        lines += QStringLiteral("%1: %2").arg(
            toQt(overlayTitle(m_drawnOverlay->kind)), toQt(overlayText(*m_drawnOverlay->values, *m_values[at])));
    if (!m_values.empty() && box.kind == ViewBox::Kind::Node && !m_picture->run) { // whose nodes are others
        if (const std::string why = m_drawnOverlay->values->whyOf(box.node); !why.empty())
            lines += toQt(why);
    }
    if (box.kind == ViewBox::Kind::Scope || box.kind == ViewBox::Kind::Group) {
        if (const QString counts = countsOf(*m_picture, box); !lines.contains(counts)) // it may be in the box
            lines += counts;
        if (const QString run
            = m_runs && m_picture->form == GraphForm::Compressed ? runText(*m_runs, *m_picture, index) : QString();
            !run.isEmpty())
            lines += run;
        return lines.join(QLatin1Char('\n'));
    }
    if (box.kind != ViewBox::Kind::Node)
        return lines.join(QLatin1Char('\n'));
    if (m_picture->run)
        return (lines + kernelLines(*m_picture, box.node)).join(QLatin1Char('\n'));
    const bool isPlan = m_picture->form == GraphForm::Compressed;
    if (const auto& placement = m_picture->snapshot->placement; placement && isPlan) {
        const Decision& decision = placement->decisions[box.node.index];
        const std::string why = whyText(*m_picture->snapshot->model, *placement, box.node);
        lines += markedLabel(decision) + (why.empty() ? QString() : QStringLiteral(": ") + toQt(why));
    }
    if (const QString run = m_runs && isPlan ? runText(*m_runs, *m_picture, index) : QString(); !run.isEmpty())
        lines += run;
    if (const QString difference = differenceSentence(m_picture->snapshot->scopes->nodes[box.node.index]);
        !difference.isEmpty())
        lines += difference;
    return lines.join(QLatin1Char('\n'));
}

void GraphView::wheelEvent(QWheelEvent* event)
{
    if (event->modifiers() & Qt::ShiftModifier) { // sideways
        horizontalScrollBar()->setValue(horizontalScrollBar()->value() - event->angleDelta().y());
        return;
    }
    event->accept();
    if (event->angleDelta().y() == 0)
        return;
    m_keeps = Keeps::Place;
    // Scrolling is by whole pixels: the point of the first notch is held by all, or what they lose would add up.
    const QPointF at = event->position();
    if ((viewportTransform().map(m_wheelHolds) - at).manhattanLength() > kHeld)
        m_wheelHolds = viewportTransform().inverted().map(at);
    zoomAround(zoom() * std::pow(kZoomStep, event->angleDelta().y() / kWheelNotch), m_wheelHolds, at);
}

void GraphView::mousePressEvent(QMouseEvent* event)
{
    setFocus(Qt::MouseFocusReason);
    if (event->button() == Qt::BackButton || event->button() == Qt::ForwardButton) {
        event->button() == Qt::BackButton ? goBack() : goForward();
        return;
    }
    if (event->button() == Qt::LeftButton && event->modifiers().testFlag(Qt::ControlModifier)) {
        m_bandFrom = event->pos();
        m_band->setGeometry(QRect(m_bandFrom, QSize()));
        m_band->show();
        return;
    }
    const bool pans = event->button() == Qt::MiddleButton || event->button() == Qt::LeftButton;
    if (!pans)
        return;
    m_isPanning = true;
    m_hasPanned = event->button() == Qt::MiddleButton || m_isSpaceDown;
    m_panFrom = event->pos();
    m_pressedAt = event->globalPosition().toPoint();
    m_pressed = viewportTransform().inverted().map(QPointF(event->pos()));
    m_sincePress.start();
    event->accept();
}

bool GraphView::mayBeClickedAgain() const
{
    return m_sincePress.isValid() && !m_hasPanned && !m_sincePress.hasExpired(QApplication::doubleClickInterval());
}

void GraphView::mouseMoveEvent(QMouseEvent* event)
{
    if (m_band->isVisible()) {
        m_band->setGeometry(QRect(m_bandFrom, event->pos()).normalized());
        return;
    }
    if (!m_isPanning) {
        hover(boxAtViewport(event->pos()));
        return;
    }
    const QPoint moved = event->pos() - m_panFrom;
    if (!m_hasPanned && moved.manhattanLength() < kStillAClick)
        return;
    m_hasPanned = true;
    m_keeps = Keeps::Place;
    m_panFrom = event->pos();
    viewport()->setCursor(Qt::ClosedHandCursor);
    horizontalScrollBar()->setValue(horizontalScrollBar()->value() - moved.x());
    verticalScrollBar()->setValue(verticalScrollBar()->value() - moved.y());
}

void GraphView::mouseReleaseEvent(QMouseEvent* event)
{
    if (m_band->isVisible() && event->button() == Qt::LeftButton) {
        endBand(event->modifiers());
        return;
    }
    const bool wasClick = m_isPanning && !m_hasPanned && event->button() == Qt::LeftButton;
    m_isPanning = false;
    m_look.start();
    viewport()->unsetCursor();
    if (wasClick && m_picture)
        makeCurrent(boxAtViewport(event->pos()));
}

void GraphView::endBand(Qt::KeyboardModifiers modifiers)
{
    const QRect band = m_band->geometry();
    m_band->hide();
    if (!m_picture)
        return;
    if (band.width() + band.height() < kStillAClick) { // Ctrl and a click: one box more, or less
        const int box = boxAtViewport(m_bandFrom);
        if (box == Picture::kNoBox)
            return;
        m_current = box;
        select(toggled(m_selection, m_picture->selectionOf(box)));
        return;
    }
    const Selection caught = selectionIn(*m_picture, m_painter.detail(zoom()), mapToScene(band).boundingRect());
    select(modifiers.testFlag(Qt::ShiftModifier) ? united(m_selection, caught) : caught);
    chooseCurrent();
    refreshMarks();
}

void GraphView::mouseDoubleClickEvent(QMouseEvent* event)
{
    const int box = boxAtViewport(event->pos());
    if (event->button() != Qt::LeftButton || box == Picture::kNoBox)
        return;
    const bool isFrame = m_painter.detail(zoom()).look(box) == Detail::Look::Frame;
    setBoxOpen(box, !(isFrame && m_picture->graph.boxes[static_cast<std::size_t>(box)].open));
}

void GraphView::leaveEvent(QEvent* event)
{
    hover(Picture::kNoBox);
    QGraphicsView::leaveEvent(event);
}

void GraphView::keyPressEvent(QKeyEvent* event)
{
    const bool isPlain = event->modifiers() == Qt::NoModifier || event->modifiers() == Qt::KeypadModifier;
    if (!isPlain) {
        if (!jumpByKey(*event))
            QGraphicsView::keyPressEvent(event);
        return;
    }
    switch (event->key()) {
    case Qt::Key_Up:
        walkTo(Step::Producer);
        break;
    case Qt::Key_Down:
        walkTo(Step::Consumer);
        break;
    case Qt::Key_Left:
        walkTo(Step::Left);
        break;
    case Qt::Key_Right:
        walkTo(Step::Right);
        break;
    case Qt::Key_E:
    case Qt::Key_Return:
    case Qt::Key_Enter:
        setBoxOpen(m_current, true);
        break;
    case Qt::Key_C:
    case Qt::Key_Backspace:
        setBoxOpen(m_current, false);
        break;
    case Qt::Key_F:
        reveal();
        break;
    case Qt::Key_Home:
        fitWidth();
        break;
    case Qt::Key_Space:
        m_isSpaceDown = true;
        viewport()->setCursor(Qt::OpenHandCursor);
        break;
    default:
        QGraphicsView::keyPressEvent(event);
        return;
    }
    event->accept();
}

/// What feeds and what is fed, with Shift.
bool GraphView::jumpByKey(const QKeyEvent& event)
{
    const bool isShift = event.modifiers() == Qt::ShiftModifier;
    if (isShift && event.key() == Qt::Key_Up)
        selectReach(Reach::Upstream);
    else if (isShift && event.key() == Qt::Key_Down)
        selectReach(Reach::Downstream);
    else if (isShift && event.key() == Qt::Key_P)
        selectReach(Reach::Between);
    else if (isShift && event.key() == Qt::Key_E)
        toggleFold(m_current);
    else
        return false;
    return true;
}

void GraphView::keyReleaseEvent(QKeyEvent* event)
{
    if (event->key() != Qt::Key_Space || event->isAutoRepeat()) {
        QGraphicsView::keyReleaseEvent(event);
        return;
    }
    m_isSpaceDown = false;
    viewport()->unsetCursor();
}

void GraphView::contextMenuEvent(QContextMenuEvent* event)
{
    const bool isKey = event->reason() == QContextMenuEvent::Keyboard;
    const int box = isKey ? m_current : boxAtViewport(event->pos());
    if (box == Picture::kNoBox)
        return;
    if (!isKey && !std::binary_search(m_marked.begin(), m_marked.end(), box))
        makeCurrent(box);
    const QPoint at = mapFromScene(m_picture->frame(box).center());
    showMenu(box, isKey ? viewport()->mapToGlobal(at) : event->globalPos());
}

void GraphView::showMenu(int box, const QPoint& globalPos)
{
    const ViewBox& shown = m_picture->graph.boxes[static_cast<std::size_t>(box)];
    auto* menu = new QMenu(this);
    menu->setObjectName(QStringLiteral("graphMenu"));
    menu->setAttribute(Qt::WA_DeleteOnClose);
    const auto pictured = m_picture;
    const bool isMarked = std::binary_search(m_marked.begin(), m_marked.end(), box);
    const Selection meant = isMarked ? m_selection : m_picture->selectionOf(box);
    addRuleActions(*menu, meant, *m_picture->snapshot->model, *m_picture->snapshot->scopes,
        [this](const RuleIntent& intent) { Q_EMIT rulesIntended(intent); });
    menu->addSeparator();
    if (!meant.nodes.empty()) {
        const auto offer = [&](const QString& text, Reach reach) {
            connect(menu->addAction(text), &QAction::triggered, this, [this, reach] { selectReach(reach); });
        };
        offer(tr("Select what feeds it (Shift+Up)"), Reach::Upstream);
        offer(tr("Select what it feeds (Shift+Down)"), Reach::Downstream);
        if (meant.nodes.size() > 1)
            offer(tr("Select what lies between (Shift+P)"), Reach::Between);
        menu->addSeparator();
    }
    const auto toggle = [this, box, pictured](bool open) {
        if (pictured == m_picture) // else the box numbers are others by now
            setBoxOpen(box, open);
    };
    if (!shown.key.empty() && !shown.open)
        connect(menu->addAction(tr("Expand (E)")), &QAction::triggered, this, [toggle] { toggle(true); });
    else if (shown.open || shown.parent != Picture::kNoBox)
        connect(menu->addAction(tr("Collapse (C)")), &QAction::triggered, this, [toggle] { toggle(false); });
    if (const auto offer = foldOffer(*m_picture, box)) {
        const auto text
            = offer->isFolded ? tr("Unfold %1 equal scopes (Shift+E)") : tr("Fold %1 equal scopes (Shift+E)");
        connect(menu->addAction(text.arg(offer->count)), &QAction::triggered, this, [this, box, pictured] {
            if (pictured == m_picture)
                toggleFold(box);
        });
    }
    menu->popup(globalPos);
}

/// What was clicked on, which may have opened the pane that takes the room, stays under the pointer for a second click.
void GraphView::resizeEvent(QResizeEvent* event)
{
    const QRectF before(QPointF(), QSizeF(event->oldSize()));
    const QPointF middle = middleOf(before);
    const int selected = m_picture ? selectedBoxIn(before) : Picture::kNoBox;
    QGraphicsView::resizeEvent(event);
    placeBusyLabel();
    placeBar();
    giveRoom();
    if (m_picture && mayBeClickedAgain()) {
        zoomAround(zoom(), m_pressed, viewport()->mapFromGlobal(m_pressedAt));
        chooseEdges();
        const auto follow = [this, selected, picture = m_picture] {
            if (m_picture == picture)
                followPane(selected);
        };
        QTimer::singleShot(
            QApplication::doubleClickInterval() - static_cast<int>(m_sincePress.elapsed()), this, follow);
        return;
    }
    if (event->oldSize().isValid() && m_picture && m_keeps == Keeps::Place)
        lookAt(middle, zoom());
    followPane(selected);
    if (!m_picture)
        Q_EMIT shapeWanted();
}

/// The first size of a window is not the final one: the first picture follows until the user does something.
/// @param selected box that was in sight, or none
void GraphView::followPane(int selected)
{
    if (selected != Picture::kNoBox && m_keeps == Keeps::Place)
        bringIntoSight(selected);
    chooseEdges();
    if (m_keeps == Keeps::FirstView)
        followSize();
    else if (m_keeps == Keeps::Whole)
        fitAnew();
}

void GraphView::changeEvent(QEvent* event)
{
    QGraphicsView::changeEvent(event);
    if (event->type() != QEvent::PaletteChange && event->type() != QEvent::FontChange)
        return;
    m_painter.setTheme(themeFor(palette()));
    setBackgroundBrush(themeFor(palette()).base);
    scene()->update();
}

} // namespace duo::ui
