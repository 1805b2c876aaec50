// SPDX-License-Identifier: Apache-2.0
#include "core/graph/layout/layered_layout.h"

#include "core/graph/layout/columns.h"
#include "core/graph/layout/edge_router.h"
#include "core/graph/layout/layered_graph.h"
#include "core/graph/layout/ranks.h"
#include "core/graph/layout/row_order.h"
#include "core/graph/layout/row_places.h"
#include "core/graph/layout/way_back.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace duo {
namespace {

/// Takes the other places in the columns that are narrower with them.
/// @param ofRank [ranks] column of each row, ascending
void narrowInPlace(std::vector<double>& x, const std::vector<double>& other, const LayeredGraph& graph,
    const std::vector<std::uint32_t>& ofRank)
{
    const auto width = [&](const std::vector<double>& places, std::size_t first, std::size_t last) {
        double left = HUGE_VAL;
        double right = -HUGE_VAL;
        for (std::size_t r = first; r < last; ++r) {
            for (const std::uint32_t vertex : graph.rows[r]) {
                left = std::min(left, places[vertex] - graph.left[vertex]);
                right = std::max(right, places[vertex] + graph.right[vertex]);
            }
        }
        return right - left;
    };
    for (std::size_t first = 0, last = 0; first < ofRank.size(); first = last) {
        while (last < ofRank.size() && ofRank[last] == ofRank[first])
            ++last;
        if (width(other, first, last) >= width(x, first, last))
            continue;
        for (std::size_t r = first; r < last; ++r) {
            for (const std::uint32_t vertex : graph.rows[r])
                x[vertex] = other[vertex];
        }
    }
}

/// Boxes in their rows, in the middle of them or at the top, and those beside their readers left of them, one above the
/// other.
std::vector<Point> placeBoxes(const LayoutInput& input, const LayeredGraph& graph, const Columns& columns,
    const std::vector<std::uint32_t>& beside, const std::vector<double>& x)
{
    std::vector<Point> centers(input.boxes.size());
    std::vector<bool> isAtTop(input.boxes.size(), false);
    for (const std::uint32_t box : input.atTop)
        isAtTop[box] = true;
    std::vector<double> stackTop(input.boxes.size(), kBesideSpacing / 2);
    for (std::size_t b = 0; b < input.boxes.size(); ++b) {
        if (beside[b] != LayeredGraph::kNone) {
            stackTop[beside[b]] -= (input.boxes[b].height + kBesideSpacing) / 2;
            continue;
        }
        const Columns::Row& row = columns.rows[graph.rank[b]];
        const double height = isAtTop[b] ? graph.height[b] : row.bottom - row.top;
        centers[b] = {x[b] - graph.axis[b], row.top + height / 2};
    }
    for (std::size_t b = 0; b < input.boxes.size(); ++b) {
        if (beside[b] == LayeredGraph::kNone)
            continue;
        const std::uint32_t reader = beside[b];
        const Size size = input.boxes[b];
        centers[b] = {centers[reader].x - input.boxes[reader].width / 2 - kBesideGap - size.width / 2,
            centers[reader].y + stackTop[reader] + size.height / 2};
        stackTop[reader] += size.height + kBesideSpacing;
    }
    return centers;
}

/// Rows, and the order in them that has the fewest crossings; of rows like those of the advice where that has fewer.
LayeredGraph orderedGraph(
    const LayoutInput& input, const std::vector<std::uint32_t>& beside, const LayoutResult* advice)
{
    LayeredGraph graph = makeLayered(input, beside, findRanks(input));
    orderRowsInPlace(graph, advice);
    if (!advice || crossings(graph) == 0)
        return graph;
    if (auto ranks = ranksOf(input, *advice)) {
        LayeredGraph other = makeLayered(input, beside, *std::move(ranks));
        orderRowsInPlace(other, advice);
        if (crossings(other) < crossings(graph))
            return other;
    }
    return graph;
}

/// Moves everything so that it starts at (0, 0), and measures it.
void fitInPlace(LayoutResult& result, const LayoutInput& input)
{
    Point low{HUGE_VAL, HUGE_VAL};
    Point high{-HUGE_VAL, -HUGE_VAL};
    const auto cover = [&](double x, double y) {
        low = {std::min(low.x, x), std::min(low.y, y)};
        high = {std::max(high.x, x), std::max(high.y, y)};
    };
    for (std::size_t b = 0; b < input.boxes.size(); ++b) {
        const Size half{input.boxes[b].width / 2, input.boxes[b].height / 2};
        cover(result.centers[b].x - half.width, result.centers[b].y - half.height);
        cover(result.centers[b].x + half.width, result.centers[b].y + half.height);
    }
    for (const auto& line : result.lines) {
        for (const Point& point : line)
            cover(point.x, point.y);
    }
    if (input.boxes.empty())
        return;
    const auto move = [&](Point& point) { point = {point.x - low.x, point.y - low.y}; };
    std::for_each(result.centers.begin(), result.centers.end(), move);
    for (auto& line : result.lines)
        std::for_each(line.begin(), line.end(), move);
    result.size = {high.x - low.x, high.y - low.y};
}

} // namespace

Status checkLayoutInput(const LayoutInput& input)
{
    const auto wrong = [](std::string what) { return Error{ErrorCode::Internal, std::move(what), "layout input", {}}; };
    if (!input.pins.empty() && input.pins.size() != input.boxes.size())
        return wrong("there are not as many pins as boxes");
    const auto isSide = [](double side) { return side >= 0 && side <= kMaxBoxSide; };
    for (std::size_t b = 0; b < input.boxes.size(); ++b) {
        if (!isSide(input.boxes[b].width) || !isSide(input.boxes[b].height))
            return wrong("box " + std::to_string(b) + " has no valid size");
    }
    for (std::size_t e = 0; e < input.edges.size(); ++e) {
        if (std::max(input.edges[e].from, input.edges[e].to) >= input.boxes.size())
            return wrong("edge " + std::to_string(e) + " has an end outside the boxes");
        const auto isOnBorder = [&](const std::optional<double>& at, std::uint32_t box) {
            return !at || std::abs(*at) <= input.boxes[box].width / 2; // false for NaN too
        };
        if (!isOnBorder(input.edges[e].leaves, input.edges[e].from)
            || !isOnBorder(input.edges[e].enters, input.edges[e].to))
            return wrong("edge " + std::to_string(e) + " meets a box outside its border");
    }
    for (const std::uint32_t edge : input.spine) {
        if (edge >= input.edges.size())
            return wrong("the spine has an edge that is none");
    }
    for (const std::uint32_t box : input.atTop) {
        if (box >= input.boxes.size())
            return wrong("a box at the top of its row is none");
    }
    const bool areBoxes
        = std::ranges::all_of(input.leftFirst, [&](std::uint32_t box) { return box < input.boxes.size(); });
    if (input.leftFirst.size() % 2 != 0 || !areBoxes)
        return wrong("boxes that stand side by side are no pairs");
    if (!(input.aspect >= 0 && input.aspect <= kMostAspect))
        return wrong("the wanted shape is none");
    if (!(input.spread >= kLeastSpread && input.spread <= kMostSpread))
        return wrong("rows cannot stand that far apart or close together");
    return success();
}

Result<LayoutResult> layeredLayout(const LayoutInput& input, const LayoutResult* advice)
{
    DUO_CHECK(checkLayoutInput(input));
    const std::vector<std::uint32_t> beside = readersBeside(input);
    const LayeredGraph graph = orderedGraph(input, beside, advice);
    const WantedShape wanted{input.aspect, input.spread};
    std::vector<double> x = placeAxes(graph);
    Columns columns = findColumns(graph, x, wanted);
    if (columns.shift.size() > 1) {
        narrowInPlace(x, placeAxes(withoutLinksBetween(graph, columns.ofRank)), graph, columns.ofRank);
        columns = columnsOf(graph, x, wanted, columns.ofRank);
    }
    for (std::size_t v = 0; v < x.size(); ++v)
        x[v] += columns.shift[columns.ofRank[graph.rank[v]]];
    straightenBlocksInPlace(graph, columns.ofRank, x);
    LayoutResult result;
    result.engine = "layered";
    result.centers = placeBoxes(input, graph, columns, beside, x);
    result.lines = routeEdges({input, graph, columns, beside, x, result.centers});
    leadBackInPlace(result, {input, graph, columns, beside, x, result.centers});
    result.crossings = crossings(graph);
    fitInPlace(result, input);
    return result;
}

} // namespace duo
