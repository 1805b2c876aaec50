// SPDX-License-Identifier: Apache-2.0
#include "core/model/model.h"

#include "core/model/constant_conditions.h"
#include "core/model/element_types.h"
#include "core/model/node_note.h"
#include "core/model/topological_order.h"
#include "core/model/value_address.h"

#include <algorithm>
#include <unordered_set>

namespace duo {
namespace {

std::string prefixOf(const Model& model, const Region& region)
{
    if (!region.owner.valid())
        return {};
    std::string prefix = model.node(region.owner).name + "::";
    if (!region.attribute.empty())
        prefix += region.attribute + "::";
    return prefix;
}

std::string firstOutputName(const Model& model, const Node& node)
{
    for (const ValueId id : node.outputs) {
        if (id.valid())
            return model.value(id).name;
    }
    return {};
}

std::string inventedName(
    const Model& model, const Node& node, const std::string& prefix, const std::unordered_set<std::string>& taken)
{
    std::string name = prefix + node.opType + ":" + firstOutputName(model, node);
    if (!taken.contains(name))
        return name;
    for (std::uint64_t index = node.origin.index;; ++index) {
        std::string numbered = name + ":" + std::to_string(index);
        if (!taken.contains(numbered))
            return numbered;
    }
}

Note renameNote(const Node& node)
{
    const std::string had
        = node.localName.empty() ? "a node has no name in the file" : "a node has the name of another one in the file";
    return {"renamed-node", had + "; it is called by its type and first output here", node.name};
}

/// Gives every node its unique external name (resources/docs/scopes.md, "Node names").
/// Fills Node::name and NodeOrigin::hadName from localName, and adds a note per invented name. Regions must come after
/// the region of their owner. O(total length of names).
void nameNodesInPlace(Model& model)
{
    std::unordered_set<std::string> taken;
    taken.reserve(model.nodes.size());
    for (const Region& region : model.regions) {
        const std::string prefix = prefixOf(model, region);
        // Names from the file first: an invented name must never push a real one away.
        for (const NodeId id : region.nodes) {
            Node& node = model.nodes[id.index];
            node.origin.hadName = !node.localName.empty() && taken.insert(prefix + node.localName).second;
            if (node.origin.hadName)
                node.name = prefix + node.localName;
        }
        for (const NodeId id : region.nodes) {
            Node& node = model.nodes[id.index];
            if (node.origin.hadName)
                continue;
            node.name = inventedName(model, node, prefix, taken);
            taken.insert(node.name);
            model.notes.push_back(renameNote(node));
        }
    }
}

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

float Node::floatAttribute(std::string_view attributeName, float fallback) const
{
    const Attribute* found = attribute(attributeName);
    const auto* number = found != nullptr ? std::get_if<float>(&found->value) : nullptr;
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
    if (!v.producer.valid() || node(v.producer).opType != "Constant" || !node(v.producer).domain.empty())
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

bool Model::isInFunction(const Node& node) const
{
    for (NodeId owner = region(node.region).owner; owner.valid(); owner = region(this->node(owner).region).owner) {
        if (this->node(owner).isCall)
            return true;
    }
    return false;
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
    return sealModel(std::move(draft), {});
}

Result<std::shared_ptr<const Model>> sealModel(Model draft, std::vector<NodeNote> notes)
{
    nameNodesInPlace(draft);
    for (NodeNote& note : notes)
        draft.notes.push_back({std::move(note.kind), std::move(note.text), draft.node(note.node).name});
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
