// SPDX-License-Identifier: Apache-2.0
// Pieces of the sentences in which the program speaks of names and numbers.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace duo {

inline std::string inQuotes(std::string_view name) // 'name'
{
    std::string text = "'";
    text += name;
    return text + "'";
}

inline std::string nodesText(std::size_t count) // "1 node", "2 nodes"
{
    return std::to_string(count) + (count == 1 ? " node" : " nodes");
}

} // namespace duo
