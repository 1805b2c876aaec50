// SPDX-License-Identifier: Apache-2.0
// What a model file is, as JSON and as text.
#pragma once

#include "core/model/model.h"

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace duo {

/// The document of `inspect` (resources/schemas/inspect.schema.json).
nlohmann::ordered_json inspectJson(const Model& model);
std::string inspectText(const Model& model);

/// One entry per kind and text with all its places; `where` is the first of them.
nlohmann::ordered_json notesJson(const std::vector<Note>& notes);
/// "float32[N,3,?]", "float32 of unknown rank", "type not known".
std::string typeText(const ValueType& type);
/// 1234567 -> "1.2 MB" (powers of 1000).
std::string bytesText(std::int64_t bytes);
/// 1.25, 1 -> "1.2"; the same in every locale.
std::string fixedText(double number, int decimals);
/// Four digits, with an exponent where that is shorter: 0.02831, 1.2e-07; the same in every locale.
std::string shortText(double number);

} // namespace duo
