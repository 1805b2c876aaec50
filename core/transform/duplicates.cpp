// SPDX-License-Identifier: Apache-2.0
#include "core/model/op_facts.h"
#include "core/model/random_operators.h"
#include "core/model/topological_order.h"
#include "core/transform/common_passes.h"
#include "core/transform/elimination.h"
#include "core/transform/node_key.h"

#include <optional>
#include <string>
#include <unordered_map>

namespace duo {
namespace {

/// Equal for nodes that compute the same; nothing for those that are never joined.
std::optional<std::string> keyOf(const Node& node, const Elimination& elimination)
{
    if (!node.domain.empty() || isRandomOperator(node.opType) || node.opType == "Dropout" || hasBodies(node)
        || isQuantizer(node) || node.inputs.empty())
        return std::nullopt;
    std::string key = node.opType + "|" + std::to_string(node.region.index) + "|" + std::to_string(node.outputs.size());
    for (const ValueId input : node.inputs)
        key += "," + (input.valid() ? std::to_string(elimination.now(input).index) : std::string());
    return addAttributes(key, node) ? std::optional(std::move(key)) : std::nullopt;
}

} // namespace

/// Of several the one stays whose name is the first, wherever it stands in the file.
PassResult joinDuplicates(const PassScene& scene)
{
    Elimination elimination(scene);
    std::unordered_map<std::string, NodeId> first;
    for (const NodeId id : inStableOrder(scene.model, scene.model.order)) {
        if (!elimination.mayChange(id))
            continue;
        const auto key = keyOf(scene.model.node(id), elimination);
        if (!key)
            continue;
        const auto [known, isNew] = first.emplace(*key, id);
        if (!isNew)
            elimination.join(id, known->second);
    }
    return std::move(elimination).result();
}

} // namespace duo
