// SPDX-License-Identifier: Apache-2.0
#include "core/scope/structure/work_label.h"

#include "core/model/op_facts.h"
#include "core/support/one_of.h"

#include <algorithm>
#include <array>

namespace duo {
namespace {

bool takesManyInputs(const Node& node)
{
    static constexpr std::array<std::string_view, 5> kTypes{"Concat", "Sum", "Mean", "Max", "Min"};
    return isOneOf(node.opType, kTypes);
}

/// Operators that go with the layer before them, however large their constants are.
bool isElementwise(const Node& node)
{
    static constexpr std::array<std::string_view, 19> kTypes{"Add", "Sub", "Mul", "Div", "Pow", "Where", "PRelu", "Max",
        "Min", "Sum", "Mean", "Concat", "Expand", "Clip", "Equal", "Greater", "Less", "And", "Or"};
    const Norm norm = opFacts(node).norm;
    return isOneOf(node.opType, kTypes) || isQuantizer(node) || (norm != Norm::None && norm != Norm::Embedding);
}

/// Where another part of a network starts; what only follows on an operator goes with it.
bool startsPart(const Node& node)
{
    static constexpr std::array<std::string_view, 17> kTypes{"Concat", "Split", "Gather", "GatherND", "Slice", "Pad",
        "Resize", "Upsample", "TopK", "ArgMax", "NonMaxSuppression", "DepthToSpace", "SpaceToDepth", "ScatterND", "If",
        "Loop", "Scan"};
    return isOneOf(node.opType, kTypes) || node.opType.find("Pool") != std::string::npos;
}

bool convolves(const Node& node) // in whatever numbers, fused or not
{
    return node.opType.find("Conv") != std::string::npos;
}

/// Floats, and the codes of quantized weights.
bool isWeightType(ElementType type)
{
    const int bits = elementBits(type);
    return isFloating(type) || (bits > 0 && bits <= 8 && type != ElementType::Bool);
}

std::uint64_t textHash(std::uint64_t hash, std::string_view text)
{
    for (const char c : text)
        hash = mixed(hash, static_cast<unsigned char>(c));
    return mixed(hash, text.size());
}

std::uint64_t kernelHash(const Node& node, const ConstantValues& constants)
{
    std::uint64_t hash = isGrouped(node) ? 1 : 0;
    if (const Attribute* kernel = node.attribute("kernel_shape")) {
        if (const auto* sizes = std::get_if<std::vector<std::int64_t>>(&kernel->value)) {
            for (const std::int64_t size : *sizes)
                hash = mixed(hash, static_cast<std::uint64_t>(size));
            return hash;
        }
    }
    const Tensor* weight
        = node.inputs.size() > 1 && node.inputs[1].valid() ? constants.source(node.inputs[1]) : nullptr;
    for (std::size_t i = 2; weight != nullptr && i < weight->dims.size(); ++i)
        hash = mixed(hash, static_cast<std::uint64_t>(weight->dims[i]));
    return hash;
}

} // namespace

bool isGrouped(const Node& node)
{
    return node.intAttribute("group", 1) > 1;
}

ConstantValues::ConstantValues(const Model& model)
    : m_isConstant(model.values.size(), false)
    , m_isConstantNode(model.nodes.size(), false)
    , m_source(model.values.size(), nullptr)
{
    for (std::size_t v = 0; v < model.values.size(); ++v) {
        const Value& value = model.values[v];
        if (!value.initializer.valid())
            continue;
        m_isConstant[v] = true;
        m_source[v] = &model.tensor(value.initializer);
    }
    std::vector<bool> ownsRegion(model.nodes.size(), false);
    for (const Region& region : model.regions) {
        if (region.owner.valid())
            ownsRegion[region.owner.index] = true;
    }
    for (const NodeId id : model.order) {
        if (!ownsRegion[id.index] && !model.node(id).isCall)
            follow(model, id);
    }
}

void ConstantValues::follow(const Model& model, NodeId id)
{
    const Node& node = model.node(id);
    const bool isOfShapes = node.opType == "Shape" || node.opType == "Size";
    bool isMade = node.opType == "Constant" || isOfShapes;
    const Tensor* source = nullptr;
    if (!isMade && !node.inputs.empty()) {
        isMade = node.opType.find("Random") == std::string::npos
            && std::all_of(node.inputs.begin(), node.inputs.end(),
                [&](ValueId input) { return !input.valid() || isConstant(input); });
        if (isMade && node.inputs[0].valid())
            source = m_source[node.inputs[0].index];
    }
    if (!isMade)
        return;
    m_isConstantNode[id.index] = true;
    for (const ValueId output : node.outputs) {
        if (!output.valid())
            continue;
        m_isConstant[output.index] = true;
        m_source[output.index] = node.opType == "Constant" ? model.constant(output) : source;
    }
}

WorkLabel workLabel(const Model& model, const ConstantValues& constants, NodeId id)
{
    constexpr std::size_t kMostPorts = 8;
    const Node& node = model.node(id);
    WorkLabel label;
    label.takesMany = takesManyInputs(node);
    label.isApart = startsPart(node);
    label.isReduction = node.opType.starts_with("Reduce");
    label.isHeavy = opFacts(node).product == Product::Recurrent;
    label.hash = textHash(textHash(1, node.opType), node.domain);
    if (convolves(node))
        label.hash = mixed(label.hash, kernelHash(node, constants));
    for (std::size_t port = 0; port < node.inputs.size() && port < kMostPorts; ++port) {
        const ValueId input = node.inputs[port];
        if (!input.valid())
            continue;
        const bool isConstant = constants.isConstant(input);
        const Tensor* source = isConstant ? constants.source(input) : nullptr;
        label.hasTensor = label.hasTensor || (source != nullptr && source->elements() > 1);
        if (source != nullptr && source->dims.size() >= 2 && isWeightType(source->type) && !isElementwise(node))
            label.isHeavy = true;
        if (!label.takesMany)
            label.hash = mixed(label.hash, 2 * port + (isConstant ? 1 : 0));
    }
    return label;
}

} // namespace duo
