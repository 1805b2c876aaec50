// SPDX-License-Identifier: Apache-2.0
// Quantizers that stand twice, and what is clamped before one that clamps as well.
#include "core/model/clamp_range.h"
#include "core/model/constant_conditions.h"
#include "core/model/only_use.h"
#include "core/model/op_facts.h"
#include "core/model/topological_order.h"
#include "core/transform/common_passes.h"
#include "core/transform/edit_names.h"
#include "core/transform/elimination.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <optional>

namespace duo {
namespace {

struct Bounds {
    double least = 0;
    double most = 0;
};

/// Beyond these all numbers have the first or the last code of a QuantizeLinear, in all channels: a quarter of a code
/// before the end, as what is nearer than half of one is rounded to it, by any runtime. Nothing where its parameters
/// are not known to be constants.
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
    constexpr double kRoundedAway = 0.25;
    const double low = zero->type == ElementType::Int8 ? -128 : 0;
    Bounds bounds{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
    for (std::size_t c = 0; c < scales.size(); ++c) {
        if (!std::isfinite(scales[c]) || scales[c] <= 0)
            return std::nullopt;
        const double first = low - static_cast<double>(zeros[c]);
        bounds.least = std::min(bounds.least, (first + kRoundedAway) * scales[c]);
        bounds.most = std::max(bounds.most, (first + 255 - kRoundedAway) * scales[c]);
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

bool haveSameBytes(const Tensor& a, const Tensor& b)
{
    return a.type == b.type && a.elements() == b.elements() && std::ranges::equal(a.bytes(), b.bytes());
}

/// One scale and one zero point of 8 bits each, the same constants: codes come back as they were.
bool areInverse(const Model& model, const Node& dequantizer, const Node& quantizer)
{
    for (const std::size_t port : {std::size_t{1}, std::size_t{2}}) {
        const bool isThere = port < dequantizer.inputs.size() && port < quantizer.inputs.size();
        const Tensor* one = isThere ? fixedInput(model, dequantizer, port) : nullptr;
        const Tensor* other = isThere ? fixedInput(model, quantizer, port) : nullptr;
        if (one == nullptr || other == nullptr || one->elements() != 1 || !haveSameBytes(*one, *other))
            return false;
    }
    const Tensor& scale = *fixedInput(model, dequantizer, 1);
    const ElementType codes = fixedInput(model, dequantizer, 2)->type;
    const float step = scale.type == ElementType::Float32 ? toFloats(scale).front() : 0;
    return (codes == ElementType::Int8 || codes == ElementType::UInt8) && std::isnormal(step) && step > 0;
}

/// Takes out a pair that only gives codes back, with nothing between or what moves elements, which then moves codes.
class CodePassing
{
public:
    explicit CodePassing(const PassScene& scene)
        : m_model(scene.model)
        , m_elimination(scene)
        , m_names(scene.model)
        , m_isPinned(pinnedValues(scene.model))
        , m_isGone(scene.model.nodes.size())
    {
    }

    PassResult run()
    {
        for (const NodeId id : m_model.order) {
            const Node& node = m_model.node(id);
            if (isAnyOf(node, {"QuantizeLinear"}) && m_elimination.mayChange(id) && node.outputs.size() == 1
                && node.inputs[0].valid())
                visit(id);
        }
        return std::move(m_elimination).result();
    }

private:
    void visit(NodeId quantizer)
    {
        const Node& node = m_model.node(quantizer);
        const NodeId mover = m_model.value(node.inputs[0]).producer;
        if (!mover.valid() || m_model.node(mover).region != node.region)
            return;
        const bool moves = isAnyOf(m_model.node(mover), {"Flatten", "Reshape", "Squeeze", "Transpose", "Unsqueeze"});
        const NodeId dequantizer = moves ? producerOf(mover) : mover;
        if (!dequantizer.valid() || !fits(dequantizer, quantizer)
            || (moves
                && (!m_elimination.mayChange(mover) || !onlyUse(m_model, m_model.node(mover))
                    || m_isPinned[node.inputs[0].index])))
            return;
        const ValueId codes = m_model.node(dequantizer).inputs[0];
        if (!moves) {
            m_elimination.bypass(quantizer, codes);
            return; // the other one is dead code then
        }
        if (!m_elimination.canBypass(dequantizer, codes) || !m_elimination.bypass(quantizer, node.inputs[0]))
            return;
        m_elimination.bypass(dequantizer, codes);
        m_isGone[dequantizer.index] = true;
        m_elimination.rename(node.inputs[0], m_names.value(m_model.value(node.outputs[0]).name + "_moved"));
        m_elimination.fuse(mover, dequantizer);
        m_elimination.fuse(mover, quantizer);
        m_elimination.note(mover);
    }

    [[nodiscard]] NodeId producerOf(NodeId node) const
    {
        const auto& inputs = m_model.node(node).inputs;
        return !inputs.empty() && inputs[0].valid() ? m_model.value(inputs[0]).producer : NodeId();
    }

    [[nodiscard]] bool fits(NodeId id, NodeId quantizer) const
    {
        const Node& node = m_model.node(id);
        return isAnyOf(node, {"DequantizeLinear"}) && !m_isGone[id.index] && m_elimination.mayChange(id)
            && node.outputs.size() == 1 && node.inputs[0].valid() && onlyUse(m_model, node)
            && node.region == m_model.node(quantizer).region && areInverse(m_model, node, m_model.node(quantizer));
    }

    const Model& m_model;
    Elimination m_elimination;
    EditNames m_names;
    std::vector<bool> m_isPinned; // [values]
    std::vector<bool> m_isGone; // [nodes]
};

} // namespace

PassResult joinQuantizers(const PassScene& scene)
{
    const Model& model = scene.model;
    Elimination elimination(scene);
    std::map<std::string, NodeId> first;
    std::vector<NodeId> quantizers;
    std::ranges::copy_if(
        model.order, std::back_inserter(quantizers), [&](NodeId id) { return isQuantizer(model.node(id)); });
    for (const NodeId id : inStableOrder(model, std::move(quantizers))) {
        const Node& node = model.node(id);
        if (!elimination.mayChange(id) || node.outputs.size() != 1 || node.inputs.empty() || !node.inputs[0].valid())
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
    PassResult joined = std::move(elimination).result();
    if (joined.edits)
        return joined;
    PassResult passed = CodePassing(scene).run(); // in the next round, where something was joined
    passed.skipped.insert(passed.skipped.begin(), joined.skipped.begin(), joined.skipped.end());
    return passed;
}

} // namespace duo
