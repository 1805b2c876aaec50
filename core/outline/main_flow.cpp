// SPDX-License-Identifier: Apache-2.0
#include "core/outline/main_flow.h"

#include <algorithm>

namespace duo {

MainFlow::MainFlow(const Model& model)
    : placeOf(model.nodes.size())
    , makerOf(model.values.size())
{
    const auto inMain = [&](ValueId value) { return value.valid() && model.value(value).region == RegionId(0); };
    for (const NodeId id : model.order) {
        const Node& node = model.node(id);
        if (node.region != RegionId(0)) {
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
    const auto capture = [&](std::uint32_t place, ValueId value) {
        if (inMain(value) && makerOf[value.index] != place)
            captured[place].push_back(value);
    };
    // A call of a function lists all that its nodes read.
    const auto isBodyOfMain = [&](std::uint32_t place) { return !model.node(nodes[place]).isCall; };
    for (const NodeId id : model.order) {
        const std::uint32_t place = placeOf[id.index];
        if (model.node(id).region == RegionId(0) || !isBodyOfMain(place))
            continue;
        for (const ValueId input : model.node(id).inputs)
            capture(place, input);
    }
    for (const Region& region : model.regions) {
        if (!region.owner.valid() || region.attribute.empty() || !isBodyOfMain(placeOf[region.owner.index]))
            continue;
        for (const ValueId output : region.outputs)
            capture(placeOf[region.owner.index], output);
    }
    for (auto& values : captured) {
        std::ranges::sort(values);
        values.erase(std::ranges::unique(values).begin(), values.end());
    }
}

} // namespace duo
