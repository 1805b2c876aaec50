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

struct ScaledTensor {
    ChannelTensor channels;
    bool divides = false; // else it is multiplied
};

Error doesNotFit(const std::string& where)
{
    return {ErrorCode::BadState, "a correction does not fit the model", where, "calibrate again"};
}

/// Initializers whose values change, each read once.
class Rescaler
{
public:
    /// @param scales as many as the channels. @return BadState where what was a number is none any more
    Status scale(const ScaledTensor& scaled, const std::vector<float>& scales)
    {
        const Tensor& tensor = *scaled.channels.tensor;
        auto [entry, isNew] = m_changed.try_emplace(tensor.name);
        if (isNew)
            entry->second = {tensor.dims, toFloats(tensor)};
        const std::size_t inner = innerOf(tensor.dims, scaled.channels.axis);
        auto& values = entry->second.values;
        for (std::size_t i = 0; i < values.size(); ++i) {
            const float factor = scales[i / inner % scales.size()];
            const float before = values[i];
            values[i] = scaled.divides ? before / factor : before * factor;
            if (!std::isfinite(values[i]) && std::isfinite(before))
                return Error{ErrorCode::BadState, "a correction takes values beyond what a float holds",
                    "'" + tensor.name + "'", "calibrate again"};
        }
        return success();
    }

    void addEditsInPlace(EditList& edits)
    {
        for (auto& [name, tensor] : m_changed) {
            const auto values = std::exchange(tensor.values, {}); // all of them twice would be much memory
            edits.removedTensors.push_back(name);
            edits.newTensors.push_back({name, ElementType::Float32, tensor.dims, bytesOf(values)});
        }
    }

private:
    struct Changed {
        std::vector<std::int64_t> dims;
        std::vector<float> values;
    };

    std::map<std::string, Changed> m_changed;
};

/// The weight of a node, and its bias where that is of the same channels.
Status addScaled(const Model& model, const std::string& name, Side side, std::size_t channels, bool divides,
    std::vector<ScaledTensor>& scaled)
{
    const NodeId id = model.findNode(name);
    if (!id.valid() || model.node(id).region != RegionId(0))
        return doesNotFit("node '" + name + "'");
    const Node& node = model.node(id);
    const Tensor* weight = ownTensor(model, node, 1);
    const auto axis = weight == nullptr ? std::nullopt : channelAxis(node, weight->dims, side);
    if (!axis || static_cast<std::size_t>(weight->dims[*axis]) != channels)
        return doesNotFit("node '" + name + "'");
    scaled.push_back({{weight, *axis}, divides});
    const std::uint8_t port = opFacts(node).biasPort;
    const bool hasBias = node.inputs.size() > port && node.inputs[port].valid();
    if (side == Side::Input || !hasBias)
        return success();
    const Tensor* bias = ownTensor(model, node, port);
    if (bias == nullptr || bias->dims.size() != 1 || static_cast<std::size_t>(bias->dims[0]) != channels)
        return doesNotFit("bias of node '" + name + "'");
    scaled.push_back({{bias, 0}, divides});
    return success();
}

/// Of what gives `value`, as the change says.
Status addFolded(const Model& model, const FloatChange& change, std::vector<ScaledTensor>& scaled)
{
    std::vector<NodeId> readers;
    for (const std::string& node : change.nodes)
        readers.push_back(model.findNode(node)); // valid: its weight is scaled
    const ValueId value = model.findValue(change.value);
    const auto producer = value.valid() ? scaledProducer(model, value, readers, change.scales.size()) : std::nullopt;
    if (!producer || model.node(producer->node).name != change.foldedInto)
        return doesNotFit("node '" + change.foldedInto + "'");
    for (const ChannelTensor& channels : producer->tensors)
        scaled.push_back({channels, true});
    return success();
}

/// What a change scales.
Result<std::vector<ScaledTensor>> scaledBy(const Model& model, const FloatChange& change)
{
    std::vector<ScaledTensor> scaled;
    const std::size_t channels = change.scales.size();
    if (change.kind == FloatChangeKind::CrossLayer) {
        const NodeId first = change.nodes.size() == 2 ? model.findNode(change.nodes[0]) : NodeId();
        const NodeId second = first.valid() ? pairedLayer(model, first) : NodeId();
        if (!second.valid() || model.node(second).name != change.nodes[1])
            return doesNotFit(change.nodes.empty() ? std::string() : "node '" + change.nodes[0] + "'");
        DUO_CHECK(addScaled(model, change.nodes[0], Side::Output, channels, true, scaled));
        DUO_CHECK(addScaled(model, change.nodes[1], Side::Input, channels, false, scaled));
        return scaled;
    }
    const ValueId value = model.findValue(change.value);
    if (change.nodes.empty())
        return doesNotFit("value '" + change.value + "'");
    for (const std::string& node : change.nodes) {
        DUO_CHECK(addScaled(model, node, Side::Input, channels, false, scaled));
        if (!value.valid() || model.node(model.findNode(node)).inputs.front() != value)
            return doesNotFit("value '" + change.value + "'");
    }
    if (!change.foldedInto.empty())
        DUO_CHECK(addFolded(model, change, scaled));
    return scaled;
}

/// Reads of `value` by the nodes named go through a Mul.
void addSmoothing(const Model& model, const FloatChange& change, EditNames& names, EditList& edits)
{
    const ValueId source = model.findValue(change.value);
    const std::string smoothed = names.value(change.value + "_smooth_quant");
    const std::string scaleName = names.value(change.value + "_smooth_quant_scale");
    std::vector<float> inverse;
    for (const float scale : change.scales)
        inverse.push_back(1 / scale);
    std::vector<std::int64_t> dims{static_cast<std::int64_t>(inverse.size())};
    const std::set<std::string> readers(change.nodes.begin(), change.nodes.end());
    for (const Use& use : model.value(source).uses) {
        const Node& node = model.node(use.node);
        if (!readers.contains(node.name) || use.port != 0)
            continue;
        if (isProduct(node, Product::Convolution)) {
            const Tensor* weight = ownTensor(model, node, 1);
            dims.resize(weight == nullptr ? 3 : weight->dims.size() - 1, 1);
        }
        edits.inputs.push_back({use.node, 0, smoothed});
    }
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

Status checkFits(const Model& model, const FloatChange& change)
{
    DUO_CHECK(scaledBy(model, change));
    return success();
}

Result<EditList> floatChangeEdits(const Model& model, const std::vector<FloatChange>& changes)
{
    EditList edits;
    EditNames names(model);
    Rescaler rescaler;
    for (const FloatChange& change : changes) {
        DUO_TRY(scaled, scaledBy(model, change));
        for (const ScaledTensor& tensor : scaled)
            DUO_CHECK(rescaler.scale(tensor, change.scales));
        if (change.kind == FloatChangeKind::SmoothQuant && change.foldedInto.empty())
            addSmoothing(model, change, names, edits);
    }
    rescaler.addEditsInPlace(edits);
    return edits;
}

} // namespace duo
