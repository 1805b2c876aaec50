// SPDX-License-Identifier: Apache-2.0
#include "views/trees/link_painter.h"

#include "views/style/line_distance.h"

#include <QFontMetricsF>

#include <algorithm>
#include <cmath>

namespace duo::ui {
namespace {

constexpr double kQuiet = 1; // px, widths of lines
constexpr double kDiffers = 1.3;
constexpr float kDimmed = 0.45F; // opacity of links beside selected ones
constexpr double kStrong = 2.4;
constexpr double kArrow = 4; // px, half the width of an arrow head
constexpr double kSign = 3.5; // px, half the size of a sign
constexpr double kStub = 9; // px from the tree to a sign
constexpr double kPad = 3; // px around the text of a mark
constexpr int kSteps = 24; // pieces of a curve, for hit tests

QPointF executionEnd(const LinkScene& scene, const Link& link)
{
    if (link.execution)
        return {static_cast<double>(scene.area.left()), static_cast<double>(scene.execution[*link.execution].link.y)};
    const double y = link.end == LinkEnd::Above ? scene.area.top() + kArrow : scene.area.bottom() - kArrow;
    return {scene.area.left() + scene.area.width() * 0.2, y};
}

QPointF storageEnd(const LinkScene& scene, const Link& link)
{
    if (link.storage)
        return {scene.area.right() + 1.0, static_cast<double>(scene.storage[*link.storage].link.y)};
    const double y = link.end == LinkEnd::Above ? scene.area.top() + kArrow : scene.area.bottom() - kArrow;
    return {scene.area.right() - scene.area.width() * 0.2, y};
}

/// Paints links of one look after the other, so that what matters lies on top.
class LinkPen
{
public:
    LinkPen(QPainter& painter, const LinkScene& scene, const Theme& theme)
        : m_painter(painter)
        , m_scene(scene)
        , m_theme(theme)
        , m_isSomeSelected(
              std::any_of(scene.links.begin(), scene.links.end(), [](const Link& link) { return link.isSelected; }))
    {
    }

    void paint(std::size_t index)
    {
        const Link& link = m_scene.links[index];
        const bool isHovered = m_scene.hovered == index;
        QColor color = isHovered ? m_theme.hover
            : link.isSelected    ? m_theme.selection
            : link.differs       ? m_theme.warning.border
                                 : m_theme.edge;
        if (m_isSomeSelected && !isHovered && !link.isSelected)
            color.setAlphaF(kDimmed);
        const double width = isHovered || link.isSelected ? kStrong : link.differs ? kDiffers : kQuiet;
        QPen pen(color, width, link.isGuess ? Qt::DashLine : Qt::SolidLine, Qt::FlatCap);
        const QPainterPath path = linkPath(m_scene, link);
        m_painter.strokePath(path, pen);
        if (link.end != LinkEnd::Row)
            paintArrow(link, color);
        const QPointF middle = path.pointAtPercent(0.5);
        if (link.isGuess)
            paintSign(middle, QStringLiteral("?"), color);
        else if (link.differs)
            paintSign(middle, QStringLiteral("≠"), color);
    }

    void paintMark(const GutterRow& row, TreeKind tree)
    {
        const bool isExecution = tree == TreeKind::Execution;
        const double edge = isExecution ? m_scene.area.left() : m_scene.area.right() + 1.0;
        const double inward = isExecution ? 1 : -1;
        const QPointF sign(edge + inward * kStub, row.link.y);
        switch (row.mark.kind) {
        case LinkMark::Kind::None:
            return;
        case LinkMark::Kind::NoStorage:
            paintStub(QPointF(edge, row.link.y), sign - QPointF(inward * kSign, 0), m_theme.edge);
            m_painter.drawEllipse(sign, kSign, kSign);
            return;
        case LinkMark::Kind::NeverExecuted:
            paintStub(QPointF(edge, row.link.y), sign, m_theme.bad.border);
            m_painter.drawLine(sign - QPointF(kSign, kSign), sign + QPointF(kSign, kSign));
            m_painter.drawLine(sign - QPointF(kSign, -kSign), sign + QPointF(kSign, -kSign));
            return;
        case LinkMark::Kind::Several:
        case LinkMark::Kind::Shared:
        case LinkMark::Kind::PartlyNeverExecuted:
            paintText(edge, inward, row);
            return;
        }
    }

private:
    void paintArrow(const Link& link, const QColor& color)
    {
        const QPointF tip = link.execution ? storageEnd(m_scene, link) : executionEnd(m_scene, link);
        const double back = link.end == LinkEnd::Above ? kArrow * 1.5 : -kArrow * 1.5;
        m_painter.setPen(Qt::NoPen);
        m_painter.setBrush(color);
        m_painter.drawPolygon(QPolygonF(
            {tip + QPointF(0, -back / 2), tip + QPointF(-kArrow, back / 2), tip + QPointF(kArrow, back / 2)}));
    }

    /// One character on a disc of the background, in the middle of a line.
    void paintSign(QPointF middle, const QString& text, const QColor& color)
    {
        const QFontMetricsF metrics(m_painter.font());
        const double radius = metrics.height() * 0.42;
        m_painter.setPen(Qt::NoPen);
        m_painter.setBrush(m_theme.base);
        m_painter.drawEllipse(middle, radius, radius);
        m_painter.setPen(color);
        m_painter.drawText(
            QRectF(middle - QPointF(radius, radius), QSizeF(2 * radius, 2 * radius)), Qt::AlignCenter, text);
    }

    void paintStub(QPointF from, QPointF to, const QColor& color)
    {
        m_painter.setPen(QPen(color, kQuiet));
        m_painter.setBrush(Qt::NoBrush);
        m_painter.drawLine(from, to);
    }

    void paintText(double edge, double inward, const GutterRow& row)
    {
        const QString text = markText(row.mark);
        const QFontMetricsF metrics(m_painter.font());
        const QSizeF size(metrics.horizontalAdvance(text) + 2 * kPad, metrics.height());
        const double left = inward > 0 ? edge + 2 : edge - 2 - size.width();
        const QRectF box(QPointF(left, row.link.y - size.height() / 2), size);
        const bool isNever = row.mark.kind == LinkMark::Kind::PartlyNeverExecuted;
        m_painter.setPen(QPen(isNever ? m_theme.bad.border : m_theme.warning.border, kQuiet));
        m_painter.setBrush(isNever ? m_theme.bad.fill : m_theme.warning.fill);
        m_painter.drawRoundedRect(box, size.height() / 3, size.height() / 3);
        m_painter.setPen(isNever ? m_theme.bad.text : m_theme.warning.text);
        m_painter.drawText(box, Qt::AlignCenter, text);
    }

    QPainter& m_painter;
    const LinkScene& m_scene;
    const Theme& m_theme;
    bool m_isSomeSelected;
};

double distanceTo(const QPainterPath& path, QPointF point)
{
    double best = std::numeric_limits<double>::max();
    QPointF from = path.pointAtPercent(0);
    for (int step = 1; step <= kSteps; ++step) {
        const QPointF to = path.pointAtPercent(static_cast<double>(step) / kSteps);
        best = std::min(best, distanceOf(point, QLineF(from, to)));
        from = to;
    }
    return best;
}

} // namespace

QPainterPath linkPath(const LinkScene& scene, const Link& link)
{
    const QPointF from = executionEnd(scene, link);
    const QPointF to = storageEnd(scene, link);
    const double middle = (from.x() + to.x()) / 2;
    QPainterPath path(from);
    path.cubicTo(QPointF(middle, from.y()), QPointF(middle, to.y()), to);
    return path;
}

std::optional<std::size_t> linkAt(const LinkScene& scene, QPointF point, double distance)
{
    std::optional<std::size_t> best;
    double bestDistance = distance;
    for (std::size_t i = 0; i < scene.links.size(); ++i) {
        const double here = distanceTo(linkPath(scene, scene.links[i]), point);
        const bool isSurer = best && scene.links[i].isSelected && !scene.links[*best].isSelected;
        if (here > distance || (here >= bestDistance && !isSurer))
            continue;
        best = i;
        bestDistance = here;
    }
    return best;
}

const GutterRow* markAt(const LinkScene& scene, QPointF point, int rowHeight)
{
    const bool isExecution = point.x() < scene.area.center().x();
    for (const GutterRow& row : isExecution ? scene.execution : scene.storage) {
        if (row.mark.kind != LinkMark::Kind::None && std::abs(point.y() - row.link.y) <= rowHeight / 2.0)
            return &row;
    }
    return nullptr;
}

void paintLinks(QPainter& painter, const LinkScene& scene, const Theme& theme)
{
    const auto rank = [&](std::size_t link) {
        const Link& candidate = scene.links[link];
        return scene.hovered == link ? 3 : candidate.isSelected ? 2 : candidate.differs ? 1 : 0;
    };
    std::vector<std::size_t> order(scene.links.size());
    for (std::size_t i = 0; i < order.size(); ++i)
        order[i] = i;
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return rank(a) < rank(b); });
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setClipRect(scene.area);
    LinkPen pen(painter, scene, theme);
    for (const std::size_t link : order)
        pen.paint(link);
    for (const GutterRow& row : scene.execution)
        pen.paintMark(row, TreeKind::Execution);
    for (const GutterRow& row : scene.storage)
        pen.paintMark(row, TreeKind::Storage);
    painter.restore();
}

} // namespace duo::ui
