// SPDX-License-Identifier: Apache-2.0
// JSON from a text somebody may be editing: what is wrong has a place and a reason.
#pragma once

#include "core/support/text_problem.h"

#include <nlohmann/json.hpp>

#include <string_view>
#include <variant>

namespace duo {

/// What becomes of a key that stands twice in one object.
enum class EqualKeys { LastCounts, Refused };

/// Parses one JSON document; keys keep their order. Nesting deeper than 64 is refused, because writing or comparing
/// such a value would recurse as deep.
std::variant<nlohmann::ordered_json, TextProblem> parseJsonText(
    std::string_view text, EqualKeys equalKeys = EqualKeys::LastCounts);

} // namespace duo
