// SPDX-License-Identifier: Apache-2.0
#include "core/quantize/operators/port_table.h"

namespace duo {

PortTable::PortTable(const Model& model)
{
    m_first.reserve(model.nodes.size() + 1);
    m_firstOutput.reserve(model.nodes.size() + 1);
    for (const Node& node : model.nodes) {
        m_values.insert(m_values.end(), node.inputs.begin(), node.inputs.end());
        m_outputs.insert(m_outputs.end(), node.outputs.begin(), node.outputs.end());
        m_first.push_back(static_cast<std::uint32_t>(m_values.size()));
        m_firstOutput.push_back(static_cast<std::uint32_t>(m_outputs.size()));
    }
    m_producers.reserve(model.values.size());
    m_firstUse.reserve(model.values.size() + 1);
    for (const Value& value : model.values) {
        m_producers.push_back(value.producer);
        m_uses.insert(m_uses.end(), value.uses.begin(), value.uses.end());
        m_firstUse.push_back(static_cast<std::uint32_t>(m_uses.size()));
    }
}

} // namespace duo
