// SPDX-License-Identifier: Apache-2.0
#include "core/graph/short_exits.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace duo {
namespace {

constexpr double kNear = 0.5; // px: the same place
constexpr double kMostDown = 120; // px from where a line turns back to where it leads on
constexpr double kBeside = 3; // px between lines that run along each other

/// Down to `line[corner]`, left, down to `line[last]`, right.
struct Detour {
    std::size_t corner = 0;
    std::size_t last = 0;
};

bool isUpright(const Point& a, const Point& b)
{
    return std::abs(a.x - b.x) < kNear && b.y >= a.y - kNear;
}

bool isLevel(const Point& a, const Point& b)
{
    return std::abs(a.y - b.y) < kNear;
}

std::optional<Detour> detourIn(const std::vector<Point>& line)
{
    for (std::size_t i = 1; i + 2 < line.size(); ++i) {
        const Point& corner = line[i];
        if (!isUpright(line[i - 1], corner) || !isLevel(corner, line[i + 1]) || line[i + 1].x > corner.x - kNear)
            continue;
        std::size_t last = i + 1;
        while (last + 1 < line.size() && isUpright(line[last], line[last + 1]))
            ++last;
        const bool leadsOn
            = last + 1 < line.size() && isLevel(line[last], line[last + 1]) && line[last + 1].x > corner.x + kNear;
        if (leadsOn && line[last].y - corner.y < kMostDown)
            return Detour{i, last};
    }
    return std::nullopt;
}

/// Whether a piece of a line meets what is upright at `x`, or runs beside it.
bool meets(const Point& a, const Point& b, double x, double top, double bottom)
{
    const auto [left, right] = std::minmax(a.x, b.x);
    if (right < x - kBeside || left > x + kBeside)
        return false;
    const bool isBeside = right - left <= 2 * kBeside;
    const auto at = [&](double where) { return a.y + (b.y - a.y) * std::clamp((where - a.x) / (b.x - a.x), 0.0, 1.0); };
    const auto [first, last] = isBeside ? std::minmax({a.y, b.y}) : std::minmax({at(x - kBeside), at(x + kBeside)});
    return last > top - kNear && first < bottom + kNear;
}

bool isFree(const ViewGraph& view, const PictureLayout& picture, std::size_t edge, const Point& from, double bottom)
{
    for (std::size_t b = 0; b < view.boxes.size(); ++b) {
        const auto& frame = picture.frames[b];
        const bool isOver = !view.boxes[b].open && from.x > frame.topLeft.x - kBeside
            && from.x < frame.topLeft.x + frame.size.width + kBeside && frame.topLeft.y < bottom + kBeside
            && frame.topLeft.y + frame.size.height > from.y;
        if (isOver)
            return false;
    }
    for (std::size_t e = 0; e < picture.lines.size(); ++e) {
        const auto& line = picture.lines[e];
        for (std::size_t p = 1; view.edges[e].from != view.edges[edge].from && p < line.size(); ++p) {
            if (meets(line[p - 1], line[p], from.x, from.y, bottom))
                return false;
        }
    }
    return true;
}

} // namespace

void shortenExitsInPlace(const ViewGraph& view, PictureLayout& picture)
{
    for (std::size_t e = 0; e < picture.lines.size(); ++e) {
        auto& line = picture.lines[e];
        const auto detour = detourIn(line);
        if (!detour || !isFree(view, picture, e, line[detour->corner], line[detour->last].y))
            continue;
        line[detour->corner].y = line[detour->last].y;
        const auto first = line.begin() + static_cast<std::ptrdiff_t>(detour->corner) + 1;
        line.erase(first, line.begin() + static_cast<std::ptrdiff_t>(detour->last) + 1);
    }
}

} // namespace duo
