// SPDX-License-Identifier: Apache-2.0
// How large the picture is shown, and what of it.
#include "views/graph/covered.h"
#include "views/graph/graph_view.h"

#include <QScrollBar>

#include <algorithm>

namespace duo::ui {

namespace {

constexpr double kLeastZoom = 0.02;
constexpr double kMostZoom = 4;
constexpr double kLeastFirstZoom = 0.45; // of a first picture: text stays readable
constexpr double kMargin = 16; // px around the picture when it is fitted
constexpr double kMostFitZoom = 2;
constexpr double kOtherWidth = 1.5; // a pane that is that much wider or narrower wants another picture,
constexpr double kOtherShape = 1.35; // or one whose shape is that much flatter or taller (a message makes less of it)
constexpr double kStrip = 80; // px of the picture that stay in sight, of small panes and pictures less
constexpr double kClearlyLess = 0.97; // or one that is smaller, where the picture can just be read

} // namespace

/// Of boxes, whole where it can be read so.
void GraphView::goToArea(const std::vector<int>& boxes)
{
    if (boxes.empty())
        return;
    notePlace();
    QRectF area;
    for (const int box : boxes)
        area = area.united(m_picture->frame(box));
    zoomTo(std::clamp(
        std::min(viewport()->width() / (area.width() + kMargin), viewport()->height() / (area.height() + kMargin)),
        kLeastFirstZoom, 1.0));
    centerOn(area.center());
    chooseEdges();
}

/// Four times what is drawn smallest; on to what is inside closed boxes.
double GraphView::mostZoom() const
{
    constexpr double kInto = 8;
    double most = kMostZoom;
    if (m_picture) {
        for (std::size_t i = 0; i < m_picture->graph.boxes.size(); ++i) {
            const bool isClosed = !m_picture->graph.boxes[i].open && !m_picture->graph.boxes[i].key.empty();
            most = std::max(most, kMostZoom / m_picture->scale(static_cast<int>(i)) * (isClosed ? kInto : 1));
        }
    }
    return most;
}

QSizeF GraphView::pane() const
{
    return {std::max(viewport()->width() - 2 * kMargin, 1.0), std::max(viewport()->height() - 2 * kMargin, 1.0)};
}

/// px of the viewport that are left to the picture: above the bar, or below, unless that took most of a low pane.
QRectF GraphView::room() const
{
    constexpr double kLeastShare = 0.5;
    QRectF room({kMargin, kMargin}, pane());
    const QRect bar = m_bar->geometry().translated(-viewport()->pos());
    QRectF left = room;
    if (isBarAtTop())
        left.setTop(std::max(bar.bottom() + 1 + kMargin, left.top()));
    else
        left.setBottom(std::min(bar.top() - kMargin, left.bottom()));
    return m_bar->isVisibleTo(this) && left.height() >= kLeastShare * room.height() ? left : room;
}

double GraphView::zoom() const
{
    return transform().m11();
}

/// A point of the picture can be scrolled to nearly anywhere in sight: what is pointed at stays where it is at its
/// edges too, but a strip of the picture is always seen.
void GraphView::giveRoom()
{
    if (!m_picture) {
        setSceneRect(0, 0, 1, 1);
        return;
    }
    const QSizeF sight = QSizeF(viewport()->size()) / zoom();
    const QRectF bounds = m_picture->bounds();
    const auto beyond = [this](double seen, double picture) {
        return seen - std::min({kStrip / zoom(), seen / 4, picture});
    };
    const double x = beyond(sight.width(), bounds.width());
    const double y = beyond(sight.height(), bounds.height());
    setSceneRect(bounds.adjusted(-x, -y, x, y));
}

/// @param held picture px that come to stand @param at px of the viewport
void GraphView::zoomAround(double wanted, const QPointF& held, const QPointF& at)
{
    const double zoom = std::clamp(wanted, kLeastZoom, mostZoom());
    m_look.start();
    setTransform(QTransform::fromScale(zoom, zoom));
    giveRoom();
    const QPointF moved = viewportTransform().map(held) - at;
    horizontalScrollBar()->setValue(horizontalScrollBar()->value() + qRound(moved.x()));
    verticalScrollBar()->setValue(verticalScrollBar()->value() + qRound(moved.y()));
    refreshPlaces();
}

void GraphView::scrollBy(const QPointF& way)
{
    horizontalScrollBar()->setValue(horizontalScrollBar()->value() - qRound(way.x()));
    verticalScrollBar()->setValue(verticalScrollBar()->value() - qRound(way.y()));
}

void GraphView::lookAt(const QPointF& middle, double zoom)
{
    m_keeps = Keeps::Place;
    m_middle = middle;
    zoomAround(zoom, middle, QRectF(viewport()->rect()).center());
}

QPointF GraphView::middle() const
{
    return middleOf(viewport()->rect());
}

/// As it was asked for unless one has moved since: what whole pixels of scrolling lose would add up.
QPointF GraphView::middleOf(const QRectF& pane) const
{
    constexpr double kHeld = 1.5; // px on the screen
    const bool isHeld = (viewportTransform().map(m_middle) - pane.center()).manhattanLength() <= kHeld;
    return isHeld ? m_middle : viewportTransform().inverted().map(pane.center());
}

void GraphView::zoomTo(double wanted)
{
    m_keeps = Keeps::Place;
    const QPointF middle = QRectF(viewport()->rect()).center();
    zoomAround(wanted, viewportTransform().inverted().map(middle), middle);
}

void GraphView::zoomBy(double factor)
{
    zoomTo(zoom() * factor);
}

/// px of the picture with what is written at its edges where it is fitted; that takes more room the smaller it is
/// shown.
QRectF GraphView::wholeArea() const
{
    constexpr int kRounds = 2;
    QRectF area = m_picture->bounds();
    for (int round = 0; round < kRounds; ++round)
        area |= m_painter.bounds(fitZoom(area));
    return area;
}

void GraphView::fit()
{
    if (!m_picture)
        return;
    m_keeps = Keeps::Whole;
    const QRectF area = wholeArea();
    const Fit fit = fitBesideLegend(area);
    zoomAround(fit.zoom, area.center(), fit.middle);
    chooseEdges();
}

void GraphView::fitAgain()
{
    if (!m_picture || m_keeps == Keeps::Place)
        return;
    const Keeps keeps = m_keeps;
    fit();
    m_keeps = keeps;
}

/// As large as it can be with a corner for the legend in which that covers no box; where there is none in pictures that
/// are not much smaller, as large as it can be.
GraphView::Fit GraphView::fitBesideLegend(const QRectF& area) const
{
    constexpr std::size_t kMostBoxes = 3000; // of more none is read at that size
    constexpr double kLeast = 0.66; // of the zoom
    constexpr double kStep = 0.97;
    const QRectF room = this->room();
    const Fit whole{fitZoom(area), room.center()};
    if (!m_legend->isVisibleTo(this) || m_picture->graph.boxes.size() > kMostBoxes)
        return whole;
    for (double share = 1; share >= kLeast; share *= kStep) {
        const double zoom = whole.zoom * share;
        const QSizeF left = room.size() - area.size() * zoom;
        for (const double across : {0.0, 0.5, -0.5}) {
            for (const double along : {0.0, 0.5, -0.5}) {
                const Fit fit{zoom, room.center() + QPointF(across * left.width(), along * left.height())};
                if (hasFreeEdge(fit, area.center()))
                    return fit;
            }
        }
    }
    return whole;
}

bool GraphView::hasFreeEdge(const Fit& fit, const QPointF& middle) const
{
    const Detail& detail = m_painter.detail(fit.zoom);
    constexpr double kApart = 4; // px of the viewport
    return std::ranges::any_of(kLegendEdges, [&](const PaneEdge& edge) {
        const QRectF rect = QRectF(atEdge(edge, m_legend->size())).adjusted(-kApart, -kApart, kApart, kApart);
        const QRectF covered((rect.topLeft() - fit.middle) / fit.zoom + middle, rect.size() / fit.zoom);
        return boxesCoveredIn(*m_picture, detail, covered) <= 0;
    });
}

double GraphView::fitZoom(const QRectF& area) const
{
    const QRectF room = this->room();
    return std::min(
        {room.width() / std::max(area.width(), 1.0), room.height() / std::max(area.height(), 1.0), kMostFitZoom});
}

void GraphView::followSize()
{
    fit();
    m_keeps = Keeps::FirstView;
    if (m_picture && isForOtherPane(*m_picture))
        Q_EMIT shapeWanted();
}

bool GraphView::isForOtherPane(const Picture& picture) const
{
    if (picture.pane.isEmpty())
        return false;
    const double wider = pane().width() / picture.pane.width();
    const double higher = pane().height() / picture.pane.height();
    const double flatter = wider / higher;
    const bool isHardToRead = std::min(wider, higher) < kClearlyLess && fitZoom(picture.bounds()) < kLeastFirstZoom;
    return std::max(wider, 1 / wider) > kOtherWidth || std::max(flatter, 1 / flatter) > kOtherShape || isHardToRead;
}

void GraphView::fitWidth()
{
    if (!m_picture)
        return;
    const QRectF area = wholeArea().adjusted(-kMargin, -kMargin, kMargin, kMargin);
    const double whole = viewport()->height() / area.height();
    const double width = viewport()->width() / area.width();
    zoomTo(std::clamp(std::max(whole, width), std::min(kLeastFirstZoom, 1.0), 1.0));
    centerOn(area.center().x(), area.top() + viewport()->height() / (2 * zoom()));
}

} // namespace duo::ui
