// SPDX-License-Identifier: Apache-2.0
// PortTable: numbers for all input ports and all outputs of a model's nodes, the values on them and who gives these;
// close together in memory for what looks at all of them.
#pragma once

#include "core/model/model.h"

#include <span>
#include <vector>

namespace duo {

class PortTable
{
public:
    PortTable() = default;
    explicit PortTable(const Model& model); // O(nodes + inputs + outputs)

    [[nodiscard]] std::uint32_t count() const { return static_cast<std::uint32_t>(m_values.size()); }
    /// Number of the first input port of a node; the others follow.
    [[nodiscard]] std::uint32_t first(NodeId node) const { return m_first[node.index]; }
    [[nodiscard]] std::uint32_t count(NodeId node) const { return m_first[node.index + 1] - m_first[node.index]; }
    [[nodiscard]] ValueId value(std::uint32_t port) const { return m_values[port]; } // invalid: omitted
    [[nodiscard]] std::span<const ValueId> inputs(NodeId node) const
    {
        return std::span(m_values).subspan(first(node), count(node));
    }
    [[nodiscard]] std::span<const ValueId> outputs(NodeId node) const
    {
        return std::span(m_outputs).subspan(
            m_firstOutput[node.index], m_firstOutput[node.index + 1] - m_firstOutput[node.index]);
    }

    [[nodiscard]] std::span<const Use> uses(ValueId value) const // as Value::uses
    {
        return std::span(m_uses).subspan(
            m_firstUse[value.index], m_firstUse[value.index + 1] - m_firstUse[value.index]);
    }
    [[nodiscard]] NodeId producer(ValueId value) const { return m_producers[value.index]; } // as Value::producer

private:
    std::vector<std::uint32_t> m_first{0}, m_firstOutput{0}; // [nodes + 1]
    std::vector<ValueId> m_values; // [input ports]
    std::vector<ValueId> m_outputs;
    std::vector<NodeId> m_producers; // [values]
    std::vector<std::uint32_t> m_firstUse{0}; // [values + 1]
    std::vector<Use> m_uses;
};

} // namespace duo
