// SPDX-License-Identifier: Apache-2.0
#include "core/quantize/profiles/measurable_values.h"

#include "core/model/op_facts.h"
#include "core/model/value_address.h"
#include "core/quantize/operators/float_scope.h"
#include "core/quantize/profiles/clamps.h"
#include "core/quantize/profiles/fusion_plan.h"

#include <algorithm>
#include <set>

namespace duo {
namespace {

bool mayBeFloat(const Value& value)
{
    const ElementType type = value.type.element;
    return type == ElementType::Float32 || type == ElementType::Undefined;
}

/// What a node gives or a graph is given, outside calls.
bool isMeasurable(const Model& model, ValueId id)
{
    const Value& value = model.value(id);
    if (value.region.index == 0)
        return value.producer.valid() || value.isInput;
    return !value.initializer.valid() && model.findValue(addressOf(model, id)) == id;
}

/// Places of one table of operator traits.
class Places
{
public:
    Places(const Model& model, const Target& target)
        : m_graph(buildOpGraph(model, target))
        , m_plan(fusionPlan(model, m_graph, target))
        , m_fused(fuse(m_graph, m_plan.fusing, m_plan.matches))
    {
        FloatScope scope = presetFloatScope(model, m_graph, m_fused, m_plan.ignored, target);
        std::ranges::replace(scope.causes, FloatCause::FrontEnd, FloatCause::None); // rules may take them in
        applyFloatScopeInPlace(m_fused, scope);
    }

    template <typename Visit> void eachValue(const Visit& visit) const
    {
        for (const FusedInput& input : m_fused.inputs) {
            const bool isWanted = holds(m_fused.vertices[input.to]) || gives(m_fused.vertices[input.from]);
            if (!input.isInteger && isWanted)
                visit(m_graph.edges[input.edge].value);
        }
    }

private:
    static bool holds(const Vertex& vertex) { return vertex.traits.trait != Trait::NonQuantizable; }
    [[nodiscard]] bool gives(const Vertex& vertex) const
    {
        return holds(vertex) && m_graph.ops[vertex.primary()].kind == OpKind::Node;
    }

    OpGraph m_graph;
    FusionPlan m_plan;
    FusedGraph m_fused;
};

/// Settings whose operators and patterns differ: no others place anywhere else (tests/core/quantize/profiles).
std::vector<QuantizationSettings> everyTable()
{
    std::vector<QuantizationSettings> tables(5); // the first is ort-cpu's
    tables[1].nncfCompatible = true; // and openvino's
    tables[2].profile = Profile::TensorRt;
    tables[3].nncfCompatible = true;
    tables[3].targetDevice = TargetDevice::CpuSpr; // the device whose patterns are others
    tables[4].profile = Profile::Qnn;
    return tables;
}

/// What a quantizer per channel may move up to from the input of a grouped convolution.
ValueId aboveAgnostic(const Model& model, ValueId id)
{
    QuantizationSettings nncf;
    nncf.nncfCompatible = true;
    const Target target = targetOf(nncf);
    const NodeId producer = model.value(id).producer;
    if (!producer.valid() || model.value(id).region.index != 0)
        return {};
    const Node& node = model.node(producer);
    const bool isAgnostic = opTraits(model, node, target).trait == Trait::Agnostic;
    return isAgnostic && !node.inputs.empty() ? node.inputs.front() : ValueId{};
}

/// Channels of a data input that constant weights sum over.
std::map<ValueId, std::int64_t> weightedInputs(const Model& model)
{
    std::map<ValueId, std::int64_t> axes;
    for (const NodeId id : model.order) {
        const Node& node = model.node(id);
        const auto axis = inputChannelAxis(node);
        if (!axis || node.inputs.size() < 2 || !node.inputs[0].valid())
            continue;
        const Value& data = model.value(node.inputs[0]);
        if (!isMeasurable(model, node.inputs[0]) || !mayBeFloat(data)
            || (!isConvolution(node) && model.constant(node.inputs[1]) == nullptr))
            continue;
        axes.try_emplace(node.inputs[0], *axis);
        if (node.intAttribute("group", 1) == 1)
            continue;
        for (ValueId up = aboveAgnostic(model, node.inputs[0]); up.valid(); up = aboveAgnostic(model, up)) {
            if (!axes.try_emplace(up, 1).second)
                break;
        }
    }
    return axes;
}

} // namespace

SharedMeasures::SharedMeasures(const Model& model)
    : m_model(model)
    , m_channelAxes(weightedInputs(model))
{
    for (const NodeId id : model.order) {
        const Node& node = model.node(id);
        if (!has(node, mark::kKeepsElements) || node.inputs.empty() || !node.inputs[0].valid() || node.outputs.empty())
            continue;
        const bool isInOneGraph = model.value(node.inputs[0]).region == node.region; // a body may not run
        if (isInOneGraph && isMeasurable(model, node.inputs[0]))
            m_origins[node.outputs[0]] = origin(node.inputs[0]);
    }
    for (const auto& [id, axis] : m_channelAxes)
        m_withChannels.try_emplace(origin(id), id);
}

ValueId SharedMeasures::origin(ValueId value) const
{
    const auto found = m_origins.find(value);
    return found == m_origins.end() ? value : found->second;
}

ValueId SharedMeasures::of(ValueId value) const
{
    if (m_channelAxes.contains(value))
        return value;
    const auto found = m_withChannels.find(origin(value));
    return found == m_withChannels.end() ? origin(value) : found->second;
}

MeasurableValues measurableValues(const Model& model)
{
    const SharedMeasures shared(model);
    std::set<ValueId> found;
    for (const QuantizationSettings& settings : everyTable())
        Places(model, targetOf(settings)).eachValue([&](ValueId id) {
            found.insert(shared.of(behindClamps(model, id)));
        });
    for (const ValueId output : model.mainGraph().outputs) // quantize_outputs
        found.insert(shared.of(output));
    MeasurableValues values;
    for (const auto& [id, axis] : shared.channelAxes()) {
        found.insert(id);
        values.channelAxes.emplace(addressOf(model, id), axis);
    }
    for (const ValueId id : found) {
        if (mayBeFloat(model.value(id)) && isMeasurable(model, id))
            values.names.push_back(addressOf(model, id));
    }
    std::ranges::sort(values.names);
    return values;
}

} // namespace duo
