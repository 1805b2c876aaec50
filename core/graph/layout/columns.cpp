// SPDX-License-Identifier: Apache-2.0
#include "core/graph/layout/columns.h"

#include <algorithm>
#include <cmath>
#include <compare>

namespace duo {
namespace {

constexpr double kGutter = 28; // px of a gutter besides its lines
constexpr double kMostRowGap = 90; // px
constexpr double kSlope = 0.14; // px of gap per px that a line leads sideways in it
constexpr std::size_t kMostColumns = 80;
constexpr double kLeastGain = 1.1; // how much larger the picture must get in the pane
constexpr double kLeastColumn = 240; // px of height: what is short is not wrapped
constexpr double kPortHeight = 1; // px; rows of ports stay with their neighbours
constexpr double kEmptyCost = 0.4; // how much larger a picture may be that leaves nothing empty
constexpr double kCutRange = 0.25; // of a column's height within which the best cut is looked for
constexpr double kFewLines = 2; // from a column to the next, which are followed easily
constexpr double kTurnCost = 1; // how much larger a picture may be without columns that all lines lead between
constexpr double kCutCost = 12; // px of height that a crossing line counts for

/// What of a row the columns are made by.
struct RowMeasure {
    double height = 0;
    double gapAbove = 0;
    double left = 0; // px, negative
    double right = 0;
    std::size_t cut = 0; // lines that lead here from the row above
};

std::vector<RowMeasure> measure(const LayeredGraph& graph, const std::vector<double>& x, double spread)
{
    std::vector<RowMeasure> rows(graph.rows.size());
    for (std::size_t r = 0; r < rows.size(); ++r) {
        RowMeasure& row = rows[r];
        double sideways = 0;
        row.left = graph.rows[r].empty() ? 0 : HUGE_VAL;
        row.right = graph.rows[r].empty() ? 0 : -HUGE_VAL;
        for (const std::uint32_t vertex : graph.rows[r]) {
            row.left = std::min(row.left, x[vertex] - graph.left[vertex]);
            row.right = std::max(row.right, x[vertex] + graph.right[vertex]);
            if (!graph.isBend(vertex))
                row.height = std::max(row.height, graph.height[vertex]);
            for (const Link& link : graph.above.of(vertex))
                sideways = std::max(sideways, std::abs(x[link.end] + link.offset - x[vertex]));
            row.cut += graph.above.of(vertex).size();
        }
        row.gapAbove = r == 0 ? 0 : std::clamp(sideways * kSlope, kRowGap, kMostRowGap) * spread;
    }
    return rows;
}

/// First rows of the columns, the first of them 0.
using Cuts = std::vector<std::size_t>;

double channel(const std::vector<RowMeasure>& rows, std::size_t cut)
{
    return kRowGap / 2 + kTrackGap * static_cast<double>(rows[cut].cut);
}

struct Extent {
    double width = 0;
    double height = 0;
    double used = 0; // px², of the columns
    double cut = 0; // share of the edges that leads from a column to the next beside a few, where there are most
};

class Cutter
{
public:
    Cutter(const std::vector<RowMeasure>& rows, std::size_t edges)
        : m_rows(rows)
        , m_edges(static_cast<double>(std::max(edges, std::size_t{1})))
        , m_below(rows.size() + 1, 0)
    {
        for (std::size_t r = 0; r < rows.size(); ++r)
            m_below[r + 1] = m_below[r] + rows[r].gapAbove + rows[r].height;
    }

    [[nodiscard]] double total() const { return m_below.back(); }

    /// Ports stand at the border, next to what they lead to.
    [[nodiscard]] bool canCut(std::size_t row) const
    {
        return m_rows[row].height > kPortHeight && m_rows[row - 1].height > kPortHeight;
    }

    /// Height of the rows [first, last) in one column.
    [[nodiscard]] double height(std::size_t first, std::size_t last) const
    {
        return m_below[last] - m_below[first] - m_rows[first].gapAbove;
    }

    /// Columns of at most about that height, each cut where the fewest lines cross.
    [[nodiscard]] Cuts cutAt(double most) const
    {
        Cuts cuts{0};
        while (height(cuts.back(), m_rows.size()) > most) {
            std::size_t end = cuts.back() + 1;
            std::size_t best = end;
            double leastCost = HUGE_VAL;
            for (; end < m_rows.size() && height(cuts.back(), end) <= most; ++end) {
                const double lost = most - height(cuts.back(), end);
                if (lost > kCutRange * most || !canCut(end))
                    continue;
                const double cost = lost + kCutCost * static_cast<double>(m_rows[end].cut);
                if (cost <= leastCost) {
                    leastCost = cost;
                    best = end;
                }
            }
            if (leastCost == HUGE_VAL) {
                best = std::max(cuts.back() + 1, end - 1);
                while (best < m_rows.size() && !canCut(best))
                    ++best;
            }
            if (best >= m_rows.size())
                break;
            cuts.push_back(best);
        }
        return cuts;
    }

    [[nodiscard]] Extent extent(const Cuts& cuts) const
    {
        Extent whole;
        double channels = 0;
        for (std::size_t c = 0; c < cuts.size(); ++c) {
            const std::size_t last = c + 1 < cuts.size() ? cuts[c + 1] : m_rows.size();
            double left = 0;
            double right = 0;
            for (std::size_t r = cuts[c]; r < last; ++r) {
                left = std::min(left, m_rows[r].left);
                right = std::max(right, m_rows[r].right);
            }
            whole.width += right - left;
            if (c > 0) {
                whole.width += kGutter + kTrackGap * static_cast<double>(m_rows[cuts[c]].cut);
                channels = std::max(channels, channel(m_rows, cuts[c]));
                whole.cut = std::max(whole.cut, (static_cast<double>(m_rows[cuts[c]].cut) - kFewLines) / m_edges);
            }
            whole.height = std::max(whole.height, height(cuts[c], last));
            whole.used += (right - left) * height(cuts[c], last);
        }
        whole.height += 2 * channels;
        return whole;
    }

private:
    const std::vector<RowMeasure>& m_rows;
    double m_edges; // how many
    std::vector<double> m_below; // [rows + 1] y in one column
};

/// How tall the pane must be, px, so that the picture fits in; more for what stays empty beside short columns, and for
/// lines that are hard to follow.
double paneFor(const Extent& extent, double aspect)
{
    const double empty = 1 - extent.used / std::max(extent.width * extent.height, 1.0);
    return std::max(extent.width / aspect, extent.height) * (1 + kEmptyCost * empty) * (1 + kTurnCost * extent.cut);
}

Cuts chooseCuts(const std::vector<RowMeasure>& rows, double aspect, std::size_t edges)
{
    const Cutter cutter(rows, edges);
    Cuts best{0};
    if (aspect <= 0 || rows.size() < 3)
        return best;
    double smallest = paneFor(cutter.extent(best), aspect) / kLeastGain;
    for (std::size_t columns = 2; columns <= std::min(kMostColumns, rows.size()); ++columns) {
        for (const double slack : {1.02, 1.12, 1.25}) {
            const double most = cutter.total() / static_cast<double>(columns) * slack;
            if (most < kLeastColumn)
                continue;
            Cuts cuts = cutter.cutAt(most);
            const double pane = paneFor(cutter.extent(cuts), aspect);
            if (cuts.size() < 2 || pane >= smallest)
                continue;
            smallest = pane;
            best = std::move(cuts);
        }
    }
    return best;
}

/// Which edges pass whole columns, and what stands left and right of them where they turn.
class LaneFinder
{
public:
    LaneFinder(const LayeredGraph& graph, const Columns& columns)
        : m_graph(graph)
        , m_columns(columns)
        , m_left(graph.rank.size(), 0)
        , m_passes(graph.rank.size(), false)
        , m_others(graph.rows.size(), 0)
    {
        for (std::uint32_t e = 0; e < graph.bends.size(); ++e) {
            if (graph.bends[e] == 0 || lastColumn(e) <= firstColumn(e) + 1)
                continue;
            m_passing.push_back(e);
            std::fill_n(m_passes.begin() + graph.firstBend[e], graph.bends[e], true);
        }
        for (std::size_t r = 0; r < graph.rows.size() && !m_passing.empty(); ++r) {
            for (const std::uint32_t vertex : graph.rows[r]) {
                m_left[vertex] = m_others[r];
                m_others[r] += m_passes[vertex] ? 0 : 1;
            }
        }
    }

    [[nodiscard]] const std::vector<std::uint32_t>& passing() const { return m_passing; }
    [[nodiscard]] std::uint32_t firstColumn(std::uint32_t e) const
    {
        return m_columns.ofRank[m_graph.rank[m_graph.firstBend[e]] - 1];
    }
    [[nodiscard]] std::uint32_t lastColumn(std::uint32_t e) const
    {
        return m_columns.ofRank[m_graph.rank[m_graph.firstBend[e] + m_graph.bends[e] - 1] + 1];
    }

    /// Whether more lines are right of the edge than left of it where it leaves its first column and where it comes to
    /// its last one; of others, for those that pass columns turn one inside the other.
    [[nodiscard]] bool isLeft(std::uint32_t e) const
    {
        std::int64_t more = 0;
        const std::uint32_t end = m_graph.firstBend[e] + m_graph.bends[e];
        for (std::uint32_t bend = m_graph.firstBend[e]; bend < end; ++bend) {
            const std::uint32_t rank = m_graph.rank[bend];
            const bool turns = (column(rank) == firstColumn(e) && column(rank + 1) != firstColumn(e))
                || (column(rank) == lastColumn(e) && column(rank - 1) != lastColumn(e));
            if (turns)
                more += std::int64_t{m_others[rank]} - 2 * std::int64_t{m_left[bend]};
        }
        return more > 0;
    }

private:
    [[nodiscard]] std::uint32_t column(std::uint32_t rank) const { return m_columns.ofRank[rank]; }

    const LayeredGraph& m_graph;
    const Columns& m_columns;
    std::vector<std::uint32_t> m_passing; // edges
    std::vector<std::uint32_t> m_left; // [vertices] others left of it in its row
    std::vector<bool> m_passes; // [vertices]
    std::vector<std::uint32_t> m_others; // [ranks] what is no part of a passing edge
};

/// The side of an edge that passes whole columns, and how far out it turns.
struct Passing {
    bool isBelow = false;
    std::uint32_t columns = 0; // how many it leads past
    double place = 0; // px from left to right, or from right to left
    std::uint32_t edge = 0;
    auto operator<=>(const Passing&) const = default;
};

/// Edges that pass whole columns do so below all of them, or above: where they cross fewer lines. What leads farther
/// leads around what does not.
void findLanesInPlace(Columns& columns, const LayeredGraph& graph, const std::vector<double>& x)
{
    columns.depth = *std::ranges::max_element(columns.foot);
    columns.lane.resize(graph.bends.size());
    if (columns.shift.size() < 3)
        return;
    const LaneFinder finder(graph, columns);
    std::vector<Passing> passing;
    for (const std::uint32_t e : finder.passing()) {
        const bool isBelow = finder.isLeft(e);
        const double place = x[graph.firstBend[e]];
        passing.push_back({isBelow, finder.lastColumn(e) - finder.firstColumn(e), isBelow ? -place : place, e});
    }
    std::ranges::sort(passing);
    double above = 0;
    for (const Passing& edge : passing) {
        const double y = edge.isBelow ? columns.depth += kTrackGap : above -= kTrackGap;
        columns.lane[edge.edge] = Columns::Lane{y, edge.isBelow};
    }
}

Columns columnsCutAt(
    const LayeredGraph& graph, const std::vector<double>& x, const std::vector<RowMeasure>& rows, const Cuts& cuts)
{
    Columns columns;
    columns.rows.resize(rows.size());
    columns.ofRank.resize(rows.size());
    if (rows.empty())
        return columns; // without edges
    double head = 0;
    for (std::size_t c = 1; c < cuts.size(); ++c)
        head = std::max(head, channel(rows, cuts[c]));
    double cursor = 0;
    for (std::size_t c = 0; c < cuts.size(); ++c) {
        const std::size_t last = c + 1 < cuts.size() ? cuts[c + 1] : rows.size();
        double y = head;
        double left = HUGE_VAL;
        double right = -HUGE_VAL;
        for (std::size_t r = cuts[c]; r < last; ++r) {
            y += r == cuts[c] ? 0 : rows[r].gapAbove;
            columns.ofRank[r] = static_cast<std::uint32_t>(c);
            columns.rows[r] = {y, y + rows[r].height};
            y += rows[r].height;
            left = std::min(left, rows[r].left);
            right = std::max(right, rows[r].right);
        }
        columns.shift.push_back(cursor - left);
        cursor += right - left;
        columns.gutter.push_back(cursor + kGutter / 2);
        columns.foot.push_back(y + (last < rows.size() ? channel(rows, last) : 0));
        if (last < rows.size())
            cursor += kGutter + kTrackGap * static_cast<double>(rows[last].cut);
    }
    findLanesInPlace(columns, graph, x);
    return columns;
}

} // namespace

Columns findColumns(const LayeredGraph& graph, const std::vector<double>& x, const WantedShape& wanted)
{
    const std::vector<RowMeasure> rows = measure(graph, x, wanted.spread);
    return columnsCutAt(graph, x, rows, chooseCuts(rows, wanted.aspect, graph.bends.size()));
}

Columns columnsOf(const LayeredGraph& graph, const std::vector<double>& x, const WantedShape& wanted,
    const std::vector<std::uint32_t>& ofRank)
{
    Cuts cuts{0};
    for (std::size_t r = 1; r < ofRank.size(); ++r) {
        if (ofRank[r] != ofRank[r - 1])
            cuts.push_back(r);
    }
    return columnsCutAt(graph, x, measure(graph, x, wanted.spread), cuts);
}

} // namespace duo
