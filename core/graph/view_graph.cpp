// SPDX-License-Identifier: Apache-2.0
#include "core/graph/view_graph.h"

#include "core/graph/alike.h"
#include "core/graph/bundles.h"
#include "core/graph/containment.h"
#include "core/graph/shape_groups.h"

#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace duo {
namespace {

/// One step of opening: keys opened together (equal siblings, single-child chains), and the boxes shown after it if
/// every item is one box.
struct Opening {
    std::vector<std::string> keys;
    std::size_t boxes = 0;
};

/// Scopes that look alike open together: same depth, nodes and items; so do the pages and bundles of one container.
/// The order is the order of opening.
using Look = std::tuple<std::size_t, std::int64_t, std::size_t, std::uint32_t>; // depth, minus nodes, items, group
using Units = std::map<Look, std::vector<std::uint32_t>>;

constexpr std::size_t kAfterAll = 1000; // a depth: boxes that are all alike tell less than any others
constexpr std::size_t kFewShown = 4; // a budget by that: fewer boxes are little

void addUnits(const Containment& containment, std::uint32_t parent, std::size_t depth, Units& units)
{
    for (const ContainedItem& item : containment.containers[parent].items) {
        if (item.kind != ContainedItem::Kind::Container)
            continue;
        const Container& container = containment.containers[item.index];
        if (container.nodes == 0 || isRestOfFold(container.key)) // inputs and outputs stay folded
            continue;
        const std::size_t at
            = isBundle(container.key) || isShapeGroup(container.key) ? std::max(depth, kAfterAll) : depth;
        const Look look = container.isGroup ? Look{at, -containment.containers[parent].nodes, 0, parent + 1}
                                            : Look{at, -container.nodes, container.items.size(), 0};
        units[look].push_back(item.index);
    }
}

/// Pages that cannot all be open open one by one where little else is shown.
void addSingly(const Containment& containment, const Units::node_type& unit, Units& units)
{
    if (unit.mapped().size() < 2)
        return;
    for (const std::uint32_t page : unit.mapped()) {
        const auto count = static_cast<std::uint32_t>(containment.containers.size());
        const Look look{std::get<0>(unit.key()), -containment.containers[page].nodes, 0, count + 1 + page};
        units[look].push_back(page);
    }
}

/// The container, and below it every container that is its parent's only item.
std::vector<std::uint32_t> chainFrom(const Containment& containment, std::uint32_t container)
{
    std::vector<std::uint32_t> chain{container};
    for (;;) {
        const auto& items = containment.containers[chain.back()].items;
        if (items.size() != 1 || items.front().kind != ContainedItem::Kind::Container)
            return chain;
        chain.push_back(items.front().index);
    }
}

/// Openings in the order to make them, the largest containers of the shallowest level first, while `budget` holds.
std::vector<Opening> openingsWithin(const Containment& containment, std::size_t budget)
{
    std::vector<Opening> openings;
    std::size_t shown = containment.containers.front().items.size();
    Units units;
    addUnits(containment, 0, 0, units);
    while (!units.empty()) {
        const auto unit = units.extract(units.begin());
        Opening opening{{}, shown};
        std::vector<std::uint32_t> ends;
        for (const std::uint32_t container : unit.mapped()) {
            const std::vector<std::uint32_t> chain = chainFrom(containment, container);
            for (const std::uint32_t link : chain) {
                opening.keys.push_back(containment.containers[link].key);
                opening.boxes += containment.containers[link].items.size();
            }
            ends.push_back(chain.back());
        }
        if (opening.boxes > budget) {
            if (shown < budget / kFewShown && std::get<3>(unit.key()) > 0)
                addSingly(containment, unit, units);
            continue;
        }
        shown = opening.boxes;
        openings.push_back(std::move(opening));
        for (const std::uint32_t end : ends)
            addUnits(containment, end, std::get<0>(unit.key()) + 1, units);
    }
    return openings;
}

std::set<std::string> keysOf(const std::vector<Opening>& openings)
{
    std::set<std::string> keys;
    for (const Opening& opening : openings)
        keys.insert(opening.keys.begin(), opening.keys.end());
    return keys;
}

} // namespace

std::set<std::string> openWithin(const Containment& containment, std::size_t budget)
{
    return keysOf(openingsWithin(containment, budget));
}

std::set<std::string> withOpened(
    const Containment& containment, const std::set<std::string>& open, const std::string& key)
{
    std::set<std::string> opened = open;
    const auto container = std::find_if(containment.containers.begin(), containment.containers.end(),
        [&](const Container& candidate) { return candidate.key == key; });
    if (container == containment.containers.end())
        return opened;
    const auto index = static_cast<std::uint32_t>(container - containment.containers.begin());
    for (const std::uint32_t link : chainFrom(containment, index))
        opened.insert(containment.containers[link].key);
    return opened;
}

} // namespace duo
