// SPDX-License-Identifier: Apache-2.0
// FreshNames: names that are taken, and a free one like a wish.
#pragma once

#include <string>
#include <unordered_map>
#include <unordered_set>

namespace duo {

class FreshNames
{
public:
    void take(const std::string& name) { m_taken.insert(name); }
    /// The wish, or `wish_1`, `wish_2`... if it is taken; taken from now on. O(1), however often a name is wished for.
    std::string fresh(const std::string& wish);

private:
    std::unordered_set<std::string> m_taken;
    std::unordered_map<std::string, int> m_numbers; // the last one given, by wish; those before it are taken
};

} // namespace duo
