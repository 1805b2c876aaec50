// SPDX-License-Identifier: Apache-2.0
// Members of JSON objects that may be anything.
#pragma once

#include <nlohmann/json.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace duo {

/// A member that is there and not null; null otherwise, also if `json` is no object.
const nlohmann::ordered_json* jsonField(const nlohmann::ordered_json& json, std::string_view name);

/// A text member; "" if it is absent or no text.
std::string jsonText(const nlohmann::ordered_json& json, std::string_view name);

/// An integer that fits 64 bits with sign.
std::optional<std::int64_t> jsonInteger(const nlohmann::ordered_json* json);

/// A number, or one that Python's json wrote as a text ("Infinity", "NaN").
std::optional<double> jsonNumber(const nlohmann::ordered_json* json);

/// The member of a union that is set: unions are objects with one member, or with others that are null.
struct JsonUnion {
    std::string_view kind; // "as_tensor"; "" if none is set
    const nlohmann::ordered_json* value = nullptr;
};
JsonUnion jsonUnion(const nlohmann::ordered_json& json);

} // namespace duo
