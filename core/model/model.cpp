// SPDX-License-Identifier: Apache-2.0
#include "core/model/model.h"

#include "core/model/constant_conditions.h"
#include "core/model/element_types.h"
#include "core/model/node_names.h"
#include "core/model/topological_order.h"
#include "core/model/value_address.h"

#include <algorithm>

namespace duo {
namespace {

bool passesValuesThrough(const Model& model, const Node& call)
{
    return std::any_of(call.outputs.begin(), call.outputs.end(),
        [&](ValueId id) { return id.valid() && !model.value(id).producer.valid(); });
}

void setProducers(Model& model, bool ofCalls)
{
    for (std::size_t n = 0; n < model.nodes.size(); ++n) {
        const Node& node = model.nodes[n];
        if (node.isCall != ofCalls)
            continue;
        for (std::size_t port = 0; port < node.outputs.size(); ++port) {
            const ValueId id = node.outputs[port];
            if (!id.valid() || model.value(id).producer.valid())
                continue;
            model.values[id.index].producer = NodeId(n);
            model.values[id.index].producerPort = static_cast<std::uint32_t>(port);
        }
    }
}

void linkValues(Model& model)
{
    setProducers(model, false);
    std::vector<bool> readsInputs(model.nodes.size(), true);
    for (std::size_t n = 0; n < model.nodes.size(); ++n) {
        if (model.nodes[n].isCall)
            readsInputs[n] = passesValuesThrough(model, model.nodes[n]);
    }
    setProducers(model, true);
    for (std::size_t n = 0; n < model.nodes.size(); ++n) {
        if (!readsInputs[n])
            continue;
        const auto& inputs = model.nodes[n].inputs;
        for (std::size_t port = 0; port < inputs.size(); ++port) {
            if (inputs[port].valid())
                model.values[inputs[port].index].uses.push_back({NodeId(n), static_cast<std::uint32_t>(port)});
        }
    }
}

/// What a body gives is read by more than its uses.
void markBodyOutputs(Model& model)
{
    for (std::size_t r = 1; r < model.regions.size(); ++r) {
        const Region& region = model.regions[r];
        for (const ValueId output : region.outputs) {
            const bool isGiven = output.valid() && model.value(output).region == RegionId(r);
            if (isGiven && !region.attribute.empty())
                model.values[output.index].isOutput = true;
        }
    }
}

void fillIndices(Model& model)
{
    model.nodeIndex.reserve(model.nodes.size());
    for (std::size_t n = 0; n < model.nodes.size(); ++n)
        model.nodeIndex.emplace(model.nodes[n].name, NodeId(n));
    for (std::size_t v = 0; v < model.values.size(); ++v) {
        if (model.values[v].region == RegionId(0))
            model.valueIndex.emplace(model.values[v].name, ValueId(v));
    }
    addAddressesOfBodiesInPlace(model);
}

} // namespace

const Attribute* Node::attribute(std::string_view attributeName) const
{
    const auto found = std::find_if(
        attributes.begin(), attributes.end(), [&](const Attribute& a) { return a.name == attributeName; });
    return found == attributes.end() ? nullptr : &*found;
}

std::int64_t Node::intAttribute(std::string_view attributeName, std::int64_t fallback) const
{
    const Attribute* found = attribute(attributeName);
    const auto* number = found != nullptr ? std::get_if<std::int64_t>(&found->value) : nullptr;
    return number != nullptr ? *number : fallback;
}

NodeId Model::findNode(std::string_view name) const
{
    const auto found = nodeIndex.find(std::string(name));
    return found == nodeIndex.end() ? NodeId{} : found->second;
}

ValueId Model::findValue(std::string_view name) const
{
    const auto found = valueIndex.find(std::string(name));
    return found == valueIndex.end() ? ValueId{} : found->second;
}

const Tensor* Model::constant(ValueId id) const
{
    if (!id.valid())
        return nullptr;
    const Value& v = value(id);
    if (v.initializer.valid())
        return &tensor(v.initializer);
    if (!v.producer.valid() || node(v.producer).opType != "Constant")
        return nullptr;
    const Attribute* attribute = node(v.producer).attribute("value");
    const auto* tensorId = attribute != nullptr ? std::get_if<TensorId>(&attribute->value) : nullptr;
    return tensorId != nullptr && tensorId->valid() ? &tensor(*tensorId) : nullptr;
}

std::int64_t Model::opset() const
{
    const auto found = opsets.find("");
    return found == opsets.end() ? 0 : found->second;
}

std::int64_t Model::parameters() const
{
    std::int64_t total = 0;
    for (const TensorId id : initializers)
        total += tensor(id).elements();
    return total;
}

std::int64_t Model::parameterBytes() const
{
    std::int64_t total = 0;
    for (const TensorId id : initializers)
        total += static_cast<std::int64_t>(tensor(id).bytes().size());
    return total;
}

std::string_view metadataValue(const Metadata& metadata, std::string_view key)
{
    for (const auto& [name, value] : metadata) {
        if (name == key)
            return value;
    }
    return {};
}

Result<std::shared_ptr<const Model>> sealModel(Model draft)
{
    nameNodesInPlace(draft);
    linkValues(draft);
    markBodyOutputs(draft);
    DUO_TRY(order, topologicalOrder(draft));
    draft.order = std::move(order);
    inferElementTypesInPlace(draft);
    fillIndices(draft);
    for (Note& note : constantConditionNotes(draft))
        draft.notes.push_back(std::move(note));
    return std::shared_ptr<const Model>(std::make_shared<Model>(std::move(draft)));
}

} // namespace duo
