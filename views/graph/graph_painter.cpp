// SPDX-License-Identifier: Apache-2.0
#include "views/graph/graph_painter.h"

#include "core/graph/box_text.h"
#include "views/graph/badge_place.h"
#include "views/graph/box_sizes.h"
#include "views/graph/insides.h"
#include "views/graph/ring.h"
#include "views/style/format.h"
#include "views/style/line_distance.h"
#include "views/style/overlay_shade.h"
#include "views/style/state_style.h"

#include <QFontMetricsF>
#include <QHash>

#include <algorithm>
#include <cmath>
#include <unordered_map>

namespace duo::ui {
namespace {

constexpr double kPillZoom = 0.7; // below it what ran otherwise is a dot
constexpr double kPillSides = 12; // px that it is wider than its text
constexpr double kPillRows = 2; // px that it is higher
constexpr double kPillLeft = 2; // px that its middle stands left of the corner
constexpr double kBadgeZoom = 0.5; // below it edges carry no badges
constexpr double kSmoothZoom = 0.1; // below it nothing is anti-aliased
constexpr double kCorner = 5; // px
constexpr double kMostCorner = 8; // px on the screen
constexpr double kCornerShare = 0.12; // of a box's height
constexpr double kArrow = 6; // px
constexpr double kLeastArrow = 4; // px on the screen
constexpr double kMostArrow = 9;
constexpr double kArrowSeen = 0.7; // of an arrow that a badge leaves free
constexpr double kShareHeight = 4; // px
constexpr double kInsideSide = 0.04; // of the width of a box that shows what is inside it
constexpr double kInsideTitle = 0.6; // of the title's natural size
constexpr double kEnoughForTitle = 0.4; // of a box that shows what is inside it: the first such gap has its title
constexpr double kLineGap = 4; // px between a title and the line right of it
constexpr std::size_t kMostAlong = 16; // badges of one value that a line is compared with: hubs have thousands
constexpr double kMostBadgeInBox = 2; // px of a quantizer's badge that may lie over any box
constexpr double kLeastShare = 2; // px on the screen
constexpr double kMostShare = 6;

/// A line of about the same width at every zoom.
QPen cosmetic(const QColor& color, double width, double zoom, Qt::PenStyle style = Qt::SolidLine)
{
    QPen pen(color, width * std::clamp(zoom, 0.7, 1.6), style);
    pen.setCosmetic(true);
    return pen;
}

double cornerOf(const QRectF& rect, double zoom)
{
    return std::min({kCorner, rect.height() * kCornerShare, kMostCorner / zoom});
}

/// px of the scene
double arrowAt(double zoom)
{
    return std::clamp(kArrow * zoom, kLeastArrow, kMostArrow) / zoom;
}

QPolygonF arrowHead(const QPointF& from, const QPointF& tip, double length)
{
    const QLineF line(from, tip);
    if (line.length() == 0)
        return {};
    const QPointF along((tip.x() - from.x()) / line.length(), (tip.y() - from.y()) / line.length());
    const QPointF across(-along.y(), along.x());
    const QPointF back = tip - along * length;
    return QPolygonF({tip, back + across * (length / 2), back - across * (length / 2)});
}

/// To a pixel.
bool isOnLine(const QPointF& point, const QPolygonF& line)
{
    constexpr double kNear = 1;
    for (qsizetype i = 1; i < line.size(); ++i) {
        if (distanceOf(point, QLineF(line[i - 1], line[i])) <= kNear)
            return true;
    }
    return false;
}

bool meets(const QRectF& a, const QRectF& b)
{
    // unlike QRectF::intersects, a straight line with an empty rectangle counts
    return a.left() <= b.right() && a.right() >= b.left() && a.top() <= b.bottom() && a.bottom() >= b.top();
}

} // namespace

void GraphPainter::setPicture(std::shared_ptr<const Picture> picture, const QFont& font)
{
    m_picture = std::move(picture);
    m_font = font;
    m_font.setBold(true);
    m_small = subtitleFont(font);
    m_text = LabelPainter(font);
    m_detail = {};
    m_badgesZoom = 0;
    m_start.clear();
    m_marked.clear();
    m_previewed.clear();
    m_hovered = m_current = Picture::kNoBox;
    m_labels.clear();
    m_widths.clear();
    m_lines.clear();
    m_linePlaces.reset();
    m_types = {};
    m_runs.clear();
    m_overlay.reset();
    m_values.clear();
    if (!m_picture)
        return;
    for (const ViewBox& box : m_picture->graph.boxes) {
        const bool isStub = box.kind == ViewBox::Kind::Stub;
        m_labels.push_back({drawnText(box.title), isStub ? QString() : drawnText(shownSubtitle(box)),
            box.badge.empty() ? drawnText(box.kernel) : QStringLiteral("W ") + toQt(box.badge)});
        if (box.kind == ViewBox::Kind::Scope || box.kind == ViewBox::Kind::Group)
            m_labels.back().count = m_labels.back().subtitle.section(QStringLiteral(", "), -1);
    }
    QHash<QString, double> widths; // of titles, of which many are equal
    for (const BoxLabel& label : m_labels) {
        if (!widths.contains(label.title))
            widths.insert(label.title, m_text.leastWidth(label.title));
        m_widths.push_back(widths.value(label.title));
    }
    for (std::size_t i = 0; i < m_picture->graph.edges.size(); ++i) {
        Line line;
        for (const Point& point : m_picture->layout.lines[i])
            line.points += QPointF(point.x, point.y);
        line.bounds = line.points.boundingRect();
        m_lines.push_back(std::move(line));
    }
    if (std::ranges::any_of(m_picture->graph.edges, [](const ViewEdge& edge) { return !edge.badge.empty(); }))
        m_linePlaces.emplace(*m_picture);
    findTitleRooms();
    findInsideTitles();
}

/// Left of the lines that lead in, else in the widest gap between them.
void GraphPainter::findInsideTitles()
{
    const ViewGraph& graph = m_picture->graph;
    std::vector<std::vector<double>> lines(graph.boxes.size()); // px from the left side
    for (std::size_t e = 0; e < graph.edges.size(); ++e) {
        const ViewEdge& edge = graph.edges[e];
        const QRectF frame = m_picture->frame(static_cast<int>(edge.from));
        const bool leadsIn = graph.boxes[edge.to].parent == static_cast<std::int32_t>(edge.from);
        if (leadsIn && m_lines[e].points.front().y() < frame.top() + frame.height() * kInsideTitleShare)
            lines[edge.from].push_back(m_lines[e].points.front().x() - frame.left());
    }
    m_insideTitles.clear();
    for (std::size_t b = 0; b < graph.boxes.size(); ++b) {
        const double width = m_picture->frame(static_cast<int>(b)).width();
        const double side = width * kInsideSide;
        const double gap = kLineGap * m_picture->scale(static_cast<int>(b)) / 2;
        std::ranges::sort(lines[b]);
        lines[b].push_back(width - side + gap);
        Gap widest;
        double left = side;
        for (const double line : lines[b]) {
            if (line - gap - left > widest.width && widest.width < kEnoughForTitle * width)
                widest = {left, line - gap - left};
            left = line + gap;
        }
        m_insideTitles.push_back(widest);
    }
}

/// Without what the padding and the line right of it take.
void GraphPainter::findTitleRooms()
{
    m_titleRooms = titleRooms(m_picture->graph, m_picture->layout);
    for (std::size_t b = 0; b < m_titleRooms.size(); ++b) {
        const auto& frame = m_picture->layout.frames[b];
        const bool isCrossed = m_titleRooms[b] < frame.size.width - frame.titleLeft;
        m_titleRooms[b] = std::max(m_titleRooms[b] - kBoxPadding - (isCrossed ? kLineGap : kBoxPadding), 0.0);
    }
}

const std::vector<GraphPainter::Badge>& GraphPainter::badges(double zoom) const
{
    if (m_badgesZoom == zoom)
        return m_badges;
    m_badgesZoom = zoom;
    m_badges.clear();
    if (zoom < kBadgeZoom || !m_linePlaces)
        return m_badges;
    TakenPlaces taken = titles(zoom);
    const TakenPlaces boxes = closedBoxes(zoom);
    std::unordered_map<std::size_t, std::vector<std::size_t>> ofFlow; // badges
    for (std::size_t edge = 0; edge < m_lines.size(); ++edge) {
        std::vector<std::size_t>& before = ofFlow[m_linePlaces->flowOf(edge)];
        const auto saysIt = [&](std::size_t badge) {
            return m_picture->graph.edges[m_badges[badge].edge].badge == m_picture->graph.edges[edge].badge
                && isOnLine(m_badges[badge].rect.center(), m_lines[edge].points);
        };
        const auto last = before.end() - static_cast<std::ptrdiff_t>(std::min(before.size(), kMostAlong));
        if (std::any_of(last, before.end(), saysIt)) // lines of one value run along each other there
            continue;
        if (auto badge = placedBadge(edge, taken, boxes, zoom)) {
            taken.take(badge->rect);
            before.push_back(m_badges.size());
            m_badges.push_back(*std::move(badge));
        }
    }
    return m_badges;
}

/// Whole, else its first word.
std::optional<GraphPainter::Badge> GraphPainter::placedBadge(
    std::size_t index, const TakenPlaces& taken, const TakenPlaces& boxes, double zoom) const
{
    const ViewEdge& edge = m_picture->graph.edges[index];
    const QPolygonF& line = m_lines[index].points;
    const Detail& detail = this->detail(zoom);
    const auto isDrawn
        = [&](std::uint32_t end) { return detail.shown(static_cast<int>(end)) == static_cast<int>(end); };
    const auto to = static_cast<int>(edge.to);
    const double scale = m_picture->scale(to);
    const bool isInside = detail.look(to) == Detail::Look::Frame && !m_picture->graph.boxes[edge.to].open; // the badge
    if (edge.badge.empty() || line.isEmpty() || !isDrawn(edge.from) || !isDrawn(edge.to) || isInside
        || zoom * scale < kBadgeZoom)
        return std::nullopt;
    const QString whole = toQt(edge.badge);
    const auto isFree = [&](const QRectF& place) { return taken.isFree(place) && boxes.isFree(place); };
    const auto isClear = [&](const QRectF& place) { return isFree(place) && !m_linePlaces->meetOther(place, index); };
    const double arrow = std::min(arrowAt(zoom), kMostArrow * scale) * kArrowSeen;
    const QRectF tip = QRectF(line.last(), QSizeF()).adjusted(-arrow, -arrow, arrow, arrow);
    const double most = kMostBadgeInBox * scale;
    const auto leavesArrow = [&](const QRectF& place) {
        return isClear(place) && boxes.isFree(place.adjusted(-most, -most, most, most)) && !place.intersects(tip);
    };
    for (const QString& text : {whole, whole.section(QLatin1Char(' '), 0, 0)}) {
        const QSizeF size = badgeSize(text, zoom, scale);
        auto rect = badgePlace(line, size, leavesArrow);
        if (!rect) // the line is short
            rect = badgePlace(line, size, isClear);
        if (!rect) // neighbours run beside it all the way
            rect = badgePlace(line, size, isFree);
        if (rect)
            return Badge{index, *rect, text, scale};
    }
    return std::nullopt;
}

/// What badges keep off: boxes that are drawn closed, and the borders of those that show what is inside them.
TakenPlaces GraphPainter::closedBoxes(double zoom) const
{
    TakenPlaces boxes;
    const Detail& detail = this->detail(zoom);
    for (std::size_t i = 0; i < m_labels.size(); ++i) {
        const auto box = static_cast<int>(i);
        const double most = kMostBadgeInBox * m_picture->scale(box);
        const QRectF inner = m_picture->frame(box).adjusted(most, most, -most, -most);
        if (detail.look(box) == Detail::Look::Closed)
            boxes.take(inner);
        else if (detail.look(box) == Detail::Look::Frame && !m_picture->graph.boxes[i].open)
            boxes.takeBorder(inner);
    }
    return boxes;
}

QFont GraphPainter::badgeFont(double zoom) const
{
    return m_text.fontOf(QFontInfo(m_small).pixelSize() * zoom, false);
}

/// px of the scene; from afar text is larger than all else, from near smaller.
QSizeF GraphPainter::badgeSize(const QString& text, double zoom, double scale) const
{
    const QFontMetricsF metrics(m_small);
    const QFont font = badgeFont(zoom * scale);
    const QSizeF least(QFontMetricsF(font).horizontalAdvance(text) + font.pixelSize(), font.pixelSize() + 1);
    const double shrunk = std::min(scale, kMostText / (QFontInfo(m_small).pixelSize() * zoom));
    return (QSizeF(metrics.horizontalAdvance(text) + 10, metrics.height() + 2) * shrunk).expandedTo(least / zoom);
}

/// Where the title of a box stands that is drawn as a frame there.
BoxPlace GraphPainter::bar(std::size_t box, const QRectF& frame, double zoom) const
{
    BoxPlace bar{frame, zoom, m_picture->scale(static_cast<int>(box))};
    if (m_picture->graph.boxes[box].open) {
        const double left = m_picture->layout.frames[box].titleLeft + kBoxPadding;
        bar.rect = {frame.left() + left, frame.top(), m_titleRooms[box], kTitleBarHeight};
    } else { // above what is drawn inside (insides.cpp)
        const Gap& gap = m_insideTitles[box];
        bar.rect = {frame.left() + gap.left, frame.top(), gap.width, frame.height() * kInsideTitleShare};
        bar.scale *= kInsideTitle;
    }
    return bar;
}

/// As they are written at a zoom.
TakenPlaces GraphPainter::titles(double zoom) const
{
    TakenPlaces taken;
    const Detail& detail = this->detail(zoom);
    for (std::size_t i = 0; i < m_labels.size(); ++i) {
        const auto box = static_cast<int>(i);
        if (detail.look(box) != Detail::Look::Frame)
            continue;
        const BoxPlace bar = this->bar(i, m_picture->frame(box), zoom);
        taken.take({bar.rect.topLeft(), m_text.barText(bar, m_labels[i])});
    }
    return taken;
}

void GraphPainter::paint(QPainter& painter, Layer layer, const QRectF& exposed, double zoom) const
{
    if (!m_picture)
        return;
    painter.setRenderHint(QPainter::Antialiasing, zoom >= kSmoothZoom);
    switch (layer) {
    case Layer::Frames:
        paintFrames(painter, exposed, zoom);
        break;
    case Layer::Edges:
        if (!m_start.empty())
            painter.setOpacity(m_progress * m_progress); // lines have no way to go: they appear
        paintEdges(painter, exposed, zoom);
        m_types.paint(painter, exposed, zoom, *m_theme);
        break;
    case Layer::Boxes:
        paintBoxes(painter, exposed, zoom);
        break;
    case Layer::Marks:
        paintPreview(painter, exposed, zoom);
        paintFound(painter, shownIn(m_found, detail(zoom)), *m_picture, *m_theme, exposed, zoom);
        paintMarks(painter, exposed, zoom);
        paintRuns(painter, exposed, zoom); // readable on a box that is selected
        break;
    }
}

QRectF GraphPainter::frame(int box) const
{
    const QRectF stands = m_picture->frame(box);
    if (m_start.empty())
        return stands;
    const QRectF& start = m_start[static_cast<std::size_t>(box)];
    const auto onTheWay = [this](double from, double to) { return from + (to - from) * m_progress; };
    return {onTheWay(start.x(), stands.x()), onTheWay(start.y(), stands.y()), onTheWay(start.width(), stands.width()),
        onTheWay(start.height(), stands.height())};
}

const Detail& GraphPainter::detail(double zoom) const
{
    if (!m_detail.isOf(m_picture.get(), zoom))
        m_detail = m_picture ? Detail(*m_picture, zoom, m_widths) : Detail();
    return m_detail;
}

BoxPlace GraphPainter::place(int box, double zoom) const
{
    return {frame(box), zoom, m_picture->scale(box)};
}

void GraphPainter::paintFrames(QPainter& painter, const QRectF& exposed, double zoom) const
{
    const Detail& detail = this->detail(zoom);
    for (std::size_t i = 0; i < m_labels.size(); ++i) {
        const auto box = static_cast<int>(i);
        const QRectF rect = frame(box);
        if (detail.look(box) != Detail::Look::Frame || !meets(rect, exposed))
            continue;
        painter.setPen(cosmetic(m_theme->frame.border, 1, zoom));
        painter.setBrush(m_theme->frame.fill);
        painter.drawRoundedRect(rect, cornerOf(rect, zoom), cornerOf(rect, zoom));
        m_text.paintBar(painter, bar(i, rect, zoom), m_labels[i], m_theme->frame.text, m_theme->muted);
    }
}

/// What of a line is seen: nothing of it inside boxes that are drawn closed.
QPolygonF GraphPainter::shownLine(std::size_t index, const Detail& detail) const
{
    const ViewEdge& edge = m_picture->graph.edges[index];
    const auto from = static_cast<int>(edge.from);
    const auto to = static_cast<int>(edge.to);
    const int left = detail.shown(from);
    const int entered = detail.shown(to);
    if (left == from && entered == to)
        return m_lines[index].points;
    if (left == entered)
        return {};
    return lineOutside(
        m_lines[index].points, left == from ? QRectF() : frame(left), entered == to ? QRectF() : frame(entered));
}

void GraphPainter::paintEdges(QPainter& painter, const QRectF& exposed, double zoom) const
{
    const Detail& detail = this->detail(zoom);
    const double arrow = arrowAt(zoom);
    for (std::size_t i = 0; i < m_lines.size(); ++i) {
        const Line& line = m_lines[i];
        if (!meets(line.bounds.adjusted(-40, -20, 40, 20), exposed)) // room for the badge
            continue;
        const QPolygonF points = shownLine(i, detail);
        if (points.size() < 2)
            continue;
        const ViewEdge& edge = m_picture->graph.edges[i];
        const bool isQuantized
            = !edge.badge.empty() || m_picture->graph.boxes[edge.from].kind == ViewBox::Kind::Quantizer;
        const QColor color = isQuantized ? m_theme->states[0].border : m_theme->edge;
        painter.setPen(cosmetic(color, edge.values > 1 ? 2 : 1.2, zoom));
        painter.setBrush(Qt::NoBrush);
        painter.drawPolyline(points);
        const bool goesOn = detail.look(static_cast<int>(edge.to)) == Detail::Look::Frame
            && !m_picture->graph.boxes[edge.to].open; // to what is inside, or on from there
        if (goesOn)
            continue;
        const double scale = m_picture->scale(static_cast<int>(edge.to));
        painter.setPen(Qt::NoPen);
        painter.setBrush(color);
        painter.drawPolygon(arrowHead(points[points.size() - 2], points.last(), std::min(arrow, kMostArrow * scale)));
    }
    if (zoom < kBadgeZoom)
        return;
    for (const Badge& badge : badges(zoom)) { // lines may run along each other: no line leads over a badge
        if (meets(badge.rect, exposed))
            paintBadge(painter, badge, zoom);
    }
}

void GraphPainter::paintBadge(QPainter& painter, const Badge& badge, double zoom) const
{
    const QRectF& rect = badge.rect;
    painter.setPen(Qt::NoPen);
    painter.setBrush(m_theme->badge.fill);
    painter.drawRoundedRect(rect, rect.height() / 2, rect.height() / 2);
    painter.save();
    painter.translate(rect.topLeft());
    painter.scale(1 / zoom, 1 / zoom);
    painter.setFont(badgeFont(zoom * badge.scale));
    painter.setPen(m_theme->badge.text);
    painter.drawText(QRectF(QPointF(), rect.size() * zoom), Qt::AlignCenter | Qt::TextDontClip, badge.text);
    painter.restore();
}

void GraphPainter::setOverlay(
    std::shared_ptr<const ShownOverlay> overlay, std::vector<std::optional<double>> values, std::vector<bool> areMixed)
{
    m_overlay = std::move(overlay);
    m_values = std::move(values);
    m_areMixed = std::move(areMixed);
}

const Shade& GraphPainter::shadeOf(std::size_t index) const
{
    const ViewBox& box = m_picture->graph.boxes[index];
    const bool isOverlaid = m_overlay
        && (box.kind == ViewBox::Kind::Node || box.kind == ViewBox::Kind::Scope || box.kind == ViewBox::Kind::Group);
    if (isOverlaid && m_values[index])
        return overlayShade(*m_theme, *m_overlay->values, m_overlay->values->stepOf(*m_values[index]));
    if (isOverlaid)
        return noValueShade(*m_theme);
    switch (box.kind) {
    case ViewBox::Kind::Node:
        return stateShade(*m_theme, box.state);
    case ViewBox::Kind::Scope:
    case ViewBox::Kind::Group:
        return m_theme->scope;
    case ViewBox::Kind::Input:
    case ViewBox::Kind::Output:
    case ViewBox::Kind::Stub:
        return m_theme->port;
    case ViewBox::Kind::Quantizer:
        return m_theme->badge;
    }
    return m_theme->scope;
}

/// Over a box whose nodes belong to several categories.
void GraphPainter::paintHatch(QPainter& painter, const QRectF& rect, double corner, double zoom) const
{
    QBrush hatch(m_theme->frame.border, Qt::BDiagPattern);
    hatch.setTransform(QTransform::fromScale(1 / zoom, 1 / zoom));
    painter.setBrush(hatch);
    painter.drawRoundedRect(rect, corner, corner);
}

void GraphPainter::paintBoxes(QPainter& painter, const QRectF& exposed, double zoom) const
{
    const Detail& detail = this->detail(zoom);
    for (std::size_t i = 0; i < m_labels.size(); ++i) {
        const auto index = static_cast<int>(i);
        const ViewBox& box = m_picture->graph.boxes[i];
        const QRectF rect = frame(index);
        if (detail.look(index) != Detail::Look::Closed || !meets(rect, exposed))
            continue;
        const Shade& shade = shadeOf(i);
        const bool isStack = box.kind == ViewBox::Kind::Scope || box.kind == ViewBox::Kind::Group;
        const bool isPort = !isStack && box.kind != ViewBox::Kind::Node;
        QPen pen = cosmetic(shade.border, isStack ? 1.6 : 1, zoom);
        if (m_picture->isGone(box))
            pen.setStyle(Qt::DashLine);
        painter.setPen(pen);
        painter.setBrush(shade.fill);
        const double corner = isPort ? rect.height() / 2 : cornerOf(rect, zoom);
        painter.drawRoundedRect(rect, corner, corner);
        if (m_overlay && m_areMixed[i])
            paintHatch(painter, rect, corner, zoom);
        BoxPlace text = place(index, zoom);
        if (const QRectF bar = shareBar(rect, box, zoom); !bar.isNull()) {
            paintShare(painter, bar, box);
            text.rect.setBottom(bar.top());
        }
        if (box.open)
            m_text.paintLarge(painter, text, m_labels[i], shade.text);
        else
            m_text.paintInside(painter, text, m_labels[i], shade.text);
    }
}

void GraphPainter::paintRuns(QPainter& painter, const QRectF& exposed, double zoom) const
{
    const Detail& detail = this->detail(zoom);
    for (std::size_t i = 0; i < m_runs.size(); ++i) {
        const QRectF rect = frame(static_cast<int>(i));
        if (detail.look(static_cast<int>(i)) == Detail::Look::Hidden)
            continue;
        if (m_runs[i].text.isEmpty() || !meets(rect.adjusted(0, -20, 60, 0), exposed)) // room for the badge
            continue;
        const double scale = m_picture->scale(static_cast<int>(i)); // smaller on what is inside a closed box
        painter.save();
        painter.translate(rect.topLeft());
        painter.scale(scale, scale);
        paintRun(painter, {QPointF(), rect.size() / scale}, m_runs[i], zoom * scale);
        painter.restore();
    }
}

/// px, around the corner that it stands on.
QRectF GraphPainter::pillOf(const QString& text) const
{
    const QFontMetricsF metrics(m_small);
    QRectF pill(0, 0, metrics.horizontalAdvance(text) + kPillSides, metrics.height() + kPillRows);
    pill.moveCenter(QPointF(-kPillLeft, 0));
    return pill;
}

/// px of the scene, of the size that it has at a zoom, in the middle of the upper right corner of a box.
QRectF GraphPainter::runPill(std::size_t box, double zoom) const
{
    const double scale = m_picture->scale(static_cast<int>(box));
    const double shrunk = std::min(scale, kMostText / (QFontInfo(m_small).pixelSize() * zoom));
    const QRectF pill = pillOf(m_runs[box].text);
    return {m_picture->frame(static_cast<int>(box)).topRight() + pill.topLeft() * shrunk, pill.size() * shrunk};
}

QRectF GraphPainter::bounds(double zoom) const
{
    QRectF bounds = m_picture->bounds() | m_types.bounds(zoom);
    for (const Badge& badge : badges(zoom))
        bounds |= badge.rect;
    for (std::size_t i = 0; i < m_runs.size(); ++i) {
        const bool isDrawn = !m_runs[i].text.isEmpty() && zoom * m_picture->scale(static_cast<int>(i)) >= kPillZoom
            && detail(zoom).look(static_cast<int>(i)) != Detail::Look::Hidden;
        if (isDrawn)
            bounds |= runPill(i, zoom);
    }
    return bounds;
}

/// A pill on the upper right corner; from afar only what fell back is marked, by a dot.
void GraphPainter::paintRun(QPainter& painter, const QRectF& rect, const RunBadge& badge, double zoom) const
{
    const Shade& shade = badge.isWhole ? m_theme->good : m_theme->warning;
    painter.setPen(QPen(shade.border, 1));
    painter.setBrush(shade.fill);
    if (zoom < kPillZoom) {
        constexpr double kDot = 5; // px on the screen
        if (!badge.isWhole)
            painter.drawEllipse(rect.topRight(), kDot / zoom, kDot / zoom);
        return;
    }
    const double shrunk = std::min(1.0, kMostText / (QFontInfo(m_small).pixelSize() * zoom));
    const QRectF pill = pillOf(badge.text);
    painter.translate(rect.topRight());
    painter.scale(shrunk, shrunk);
    painter.drawRoundedRect(pill, pill.height() / 2, pill.height() / 2);
    painter.setFont(m_small);
    painter.setPen(shade.text);
    painter.drawText(pill, Qt::AlignCenter, badge.text);
}

/// At the lower border of a box that stands for several nodes; null: it has none.
QRectF GraphPainter::shareBar(const QRectF& rect, const ViewBox& box, double zoom) const
{
    const bool isStack = box.kind == ViewBox::Kind::Scope || box.kind == ViewBox::Kind::Group;
    if (!isStack || m_picture->form == GraphForm::Original || box.total <= 0)
        return {};
    const double height
        = std::min(std::clamp(kShareHeight * zoom, kLeastShare, kMostShare) / zoom, rect.height() * kCornerShare);
    return {rect.left() + height, rect.bottom() - 1.5 * height, rect.width() - 2 * height, height};
}

void GraphPainter::paintShare(QPainter& painter, QRectF bar, const ViewBox& box) const
{
    painter.fillRect(bar, m_theme->states[static_cast<std::size_t>(NodeState::Unsupported)].fill);
    const double unit = bar.width() / static_cast<double>(box.total);
    bar.setWidth(unit * static_cast<double>(box.quantized));
    painter.fillRect(bar, m_theme->states[static_cast<std::size_t>(NodeState::Quantized)].border);
    bar.moveLeft(bar.right());
    bar.setWidth(unit * static_cast<double>(box.ignored));
    painter.fillRect(bar, m_theme->states[static_cast<std::size_t>(NodeState::Ignored)].border);
}

void GraphPainter::paintPreview(QPainter& painter, const QRectF& exposed, double zoom) const
{
    constexpr double kRing = 4; // px of the screen around the box, so that its own colours and text stay as they are
    const Detail& detail = this->detail(zoom);
    const double corner = (kCorner + kRing) / std::max(zoom, 1.0);
    for (const int box : detail.shown(m_previewed)) {
        const QRectF rect = ringAround(frame(box), kRing, zoom);
        if (!meets(rect, exposed))
            continue;
        QColor hatch = m_theme->preview.border;
        hatch.setAlphaF(0.45F);
        QBrush brush(hatch, Qt::BDiagPattern);
        brush.setTransform(QTransform::fromScale(1 / zoom, 1 / zoom));
        painter.setBrush(brush);
        painter.setPen(ringPen(m_theme->preview.border, 2, Qt::DashLine));
        painter.drawRoundedRect(rect, corner, corner);
    }
}

void GraphPainter::paintMarks(QPainter& painter, const QRectF& exposed, double zoom) const
{
    const Detail& detail = this->detail(zoom);
    const auto outline = [&](int box, const QColor& color, double width, Qt::PenStyle style) {
        const QRectF rect = ringAround(frame(box), 2, zoom);
        if (!meets(rect, exposed))
            return;
        painter.setBrush(Qt::NoBrush);
        painter.setPen(ringPen(color, width, style));
        painter.drawRoundedRect(rect, cornerOf(rect, zoom), cornerOf(rect, zoom));
    };
    for (const int box : detail.shown(m_marked))
        outline(box, m_theme->selection, 2.5, Qt::SolidLine);
    if (m_hovered != Picture::kNoBox)
        outline(detail.shown(m_hovered), m_theme->hover, 1.5, Qt::SolidLine);
    if (m_current != Picture::kNoBox && m_current != m_hovered)
        outline(detail.shown(m_current), m_theme->text, 1, Qt::DotLine);
}

} // namespace duo::ui
