// SPDX-License-Identifier: Apache-2.0
#include "core/graph/shape_groups.h"

#include "core/model/held_tensors.h"
#include "core/model/op_facts.h"
#include "core/support/disjoint_sets.h"

#include <algorithm>
#include <map>

namespace duo {
namespace {

constexpr const char* kMark = "//shapes";

/// Whether all that a node reads but for constants is made of sizes, and something is.
bool readsSizesAlone(const Model& model, const Node& node, const std::vector<ShapeRole>& roles)
{
    bool readsSizes = false;
    for (const ValueId input : node.inputs) {
        const NodeId producer = input.valid() ? model.value(input).producer : NodeId();
        const bool isConstant = !input.valid() || heldTensor(model, input).valid()
            || (producer.valid() && isConstantNode(model.node(producer)));
        if (isConstant)
            continue;
        if (!producer.valid() || roles[producer.index] == ShapeRole::None)
            return false;
        readsSizes = true;
    }
    return readsSizes;
}

} // namespace

std::vector<ShapeRole> shapeRoles(const Model& model)
{
    std::vector<ShapeRole> roles(model.nodes.size(), ShapeRole::None);
    for (const NodeId id : model.order) {
        const Node& node = model.node(id);
        if (hasBodies(node) || node.isCall)
            continue;
        if (readsSizesAlone(model, node, roles))
            roles[id.index] = ShapeRole::Computes;
        else if (node.domain.empty() && (node.opType == "Shape" || node.opType == "Size"))
            roles[id.index] = ShapeRole::Measures;
    }
    return roles;
}

std::vector<std::vector<std::uint32_t>> findShapeGroups(
    std::span<const ShapeRole> roles, std::span<const std::pair<std::uint32_t, std::uint32_t>> links)
{
    std::vector<std::vector<std::uint32_t>> makers(roles.size());
    for (const auto& [from, to] : links) {
        if (from < to) // others lead back to an item that was begun before
            makers[to].push_back(from);
    }
    std::vector<std::uint32_t> stage(roles.size(), 0); // how often what it is made of was measured, one after the other
    DisjointSets groupOf(roles.size());
    for (std::uint32_t item = 0; item < roles.size(); ++item) {
        for (const std::uint32_t maker : makers[item])
            stage[item] = std::max(stage[item], stage[maker]);
        stage[item] += roles[item] == ShapeRole::Measures ? 1 : 0;
        for (const std::uint32_t maker : makers[item]) {
            const bool isTogether = roles[item] == ShapeRole::Computes && roles[maker] != ShapeRole::None;
            if (isTogether && stage[maker] == stage[item])
                groupOf.join(item, maker);
        }
    }
    std::map<std::uint32_t, std::vector<std::uint32_t>> together; // by their first one
    for (std::uint32_t item = 0; item < roles.size(); ++item) {
        if (roles[item] != ShapeRole::None)
            together[groupOf.of(item)].push_back(item);
    }
    std::vector<std::vector<std::uint32_t>> groups;
    for (auto& [begin, items] : together) {
        if (items.size() >= kLeastOfShapes)
            groups.push_back(std::move(items));
    }
    return groups;
}

std::string shapeGroupKey(const std::string& path, const std::vector<std::uint32_t>& group)
{
    return path + kMark + std::to_string(group.front() + 1) + "-" + std::to_string(group.back() + 1);
}

bool isShapeGroup(const std::string& key)
{
    const std::size_t mark = key.rfind(kMark);
    return mark != std::string::npos && key.find('/', mark + 2) == std::string::npos;
}

} // namespace duo
