// SPDX-License-Identifier: Apache-2.0
#include "views/graph/edge_types.h"

#include "views/graph/label_painter.h"
#include "views/graph/taken_places.h"
#include "views/style/format.h"
#include "views/style/tr.h"

#include <QFontInfo>
#include <QFontMetricsF>
#include <QLineF>
#include <QStringList>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <utility>

namespace duo::ui {
namespace {

constexpr double kLeastZoom = 0.7; // below it the texts would be too small to read
constexpr std::array kScales = {1.0, 0.5, 0.25}; // of a text, the next where the one before has no room
constexpr double kBelow = 3; // px from where the edge leaves its box
constexpr double kBeside = 5; // px from the line
constexpr double kBadgeSide = 8; // px left and right of a badge's text
constexpr double kBadgeRows = 2; // of text: an edge that is shorter to its middle has its badge beside what it carries
constexpr double kMostSteps = 40; // along a line to where its text has room
constexpr double kBesideLine = 0.5; // px of a line that texts keep off

/// Where no text may stand: in closed boxes, on badges, on borders of open boxes and on lines.
struct Obstacles {
    TakenPlaces solid;
    TakenPlaces borders;
    TakenPlaces lines;

    Obstacles(const Picture& picture, std::span<const QRectF> badges)
    {
        std::ranges::for_each(badges, [this](const QRectF& badge) { solid.take(badge); });
        for (const auto& line : picture.layout.lines) {
            for (std::size_t p = 1; p < line.size(); ++p)
                lines.takeLine({line[p - 1].x, line[p - 1].y, line[p].x, line[p].y}, kBesideLine);
        }
        for (std::size_t i = 0; i < picture.graph.boxes.size(); ++i) {
            const QRectF frame = picture.frame(static_cast<int>(i));
            if (picture.scale(static_cast<int>(i)) != 1) // inside a closed box
                continue;
            if (picture.graph.boxes[i].open)
                borders.takeBorder(frame);
            else
                solid.take(frame);
        }
    }

    /// The first of the places where nothing is in the way.
    std::optional<QRectF> take(std::span<const QRectF> places)
    {
        const auto chosen = std::ranges::find_if(places, [this](const QRectF& place) {
            return solid.isFree(place) && borders.isFree(place) && lines.isFree(place);
        });
        if (chosen == places.end())
            return std::nullopt;
        solid.take(*chosen);
        return *chosen;
    }
};

/// px beside the line that a badge in its middle takes beside the text where the line begins.
double besideBadge(const std::string& badge, const std::vector<Point>& line, const QFontMetricsF& metrics)
{
    double length = 0;
    for (std::size_t i = 1; i < line.size(); ++i)
        length += std::hypot(line[i].x - line[i - 1].x, line[i].y - line[i - 1].y);
    const bool isBeside = !badge.empty() && length / 2 < kBelow + kBadgeRows * metrics.height();
    return isBeside ? metrics.horizontalAdvance(toQt(badge)) / 2 + kBadgeSide : 0;
}

/// Right and left of where the line begins, then along its first piece where that is long enough.
/// @param below px below where it begins
std::vector<QRectF> placesBeside(const std::vector<Point>& line, double beside, double below, const QSizeF& size)
{
    std::vector<QRectF> places;
    const Point& start = line.front();
    const double last = line[1].x == start.x ? line[1].y - size.height() - below : start.y;
    const double step = std::max(size.height() / 2, (last - start.y) / kMostSteps);
    for (double y = start.y + below; y <= std::max(last, start.y + below); y += step) {
        places.emplace_back(QPointF(start.x + beside, y), size);
        places.emplace_back(QPointF(start.x - beside - size.width(), y), size);
    }
    return places;
}

/// Formulas of exporters may be longer than the graph is wide.
ValueType withShortSymbols(ValueType type)
{
    constexpr std::size_t kMostLetters = 16;
    if (type.shape) {
        for (Dim& dim : *type.shape) {
            if (dim.symbol.size() > kMostLetters)
                dim.symbol = "…";
        }
    }
    return type;
}

/// What the engine made has the type that it wrote down.
ValueType typeOf(const Picture& picture, const ValueTypes& types, ValueId drawn)
{
    const ValueId value = picture.valueInModel(drawn);
    return value.valid() ? types.of(value) : picture.run->typeOf(drawn);
}

} // namespace

std::vector<QString> typesBesideEdges(const Picture& picture, const ValueTypes& types)
{
    std::vector<QString> texts;
    std::set<std::pair<std::uint32_t, ValueId>> told;
    for (const ViewEdge& edge : picture.graph.edges) {
        texts.emplace_back();
        const bool isSaid = picture.graph.boxes[edge.from].kind == ViewBox::Kind::Input; // in the box
        const bool isInside = picture.scale(static_cast<int>(edge.from)) != 1
            || picture.scale(static_cast<int>(edge.to)) != 1; // of a closed box: there is no room
        if (isSaid || isInside || !edge.value.valid() || !told.emplace(edge.from, edge.value).second)
            continue;
        texts.back() = edge.values > 1 ? QStringLiteral("%1 values").arg(countText(edge.values))
                                       : typeText(withShortSymbols(typeOf(picture, types, edge.value)));
    }
    return texts;
}

QString edgeTip(const Picture& picture, const ViewEdge& edge, const ValueTypes* types)
{
    const auto nameOf = [&](std::uint32_t at) {
        const ViewBox& box = picture.graph.boxes[at];
        if (box.kind == ViewBox::Kind::Scope)
            return toQt(box.key);
        return toQt(box.subtitle.empty() ? box.title : box.title + " " + box.subtitle);
    };
    QStringList lines{tr("From %1 to %2").arg(nameOf(edge.from), nameOf(edge.to))};
    if (edge.values > 1)
        lines += tr("%1 values, this one first:").arg(countText(edge.values));
    if (edge.value.valid()) {
        const Model& model = picture.run ? *picture.run->kernels : *picture.snapshot->model;
        lines += toQt(model.value(edge.value).name);
        lines += types != nullptr ? typeText(typeOf(picture, *types, edge.value)) : tr("its type is being found out");
    }
    if (!edge.badge.empty())
        lines += tr("Quantizer %1").arg(toQt(edge.badge));
    return lines.join(QLatin1Char('\n'));
}

EdgeTypes::EdgeTypes(const Picture& picture, const ValueTypes& types, const QFont& font, std::span<const QRectF> badges)
    : m_font(font)
{
    const QFontMetricsF metrics(font);
    Obstacles obstacles(picture, badges);
    std::vector<QString> texts = typesBesideEdges(picture, types);
    for (const double scale : kScales) {
        for (std::size_t i = 0; i < texts.size(); ++i) {
            const auto& line = picture.layout.lines[i];
            if (texts[i].isEmpty() || line.size() < 2)
                continue;
            const double badge = scale == 1 ? besideBadge(picture.graph.edges[i].badge, line, metrics) : 0;
            const double beside = std::max(kBeside * scale, badge);
            const QSizeF size(metrics.horizontalAdvance(texts[i]), metrics.height());
            if (const auto rect = obstacles.take(placesBeside(line, beside, kBelow * scale, size * scale)))
                m_labels.push_back({*rect, std::exchange(texts[i], {}), scale});
        }
    }
}

bool EdgeTypes::isShownAt(double zoom)
{
    return zoom >= kLeastZoom;
}

QRectF EdgeTypes::bounds(double zoom) const
{
    QRectF bounds;
    for (const Label& label : m_labels) {
        if (isShownAt(label.scale * zoom))
            bounds |= label.rect;
    }
    return bounds;
}

void EdgeTypes::paint(QPainter& painter, const QRectF& exposed, double zoom, const Theme& theme) const
{
    const double largest = kMostText / (QFontInfo(m_font).pixelSize() * zoom);
    painter.setFont(m_font);
    painter.setPen(theme.muted);
    for (const Label& label : m_labels) {
        if (!isShownAt(label.scale * zoom) || !label.rect.intersects(exposed))
            continue;
        const double scale = std::min(label.scale, largest);
        painter.save();
        painter.translate(label.rect.topLeft()); // beside the line also where it is shrunk
        painter.scale(scale, scale);
        painter.drawText(QRectF(QPointF(), label.rect.size() / scale),
            Qt::AlignLeft | Qt::AlignVCenter | Qt::TextDontClip, label.text);
        painter.restore();
    }
}

} // namespace duo::ui
