// SPDX-License-Identifier: Apache-2.0
// EditNames: value and node names for what an export adds, never one that is taken.
#pragma once

#include "core/model/model.h"
#include "core/support/fresh_names.h"

#include <string>

namespace duo {

class EditNames
{
public:
    explicit EditNames(const Model& model);

    /// `wanted`, or `wanted_1`, `wanted_2`... if taken; taken from now on.
    std::string value(const std::string& wanted) { return m_values.fresh(wanted); }
    std::string node(const std::string& wanted) { return m_nodes.fresh(wanted); }

private:
    FreshNames m_values;
    FreshNames m_nodes;
};

} // namespace duo
