// SPDX-License-Identifier: Apache-2.0
#include "core/transform/edit_names.h"

namespace duo {

EditNames::EditNames(const Model& model)
{
    for (const Value& value : model.values)
        m_values.take(value.name);
    for (const Node& node : model.nodes)
        m_nodes.take(node.name);
}

} // namespace duo
