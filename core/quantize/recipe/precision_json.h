// SPDX-License-Identifier: Apache-2.0
// NNCF's QuantizationParameters in JSON: of the settings, and of a rule.
#pragma once

#include "core/rules/precision.h"
#include "core/support/json_keys.h"

namespace duo {

/// Reads the object at a key, if there is one. @return InvalidRule for unknown keys and wrong values
Status readPrecision(JsonKeys& settings, const char* key, PrecisionOverride& into);
nlohmann::ordered_json precisionJson(const PrecisionOverride& precision);

} // namespace duo
