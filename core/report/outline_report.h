// SPDX-License-Identifier: Apache-2.0
// Functions made of modules, and calls written out, as JSON and as text.
#pragma once

#include "core/onnx/outlined_model.h"
#include "core/onnx/writer.h"
#include "core/outline/plan_outline.h"

#include <nlohmann/json.hpp>

#include <string>

namespace duo {

/// The document of `outline` (resources/schemas/outline.schema.json). @param written without files where nothing was
/// to be written
nlohmann::ordered_json outlineJson(const OutlinePlan& plan, const WrittenFiles& written);
/// How the order of inputs and outputs is known: "a guess, as they are used".
std::string orderSentence(OrderEvidence evidence);
/// A line per function: its signature, how its order is known, who calls it; then what was refused and why.
std::string outlineText(const OutlinePlan& plan);

/// The document of `inline` (resources/schemas/inline.schema.json).
nlohmann::ordered_json inlineJson(
    const std::vector<LocalFunction>& functions, const Inlined& inlined, const WrittenFiles& written);
std::string inlineText(const std::vector<LocalFunction>& functions, const Inlined& inlined);

} // namespace duo
