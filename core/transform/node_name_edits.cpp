// SPDX-License-Identifier: Apache-2.0
#include "core/transform/node_name_edits.h"

namespace duo {
namespace {

bool isInsideFunction(const Model& model, RegionId region)
{
    while (model.region(region).owner.valid()) {
        const Node& owner = model.node(model.region(region).owner);
        if (owner.isCall)
            return true;
        region = owner.region;
    }
    return false;
}

/// The name without the address of the body it stands in, which readers put before it again.
std::string ownPart(const Model& model, NodeId id)
{
    const Node& node = model.node(id);
    const Region& region = model.region(node.region);
    if (!region.owner.valid())
        return node.name;
    return node.name.substr(model.node(region.owner).name.size() + region.attribute.size() + 4); // "::" twice
}

} // namespace

std::vector<std::pair<NodeId, std::string>> nodeNameEdits(const Model& model)
{
    std::vector<std::pair<NodeId, std::string>> names;
    for (std::size_t r = 0; r < model.regions.size(); ++r) {
        if (isInsideFunction(model, RegionId(r)))
            continue;
        for (const NodeId id : model.regions[r].nodes) {
            if (!model.node(id).origin.hadName)
                names.emplace_back(id, ownPart(model, id));
        }
    }
    return names;
}

} // namespace duo
