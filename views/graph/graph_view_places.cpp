// SPDX-License-Identifier: Apache-2.0
// Places in the graph: where the view is, was, and how boxes go from one picture to the next.
#include "core/graph/reach.h"
#include "views/graph/covered.h"
#include "views/graph/graph_view.h"

#include <QLineF>
#include <QStyle>

#include <algorithm>
#include <initializer_list>
#include <limits>
#include <string>
#include <unordered_map>
#include <utility>

namespace duo::ui {
namespace {

constexpr int kMoveMs = 170;
constexpr double kAround = 14; // px on the screen around what is shown whole, besides those of a whole picture
constexpr int kCorner = 10; // px to the edges of the view
constexpr int kMostCovered = 2; // a map is shown in a graph that is that many times as wide and high, at least
constexpr std::size_t kMostMoved = 1500; // boxes: more are not seen moving

/// Equal for boxes that show the same.
std::string identityOf(const ViewBox& box)
{
    return std::to_string(static_cast<int>(box.kind)) + "," + std::to_string(box.node.index) + ","
        + std::to_string(box.value.index) + "," + std::to_string(box.scope.index) + "," + box.key;
}

/// The shortest way that brings a frame into sight, whole where it fits, else as much of it as there is room for.
QPointF wayIntoSight(const QRectF& frame, const QRectF& sight)
{
    const auto way = [](double low, double high, double least, double most) {
        return std::clamp(0.0, std::min(least - low, most - high), std::max(least - low, most - high));
    };
    return {way(frame.left(), frame.right(), sight.left(), sight.right()),
        way(frame.top(), frame.bottom(), sight.top(), sight.bottom())};
}

/// The part of a frame, so large at most, that is nearest to a point.
QRectF nearestPart(const QRectF& frame, const QPointF& point, double most)
{
    QRectF part(QPointF(), QSizeF(std::min(most, frame.width()), std::min(most, frame.height())));
    part.moveCenter(point);
    part.moveLeft(std::max(std::min(part.left(), frame.right() - part.width()), frame.left()));
    part.moveTop(std::max(std::min(part.top(), frame.bottom() - part.height()), frame.top()));
    return part;
}

} // namespace

void GraphView::makePlaces()
{
    m_moving.setStartValue(0.0);
    m_moving.setEndValue(1.0);
    m_moving.setEasingCurve(QEasingCurve::OutCubic);
    connect(&m_moving, &QVariantAnimation::valueChanged, this, [this](const QVariant& progress) {
        m_painter.setProgress(progress.toDouble());
        viewport()->update();
    });
    connect(&m_moving, &QVariantAnimation::finished, this, [this] {
        m_painter.setStart({});
        viewport()->update();
    });
    connect(m_minimap, &Minimap::wanted, this, [this](const QPointF& point) {
        m_keeps = Keeps::Place;
        centerOn(point);
    });
    connect(m_strip->path(), &Breadcrumb::wanted, this, [this](int box) {
        if (!m_picture)
            return;
        if (box == Picture::kNoBox) {
            goToWhole();
        } else {
            notePlace();
            showWhole(m_picture->frame(box));
        }
    });
}

void GraphView::notePlace()
{
    if (m_picture)
        m_history.leave(placeNow());
}

GraphPlace GraphView::placeNow() const
{
    const QPointF middle = viewportTransform().inverted().map(QRectF(viewport()->rect()).center());
    const int nearest = boxToHold(false); // frames around it become others when boxes are opened
    GraphPlace place = nearest == Picture::kNoBox ? placeOf(*m_picture, middle, zoom())
                                                  : placeOf(*m_picture, nearest, middle, zoom());
    place.isWhole = isWhole();
    return place;
}

void GraphView::goToWhole()
{
    notePlace();
    fitAnew();
}

void GraphView::fitAnew()
{
    fit();
    if (m_picture && (isForOtherPane(*m_picture) || m_picture->openFor != m_picture->form || isBlank()))
        Q_EMIT wholeWanted();
}

bool GraphView::isBlank() const
{
    constexpr double kMuch = 0.2; // of the picture
    if (!m_picture || !isWhole())
        return false;
    const Detail& detail = m_painter.detail(zoom());
    const auto area = [](const QRectF& rect) { return rect.width() * rect.height(); };
    double blank = 0;
    for (int box = 0; box < static_cast<int>(m_picture->graph.boxes.size()); ++box) {
        if (m_picture->graph.boxes[static_cast<std::size_t>(box)].open && detail.look(box) == Detail::Look::Closed)
            blank += area(m_picture->frame(box));
    }
    return blank > kMuch * area(m_picture->bounds());
}

void GraphView::goTo(const GraphPlace& place)
{
    const int box = boxOf(*m_picture, place);
    const bool wasOpened
        = box != Picture::kNoBox && !place.box->open && m_picture->graph.boxes[static_cast<std::size_t>(box)].open;
    if (place.isWhole)
        fit();
    else if (wasOpened)
        showWhole(m_picture->frame(box), zoomOf(*m_picture, place)); // where its middle was there may be nothing
    else
        lookAt(pointOf(*m_picture, place), zoomOf(*m_picture, place));
    if (place.open != m_picture->open)
        scrollBy(wayIntoSight(viewportTransform().mapRect(m_picture->bounds()), room())); // not past its sides
    bringIntoSight();
    chooseEdges();
}

void GraphView::bringFoundIntoSight(int box)
{
    goToBoxes({box});
    const int shown = m_painter.detail(zoom()).shown(box);
    const QSizeF size = viewportTransform().mapRect(m_picture->frame(shown)).size();
    if (size.boundedTo(room().size()) == size)
        bringIntoSight(shown);
}

/// The nearest box, where none is in sight.
void GraphView::bringIntoSight()
{
    const Detail& detail = m_painter.detail(zoom());
    const QRectF room = this->room();
    std::optional<QPointF> least;
    for (int box = 0; box < static_cast<int>(m_picture->graph.boxes.size()); ++box) {
        if (detail.look(box) != Detail::Look::Closed)
            continue;
        const QRectF frame = viewportTransform().mapRect(m_picture->frame(box));
        if (frame.intersects(room))
            return;
        const QPointF way = wayIntoSight(frame, room);
        if (!least || way.manhattanLength() < least->manhattanLength())
            least = way;
    }
    if (least)
        scrollBy(*least);
}

void GraphView::keepAnchor(int box)
{
    m_keeps = Keeps::Place;
    const QRectF frame = m_picture->frame(box);
    m_anchorKey = m_picture->graph.boxes[static_cast<std::size_t>(box)].key;
    m_anchorAt = viewportTransform().map(QPointF(frame.center().x(), frame.top()));
    m_anchorScale = m_picture->scale(box);
    m_hasAnchor = true;
}

void GraphView::restoreAnchor()
{
    if (!std::exchange(m_hasAnchor, false))
        return;
    const int box = m_picture->boxOfKey(m_anchorKey);
    if (box == Picture::kNoBox)
        return;
    const QRectF frame = m_picture->frame(box);
    zoomAround(zoom() * m_anchorScale / m_picture->scale(box), {frame.center().x(), frame.top()}, m_anchorAt);
    // what closes may have shrunk to where nobody looks
    bringIntoSight(box);
}

void GraphView::bringIntoSight(int box)
{
    scrollBy(wayIntoSight(viewportTransform().mapRect(m_picture->frame(box)), room()));
}

/// The first that is seen whole in that part of the viewport.
int GraphView::selectedBoxIn(const QRectF& sight) const
{
    const auto isSeen = [&](int box) { return sight.contains(viewportTransform().mapRect(m_picture->frame(box))); };
    const auto seen = std::ranges::find_if(m_marked, isSeen);
    return seen == m_marked.end() ? Picture::kNoBox : *seen;
}

/// Where the view has come to rest beside all boxes and lines, the nearest box comes back to its side.
void GraphView::leaveNothingness()
{
    constexpr double kStrip = 80; // px on the screen
    const QRectF sight(viewport()->rect());
    std::optional<QPointF> least;
    for (int box = 0; box < static_cast<int>(m_picture->graph.boxes.size()); ++box) {
        if (m_picture->graph.boxes[static_cast<std::size_t>(box)].parent >= 0)
            continue;
        const QRectF frame = viewportTransform().mapRect(m_picture->frame(box));
        if (frame.intersects(sight))
            return;
        const QPointF way = wayIntoSight(nearestPart(frame, sight.center(), kStrip), sight);
        if (!least || way.manhattanLength() < least->manhattanLength())
            least = way;
    }
    const QRectF seen = viewportTransform().inverted().mapRect(sight);
    if (least && coveredIn(*m_picture, m_painter.detail(zoom()), seen) <= 0)
        scrollBy(*least);
}

void GraphView::goBack()
{
    if (!m_picture)
        return;
    if (const auto place = m_history.back(placeNow()))
        goTo(*place);
}

void GraphView::goForward()
{
    if (!m_picture)
        return;
    if (const auto place = m_history.forward(placeNow()))
        goTo(*place);
}

void GraphView::showWhole(const QRectF& area, double most)
{
    m_keeps = Keeps::Place;
    const QRectF room = this->room().adjusted(kAround, kAround, -kAround, -kAround);
    const double zoom
        = std::min({room.width() / std::max(area.width(), 1e-6), room.height() / std::max(area.height(), 1e-6), most});
    zoomAround(zoom, area.center(), room.center());
    chooseEdges();
}

/// What the eye is on: of the selection, where that is looked for, what is in sight, else what is drawn nearest to the
/// middle.
int GraphView::boxToHold(bool looksForSelection) const
{
    const Detail& detail = m_painter.detail(zoom());
    const QRectF seen = viewportTransform().inverted().mapRect(QRectF(viewport()->rect()));
    int nearest = Picture::kNoBox;
    double least = std::numeric_limits<double>::infinity();
    for (int box = 0; box < static_cast<int>(m_picture->graph.boxes.size()); ++box) {
        const QRectF frame = m_picture->frame(box);
        const bool isMarked = looksForSelection && std::binary_search(m_marked.begin(), m_marked.end(), box);
        if (detail.look(box) != Detail::Look::Closed || !frame.intersects(seen))
            continue;
        constexpr double kFirst = 1e12; // what is selected comes before all others
        const double distance = QLineF(frame.center(), seen.center()).length() - (isMarked ? kFirst : 0);
        if (distance < least) {
            least = distance;
            nearest = box;
        }
    }
    return nearest;
}

std::optional<GraphView::HeldPlace> GraphView::placeToHold() const
{
    const QRectF seen = viewportTransform().inverted().mapRect(QRectF(viewport()->rect()));
    const auto hasTitleInSight = [&](int box) {
        return m_selection.scope && m_painter.detail(zoom()).look(box) == Detail::Look::Frame
            && seen.contains(m_picture->frame(box).topLeft());
    };
    const auto framed = std::ranges::find_if(m_marked, hasTitleInSight); // what is inside may be another thing there
    if (framed != m_marked.end()) {
        const QPointF corner = m_picture->frame(*framed).topLeft();
        return HeldPlace{placeOf(*m_picture, *framed, corner, zoom()), viewportTransform().map(corner)};
    }
    const int box = boxToHold(true);
    if (box == Picture::kNoBox)
        return std::nullopt;
    const QPointF point = m_picture->frame(box).intersected(seen).center();
    HeldPlace held{placeOf(*m_picture, box, point, zoom()), viewportTransform().map(point)};
    const std::vector<NodeId> nodes = m_picture->selectionOf(box).nodes;
    const auto selected = std::ranges::find_if(
        nodes, [this](NodeId node) { return std::ranges::binary_search(m_selection.nodes, node); });
    if (selected != nodes.end()) { // of several that a kernel came from
        std::erase(held.place.nodes, *selected);
        held.place.nodes.insert(held.place.nodes.begin(), *selected);
    }
    return held;
}

std::vector<NodeId> GraphView::nodesToHold() const
{
    if (!m_picture || m_keeps != Keeps::Place)
        return {};
    const std::optional<HeldPlace> held = placeToHold();
    const bool isPage = held && held->place.box->kind == ViewBox::Kind::Group;
    return held && !isPage ? held->place.nodes : std::vector<NodeId>();
}

/// What tells where the view is follows it.
void GraphView::refreshPlaces()
{
    m_legend->move(atEdge(m_legendEdge, m_legend->size()).topLeft() + viewport()->pos());
    m_legend->raise();
    m_bar->raise(); // where there is no room for both
    if (!m_picture) {
        m_minimap->hide();
        m_strip->path()->hide();
        return;
    }
    const QRectF seen = viewportTransform().inverted().mapRect(QRectF(viewport()->rect()));
    const bool wasShown = m_minimap->isVisibleTo(viewport());
    m_minimap->setSeen(seen);
    const QSize map = m_minimap->size();
    if (kMostCovered * map.width() > viewport()->width() || kMostCovered * map.height() > viewport()->height())
        m_minimap->hide(); // it would cover what it shows the way to
    if (!m_hasMapEdge && !wasShown && m_minimap->isVisibleTo(viewport()))
        chooseMapEdge();
    m_hasMapEdge = m_hasMapEdge || m_minimap->isVisibleTo(viewport());
    m_minimap->move(atEdge(m_mapEdge, map).topLeft());
    const bool isWhole = seen.contains(m_picture->bounds());
    m_strip->path()->setBoxes(
        *m_picture, isWhole ? std::vector<int>() : boxesAround(*m_picture, seen), m_strip->roomOfPath());
}

void GraphView::chooseEdges()
{
    m_legendEdge = freest(m_legend->size(), kLegendEdges, QRect());
    chooseMapEdge();
    m_hasMapEdge = false;
    refreshPlaces();
}

void GraphView::placeBar()
{
    if (m_picture)
        m_bar->setSelection(m_selection, m_picture->snapshot->model, m_picture->snapshot->scopes);
    else
        m_bar->setSelection({}, nullptr, nullptr);
    m_bar->raise();
    chooseBarPlace();
    m_legend->fitInto(viewport()->width() - 2 * kCorner);
    refreshPlaces(); // legend and map make way for the bar
}

/// At the bottom in the middle; where it would hide boxes there, at a side, or in half the width at one; or at the top,
/// where it hides nothing there.
void GraphView::chooseBarPlace()
{
    const int whole = viewport()->width() - 2 * kCorner;
    struct Place {
        int width;
        Qt::AlignmentFlag side;
        bool isAtTop = false;
    };
    const auto rectOf = [&](const Place& place) {
        m_bar->fitInto(place.width);
        const int room = whole - m_bar->width();
        const int x = place.side == Qt::AlignLeft ? 0 : place.side == Qt::AlignRight ? room : room / 2;
        const int y = place.isAtTop ? kCorner : viewport()->height() - m_bar->height() - kCorner;
        return QRect({kCorner + x, y}, m_bar->size());
    };
    const std::initializer_list<Place> places{{whole, Qt::AlignHCenter}, {whole, Qt::AlignLeft},
        {whole, Qt::AlignRight}, {whole / 2, Qt::AlignLeft}, {whole / 2, Qt::AlignRight},
        {whole, Qt::AlignHCenter, true}, {whole, Qt::AlignLeft, true}, {whole, Qt::AlignRight, true}};
    Place best = *places.begin();
    double least = std::numeric_limits<double>::infinity();
    for (const Place& place : places) {
        const QRectF area = viewportTransform().inverted().mapRect(QRectF(rectOf(place)));
        const bool isShown = m_picture && m_bar->isVisibleTo(this);
        const double covered = isShown ? coveredIn(*m_picture, m_painter.detail(zoom()), area) : 0;
        if (covered < least && (!place.isAtTop || covered <= 0)) {
            least = covered;
            best = place;
        }
        if (covered <= 0)
            break;
    }
    const QRect rect = rectOf(best);
    m_bar->setGeometry(rect.translated(viewport()->pos())); // it stands in the whole view, with the strip
}

/// Not where the legend stands.
void GraphView::chooseMapEdge()
{
    const bool isAlone = !m_legend->isVisibleTo(this);
    m_mapEdge = freest(m_minimap->size(), kMapEdges, isAlone ? QRect() : atEdge(m_legendEdge, m_legend->size()));
}

/// Of places that are not taken the first in which least of the picture is covered, of boxes first; the first of all in
/// none.
PaneEdge GraphView::freest(const QSize& size, std::span<const PaneEdge> edges, const QRect& taken) const
{
    constexpr std::pair kNothing(0.0, 0.0);
    PaneEdge freest = edges.front();
    std::pair least(std::numeric_limits<double>::infinity(), 0.0);
    for (const PaneEdge& edge : edges) {
        const QRect rect = atEdge(edge, size);
        if (!m_picture || rect.intersects(taken) || least <= kNothing)
            continue;
        const QRectF area = viewportTransform().inverted().mapRect(QRectF(rect));
        const Detail& detail = m_painter.detail(zoom());
        const std::pair covered(boxesCoveredIn(*m_picture, detail, area),
            linesCoveredIn(*m_picture, detail, area) + bordersCoveredIn(*m_picture, detail, area));
        if (covered < least) {
            least = covered;
            freest = edge;
        }
    }
    return freest;
}

/// Beside the bar, where there is room, else above it, or below it.
QRect GraphView::atEdge(const PaneEdge& edge, const QSize& size) const
{
    const int most = viewport()->width() - size.width() - 2 * kCorner;
    QRect rect({kCorner + qRound(edge.along * most), kCorner}, size);
    const QRect bar = m_bar->geometry().translated(-viewport()->pos());
    const bool isBarInTheWay = m_bar->isVisibleTo(this) && edge.isTop == isBarAtTop()
        && rect.right() >= bar.left() - kCorner && rect.left() <= bar.right() + kCorner;
    if (edge.isTop)
        rect.moveTop(isBarInTheWay ? bar.bottom() + 1 + kCorner : kCorner);
    else
        rect.moveTop(std::max((isBarInTheWay ? bar.top() : viewport()->height()) - size.height() - kCorner, 0));
    return rect;
}

bool GraphView::isBarAtTop() const
{
    return m_bar->geometry().translated(-viewport()->pos()).center().y() < viewport()->height() / 2;
}

/// Boxes that both pictures show go from where they were on the screen; others come out of the one that holds them.
void GraphView::startMove(const Picture& before, const QTransform& was)
{
    const int duration = std::min(kMoveMs, style()->styleHint(QStyle::SH_Widget_Animation_Duration, nullptr, this));
    const auto& boxes = m_picture->graph.boxes;
    if (duration <= 0 || !isVisible() || boxes.size() > kMostMoved || before.graph.boxes.size() > kMostMoved)
        return;
    std::unordered_map<std::string, QRectF> old;
    const QTransform toScene = was * viewportTransform().inverted();
    for (std::size_t i = 0; i < before.graph.boxes.size(); ++i)
        old.emplace(identityOf(before.graph.boxes[i]), toScene.mapRect(before.frame(static_cast<int>(i))));
    std::vector<QRectF> start;
    for (std::size_t i = 0; i < boxes.size(); ++i) {
        const auto found = old.find(identityOf(boxes[i]));
        if (found != old.end())
            start.push_back(found->second);
        else if (boxes[i].parent >= 0)
            start.push_back(start[static_cast<std::size_t>(boxes[i].parent)]);
        else
            start.push_back(m_picture->frame(static_cast<int>(i)));
    }
    m_painter.setStart(std::move(start));
    m_painter.setProgress(0);
    m_moving.setDuration(duration);
    m_moving.start();
}

void GraphView::selectReach(Reach reach)
{
    if (!m_picture || m_selection.nodes.empty())
        return;
    const Model& model = *m_picture->snapshot->model;
    const auto& from = m_selection.nodes;
    notePlace();
    select(selectNodes(reach == Reach::Upstream ? upstreamOf(model, from)
            : reach == Reach::Downstream        ? downstreamOf(model, from)
                                                : between(model, from)));
}

} // namespace duo::ui
