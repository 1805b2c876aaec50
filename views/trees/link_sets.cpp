// SPDX-License-Identifier: Apache-2.0
#include "views/trees/link_sets.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace duo::ui {
namespace {

bool contains(RowSpan span, std::uint32_t place)
{
    return place >= span.begin && place < span.end;
}

/// @param all of all points: where all are wanted it is not made once more
template <typename Wanted>
LinkIndex indexWhere(const std::vector<LinkPoint>& points, const LinkIndex& all, Wanted wanted)
{
    std::vector<LinkPoint> some;
    std::copy_if(points.begin(), points.end(), std::back_inserter(some), wanted);
    return some.size() == points.size() ? all : LinkIndex(some);
}

} // namespace

LinkIndex::Direction LinkIndex::sortBlocks(std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs)
{
    std::sort(pairs.begin(), pairs.end());
    Direction direction;
    direction.levels.emplace_back();
    for (const auto& [key, value] : pairs) {
        direction.keys.push_back(key);
        direction.levels.front().push_back(value);
    }
    for (std::size_t half = 1; 2 * half <= pairs.size(); half *= 2) {
        auto level = direction.levels.back();
        for (std::size_t begin = 0; begin + 2 * half <= level.size(); begin += 2 * half) {
            const auto first = level.begin() + static_cast<std::ptrdiff_t>(begin);
            const auto middle = first + static_cast<std::ptrdiff_t>(half);
            std::inplace_merge(first, middle, middle + static_cast<std::ptrdiff_t>(half));
        }
        direction.levels.push_back(std::move(level));
    }
    return direction;
}

LinkIndex::LinkIndex(const std::vector<LinkPoint>& points)
{
    std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
    pairs.reserve(points.size());
    for (const LinkPoint& point : points)
        pairs.emplace_back(point.execution, point.storage);
    m_fromExecution = sortBlocks(pairs);
    for (auto& [key, value] : pairs)
        std::swap(key, value);
    m_fromStorage = sortBlocks(std::move(pairs));
}

std::uint32_t LinkIndex::next(TreeKind tree, RowSpan rows, std::uint32_t from) const
{
    const Direction& direction = tree == TreeKind::Execution ? m_fromExecution : m_fromStorage;
    const auto place = [&](std::uint32_t key) {
        const auto found = std::lower_bound(direction.keys.begin(), direction.keys.end(), key);
        return static_cast<std::size_t>(found - direction.keys.begin());
    };
    std::size_t begin = place(rows.begin);
    const std::size_t end = place(rows.end);
    std::uint32_t best = kNone;
    while (begin < end) { // the largest aligned block that begins here and ends in time
        auto level = static_cast<std::size_t>(std::bit_width(end - begin)) - 1;
        if (begin > 0)
            level = std::min(level, static_cast<std::size_t>(std::countr_zero(begin)));
        const auto first = direction.levels[level].begin() + static_cast<std::ptrdiff_t>(begin);
        const auto last = first + (std::ptrdiff_t{1} << level);
        if (const auto found = std::lower_bound(first, last, from); found != last)
            best = std::min(best, *found);
        begin += std::size_t{1} << level;
    }
    return best;
}

bool LinkIndex::links(RowSpan execution, RowSpan storage) const
{
    return next(TreeKind::Execution, execution, storage.begin) < storage.end;
}

LinkSets makeLinkSets(const TreeContent& execution, const TreeContent& storage, const IsShown& isShown)
{
    LinkSets sets;
    if (execution.rows.empty() || storage.rows.empty())
        return sets;
    const auto shown = [&](TreeKind tree, std::size_t row) { return !isShown || isShown(tree, row); };
    const auto& facts = execution.snapshot->scopes->nodes;
    for (std::size_t i = 0; i < facts.size(); ++i) {
        for (const std::size_t from : execution.rowsOfNode.of(NodeId(i))) {
            for (const std::size_t to : storage.rowsOfNode.of(NodeId(i))) {
                if (shown(TreeKind::Execution, from) && shown(TreeKind::Storage, to))
                    sets.points.push_back({execution.rows[from].span.begin, storage.rows[to].span.begin, NodeId(i)});
            }
        }
    }
    sets.all = LinkIndex(sets.points);
    sets.differing
        = indexWhere(sets.points, sets.all, [&](const LinkPoint& point) { return facts[point.node.index].differs; });
    sets.known = indexWhere(sets.points, sets.all, [&](const LinkPoint& point) {
        const NodeScope& scope = facts[point.node.index];
        return scope.executionFrom != Provenance::Guess && scope.storageFrom != Provenance::Guess;
    });
    return sets;
}

void selectInPlace(LinkSets& sets, const std::vector<NodeId>& nodes)
{
    sets.selected = indexWhere(sets.points, sets.all,
        [&](const LinkPoint& point) { return std::binary_search(nodes.begin(), nodes.end(), point.node); });
}

std::vector<NodeId> nodesOn(const LinkSets& sets, RowSpan execution, RowSpan storage)
{
    std::vector<NodeId> nodes;
    for (const LinkPoint& point : sets.points) {
        if (contains(execution, point.execution) && contains(storage, point.storage)
            && (nodes.empty() || nodes.back() != point.node))
            nodes.push_back(point.node);
    }
    return nodes;
}

} // namespace duo::ui
