// SPDX-License-Identifier: Apache-2.0
// Quantizers that stand twice, and what is clamped before one that clamps as well.
#include "core/model/clamp_range.h"
#include "core/model/constant_conditions.h"
#include "core/model/only_use.h"
#include "core/model/op_facts.h"
#include "core/transform/common_passes.h"
#include "core/transform/elimination.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>

namespace duo {
namespace {

struct Bounds {
    double least = 0;
    double most = 0;
};

/// What all channels of a QuantizeLinear can tell apart; nothing where its parameters are not known to be constants.
std::optional<Bounds> boundsOf(const Model& model, const Node& quantizer)
{
    const Tensor* scale = fixedInput(model, quantizer, 1);
    const Tensor* zero = quantizer.inputs.size() > 2 ? fixedInput(model, quantizer, 2) : nullptr;
    if (scale == nullptr || zero == nullptr || scale->type != ElementType::Float32
        || (zero->type != ElementType::Int8 && zero->type != ElementType::UInt8))
        return std::nullopt;
    const std::vector<float> scales = toFloats(*scale);
    const std::vector<std::int64_t> zeros = toInts(*zero);
    if (scales.empty() || scales.size() != zeros.size())
        return std::nullopt;
    const double low = zero->type == ElementType::Int8 ? -128 : 0;
    Bounds bounds{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
    for (std::size_t c = 0; c < scales.size(); ++c) {
        if (!std::isfinite(scales[c]) || scales[c] <= 0)
            return std::nullopt;
        bounds.least = std::min(bounds.least, (low - static_cast<double>(zeros[c])) * scales[c]);
        bounds.most = std::max(bounds.most, (low + 255 - static_cast<double>(zeros[c])) * scales[c]);
    }
    return bounds;
}

/// What a Relu or a Clip lets through; nothing for others, and where it is not known.
std::optional<ClampRange> clampOf(const Model& model, const Node& node)
{
    if (!isAnyOf(node, {"Relu", "Clip"}))
        return std::nullopt;
    for (std::size_t port = 1; port < node.inputs.size(); ++port) {
        const Tensor* bound = node.inputs[port].valid() ? fixedInput(model, node, port) : nullptr;
        if (node.inputs[port].valid() && (bound == nullptr || bound->type != ElementType::Float32))
            return std::nullopt;
    }
    const ClampRange range = clampRange(model, node);
    return std::isnan(range.low) || std::isnan(range.high) ? std::nullopt : std::optional(range);
}

/// Equal for quantizers that give the same.
std::string keyOf(const Node& node, const Elimination& elimination)
{
    std::string key = node.opType + "|" + node.domain + "|" + std::to_string(node.region.index);
    for (const ValueId input : node.inputs)
        key += "," + (input.valid() ? std::to_string(elimination.now(input).index) : std::string());
    std::map<std::string, std::int64_t> numbers;
    for (const Attribute& attribute : node.attributes) {
        const auto* number = std::get_if<std::int64_t>(&attribute.value);
        if (number == nullptr)
            return {};
        numbers.emplace(attribute.name, *number);
    }
    for (const auto& [name, number] : numbers)
        key += ";" + name + "=" + std::to_string(number);
    return key;
}

} // namespace

PassResult joinQuantizers(const PassScene& scene)
{
    const Model& model = scene.model;
    Elimination elimination(scene);
    std::map<std::string, NodeId> first;
    for (const NodeId id : model.order) {
        const Node& node = model.node(id);
        if (!isQuantizer(node) || !elimination.mayChange(id) || node.outputs.size() != 1 || node.inputs.empty()
            || !node.inputs[0].valid())
            continue;
        const ValueId given = node.inputs[0];
        const NodeId before = model.value(given).producer;
        const auto use = node.opType == "QuantizeLinear" && before.valid() ? onlyUse(model, given) : std::nullopt;
        if (use && elimination.mayChange(before) && model.node(before).region == node.region) {
            const auto clamp = clampOf(model, model.node(before));
            const auto bounds = clamp ? boundsOf(model, node) : std::nullopt;
            if (bounds && clamp->low <= bounds->least && clamp->high >= bounds->most
                && elimination.bypass(before, model.node(before).inputs[0]))
                elimination.fuse(id, before);
        }
        if (const std::string key = keyOf(node, elimination); !key.empty()) {
            const auto [known, isNew] = first.emplace(key, id);
            if (!isNew)
                elimination.join(id, known->second);
        }
    }
    return std::move(elimination).result();
}

} // namespace duo
