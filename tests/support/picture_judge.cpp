// SPDX-License-Identifier: Apache-2.0
#include "tests/support/picture_judge.h"

#include "core/graph/main_paths.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <set>
#include <tuple>
#include <utility>

namespace duo::test {
namespace {

/// Above 0: c lies left of the line from a to b; 0: on it.
double side(Point a, Point b, Point c)
{
    const double area = (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
    return std::abs(area) < 1e-6 ? 0 : area;
}

bool isCrossed(Point a, Point b, Point c, Point d)
{
    return side(a, b, c) * side(a, b, d) < 0 && side(c, d, a) * side(c, d, b) < 0;
}

Point crossingOf(Point a, Point b, Point c, Point d)
{
    const double share = side(c, d, a) / (side(c, d, a) - side(c, d, b));
    return {a.x + (b.x - a.x) * share, a.y + (b.y - a.y) * share};
}

constexpr double kAside = 1; // px
constexpr double kHook = 40; // px of height beyond which two bends are no hook

/// From a point on: slanting to one side, perhaps down, and level to the other.
bool isHook(const std::vector<Point>& line, std::size_t from)
{
    const auto aside = [&](std::size_t piece) { return line[piece + 1].x - line[piece].x; };
    const auto down = [&](std::size_t piece) { return std::abs(line[piece + 1].y - line[piece].y); };
    const double first = aside(from);
    if (std::abs(first) <= kAside || down(from) <= kAside)
        return false;
    std::size_t next = from + 1;
    while (next + 1 < line.size() && std::abs(aside(next)) <= kAside)
        ++next;
    return next + 1 < line.size() && down(next) <= kAside && std::abs(line[next].y - line[from].y) < kHook
        && std::signbit(first) != std::signbit(aside(next)) && std::abs(aside(next)) > std::abs(first);
}

} // namespace

bool leadsThrough(Point from, Point to, Point topLeft, Size size)
{
    constexpr double kBorder = 1; // px
    const Point d{to.x - from.x, to.y - from.y};
    const std::array<std::array<double, 2>, 4> sides{
        {{-d.x, from.x - topLeft.x - kBorder}, {d.x, topLeft.x + size.width - kBorder - from.x},
            {-d.y, from.y - topLeft.y - kBorder}, {d.y, topLeft.y + size.height - kBorder - from.y}}};
    double enters = 0;
    double leaves = 1;
    for (const auto& [slope, room] : sides) {
        if (slope == 0 && room <= 0)
            return false;
        if (slope < 0)
            enters = std::max(enters, room / slope);
        else if (slope > 0)
            leaves = std::min(leaves, room / slope);
    }
    return enters < leaves;
}

std::size_t drawnCrossings(const std::vector<std::vector<Point>>& lines)
{
    std::set<std::pair<std::int64_t, std::int64_t>> places; // half px
    for (std::size_t e = 0; e < lines.size(); ++e) {
        for (std::size_t f = 0; f < e; ++f) {
            for (std::size_t i = 1; i < lines[e].size(); ++i) {
                for (std::size_t j = 1; j < lines[f].size(); ++j) {
                    const auto& [a, b, c, d] = std::tie(lines[e][i - 1], lines[e][i], lines[f][j - 1], lines[f][j]);
                    if (!isCrossed(a, b, c, d))
                        continue;
                    const Point at = crossingOf(a, b, c, d);
                    places.emplace(std::llround(2 * at.x), std::llround(2 * at.y));
                }
            }
        }
    }
    return places.size();
}

std::size_t PictureJudge::linesThroughBoxes() const
{
    std::size_t count = 0;
    for (std::size_t e = 0; e < m_view.edges.size(); ++e) {
        for (std::uint32_t b = 0; b < m_view.boxes.size(); ++b)
            count += !isAround(b, e) && isHit(e, m_picture.frames[b].topLeft, m_picture.frames[b].size) ? 1 : 0;
    }
    return count;
}

std::size_t PictureJudge::linesThroughTitles() const
{
    std::size_t count = 0;
    for (std::size_t e = 0; e < m_view.edges.size(); ++e) {
        for (std::size_t b = 0; b < m_view.boxes.size(); ++b) {
            const auto& frame = m_picture.frames[b];
            const Point title{frame.topLeft.x + frame.titleLeft, frame.topLeft.y};
            count += m_view.boxes[b].open && isHit(e, title, m_sizes(m_view.boxes[b])) ? 1 : 0;
        }
    }
    return count;
}

std::size_t PictureJudge::slantsOfMainPath() const
{
    constexpr double kStraight = 0.5; // px
    std::size_t count = 0;
    for (const std::uint32_t e : findMainPaths(m_view, cutIntoLevels(m_view)).whole) {
        const auto& line = m_picture.lines[e];
        for (std::size_t p = 1; p < line.size(); ++p) {
            count += std::abs(line[p].x - line[p - 1].x) > kStraight && std::abs(line[p].y - line[p - 1].y) > kStraight;
        }
    }
    return count;
}

std::size_t PictureJudge::hooks() const
{
    std::size_t count = 0;
    for (const auto& line : m_picture.lines) {
        for (std::size_t p = 0; p + 2 < line.size(); ++p)
            count += isHook(line, p) ? 1 : 0;
    }
    return count;
}

std::size_t PictureJudge::overlaps() const
{
    std::size_t count = 0;
    for (std::size_t a = 0; a < m_view.boxes.size(); ++a) {
        for (std::size_t b = 0; b < a; ++b)
            count += m_view.boxes[a].parent == m_view.boxes[b].parent && areOver(a, b) ? 1 : 0;
    }
    return count;
}

/// Whether an edge starts or ends inside an open box.
bool PictureJudge::isAround(std::uint32_t box, std::size_t edge) const
{
    for (const std::uint32_t end : {m_view.edges[edge].from, m_view.edges[edge].to}) {
        for (std::int32_t at = m_view.boxes[end].parent; at >= 0;
             at = m_view.boxes[static_cast<std::size_t>(at)].parent) {
            if (at == static_cast<std::int32_t>(box))
                return true;
        }
    }
    return false;
}

bool PictureJudge::isHit(std::size_t edge, Point topLeft, Size size) const
{
    const auto& line = m_picture.lines[edge];
    for (std::size_t p = 1; p < line.size(); ++p) {
        if (leadsThrough(line[p - 1], line[p], topLeft, size))
            return true;
    }
    return false;
}

bool PictureJudge::areOver(std::size_t a, std::size_t b) const
{
    const auto& one = m_picture.frames[a];
    const auto& two = m_picture.frames[b];
    return one.topLeft.x + 0.1 < two.topLeft.x + two.size.width && two.topLeft.x + 0.1 < one.topLeft.x + one.size.width
        && one.topLeft.y + 0.1 < two.topLeft.y + two.size.height
        && two.topLeft.y + 0.1 < one.topLeft.y + one.size.height;
}

} // namespace duo::test
