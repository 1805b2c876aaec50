// SPDX-License-Identifier: Apache-2.0
#include "views/graph/edge_types.h"

#include "views/style/format.h"

#include <QFontMetricsF>

#include <algorithm>
#include <cmath>
#include <set>
#include <unordered_map>

namespace duo::ui {
namespace {

constexpr double kLeastZoom = 0.7; // below it the texts would be too small to read
constexpr double kBelow = 3; // px from where the edge leaves its box
constexpr double kBeside = 5; // px from the line
constexpr double kBadgeSide = 8; // px left and right of a badge's text
constexpr double kBadgeRows = 2; // of text: an edge that is shorter to its middle has its badge beside what it carries
constexpr double kBand = 32; // px, height of the bands that texts are sorted into

/// Texts that were placed, by the bands of the picture that they touch.
class TakenPlaces
{
public:
    /// @return false if another text is in the way
    bool take(const QRectF& rect)
    {
        const auto first = static_cast<std::int64_t>(std::floor(rect.top() / kBand));
        const auto last = static_cast<std::int64_t>(std::floor(rect.bottom() / kBand));
        for (std::int64_t band = first; band <= last; ++band) {
            if (std::ranges::any_of(m_bands[band], [&](const QRectF& other) { return other.intersects(rect); }))
                return false;
        }
        for (std::int64_t band = first; band <= last; ++band)
            m_bands[band].push_back(rect);
        return true;
    }

private:
    std::unordered_map<std::int64_t, std::vector<QRectF>> m_bands;
};

/// px right of the line that a badge in its middle takes beside the text where the line begins.
double besideBadge(const std::string& badge, const std::vector<Point>& line, const QFontMetricsF& metrics)
{
    double length = 0;
    for (std::size_t i = 1; i < line.size(); ++i)
        length += std::hypot(line[i].x - line[i - 1].x, line[i].y - line[i - 1].y);
    const bool isBeside = !badge.empty() && length / 2 < kBelow + kBadgeRows * metrics.height();
    return isBeside ? metrics.horizontalAdvance(toQt(badge)) / 2 + kBadgeSide : 0;
}

/// What the engine made has the type that it wrote down.
ValueType typeOf(const Picture& picture, const ValueTypes& types, ValueId drawn)
{
    const ValueId value = picture.valueInModel(drawn);
    return value.valid() ? types.of(value) : picture.run->kernels->value(drawn).type;
}

} // namespace

EdgeTypes::EdgeTypes(const Picture& picture, const ValueTypes& types, const QFont& font)
    : m_font(font)
{
    const QFontMetricsF metrics(font);
    TakenPlaces taken;
    std::set<std::pair<std::uint32_t, ValueId>> told;
    for (std::size_t i = 0; i < picture.graph.edges.size(); ++i) {
        const ViewEdge& edge = picture.graph.edges[i];
        const auto& line = picture.layout.lines[i];
        const bool isSaid = picture.graph.boxes[edge.from].kind == ViewBox::Kind::Input; // in the box
        const bool isInside = picture.scale(static_cast<int>(edge.from)) != 1; // of a closed box: there is no room
        if (isSaid || isInside || !edge.value.valid() || line.size() < 2 || !told.emplace(edge.from, edge.value).second)
            continue;
        QString text = edge.values > 1 ? QStringLiteral("%1 values").arg(countText(edge.values))
                                       : typeText(typeOf(picture, types, edge.value));
        if (text.isEmpty())
            continue;
        const double badge = besideBadge(edge.badge, line, metrics);
        const QPointF start(line.front().x + std::max(kBeside, badge), line.front().y + kBelow);
        const QRectF rect(start, QSizeF(metrics.horizontalAdvance(text), metrics.height()));
        if (taken.take(rect))
            m_labels.push_back({rect, std::move(text)});
    }
}

void EdgeTypes::paint(QPainter& painter, const QRectF& exposed, double zoom, const Theme& theme) const
{
    if (zoom < kLeastZoom)
        return;
    painter.setFont(m_font);
    painter.setPen(theme.muted);
    for (const Label& label : m_labels) {
        if (label.rect.intersects(exposed))
            painter.drawText(label.rect, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextDontClip, label.text);
    }
}

} // namespace duo::ui
