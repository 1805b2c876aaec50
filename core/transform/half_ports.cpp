// SPDX-License-Identifier: Apache-2.0
#include "core/transform/half_ports.h"

#include "core/model/op_facts.h"
#include "core/transform/edit_names.h"
#include "core/transform/elimination.h"

#include <algorithm>

namespace duo {
namespace {

class PortHalving
{
public:
    PortHalving(const Model& model, ElementType type, const std::vector<std::string>& whyNot)
        : m_model(model)
        , m_type(type)
        , m_whyNot(whyNot)
        , m_names(model)
        , m_isPinned(pinnedValues(model))
    {
    }

    HalvedPorts run()
    {
        for (const ValueId input : m_model.mainGraph().inputs) {
            if (m_model.value(input).isInput && mayHalve(input))
                halveInput(input);
        }
        for (const ValueId output : m_model.mainGraph().outputs) {
            if (mayHalve(output))
                halveOutput(output);
        }
        return std::move(m_result);
    }

private:
    bool mayHalve(ValueId id)
    {
        const Value& value = m_model.value(id);
        if (value.type.element != ElementType::Float32)
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

    void halveInput(ValueId id)
    {
        const Value& value = m_model.value(id);
        std::string wide; // what is read in 32 bits
        for (const Use& use : value.uses) {
            const Node& reader = m_model.node(use.node);
            const ValueId given = isCastTo(reader, m_type) ? reader.outputs[0] : ValueId();
            if (given.valid() && !m_model.value(given).isOutput && !m_isPinned[given.index]) {
                rewire(given, value.name);
                m_result.edits.removedNodes.push_back(use.node);
                continue;
            }
            if (wide.empty()) {
                wide = m_names.value(value.name + "_float");
                addCast(reader, value.name, wide, ElementType::Float32, {});
            }
            m_result.edits.inputs.push_back({use.node, use.port, wide});
        }
        m_result.edits.retyped.emplace_back(id, m_type);
    }

    void halveOutput(ValueId id)
    {
        const Value& value = m_model.value(id);
        const Node& producer = m_model.node(value.producer);
        m_result.edits.retyped.emplace_back(id, m_type);
        const std::string wide = m_names.value(value.name + "_float");
        const ValueId half = isCastTo(producer, ElementType::Float32) ? producer.inputs[0] : ValueId();
        const bool isHalf = half.valid() && canTakeOver(half);
        if (isHalf) {
            const bool castGoes = value.uses.empty();
            renameOutput(half, value.name);
            rewire(half, value.name, castGoes ? value.producer : NodeId());
            if (castGoes) {
                m_result.edits.removedNodes.push_back(value.producer);
                return;
            }
        }
        renameOutput(id, wide);
        rewire(id, wide);
        if (!isHalf)
            addCast(producer, wide, value.name, m_type, value.producer);
    }

    /// Whether a value of 16 bits that a node gives can have the name of an output.
    [[nodiscard]] bool canTakeOver(ValueId id) const
    {
        const Value& value = m_model.value(id);
        return value.type.element == m_type && value.producer.valid() && !value.isOutput && !m_isPinned[id.index]
            && value.region == RegionId(0) && !isCastTo(m_model.node(value.producer), m_type);
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

    /// In the scope of `like`. @param behind invalid: at the start of the graph
    void addCast(const Node& like, const std::string& from, const std::string& to, ElementType type, NodeId behind)
    {
        m_result.edits.newNodes.push_back(
            {m_names.node(like.localName + (type == ElementType::Float32 ? "_to_float" : "_to_half")), "Cast", {},
                {from}, {to}, {{"to", static_cast<std::int64_t>(type)}}, like.metadata, behind, true});
    }

    const Model& m_model;
    ElementType m_type;
    const std::vector<std::string>& m_whyNot;
    EditNames m_names;
    std::vector<bool> m_isPinned; // [values]
    HalvedPorts m_result;
};

} // namespace

HalvedPorts halvePorts(const Model& model, ElementType type, const std::vector<std::string>& whyNot)
{
    return PortHalving(model, type, whyNot).run();
}

} // namespace duo
