// SPDX-License-Identifier: Apache-2.0
#include "core/transform/edit_names.h"

namespace duo {

EditNames::EditNames(const Model& model)
{
    for (const Value& value : model.values)
        m_values.insert(value.name);
    for (const Node& node : model.nodes)
        m_nodes.insert(node.name);
}

std::string EditNames::unique(std::unordered_set<std::string>& taken, const std::string& wanted)
{
    std::string name = wanted;
    for (int i = 1; !taken.insert(name).second; ++i)
        name = wanted + "_" + std::to_string(i);
    return name;
}

} // namespace duo
