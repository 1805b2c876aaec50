// SPDX-License-Identifier: Apache-2.0
#include "core/quantize/correct/float_changes.h"

#include "core/quantize/points/weights.h"
#include "core/quantize/qdq/edit_names.h"
#include "core/support/bytes_of.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace duo {
namespace {

enum class Side { Input, Output };

/// Axis of a side's channels in the weight at input 1; nothing where they do not lie along one.
std::optional<std::size_t> channelAxis(const Node& node, const std::vector<std::int64_t>& dims, Side side)
{
    if (node.opType == "Conv" && dims.size() >= 3) {
        if (side == Side::Output)
            return 0;
        const std::int64_t groups = node.intAttribute("group", 1);
        if (groups == 1)
            return 1;
        const bool isDepthwise = dims[1] == 1 && dims[0] == groups;
        return isDepthwise ? std::optional<std::size_t>(0) : std::nullopt;
    }
    if (dims.size() != 2)
        return std::nullopt;
    if (node.opType == "MatMul")
        return side == Side::Input ? 0 : 1;
    const bool isPlain = node.opType == "Gemm" && node.intAttribute("transA", 0) == 0;
    if (!isPlain)
        return std::nullopt;
    const bool isTransposed = node.intAttribute("transB", 0) != 0;
    return (side == Side::Input) != isTransposed ? 0 : 1;
}

/// The initializer of the main graph a node reads itself and alone, as float32.
const Tensor* ownTensor(const Model& model, const Node& node, std::uint32_t port)
{
    if (!node.domain.empty() || port >= node.inputs.size() || !node.inputs[port].valid())
        return nullptr;
    const Value& value = model.value(node.inputs[port]);
    const bool isOwn = value.initializer.valid() && value.region == RegionId(0) && value.uses.size() == 1
        && !value.isInput && !value.isOutput;
    const Tensor* tensor = isOwn ? model.constant(node.inputs[port]) : nullptr;
    return tensor != nullptr && tensor->type == ElementType::Float32 ? tensor : nullptr;
}

std::size_t innerOf(const std::vector<std::int64_t>& dims, std::size_t axis)
{
    std::size_t inner = 1;
    for (std::size_t i = axis + 1; i < dims.size(); ++i)
        inner *= static_cast<std::size_t>(dims[i]);
    return inner;
}

std::vector<float> channelMaxima(const Model& model, NodeId id, Side side)
{
    const Node& node = model.node(id);
    const Tensor* tensor = ownTensor(model, node, 1);
    const auto axis = tensor == nullptr ? std::nullopt : channelAxis(node, tensor->dims, side);
    if (!axis)
        return {};
    const auto values = toFloats(*tensor);
    std::vector<float> maxima(static_cast<std::size_t>(tensor->dims[*axis]));
    const std::size_t inner = innerOf(tensor->dims, *axis);
    for (std::size_t i = 0; i < values.size(); ++i) {
        float& most = maxima[i / inner % maxima.size()];
        most = std::max(most, std::abs(values[i]));
    }
    return maxima;
}

/// Initializers whose values change, each read once.
class Rescaler
{
public:
    explicit Rescaler(const Model& model)
        : m_model(model)
    {
        for (const NodeId id : model.mainGraph().nodes)
            m_nodes.emplace(model.node(id).name, id);
    }

    Status scaleWeight(const std::string& name, Side side, const std::vector<float>& scales, bool divides)
    {
        const auto id = m_nodes.find(name);
        if (id == m_nodes.end())
            return doesNotFit("node '" + name + "'");
        const Node& node = m_model.node(id->second);
        const Tensor* weight = ownTensor(m_model, node, 1);
        const auto axis = weight == nullptr ? std::nullopt : channelAxis(node, weight->dims, side);
        if (!axis || static_cast<std::size_t>(weight->dims[*axis]) != scales.size())
            return doesNotFit("node '" + name + "'");
        scale(*weight, *axis, scales, divides);
        const bool hasBias = node.inputs.size() > 2 && node.inputs[2].valid();
        if (side == Side::Input || !hasBias)
            return success();
        const Tensor* bias = ownTensor(m_model, node, 2);
        if (bias == nullptr || bias->dims.size() != 1 || static_cast<std::size_t>(bias->dims[0]) != scales.size())
            return doesNotFit("bias of node '" + name + "'");
        scale(*bias, 0, scales, divides);
        return success();
    }

    void addEditsInPlace(EditList& edits)
    {
        for (auto& [name, tensor] : m_changed) {
            edits.removedTensors.push_back(name);
            edits.newTensors.push_back({name, ElementType::Float32, tensor.dims, bytesOf(tensor.values)});
        }
    }

    static Error doesNotFit(const std::string& where)
    {
        return {ErrorCode::BadState, "a correction does not fit the model", where, "calibrate again"};
    }

private:
    struct Changed {
        std::vector<std::int64_t> dims;
        std::vector<float> values;
    };

    void scale(const Tensor& tensor, std::size_t axis, const std::vector<float>& scales, bool divides)
    {
        auto [entry, isNew] = m_changed.try_emplace(tensor.name);
        if (isNew)
            entry->second = {tensor.dims, toFloats(tensor)};
        const std::size_t inner = innerOf(tensor.dims, axis);
        auto& values = entry->second.values;
        for (std::size_t i = 0; i < values.size(); ++i) {
            const float factor = scales[i / inner % scales.size()];
            values[i] = divides ? values[i] / factor : values[i] * factor;
        }
    }

    const Model& m_model;
    std::map<std::string_view, NodeId> m_nodes;
    std::map<std::string, Changed> m_changed;
};

/// Reads of `value` by the nodes named go through a Mul.
Status addSmoothing(const Model& model, const FloatChange& change, EditNames& names, EditList& edits)
{
    const ValueId source = model.findValue(change.value);
    if (!source.valid() || change.nodes.empty())
        return Rescaler::doesNotFit("value '" + change.value + "'");
    const std::string smoothed = names.value(change.value + "_smooth_quant");
    const std::string scaleName = names.value(change.value + "_smooth_quant_scale");
    std::vector<float> inverse;
    for (const float scale : change.scales)
        inverse.push_back(1 / scale);
    std::vector<std::int64_t> dims{static_cast<std::int64_t>(inverse.size())};
    const std::set<std::string> readers(change.nodes.begin(), change.nodes.end());
    NodeId anchor;
    for (const Use& use : model.value(source).uses) {
        const Node& node = model.node(use.node);
        if (!readers.contains(node.name) || use.port != 0)
            continue;
        if (node.opType == "Conv") {
            const Tensor* weight = ownTensor(model, node, 1);
            dims.resize(weight == nullptr ? 3 : weight->dims.size() - 1, 1);
        }
        edits.inputs.push_back({use.node, 0, smoothed});
        if (!anchor.valid())
            anchor = use.node;
    }
    if (!anchor.valid())
        return Rescaler::doesNotFit("value '" + change.value + "'");
    edits.newTensors.push_back({scaleName, ElementType::Float32, std::move(dims), bytesOf(inverse)});
    NewNode mul;
    mul.name = names.node(change.value + "_smooth_quant");
    mul.opType = "Mul";
    mul.inputs = {change.value, scaleName};
    mul.outputs = {smoothed};
    const NodeId producer = model.value(source).producer;
    mul.anchor = producer; // invalid for a model input: at the start of the graph
    mul.after = producer.valid();
    edits.newNodes.push_back(std::move(mul));
    return success();
}

} // namespace

std::vector<float> inputChannelMaxima(const Model& model, NodeId node)
{
    return channelMaxima(model, node, Side::Input);
}

std::vector<float> outputChannelMaxima(const Model& model, NodeId node)
{
    return channelMaxima(model, node, Side::Output);
}

Result<EditList> floatChangeEdits(const Model& model, const std::vector<FloatChange>& changes)
{
    EditList edits;
    EditNames names(model);
    Rescaler rescaler(model);
    for (const FloatChange& change : changes) {
        if (change.kind == FloatChangeKind::CrossLayer) {
            if (change.nodes.size() != 2)
                return Rescaler::doesNotFit({});
            DUO_CHECK(rescaler.scaleWeight(change.nodes[0], Side::Output, change.scales, true));
            DUO_CHECK(rescaler.scaleWeight(change.nodes[1], Side::Input, change.scales, false));
            continue;
        }
        for (const std::string& node : change.nodes)
            DUO_CHECK(rescaler.scaleWeight(node, Side::Input, change.scales, false));
        DUO_CHECK(addSmoothing(model, change, names, edits));
    }
    rescaler.addEditsInPlace(edits);
    return edits;
}

} // namespace duo
