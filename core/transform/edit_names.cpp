// SPDX-License-Identifier: Apache-2.0
#include "core/transform/edit_names.h"

namespace duo {

EditNames::Taken& EditNames::taken()
{
    if (m_taken)
        return *m_taken;
    m_taken.emplace();
    for (const Value& value : m_model.values)
        m_taken->values.take(value.name);
    for (const Node& node : m_model.nodes)
        m_taken->nodes.take(node.name);
    return *m_taken;
}

} // namespace duo
