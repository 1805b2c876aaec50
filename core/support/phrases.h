// SPDX-License-Identifier: Apache-2.0
// Pieces of the sentences in which the program speaks of names and numbers.
#pragma once

#include <concepts>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace duo {

inline std::string inQuotes(std::string_view name) // 'name'
{
    std::string text = "'";
    text += name;
    return text + "'";
}

/// "12,345": digits grouped as English does, in every locale.
template <std::integral Count> std::string countText(Count count)
{
    std::string text = std::to_string(count);
    const std::size_t first = text.starts_with('-') ? 1 : 0;
    for (std::size_t at = text.size(); at > first + 3;)
        text.insert(at -= 3, 1, ',');
    return text;
}

inline std::string counted(std::size_t count, std::string_view one, std::string_view many) // "1 node", "2,000 nodes"
{
    std::string text = countText(count) + " ";
    return text += count == 1 ? one : many;
}

inline std::string nodesText(std::size_t count)
{
    return counted(count, "node", "nodes");
}

inline std::string inBrackets(const std::vector<std::string>& names) // "[a, b]"
{
    std::string text = "[";
    for (const std::string& name : names)
        text += (text.size() > 1 ? ", " : "") + name;
    return text + "]";
}

/// "Block, Dense and 3 more"
inline std::string firstOf(const std::vector<std::string>& names, std::size_t most)
{
    std::string text;
    for (std::size_t i = 0; i < names.size() && i < most; ++i)
        text += (i == 0 ? "" : ", ") + names[i];
    return names.size() > most ? text + " and " + countText(names.size() - most) + " more" : text;
}

} // namespace duo
