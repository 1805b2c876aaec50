// SPDX-License-Identifier: Apache-2.0
#include "core/quantize/edits/float_changes.h"

#include "core/model/op_facts.h"
#include "core/quantize/edits/edit_place.h"
#include "core/quantize/edits/fold_scales.h"
#include "core/quantize/edits/own_weights.h"
#include "core/quantize/points/weights.h"
#include "core/support/bytes_of.h"
#include "core/transform/edit_names.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

namespace duo {
namespace {

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
        const std::uint8_t port = opFacts(node).biasPort;
        const bool hasBias = node.inputs.size() > port && node.inputs[port].valid();
        if (side == Side::Input || !hasBias)
            return success();
        const Tensor* bias = ownTensor(m_model, node, port);
        if (bias == nullptr || bias->dims.size() != 1 || static_cast<std::size_t>(bias->dims[0]) != scales.size())
            return doesNotFit("bias of node '" + name + "'");
        scale(*bias, 0, scales, divides);
        return success();
    }

    void divide(const ScaledProducer& producer, const std::vector<float>& scales)
    {
        for (const auto& [tensor, axis] : producer.tensors)
            scale(*tensor, axis, scales, true);
    }

    void addEditsInPlace(EditList& edits)
    {
        for (auto& [name, tensor] : m_changed) {
            const auto values = std::exchange(tensor.values, {}); // all of them twice would be much memory
            edits.removedTensors.push_back(name);
            edits.newTensors.push_back({name, ElementType::Float32, tensor.dims, bytesOf(values)});
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
        if (isProduct(node, Product::Convolution)) {
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
    const NodeId producer = outsideCalls(model, model.value(source).producer);
    mul.region = model.value(source).region;
    mul.anchor = producer; // invalid for an input: at the start of its graph
    mul.after = producer.valid();
    edits.newNodes.push_back(std::move(mul));
    return success();
}

/// What gives `value` is divided by the scales, as the change says.
Status addFolding(const Model& model, const FloatChange& change, Rescaler& rescaler)
{
    std::vector<NodeId> readers;
    for (const std::string& node : change.nodes)
        readers.push_back(model.findNode(node)); // valid: its weight has been scaled
    const ValueId value = model.findValue(change.value);
    const auto producer = value.valid() ? scaledProducer(model, value, readers, change.scales.size()) : std::nullopt;
    if (!producer || model.node(producer->node).name != change.foldedInto)
        return Rescaler::doesNotFit("node '" + change.foldedInto + "'");
    rescaler.divide(*producer, change.scales);
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
        DUO_CHECK(change.foldedInto.empty() ? addSmoothing(model, change, names, edits)
                                            : addFolding(model, change, rescaler));
    }
    rescaler.addEditsInPlace(edits);
    return edits;
}

} // namespace duo
