// SPDX-License-Identifier: Apache-2.0
#include "core/model/op_facts.h"
#include "core/model/random_operators.h"
#include "core/model/topological_order.h"
#include "core/transform/common_passes.h"
#include "core/transform/elimination.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <unordered_map>

namespace duo {
namespace {

/// Appends what one value of an attribute is; false for what the model does not hold.
struct AttributeKey {
    std::string& key;

    bool operator()(std::monostate) const { return false; }
    bool operator()(TensorId) const { return false; }
    bool operator()(std::int64_t value) const { return add('i', std::to_string(value)); }
    bool operator()(float value) const { return add('f', std::to_string(std::bit_cast<std::uint32_t>(value))); }
    bool operator()(const std::string& value) const { return add('s', value); }
    template <typename T> bool operator()(const std::vector<T>& values) const
    {
        add('[', std::to_string(values.size()));
        return std::ranges::all_of(values, [&](const T& value) { return (*this)(value); });
    }
    bool add(char kind, const std::string& text) const
    {
        key += kind + std::to_string(text.size()) + ':' + text;
        return true;
    }
};

/// Equal for nodes that compute the same; nothing for those that are never joined.
std::optional<std::string> keyOf(const Node& node, const Elimination& elimination)
{
    if (!node.domain.empty() || isRandomOperator(node.opType) || node.opType == "Dropout" || hasBodies(node)
        || isQuantizer(node) || node.inputs.empty())
        return std::nullopt;
    std::string key = node.opType + "|" + std::to_string(node.region.index) + "|" + std::to_string(node.outputs.size());
    for (const ValueId input : node.inputs)
        key += "," + (input.valid() ? std::to_string(elimination.now(input).index) : std::string());
    std::vector<const Attribute*> attributes;
    for (const Attribute& attribute : node.attributes)
        attributes.push_back(&attribute);
    std::ranges::sort(attributes, {}, &Attribute::name);
    for (const Attribute* attribute : attributes) {
        AttributeKey{key}.add('=', attribute->name);
        if (!std::visit(AttributeKey{key}, attribute->value))
            return std::nullopt;
    }
    return key;
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
