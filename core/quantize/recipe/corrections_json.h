// SPDX-License-Identifier: Apache-2.0
// JSON forms of corrections: NNCF's fast_bias_correction, disable_bias_correction, bias_correction_params and
// smooth_quant_alphas; and cross_layer_equalization.
#pragma once

#include "core/quantize/points/settings.h"
#include "core/support/json_keys.h"

namespace duo {

/// Reads what `keys` holds, at the level of the settings or in NNCF's advanced_parameters. @return InvalidRule
Status readCorrections(JsonKeys& keys, CorrectionSettings& corrections);

/// Adds what is set to the settings' JSON.
void addCorrections(nlohmann::ordered_json& json, const CorrectionSettings& corrections);

} // namespace duo
