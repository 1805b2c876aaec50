// SPDX-License-Identifier: Apache-2.0
#include "core/graph/layout/ranks.h"

#include "core/graph/layout/layered_graph.h"

#include <algorithm>
#include <cmath>

namespace duo {
namespace {

constexpr std::size_t kWidestRow = 32; // sources or sinks of one row before they are wrapped

constexpr std::size_t kMostLoose = 4; // boxes without edges in one row whatever the wanted shape
constexpr double kUsualAspect = 1.6; // of boxes without edges where no shape is wanted

constexpr double kSameRow = 1; // px that centers of a row may differ by
constexpr std::size_t kMostBeside = 8; // boxes beside one reader
constexpr std::uint32_t kNoReader = UINT32_MAX;

using Edges = std::vector<LayoutInput::Edge>;

/// Edges grouped by their first end.
struct Successors {
    std::vector<std::uint32_t> begin; // [boxes + 1]
    std::vector<std::uint32_t> to; // [edges]

    Successors(std::size_t boxes, const Edges& edges)
        : begin(boxes + 1, 0)
        , to(edges.size())
    {
        for (const auto& edge : edges)
            ++begin[edge.from + 1];
        for (std::size_t b = 0; b < boxes; ++b)
            begin[b + 1] += begin[b];
        std::vector<std::uint32_t> next(begin.begin(), begin.end() - 1);
        for (const auto& edge : edges)
            to[next[edge.from]++] = edge.to;
    }
    [[nodiscard]] std::uint32_t count(std::size_t box) const { return begin[box + 1] - begin[box]; }
};

bool isPinned(const LayoutInput& input, std::size_t box)
{
    return input.pin(box) == Pin::Top || input.pin(box) == Pin::Bottom;
}

/// Edges that constrain ranks: between boxes with rows of their own, no self loops.
Edges freeEdges(const LayoutInput& input, const std::vector<std::uint32_t>& beside)
{
    Edges edges;
    for (const auto& edge : input.edges) {
        if (edge.from != edge.to && !isPinned(input, edge.from) && !isPinned(input, edge.to)
            && beside[edge.from] == kNoReader)
            edges.push_back(edge);
    }
    return edges;
}

/// Boxes that no edge meets.
std::vector<bool> looseBoxes(const LayoutInput& input)
{
    std::vector<bool> isLoose(input.boxes.size(), true);
    for (std::size_t b = 0; b < input.boxes.size(); ++b)
        isLoose[b] = !isPinned(input, b);
    for (const auto& edge : input.edges)
        isLoose[edge.from] = isLoose[edge.to] = false;
    return isLoose;
}

/// Kahn's order; where only cycles are left, the lowest waiting box is released.
std::vector<std::uint32_t> releaseOrder(std::size_t boxes, const Edges& edges)
{
    const Successors successors(boxes, edges);
    std::vector<std::uint32_t> waitingFor(boxes, 0);
    for (const auto& edge : edges)
        ++waitingFor[edge.to];
    std::vector<std::uint32_t> order;
    std::vector<bool> released(boxes, false);
    const auto release = [&](std::uint32_t box) {
        released[box] = true;
        order.push_back(box);
    };
    for (std::uint32_t b = 0; b < boxes; ++b) {
        if (waitingFor[b] == 0)
            release(b);
    }
    std::uint32_t lowest = 0;
    for (std::size_t done = 0; done < boxes; ++done) {
        if (done == order.size()) {
            while (released[lowest])
                ++lowest;
            release(lowest);
        }
        const std::uint32_t box = order[done];
        for (std::uint32_t s = successors.begin[box]; s < successors.begin[box + 1]; ++s) {
            const std::uint32_t next = successors.to[s];
            if (--waitingFor[next] == 0 && !released[next])
                release(next);
        }
    }
    return order;
}

void orientInPlace(Edges& edges, const std::vector<std::uint32_t>& order)
{
    std::vector<std::uint32_t> position(order.size());
    for (std::uint32_t i = 0; i < order.size(); ++i)
        position[order[i]] = i;
    for (auto& edge : edges) {
        if (position[edge.from] > position[edge.to])
            std::swap(edge.from, edge.to);
    }
}

/// Moves boxes down to their first reader where that makes edges shorter in total: ends of private chains, and boxes
/// with more readers than sources.
void pullDownInPlace(std::vector<std::uint32_t>& rank, const Successors& successors,
    const std::vector<std::uint32_t>& order, const Edges& edges)
{
    std::vector<std::uint32_t> sources(rank.size(), 0);
    std::vector<bool> isPrivate(rank.size(), true);
    for (const auto& edge : edges)
        ++sources[edge.to];
    for (const std::uint32_t box : order) {
        for (std::uint32_t s = successors.begin[box]; s < successors.begin[box + 1]; ++s) {
            if (!isPrivate[box] || successors.count(box) != 1)
                isPrivate[successors.to[s]] = false;
        }
    }
    for (auto box = order.rbegin(); box != order.rend(); ++box) {
        if (successors.count(*box) == 0 || (!isPrivate[*box] && successors.count(*box) <= sources[*box]))
            continue;
        std::uint32_t lowest = UINT32_MAX;
        for (std::uint32_t s = successors.begin[*box]; s < successors.begin[*box + 1]; ++s)
            lowest = std::min(lowest, rank[successors.to[s]]);
        rank[*box] = lowest - 1;
    }
}

/// Rows of their own for lowered boxes, below those in which they stood.
void lowerInPlace(std::vector<std::uint32_t>& rank, const LayoutInput& input)
{
    if (std::ranges::find(input.pins, Pin::Lowered) == input.pins.end())
        return;
    for (std::size_t b = 0; b < rank.size(); ++b)
        rank[b] = 2 * rank[b] + (input.pin(b) == Pin::Lowered ? 1 : 0); // empty rows go in the end
}

enum class Role : std::uint8_t { Inner, Source, Sink };

std::vector<Role> rolesOf(const std::vector<std::uint32_t>& beside, const Edges& edges)
{
    std::vector<Role> roles(beside.size(), Role::Sink);
    for (std::size_t b = 0; b < beside.size(); ++b) {
        if (beside[b] != kNoReader)
            roles[b] = Role::Inner; // in no row that could be wide
    }
    for (const auto& edge : edges)
        roles[edge.from] = Role::Source;
    for (const auto& edge : edges) {
        if (roles[edge.to] == Role::Source)
            roles[edge.to] = Role::Inner;
    }
    return roles;
}

/// Rows that `count` boxes of one rank take.
std::uint32_t rowsFor(std::size_t count)
{
    if (count <= kWidestRow)
        return 0;
    const auto perRow = std::max(kWidestRow, static_cast<std::size_t>(std::sqrt(static_cast<double>(count))));
    return static_cast<std::uint32_t>((count + perRow - 1) / perRow);
}

/// Spreads the sources of a wide rank over rows above it and its sinks over rows below it.
void wrapWideRanksInPlace(std::vector<std::uint32_t>& rank, const std::vector<Role>& roles)
{
    const std::size_t ranks = rank.empty() ? 0 : std::size_t{*std::max_element(rank.begin(), rank.end())} + 1;
    std::vector<std::size_t> sources(ranks, 0);
    std::vector<std::size_t> sinks(ranks, 0);
    for (std::size_t b = 0; b < rank.size(); ++b) {
        sources[rank[b]] += roles[b] == Role::Source ? 1 : 0;
        sinks[rank[b]] += roles[b] == Role::Sink ? 1 : 0;
    }
    std::vector<std::uint32_t> base(ranks + 1, 0);
    for (std::size_t r = 0; r < ranks; ++r)
        base[r + 1] = base[r] + rowsFor(sources[r]) + 1 + rowsFor(sinks[r]);
    std::vector<std::size_t> placedSources(ranks, 0);
    std::vector<std::size_t> placedSinks(ranks, 0);
    for (std::size_t b = 0; b < rank.size(); ++b) {
        const std::uint32_t r = rank[b];
        const std::uint32_t above = rowsFor(sources[r]);
        const std::uint32_t below = rowsFor(sinks[r]);
        rank[b] = base[r] + above;
        if (roles[b] == Role::Source && above > 0)
            rank[b] = base[r] + static_cast<std::uint32_t>(placedSources[r]++ * above / sources[r]);
        else if (roles[b] == Role::Sink && below > 0)
            rank[b] += 1 + static_cast<std::uint32_t>(placedSinks[r]++ * below / sinks[r]);
    }
}

/// Boxes without edges stand in rows below all others, as wide as the wanted shape has it.
void shelveLooseInPlace(std::vector<std::uint32_t>& rank, const LayoutInput& input, const std::vector<bool>& isLoose)
{
    std::uint32_t row = 1;
    std::size_t loose = 0;
    double width = 0;
    double height = 0;
    for (std::size_t b = 0; b < rank.size(); ++b) {
        if (!isLoose[b]) {
            row = std::max(row, rank[b] + 1);
            continue;
        }
        ++loose;
        width += input.boxes[b].width + kColumnGap;
        height += input.boxes[b].height + kRowGap;
    }
    if (loose <= kMostLoose)
        return;
    const double aspect = input.aspect > 0 ? input.aspect : kUsualAspect;
    const double side = std::sqrt(width * (height / static_cast<double>(loose)) * aspect); // of one row
    const auto rows = std::max(static_cast<std::size_t>(std::ceil(width / std::max(side, 1.0) - 0.25)), std::size_t{1});
    const std::size_t inRow = (loose + rows - 1) / rows;
    std::size_t placed = 0;
    for (std::size_t b = 0; b < rank.size(); ++b) {
        if (isLoose[b])
            rank[b] = row + static_cast<std::uint32_t>(placed++ / inRow);
    }
}

void removeEmptyRowsInPlace(std::vector<std::uint32_t>& rank)
{
    if (rank.empty())
        return;
    std::vector<std::uint32_t> row(std::size_t{*std::max_element(rank.begin(), rank.end())} + 1, 0);
    for (const std::uint32_t r : rank)
        row[r] = 1;
    std::uint32_t next = 0;
    for (std::uint32_t& used : row) {
        const bool isUsed = used != 0;
        used = next;
        next += isUsed ? 1 : 0;
    }
    for (std::uint32_t& r : rank)
        r = row[r];
}

} // namespace

std::vector<std::uint32_t> readersBeside(const LayoutInput& input)
{
    std::vector<std::uint32_t> reader(input.boxes.size(), kNoReader);
    std::vector<std::uint32_t> reads(input.boxes.size(), 0);
    std::vector<std::uint32_t> isReadBy(input.boxes.size(), 0);
    for (const auto& edge : input.edges) {
        ++reads[edge.to];
        ++isReadBy[edge.from];
        reader[edge.from] = edge.to;
    }
    std::vector<std::size_t> standing(input.boxes.size(), 0);
    for (std::size_t b = 0; b < input.boxes.size(); ++b) {
        const bool isAlone = input.pin(b) == Pin::Beside && reads[b] == 0 && isReadBy[b] == 1;
        if (!isAlone || input.pin(reader[b]) != Pin::Free || ++standing[reader[b]] > kMostBeside)
            reader[b] = kNoReader;
    }
    return reader;
}

std::vector<std::uint32_t> findRanks(const LayoutInput& input)
{
    const std::size_t boxes = input.boxes.size();
    const std::vector<std::uint32_t> beside = readersBeside(input);
    Edges edges = freeEdges(input, beside);
    const std::vector<std::uint32_t> order = releaseOrder(boxes, edges);
    orientInPlace(edges, order);
    const Successors successors(boxes, edges);
    std::vector<std::uint32_t> rank(boxes, 1); // 0 is for boxes pinned to the top
    for (const std::uint32_t box : order) {
        for (std::uint32_t s = successors.begin[box]; s < successors.begin[box + 1]; ++s)
            rank[successors.to[s]] = std::max(rank[successors.to[s]], rank[box] + 1);
    }
    pullDownInPlace(rank, successors, order, edges);
    lowerInPlace(rank, input);
    wrapWideRanksInPlace(rank, rolesOf(beside, edges));
    shelveLooseInPlace(rank, input, looseBoxes(input));
    const std::uint32_t last = boxes == 0 ? 0 : *std::max_element(rank.begin(), rank.end());
    for (std::size_t b = 0; b < boxes; ++b) {
        if (isPinned(input, b))
            rank[b] = input.pin(b) == Pin::Top ? 0 : last + 1;
    }
    for (std::size_t b = 0; b < boxes; ++b) {
        if (beside[b] != kNoReader)
            rank[b] = rank[beside[b]];
    }
    removeEmptyRowsInPlace(rank);
    return rank;
}

std::optional<std::vector<std::uint32_t>> ranksOf(const LayoutInput& input, const LayoutResult& layout)
{
    const std::vector<std::uint32_t> beside = readersBeside(input);
    std::vector<std::uint32_t> byHeight;
    for (std::uint32_t b = 0; b < input.boxes.size(); ++b) {
        if (beside[b] == kNoReader)
            byHeight.push_back(b);
    }
    std::ranges::stable_sort(byHeight, {}, [&](std::uint32_t box) { return layout.centers[box].y; });
    std::vector<std::uint32_t> rank(input.boxes.size(), 0);
    std::size_t inRow = 0;
    for (std::size_t i = 0; i < byHeight.size(); ++i) {
        const bool isNextRow = i > 0 && layout.centers[byHeight[i]].y > layout.centers[byHeight[i - 1]].y + kSameRow;
        inRow = isNextRow ? 1 : inRow + 1;
        if (inRow > kWidestRow)
            return std::nullopt;
        rank[byHeight[i]] = i == 0 ? 0 : rank[byHeight[i - 1]] + (isNextRow ? 1 : 0);
    }
    for (const auto& edge : input.edges) {
        const bool hasRows = beside[edge.from] == kNoReader && beside[edge.to] == kNoReader;
        if (hasRows && edge.from != edge.to && rank[edge.from] == rank[edge.to])
            return std::nullopt;
    }
    if (std::ranges::count(looseBoxes(input), true) > static_cast<std::ptrdiff_t>(kMostLoose))
        return std::nullopt;
    for (std::size_t b = 0; b < beside.size(); ++b) {
        if (beside[b] != kNoReader)
            rank[b] = rank[beside[b]];
    }
    removeEmptyRowsInPlace(rank);
    return rank;
}

std::size_t crossedRows(const LayoutInput& input)
{
    const std::vector<std::uint32_t> rank = findRanks(input);
    std::size_t crossed = 0;
    for (const auto& edge : input.edges) {
        const std::uint32_t distance
            = rank[edge.to] > rank[edge.from] ? rank[edge.to] - rank[edge.from] : rank[edge.from] - rank[edge.to];
        crossed += distance > 0 ? distance - 1 : 0;
    }
    return crossed;
}

} // namespace duo
