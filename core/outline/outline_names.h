// SPDX-License-Identifier: Apache-2.0
// Names for what is inside functions, made of those that nodes and scopes have.
#pragma once

#include <string>
#include <vector>

namespace duo {

/// What all names have in front, up to and with the last '/'; "" if that is nothing.
std::string commonPath(const std::vector<const std::string*>& names);

inline constexpr const char* kNoModuleName = "Module";

/// A scope's name as one of a function: "layer1" of "layer1#2", kNoModuleName of "0".
std::string plainName(const std::string& element);

/// What a name has behind the path; "" if it does not lie below it.
std::string below(const std::string& name, const std::string& path);

} // namespace duo
