// SPDX-License-Identifier: Apache-2.0
#include "core/graph/label_places.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace duo {
namespace {

constexpr double kCell = 64; // px
constexpr std::int64_t kMostColumns = 16; // of a box that its cells hold; a wider one its whole row does
constexpr std::int64_t kWholeRow = std::numeric_limits<std::int32_t>::min();
constexpr double kBeside = 2; // px between a line and its text
constexpr double kStraight = 0.5; // px
constexpr double kArrow = 6; // px long
constexpr double kArrowHalf = 3; // px to both sides
constexpr std::size_t kMostPieces = 8; // that are tried
constexpr std::array<double, 5> kAlong{0.5, 0.3, 0.7, 0.15, 0.85};

std::int64_t cellOf(double at)
{
    return static_cast<std::int64_t>(std::floor(at / kCell));
}

/// Vertical pieces of a line, then horizontal, then slanted ones, and then those shorter than the text is high with an
/// arrow beside it; each kind from the longest on.
std::vector<std::size_t> piecesToTry(const std::vector<Point>& line, const Size& text)
{
    const auto length = [&](std::size_t p) { return std::hypot(line[p].x - line[p + 1].x, line[p].y - line[p + 1].y); };
    const auto kind = [&](std::size_t p) {
        if (length(p) < text.height + 2 * kArrow)
            return 3;
        const bool isVertical = std::abs(line[p].x - line[p + 1].x) < kStraight;
        return isVertical ? 0 : std::abs(line[p].y - line[p + 1].y) < kStraight ? 1 : 2;
    };
    std::vector<std::size_t> pieces(line.size() - 1);
    std::iota(pieces.begin(), pieces.end(), std::size_t{0});
    std::ranges::stable_sort(pieces, {}, [&](std::size_t p) { return std::pair(kind(p), -length(p)); });
    pieces.resize(std::min(pieces.size(), kMostPieces));
    return pieces;
}

/// The middle of a text that touches a piece of a line from one side.
Point beside(Point from, Point to, double along, Size text, double side)
{
    const double length = std::max(std::hypot(to.x - from.x, to.y - from.y), 1e-9);
    const Point across{side * std::abs(to.y - from.y) / length,
        -side * std::copysign((to.x - from.x) / length, (to.x - from.x) * (to.y - from.y))};
    const double away = (std::abs(across.x) * text.width + std::abs(across.y) * text.height) / 2 + kBeside;
    return {from.x + (to.x - from.x) * along + across.x * away, from.y + (to.y - from.y) * along + across.y * away};
}

} // namespace

LabelPlaces::LabelPlaces(const ViewGraph& view, const PictureLayout& picture, double margin)
    : m_picture(picture)
    , m_margin(margin)
{
    for (std::size_t b = 0; b < view.boxes.size(); ++b) {
        const auto& frame = picture.frames[b];
        const double height = view.boxes[b].open ? kTitleBarHeight : frame.size.height;
        add(Rect{frame.topLeft.x, frame.topLeft.y, frame.topLeft.x + frame.size.width, frame.topLeft.y + height});
    }
    for (const auto& line : picture.lines) {
        addArrow(line[line.size() - 2], line.back());
        for (std::size_t p = 0; p + 1 < line.size(); ++p)
            add(line[p], line[p + 1]);
    }
}

Point LabelPlaces::take(std::size_t edge, Size text)
{
    if (const auto place = takeFree(edge, text))
        return *place;
    const std::vector<Point>& line = m_picture.lines[edge];
    const std::size_t best = piecesToTry(line, text).front();
    return onSheet(beside(line[best], line[best + 1], kAlong.front(), text, 1), text);
}

std::optional<Point> LabelPlaces::takeFree(std::size_t edge, Size text)
{
    const std::vector<Point>& line = m_picture.lines[edge];
    for (const std::size_t p : piecesToTry(line, text)) {
        for (const double along : kAlong) {
            for (const double side : {1.0, -1.0}) {
                const Point middle = beside(line[p], line[p + 1], along, text, side);
                if (!(onSheet(middle, text) == middle) || !isFree(around(middle, text)))
                    continue;
                keepFree(middle, text);
                return middle;
            }
        }
    }
    return std::nullopt;
}

void LabelPlaces::keepFree(Point middle, Size size)
{
    add(around(middle, size));
}

Point LabelPlaces::onSheet(Point middle, Size text) const
{
    const auto nearest = [&](double at, double length, double sheet) {
        const double least = length / 2 - m_margin;
        return std::clamp(at, least, std::max(least, sheet + m_margin - length / 2));
    };
    return {nearest(middle.x, text.width, m_picture.size.width), nearest(middle.y, text.height, m_picture.size.height)};
}

LabelPlaces::Rect LabelPlaces::around(Point middle, Size size)
{
    return {
        middle.x - size.width / 2, middle.y - size.height / 2, middle.x + size.width / 2, middle.y + size.height / 2};
}

void LabelPlaces::addArrow(Point before, Point tip)
{
    const double share = kArrow / std::max(std::hypot(tip.x - before.x, tip.y - before.y), kArrow);
    const Point end{tip.x + (before.x - tip.x) * share, tip.y + (before.y - tip.y) * share};
    add(Rect{std::min(tip.x, end.x) - kArrowHalf, std::min(tip.y, end.y) - kArrowHalf,
        std::max(tip.x, end.x) + kArrowHalf, std::max(tip.y, end.y) + kArrowHalf});
}

void LabelPlaces::add(Point from, Point to)
{
    if (from.y > to.y)
        std::swap(from, to);
    for (std::int64_t row = cellOf(from.y); row <= cellOf(to.y); ++row) {
        const auto at = [&](double y) { // x of the piece at a height
            const double share = to.y > from.y ? (std::clamp(y, from.y, to.y) - from.y) / (to.y - from.y) : 0;
            return from.x + (to.x - from.x) * share;
        };
        const double top = static_cast<double>(row) * kCell;
        const bool isLevel = to.y <= from.y;
        const auto [left, right] = std::minmax({at(top), isLevel ? to.x : at(top + kCell)});
        for (std::int64_t column = cellOf(left); column <= cellOf(right); ++column)
            m_cells[keyOf(column, row)].pieces.emplace_back(from, to);
    }
}

void LabelPlaces::add(const Rect& rect)
{
    const bool isWide = cellOf(rect.right) - cellOf(rect.left) >= kMostColumns;
    const std::int64_t first = isWide ? kWholeRow : cellOf(rect.left);
    const std::int64_t last = isWide ? kWholeRow : cellOf(rect.right);
    for (std::int64_t row = cellOf(rect.top); row <= cellOf(rect.bottom); ++row) {
        for (std::int64_t column = first; column <= last; ++column)
            m_cells[keyOf(column, row)].rects.push_back(rect);
    }
}

bool LabelPlaces::isFree(const Rect& rect) const
{
    const auto isOver = [&](const Rect& other) {
        return rect.left < other.right && other.left < rect.right && rect.top < other.bottom && other.top < rect.bottom;
    };
    const auto isMet = [&](const auto& piece) { return areMet(rect, piece.first, piece.second); };
    const auto isFreeIn = [&](std::int64_t column, std::int64_t row) {
        const auto cell = m_cells.find(keyOf(column, row));
        return cell == m_cells.end()
            || (std::ranges::none_of(cell->second.rects, isOver) && std::ranges::none_of(cell->second.pieces, isMet));
    };
    for (std::int64_t row = cellOf(rect.top); row <= cellOf(rect.bottom); ++row) {
        if (!isFreeIn(kWholeRow, row))
            return false;
        for (std::int64_t column = cellOf(rect.left); column <= cellOf(rect.right); ++column) {
            if (!isFreeIn(column, row))
                return false;
        }
    }
    return true;
}

std::uint64_t LabelPlaces::keyOf(std::int64_t column, std::int64_t row)
{
    return (static_cast<std::uint64_t>(row) << 32U) ^ static_cast<std::uint32_t>(column);
}

/// What of the piece lies between the sides, by its share of it.
bool LabelPlaces::areMet(const Rect& rect, Point from, Point to)
{
    double first = 0;
    double last = 1;
    const auto clip = [&](double start, double end, double low, double high) {
        if (start == end)
            return low < start && start < high;
        const auto [enters, leaves] = std::minmax({(low - start) / (end - start), (high - start) / (end - start)});
        first = std::max(first, enters);
        last = std::min(last, leaves);
        return first < last;
    };
    return clip(from.x, to.x, rect.left, rect.right) && clip(from.y, to.y, rect.top, rect.bottom);
}

} // namespace duo
