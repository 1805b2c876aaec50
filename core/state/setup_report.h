// SPDX-License-Identifier: Apache-2.0
// Where two setups differ, as text and JSON (resources/docs/state.md, "Two setups beside one another").
#pragma once

#include "core/state/setup_difference.h"

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace duo {

nlohmann::ordered_json setupDifferenceJson(const SetupDifference& difference);

/// What differs, quantizers by scope with the first of each; facts last. @param first, second what the two are called
std::string setupDifferenceText(const SetupDifference& difference, const std::string& first, const std::string& second);

/// "int8 per tensor | uint8 per tensor", with the factor where only ranges differ.
std::string quantizerDifferenceSentence(const QuantizerDifference& difference);

} // namespace duo
