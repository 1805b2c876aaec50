// SPDX-License-Identifier: Apache-2.0
#include "core/model/node_names.h"

#include <unordered_set>

namespace duo {
namespace {

std::string prefixOf(const Model& model, const Region& region)
{
    if (!region.owner.valid())
        return {};
    std::string prefix = model.node(region.owner).name + "::";
    if (!region.attribute.empty())
        prefix += region.attribute + "::";
    return prefix;
}

std::string firstOutputName(const Model& model, const Node& node)
{
    for (const ValueId id : node.outputs) {
        if (id.valid())
            return model.value(id).name;
    }
    return {};
}

std::string inventedName(
    const Model& model, const Node& node, const std::string& prefix, const std::unordered_set<std::string>& taken)
{
    std::string name = prefix + node.opType + ":" + firstOutputName(model, node);
    if (!taken.contains(name))
        return name;
    for (std::uint64_t index = node.origin.index;; ++index) {
        std::string numbered = name + ":" + std::to_string(index);
        if (!taken.contains(numbered))
            return numbered;
    }
}

Note renameNote(const Node& node)
{
    const std::string had
        = node.localName.empty() ? "a node has no name in the file" : "a node has the name of another one in the file";
    return {"renamed-node", had + "; it is called by its type and first output here", node.name};
}

} // namespace

void nameNodesInPlace(Model& model)
{
    std::unordered_set<std::string> taken;
    taken.reserve(model.nodes.size());
    for (const Region& region : model.regions) {
        const std::string prefix = prefixOf(model, region);
        // Names from the file first: an invented name must never push a real one away.
        for (const NodeId id : region.nodes) {
            Node& node = model.nodes[id.index];
            node.origin.hadName = !node.localName.empty() && taken.insert(prefix + node.localName).second;
            if (node.origin.hadName)
                node.name = prefix + node.localName;
        }
        for (const NodeId id : region.nodes) {
            Node& node = model.nodes[id.index];
            if (node.origin.hadName)
                continue;
            node.name = inventedName(model, node, prefix, taken);
            taken.insert(node.name);
            model.notes.push_back(renameNote(node));
        }
    }
}

} // namespace duo
