// SPDX-License-Identifier: Apache-2.0
#include "views/trees/link_sets.h"

#include <algorithm>

namespace duo::ui {
namespace {

bool contains(RowSpan span, std::uint32_t place)
{
    return place >= span.begin && place < span.end;
}

template <typename Wanted> LinkIndex indexWhere(const std::vector<LinkPoint>& points, Wanted wanted)
{
    std::vector<LinkPoint> some;
    std::copy_if(points.begin(), points.end(), std::back_inserter(some), wanted);
    return LinkIndex(some);
}

const std::vector<std::size_t>& rowsOf(const TreeContent& content, NodeId node)
{
    static const std::vector<std::size_t> none;
    const auto found = content.rowsOfNode.find(node);
    return found == content.rowsOfNode.end() ? none : found->second;
}

} // namespace

LinkSets makeLinkSets(const TreeContent& execution, const TreeContent& storage, const IsShown& isShown)
{
    LinkSets sets;
    if (execution.rows.empty() || storage.rows.empty())
        return sets;
    const auto shown = [&](TreeKind tree, std::size_t row) { return !isShown || isShown(tree, row); };
    const auto& facts = execution.snapshot->scopes->nodes;
    for (std::size_t i = 0; i < facts.size(); ++i) {
        for (const std::size_t from : rowsOf(execution, NodeId(i))) {
            for (const std::size_t to : rowsOf(storage, NodeId(i))) {
                if (shown(TreeKind::Execution, from) && shown(TreeKind::Storage, to))
                    sets.points.push_back({execution.rows[from].span.begin, storage.rows[to].span.begin, NodeId(i)});
            }
        }
    }
    sets.all = LinkIndex(sets.points);
    sets.differing = indexWhere(sets.points, [&](const LinkPoint& point) { return facts[point.node.index].differs; });
    sets.known = indexWhere(sets.points, [&](const LinkPoint& point) {
        const NodeScope& scope = facts[point.node.index];
        return scope.executionFrom != Provenance::Guess && scope.storageFrom != Provenance::Guess;
    });
    return sets;
}

void selectInPlace(LinkSets& sets, const std::vector<NodeId>& nodes)
{
    sets.selected = indexWhere(sets.points,
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
