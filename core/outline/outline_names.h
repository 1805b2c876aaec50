// SPDX-License-Identifier: Apache-2.0
// Names for what is inside functions, made of those that nodes and scopes have.
#pragma once

#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace duo {

/// Names that are taken, and a free one like a wish.
class FreshNames
{
public:
    void take(const std::string& name) { m_taken.insert(name); }
    std::string fresh(const std::string& wish); // from now on taken

private:
    std::unordered_set<std::string> m_taken;
    std::unordered_map<std::string, int> m_numbers;
};

/// What all names have in front, up to and with the last '/'; "" if that is nothing.
std::string commonPath(const std::vector<const std::string*>& names);

inline constexpr const char* kNoModuleName = "Module";

/// A scope's name as one of a function: "layer1" of "layer1#2", kNoModuleName of "0".
std::string plainName(const std::string& element);

} // namespace duo
