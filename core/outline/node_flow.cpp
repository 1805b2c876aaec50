// SPDX-License-Identifier: Apache-2.0
#include "core/outline/node_flow.h"

#include <algorithm>

namespace duo {

NodeFlow::NodeFlow(const Model& model)
    : placeOf(model.nodes.size())
    , makerOf(model.values.size())
{
    std::vector<bool> isInCall(model.regions.size());
    for (std::size_t r = 1; r < model.regions.size(); ++r) {
        const Node& owner = model.node(model.regions[r].owner);
        isInCall[r] = owner.isCall || isInCall[owner.region.index]; // outer regions come first
    }
    for (const NodeId id : model.order) {
        const Node& node = model.node(id);
        if (isInCall[node.region.index]) {
            placeOf[id.index] = placeOf[model.region(node.region).owner.index]; // owners come first
            continue;
        }
        placeOf[id.index] = static_cast<std::uint32_t>(nodes.size());
        for (const ValueId output : node.outputs) {
            if (output.valid())
                makerOf[output.index] = placeOf[id.index];
        }
        nodes.push_back(id);
    }
    captured.resize(nodes.size());
    const auto capture = [&](ValueId value, RegionId from) {
        while (value.valid() && from != model.value(value).region && from != RegionId(0)) {
            const NodeId owner = model.region(from).owner;
            captured[placeOf[owner.index]].push_back(value);
            from = model.node(owner).region;
        }
    };
    for (const NodeId id : nodes) {
        for (const ValueId input : model.node(id).inputs)
            capture(input, model.node(id).region);
    }
    for (std::size_t r = 1; r < model.regions.size(); ++r) {
        if (isInCall[r])
            continue;
        for (const ValueId output : model.regions[r].outputs)
            capture(output, RegionId(r));
    }
    for (auto& values : captured) {
        std::ranges::sort(values);
        values.erase(std::ranges::unique(values).begin(), values.end());
    }
}

bool isVisible(const Model& model, RegionId definedIn, RegionId from)
{
    while (from != definedIn && from != RegionId(0))
        from = model.node(model.region(from).owner).region;
    return from == definedIn;
}

} // namespace duo
