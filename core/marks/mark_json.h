// SPDX-License-Identifier: Apache-2.0
// Marks as JSON: in recipes, in states, and in the metadata of a model.
#pragma once

#include "core/marks/mark.h"

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace duo {

/// More are refused: each is evaluated over all modules.
inline constexpr std::size_t kMostMarks = 1000;
inline constexpr std::size_t kMostMarkSettings = 100; // of one: they are written to each node

nlohmann::ordered_json markJson(const Mark& mark);
nlohmann::ordered_json marksJson(const std::vector<Mark>& marks);
/// A value that reads as true, false or a number is written as that.
nlohmann::ordered_json markSettingsJson(const std::vector<MarkSetting>& settings);

/// @param path of the list, for messages. @return InvalidRule: what is wrong, which key, what to write
Result<std::vector<Mark>> marksFromJson(const nlohmann::ordered_json& json, const std::string& path);

} // namespace duo
