// SPDX-License-Identifier: Apache-2.0
// What a comparison of two models found, as JSON and as text.
#pragma once

#include "core/analysis/compare.h"

#include <nlohmann/json.hpp>

#include <string>

namespace duo {

/// The document of `compare` (resources/schemas/compare.schema.json).
nlohmann::ordered_json compareJson(const Comparison& comparison);
/// Sizes, latency, top-1, the outputs, the five worst inner values, findings.
std::string compareText(const Comparison& comparison);

} // namespace duo
