// SPDX-License-Identifier: Apache-2.0
#include "core/graph/first_picture.h"

#include <map>
#include <tuple>

namespace duo {
namespace {

/// Scopes that look alike open together: same depth, nodes and items. The order is the order of opening.
using Look = std::tuple<std::size_t, std::int64_t, std::size_t, std::uint32_t>; // depth, minus nodes, items, group
using Units = std::map<Look, std::vector<std::uint32_t>>;

void addUnits(const Containment& containment, std::uint32_t parent, std::size_t depth, Units& units)
{
    for (const ContainedItem& item : containment.containers[parent].items) {
        if (item.kind != ContainedItem::Kind::Container)
            continue;
        const Container& container = containment.containers[item.index];
        if (container.nodes > 0) // inputs and outputs stay folded
            units[{depth, -container.nodes, container.items.size(), container.isGroup ? item.index : 0}].push_back(
                item.index);
    }
}

} // namespace

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
        if (opening.boxes > budget)
            continue;
        shown = opening.boxes;
        openings.push_back(std::move(opening));
        for (const std::uint32_t end : ends)
            addUnits(containment, end, std::get<0>(unit.key()) + 1, units);
    }
    return openings;
}

} // namespace duo
