// SPDX-License-Identifier: Apache-2.0
// Scales and zero points as JSON.
#pragma once

#include "core/quantize/points/parameters.h"

#include <nlohmann/json.hpp>

#include <string>

namespace duo {

/// {"<id>": {"type": "uint8", "axis": null, "scale": [...], "zero_point": [...]}}
nlohmann::ordered_json parametersJson(const ParametersByPoint& parameters);

/// @return BadState naming the quantizer whose numbers cannot be used: scales must be positive and finite, zero points
/// inside the codes of the type, as many as scales
Result<ParametersByPoint> parametersFromJson(const nlohmann::ordered_json& json, const std::string& name);

} // namespace duo
