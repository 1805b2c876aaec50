// SPDX-License-Identifier: Apache-2.0
// JSON from files: parsed with a bound on nesting, errors with their line.
#pragma once

#include "core/support/json_text.h"
#include "core/support/result.h"

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>

namespace duo {

/// Parses one JSON document; keys keep their order. Nesting deeper than 64 is refused, because writing or comparing
/// such a value would recurse as deep.
/// @return an error with `code`: "not valid JSON", `name` with the line, or with the key that stands twice, what to do
Result<nlohmann::ordered_json> parseJson(
    std::string_view text, const std::string& name, ErrorCode code, EqualKeys equalKeys = EqualKeys::LastCounts);

/// Adds a member that the object does not have yet. O(1): `object[key]` compares the key with all there are.
void addMember(nlohmann::ordered_json& object, std::string key, nlohmann::ordered_json value);

/// Bytes that are no UTF-8 are replaced. @param indent per level; below 0: all on one line
std::string jsonText(const nlohmann::ordered_json& json, int indent = -1);

} // namespace duo
