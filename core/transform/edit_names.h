// SPDX-License-Identifier: Apache-2.0
// EditNames: value and node names for what an export adds, never one that is taken.
#pragma once

#include "core/model/model.h"

#include <string>
#include <unordered_set>

namespace duo {

class EditNames
{
public:
    explicit EditNames(const Model& model);

    /// `wanted`, or `wanted_1`, `wanted_2`... if taken; taken from now on.
    std::string value(const std::string& wanted) { return unique(m_values, wanted); }
    std::string node(const std::string& wanted) { return unique(m_nodes, wanted); }

private:
    static std::string unique(std::unordered_set<std::string>& taken, const std::string& wanted);
    std::unordered_set<std::string> m_values;
    std::unordered_set<std::string> m_nodes;
};

} // namespace duo
