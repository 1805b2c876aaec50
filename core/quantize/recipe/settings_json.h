// SPDX-License-Identifier: Apache-2.0
// JSON form of the settings of a recipe: NNCF's parameter names.
#pragma once

#include "core/quantize/points/settings.h"
#include "core/support/json_keys.h"

namespace duo {

nlohmann::ordered_json settingsJson(const QuantizationSettings& settings);

/// NNCF has `overflow_fix` and `quantize_outputs` in `advanced_parameters`; there or beside it, both are read. What is
/// known to NNCF and not used here must have NNCF's type and is kept with the unknown keys.
/// @param path of `json`; @return InvalidRule, `where` being the path of the key
Result<QuantizationSettings> settingsFromJson(const nlohmann::ordered_json& json, const std::string& path);

} // namespace duo
