// SPDX-License-Identifier: Apache-2.0
#include "views/graph/graph_painter.h"

#include "views/graph/badge_place.h"
#include "views/graph/box_sizes.h"
#include "views/style/format.h"
#include "views/style/overlay_shade.h"
#include "views/style/state_style.h"

#include <QFontMetricsF>

#include <algorithm>
#include <cmath>

namespace duo::ui {
namespace {

constexpr double kTextZoom = 0.4; // below it boxes carry no text
constexpr double kSmoothZoom = 0.35; // below it nothing is anti-aliased
constexpr double kCorner = 5; // px
constexpr double kArrow = 6; // px
constexpr double kShareHeight = 4; // px

QPolygonF arrowHead(const QPointF& from, const QPointF& tip)
{
    const QLineF line(from, tip);
    if (line.length() == 0)
        return {};
    const QPointF along((tip.x() - from.x()) / line.length(), (tip.y() - from.y()) / line.length());
    const QPointF across(-along.y(), along.x());
    const QPointF back = tip - along * kArrow;
    return QPolygonF({tip, back + across * (kArrow / 2), back - across * (kArrow / 2)});
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
    m_marked.clear();
    m_previewed.clear();
    m_hovered = m_current = Picture::kNoBox;
    m_labels.clear();
    m_lines.clear();
    m_types = {};
    m_runs.clear();
    m_overlay.reset();
    m_values.clear();
    if (!m_picture)
        return;
    const QFontMetricsF title(m_font);
    const QFontMetricsF small(m_small);
    for (std::size_t i = 0; i < m_picture->graph.boxes.size(); ++i) {
        const ViewBox& box = m_picture->graph.boxes[i];
        const double room = m_picture->frame(static_cast<int>(i)).width() - kBoxPadding;
        m_labels.push_back({title.elidedText(toQt(box.title), Qt::ElideMiddle, room),
            small.elidedText(toQt(shownSubtitle(box)), Qt::ElideMiddle, room), toQt(box.badge)});
    }
    for (std::size_t i = 0; i < m_picture->graph.edges.size(); ++i) {
        Line line;
        for (const Point& point : m_picture->layout.lines[i])
            line.points += QPointF(point.x, point.y);
        line.bounds = line.points.boundingRect();
        line.badge = toQt(m_picture->graph.edges[i].badge);
        if (!line.badge.isEmpty())
            line.badgeAt = badgePlace(line.points, badgeSize(line.badge), titlesAround(m_picture->graph.edges[i]));
        m_lines.push_back(std::move(line));
    }
}

QSizeF GraphPainter::badgeSize(const QString& text) const
{
    const QFontMetricsF metrics(m_small);
    return {metrics.horizontalAdvance(text) + 10, metrics.height() + 2};
}

QRectF GraphPainter::titleBar(std::size_t box) const
{
    const QRectF rect = m_picture->frame(static_cast<int>(box));
    return {rect.left() + kBoxPadding, rect.top(), rect.width() - 2 * kBoxPadding, kTitleBarHeight};
}

/// Where titles of the open boxes stand that an edge lies in, enters or leaves.
std::vector<QRectF> GraphPainter::titlesAround(const ViewEdge& edge) const
{
    std::vector<QRectF> titles;
    for (const std::uint32_t end : {edge.from, edge.to}) {
        for (std::int32_t box = m_picture->graph.boxes[end].parent; box >= 0;
             box = m_picture->graph.boxes[static_cast<std::size_t>(box)].parent) {
            const Label& label = m_labels[static_cast<std::size_t>(box)];
            QRectF bar = titleBar(static_cast<std::size_t>(box));
            const double text = QFontMetricsF(m_font).horizontalAdvance(label.title) + kBoxPadding
                + QFontMetricsF(m_small).horizontalAdvance(label.subtitle);
            bar.setWidth(std::min(bar.width(), text));
            titles.push_back(bar);
        }
    }
    return titles;
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
        paintEdges(painter, exposed, zoom);
        m_types.paint(painter, exposed, zoom, *m_theme);
        break;
    case Layer::Boxes:
        paintBoxes(painter, exposed, zoom);
        break;
    case Layer::Marks:
        paintPreview(painter, exposed, zoom);
        paintFound(painter, m_found, *m_picture, *m_theme, exposed, zoom);
        paintMarks(painter, exposed, zoom);
        paintRuns(painter, exposed, zoom); // readable on a box that is selected
        break;
    }
}

void GraphPainter::paintFrames(QPainter& painter, const QRectF& exposed, double zoom) const
{
    for (std::size_t i = 0; i < m_labels.size(); ++i) {
        const QRectF rect = m_picture->frame(static_cast<int>(i));
        if (!m_picture->graph.boxes[i].open || !meets(rect, exposed))
            continue;
        painter.setPen(QPen(m_theme->frame.border, 1));
        painter.setBrush(m_theme->frame.fill);
        painter.drawRoundedRect(rect, kCorner, kCorner);
        if (zoom < kTextZoom)
            continue;
        QRectF bar = titleBar(i);
        painter.setFont(m_font);
        painter.setPen(m_theme->frame.text);
        painter.drawText(bar, Qt::AlignLeft | Qt::AlignVCenter, m_labels[i].title);
        bar.setLeft(bar.left() + QFontMetricsF(m_font).horizontalAdvance(m_labels[i].title) + kBoxPadding);
        painter.setFont(m_small);
        painter.setPen(m_theme->muted);
        painter.drawText(bar, Qt::AlignLeft | Qt::AlignVCenter,
            QFontMetricsF(m_small).elidedText(m_labels[i].subtitle, Qt::ElideRight, bar.width()));
    }
}

void GraphPainter::paintEdges(QPainter& painter, const QRectF& exposed, double zoom) const
{
    for (std::size_t i = 0; i < m_lines.size(); ++i) {
        const Line& line = m_lines[i];
        if (!meets(line.bounds.adjusted(-40, -20, 40, 20), exposed)) // room for the badge
            continue;
        const ViewEdge& edge = m_picture->graph.edges[i];
        const bool isQuantized
            = !line.badge.isEmpty() || m_picture->graph.boxes[edge.from].kind == ViewBox::Kind::Quantizer;
        const QColor color = isQuantized ? m_theme->states[0].border : m_theme->edge;
        QPen pen(color, edge.values > 1 ? 2 : 1.2);
        pen.setCosmetic(zoom < kSmoothZoom);
        painter.setPen(pen);
        painter.setBrush(Qt::NoBrush);
        painter.drawPolyline(line.points);
        if (zoom < kTextZoom || line.points.size() < 2)
            continue;
        painter.setPen(Qt::NoPen);
        painter.setBrush(color);
        painter.drawPolygon(arrowHead(line.points[line.points.size() - 2], line.points.last()));
        if (!line.badge.isEmpty())
            paintBadge(painter, line.badgeAt, line.badge);
    }
}

void GraphPainter::paintBadge(QPainter& painter, const QPointF& center, const QString& text) const
{
    painter.setFont(m_small);
    QRectF rect(QPointF(), badgeSize(text));
    rect.moveCenter(center);
    painter.setPen(Qt::NoPen);
    painter.setBrush(m_theme->badge.fill);
    painter.drawRoundedRect(rect, rect.height() / 2, rect.height() / 2);
    painter.setPen(m_theme->badge.text);
    painter.drawText(rect, Qt::AlignCenter, text);
}

void GraphPainter::setOverlay(std::shared_ptr<const ShownOverlay> overlay, std::vector<std::optional<double>> values)
{
    m_overlay = std::move(overlay);
    m_values = std::move(values);
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

void GraphPainter::paintBoxes(QPainter& painter, const QRectF& exposed, double zoom) const
{
    for (std::size_t i = 0; i < m_labels.size(); ++i) {
        const ViewBox& box = m_picture->graph.boxes[i];
        const QRectF rect = m_picture->frame(static_cast<int>(i));
        if (box.open || !meets(rect, exposed))
            continue;
        const Shade& shade = shadeOf(i);
        const bool isStack = box.kind == ViewBox::Kind::Scope || box.kind == ViewBox::Kind::Group;
        const bool isPort = !isStack && box.kind != ViewBox::Kind::Node;
        if (zoom < kSmoothZoom) {
            painter.fillRect(rect, shade.fill);
            painter.setBrush(Qt::NoBrush);
            QPen outline(shade.border, 1);
            outline.setCosmetic(true);
            painter.setPen(outline);
            painter.drawRect(rect);
        } else {
            painter.setPen(QPen(shade.border, isStack ? 1.6 : 1));
            painter.setBrush(shade.fill);
            const double corner = isPort ? rect.height() / 2 : kCorner;
            painter.drawRoundedRect(rect, corner, corner);
        }
        if (isStack)
            paintShare(painter, rect, box);
        if (zoom >= kTextZoom)
            paintText(painter, rect, i, shade);
    }
}

void GraphPainter::paintRuns(QPainter& painter, const QRectF& exposed, double zoom) const
{
    for (std::size_t i = 0; i < m_runs.size(); ++i) {
        const QRectF rect = m_picture->frame(static_cast<int>(i));
        if (!m_runs[i].text.isEmpty() && meets(rect.adjusted(0, -20, 60, 0), exposed)) // room for the badge
            paintRun(painter, rect, m_runs[i], zoom);
    }
}

/// A pill on the upper right corner; from afar only what fell back is marked, by a dot.
void GraphPainter::paintRun(QPainter& painter, const QRectF& rect, const RunBadge& badge, double zoom) const
{
    const Shade& shade = badge.isWhole ? m_theme->good : m_theme->warning;
    painter.setPen(QPen(shade.border, 1));
    painter.setBrush(shade.fill);
    if (zoom < kTextZoom) {
        constexpr double kDot = 5; // px on the screen
        if (!badge.isWhole)
            painter.drawEllipse(rect.topRight(), kDot / zoom, kDot / zoom);
        return;
    }
    const QFontMetricsF metrics(m_small);
    QRectF pill(0, 0, metrics.horizontalAdvance(badge.text) + 12, metrics.height() + 2);
    pill.moveCenter(rect.topRight() - QPointF(2, 0));
    painter.drawRoundedRect(pill, pill.height() / 2, pill.height() / 2);
    painter.setFont(m_small);
    painter.setPen(shade.text);
    painter.drawText(pill, Qt::AlignCenter, badge.text);
}

void GraphPainter::paintText(QPainter& painter, const QRectF& rect, std::size_t box, const Shade& shade) const
{
    const Label& label = m_labels[box];
    const ViewBox& shown = m_picture->graph.boxes[box];
    const double titleHeight = QFontMetricsF(m_font).height();
    const double smallHeight = QFontMetricsF(m_small).height();
    const bool hasSubtitle = !label.subtitle.isEmpty() && shown.kind != ViewBox::Kind::Stub;
    const double height = titleHeight + (hasSubtitle ? smallHeight : 0) + (label.badge.isEmpty() ? 0 : smallHeight);
    double y = rect.center().y() - height / 2;
    const auto line = [&](const QFont& font, const QColor& color, const QString& text, double lineHeight) {
        painter.setFont(font);
        painter.setPen(color);
        painter.drawText(QRectF(rect.left(), y, rect.width(), lineHeight), Qt::AlignCenter, text);
        y += lineHeight;
    };
    line(m_font, shade.text, label.title, titleHeight);
    if (hasSubtitle)
        line(m_small, shade.text, label.subtitle, smallHeight);
    if (!label.badge.isEmpty())
        line(m_small, shade.text, QStringLiteral("W ") + label.badge, smallHeight);
}

void GraphPainter::paintShare(QPainter& painter, const QRectF& rect, const ViewBox& box) const
{
    if (box.total <= 0)
        return;
    QRectF bar(rect.left() + 4, rect.bottom() - kShareHeight - 2, rect.width() - 8, kShareHeight);
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
    constexpr double kRing = 4; // px around the box, so that its own colours and text stay as they are
    for (const int box : m_previewed) {
        const QRectF rect = m_picture->frame(box).adjusted(-kRing, -kRing, kRing, kRing);
        if (!meets(rect, exposed))
            continue;
        QColor hatch = m_theme->preview.border;
        hatch.setAlphaF(0.45F);
        QBrush brush(hatch, Qt::BDiagPattern);
        brush.setTransform(QTransform::fromScale(1 / zoom, 1 / zoom));
        painter.setBrush(brush);
        painter.setPen(QPen(m_theme->preview.border, 2 / std::min(zoom, 1.0), Qt::DashLine));
        painter.drawRoundedRect(rect, kCorner + kRing, kCorner + kRing);
    }
}

void GraphPainter::paintMarks(QPainter& painter, const QRectF& exposed, double zoom) const
{
    const auto outline = [&](int box, const QColor& color, double width, Qt::PenStyle style) {
        const QRectF rect = m_picture->frame(box).adjusted(-2, -2, 2, 2);
        if (!meets(rect, exposed))
            return;
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(color, width / std::min(zoom, 1.0), style));
        painter.drawRoundedRect(rect, kCorner + 1, kCorner + 1);
    };
    for (const int box : m_marked)
        outline(box, m_theme->selection, 2.5, Qt::SolidLine);
    if (m_hovered != Picture::kNoBox)
        outline(m_hovered, m_theme->hover, 1.5, Qt::SolidLine);
    if (m_current != Picture::kNoBox && m_current != m_hovered)
        outline(m_current, m_theme->text, 1, Qt::DotLine);
}

} // namespace duo::ui
