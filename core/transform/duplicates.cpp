// SPDX-License-Identifier: Apache-2.0
#include "core/model/constant_conditions.h"
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

/// Few whole numbers, as axes and bounds, are the same wherever they stand; parameters are told apart by their names.
std::string inputKey(const Model& model, ValueId input)
{
    constexpr std::int64_t kMostNumbers = 64;
    const Tensor* constant = model.value(input).initializer.valid() ? model.constant(input) : nullptr;
    const bool isByContent = constant != nullptr && !isOverridable(model, model.value(input))
        && (constant->type == ElementType::Int64 || constant->type == ElementType::Int32)
        && constant->elements() <= kMostNumbers;
    if (!isByContent)
        return std::to_string(input.index);
    std::string key = "=" + std::to_string(static_cast<int>(constant->type));
    for (const std::int64_t size : constant->dims)
        key += "x" + std::to_string(size);
    for (const std::int64_t number : toInts(*constant))
        key += ":" + std::to_string(number);
    return key;
}

/// Equal for nodes that compute the same; nothing for those that are never joined.
std::optional<std::string> keyOf(const Model& model, const Node& node, const Elimination& elimination)
{
    if (!node.domain.empty() || isRandomOperator(node.opType) || node.opType == "Dropout" || hasBodies(node)
        || isQuantizer(node) || node.inputs.empty())
        return std::nullopt;
    std::string key = node.opType + "|" + std::to_string(node.region.index) + "|" + std::to_string(node.outputs.size());
    for (const ValueId input : node.inputs)
        key += "," + (input.valid() ? inputKey(model, elimination.now(input)) : std::string());
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
        const auto key = keyOf(scene.model, scene.model.node(id), elimination);
        if (!key)
            continue;
        const auto [known, isNew] = first.emplace(*key, id);
        if (!isNew)
            elimination.join(id, known->second);
    }
    return std::move(elimination).result();
}

} // namespace duo
