// SPDX-License-Identifier: Apache-2.0
#include "core/transform/half_ports.h"

#include "core/model/op_facts.h"
#include "core/transform/edit_names.h"
#include "core/transform/elimination.h"

#include <algorithm>

namespace duo {
namespace {

class PortTyping
{
public:
    PortTyping(const Model& model, const std::vector<ElementType>& wanted, const std::vector<std::string>& whyNot)
        : m_model(model)
        , m_wanted(wanted)
        , m_whyNot(whyNot)
        , m_names(model)
        , m_isPinned(pinnedValues(model))
    {
    }

    HalvedPorts run()
    {
        for (const ValueId input : m_model.mainGraph().inputs) {
            if (m_model.value(input).isInput && mayRetype(input))
                retypeInput(input);
        }
        for (const ValueId output : m_model.mainGraph().outputs) {
            if (mayRetype(output))
                retypeOutput(output);
        }
        return std::move(m_result);
    }

private:
    bool mayRetype(ValueId id)
    {
        const Value& value = m_model.value(id);
        if (m_wanted[id.index] == ElementType::Undefined || m_wanted[id.index] == value.type.element)
            return false;
        std::string why = id.index < m_whyNot.size() ? m_whyNot[id.index] : std::string();
        if (m_isPinned[id.index])
            why = "a function or a body calls it by its name";
        else if (value.isOutput && !value.producer.valid())
            why = "it is given back as it is";
        if (!why.empty())
            m_result.floats.emplace_back(id, why);
        return why.empty();
    }

    [[nodiscard]] bool isCastTo(const Node& node, ElementType type) const
    {
        return isAnyOf(node, {"Cast"}) && node.region == RegionId(0) && !node.outputs.empty() && node.outputs[0].valid()
            && node.intAttribute("to", 0) == static_cast<std::int64_t>(type);
    }

    void retypeInput(ValueId id)
    {
        const Value& value = m_model.value(id);
        const ElementType type = m_wanted[id.index];
        std::string before; // what is read in the type there was
        for (const Use& use : value.uses) {
            const Node& reader = m_model.node(use.node);
            const ValueId given = isCastTo(reader, type) ? reader.outputs[0] : ValueId();
            if (given.valid() && !m_model.value(given).isOutput && !m_isPinned[given.index]) {
                rewire(given, value.name);
                m_result.edits.removedNodes.push_back(use.node);
                continue;
            }
            if (before.empty()) {
                before = m_names.value(value.name + suffixOf(value.type.element));
                addCast(reader, value.name, before, value.type.element, {});
            }
            m_result.edits.inputs.push_back({use.node, use.port, before});
        }
        m_result.edits.retyped.emplace_back(id, type);
    }

    void retypeOutput(ValueId id)
    {
        const Value& value = m_model.value(id);
        const Node& producer = m_model.node(value.producer);
        const ElementType type = m_wanted[id.index];
        m_result.edits.retyped.emplace_back(id, type);
        const std::string before = m_names.value(value.name + suffixOf(value.type.element));
        const ValueId given = isCastTo(producer, value.type.element) ? producer.inputs[0] : ValueId();
        const bool isGiven = given.valid() && canTakeOver(given, type);
        if (isGiven) {
            const bool castGoes = value.uses.empty();
            renameOutput(given, value.name);
            rewire(given, value.name, castGoes ? value.producer : NodeId());
            if (castGoes) {
                m_result.edits.removedNodes.push_back(value.producer);
                return;
            }
        }
        renameOutput(id, before);
        rewire(id, before);
        if (!isGiven)
            addCast(producer, before, value.name, type, value.producer);
    }

    /// Whether a value of the type that a node gives can have the name of an output.
    [[nodiscard]] bool canTakeOver(ValueId id, ElementType type) const
    {
        const Value& value = m_model.value(id);
        return value.type.element == type && value.producer.valid() && !value.isOutput && !m_isPinned[id.index]
            && value.region == RegionId(0) && !isCastTo(m_model.node(value.producer), type);
    }

    void renameOutput(ValueId id, const std::string& name)
    {
        const NodeId producer = m_model.value(id).producer;
        const auto& outputs = m_model.node(producer).outputs;
        const auto port = std::ranges::find(outputs, id) - outputs.begin();
        m_result.edits.outputs.push_back({producer, static_cast<std::uint32_t>(port), name});
    }

    /// All readers but one, which goes.
    void rewire(ValueId id, const std::string& name, NodeId but = {})
    {
        for (const Use& use : m_model.value(id).uses) {
            if (use.node != but)
                m_result.edits.inputs.push_back({use.node, use.port, name});
        }
    }

    static const char* suffixOf(ElementType type)
    {
        return type == ElementType::Float64 ? "_double" : type == ElementType::Float32 ? "_float" : "_half";
    }

    /// In the scope of `like`. @param behind invalid: at the start of the graph
    void addCast(const Node& like, const std::string& from, const std::string& to, ElementType type, NodeId behind)
    {
        m_result.edits.newNodes.push_back({m_names.node(like.localName + "_to" + suffixOf(type)), "Cast", {}, {from},
            {to}, {{"to", static_cast<std::int64_t>(type)}}, like.metadata, behind, true});
    }

    const Model& m_model;
    const std::vector<ElementType>& m_wanted; // [values]
    const std::vector<std::string>& m_whyNot;
    EditNames m_names;
    std::vector<bool> m_isPinned; // [values]
    HalvedPorts m_result;
};

} // namespace

HalvedPorts halvePorts(const Model& model, ElementType type, const std::vector<std::string>& whyNot)
{
    std::vector<ElementType> wanted(model.values.size(), ElementType::Undefined);
    for (std::size_t v = 0; v < wanted.size(); ++v) {
        if (model.values[v].type.element == ElementType::Float32)
            wanted[v] = type;
    }
    return retypePorts(model, wanted, whyNot);
}

HalvedPorts retypePorts(
    const Model& model, const std::vector<ElementType>& wanted, const std::vector<std::string>& whyNot)
{
    return PortTyping(model, wanted, whyNot).run();
}

} // namespace duo
