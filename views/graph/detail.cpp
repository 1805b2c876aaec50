// SPDX-License-Identifier: Apache-2.0
#include "views/graph/detail.h"

#include "core/support/sorted.h"

#include <QLineF>
#include <QPolygonF>

#include <algorithm>
#include <cmath>

namespace duo::ui {
namespace {

constexpr double kLeastHeight = 9.5; // px on the screen that a box with a label needs
constexpr double kLeastWidth = 18;
constexpr double kMostUnnamed = 0.2; // of the boxes inside one that is drawn open

/// Where a line crosses the border of a rectangle, nearest to the end inside.
QPointF crossing(const QPointF& inside, const QPointF& outside, const QRectF& rect)
{
    double reach = 1;
    const QPointF d = outside - inside;
    const auto limit = [&](double change, double room) {
        if (change > 0)
            reach = std::min(reach, std::max(room, 0.0) / change);
    };
    limit(d.x(), rect.right() - inside.x());
    limit(-d.x(), inside.x() - rect.left());
    limit(d.y(), rect.bottom() - inside.y());
    limit(-d.y(), inside.y() - rect.top());
    return inside + d * reach;
}

/// A line without its first points inside the rectangle.
QPolygonF fromBorder(const QPolygonF& line, const QRectF& rect)
{
    qsizetype last = -1;
    for (qsizetype p = 0; p < line.size() && rect.contains(line[p]); ++p)
        last = p;
    if (last < 0 || last + 1 == line.size())
        return last < 0 ? line : QPolygonF();
    QPolygonF rest = line.mid(last + 1);
    rest.prepend(crossing(line[last], line[last + 1], rect));
    return rest;
}

} // namespace

Detail::Detail(const Picture& picture, double zoom, std::span<const double> widths)
    : m_picture(&picture)
    , m_zoom(zoom)
{
    const auto& boxes = picture.graph.boxes;
    struct Inside {
        int boxes = 0;
        int unnamed = 0; // whose labels do not fit
        bool isTooSmall = false;
    };
    std::vector<Inside> insides(boxes.size());
    for (std::size_t i = 0; i < boxes.size(); ++i) {
        if (boxes[i].parent < 0 || boxes[i].kind == ViewBox::Kind::Stub)
            continue;
        Inside& inside = insides[static_cast<std::size_t>(boxes[i].parent)];
        const QRectF frame = picture.frame(static_cast<int>(i));
        const bool hasLabel = !boxes[i].open && !widths.empty(); // an open box shows its own elsewhere
        const bool isPill = boxes[i].kind == ViewBox::Kind::Quantizer; // as narrow as its few letters
        ++inside.boxes;
        inside.isTooSmall = inside.isTooSmall || frame.height() * zoom < kLeastHeight
            || (!isPill && frame.width() * zoom < kLeastWidth);
        inside.unnamed += hasLabel && frame.width() * zoom < widths[i] ? 1 : 0;
    }
    const auto isReadable = [&](const Inside& inside) {
        return inside.boxes > 0 && !inside.isTooSmall && inside.unnamed <= inside.boxes * kMostUnnamed;
    };
    for (std::size_t i = 0; i < boxes.size(); ++i) {
        const auto parent = static_cast<std::size_t>(boxes[i].parent);
        if (boxes[i].parent >= 0 && m_look[parent] != Look::Frame) {
            m_look.push_back(Look::Hidden);
            m_shown.push_back(m_shown[parent]);
            continue;
        }
        m_look.push_back(
            isReadable(insides[i]) || (boxes[i].open && insides[i].boxes == 0) ? Look::Frame : Look::Closed);
        m_shown.push_back(static_cast<int>(i));
    }
}

std::vector<int> Detail::shown(const std::vector<int>& boxes) const
{
    std::vector<int> shown;
    shown.reserve(boxes.size());
    for (const int box : boxes)
        shown.push_back(this->shown(box));
    sortUniqueInPlace(shown);
    return shown;
}

QPolygonF lineOutside(const QPolygonF& line, const QRectF& left, const QRectF& entered)
{
    QPolygonF rest = left.isNull() ? line : fromBorder(line, left);
    if (entered.isNull() || rest.isEmpty())
        return rest;
    std::ranges::reverse(rest);
    rest = fromBorder(rest, entered);
    std::ranges::reverse(rest);
    return rest;
}

} // namespace duo::ui
