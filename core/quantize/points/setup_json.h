// SPDX-License-Identifier: Apache-2.0
// QuantizerSetup as JSON with NNCF's keys (resources/docs/state.md, "Quantizer setup"); nodes go by name.
#pragma once

#include "core/model/model.h"
#include "core/quantize/points/quantizer_setup.h"

#include <nlohmann/json.hpp>

#include <string_view>

namespace duo {

// NNCF's words.
inline constexpr std::string_view kInputPrefix = "nncf_model_input_";
inline constexpr std::string_view kWeightClass = "WeightQuantizationInsertionPoint";
inline constexpr std::string_view kActivationClass = "ActivationQuantizationInsertionPoint";

/// Of the type of a quantizer, and not NNCF's: elements that share a scale.
inline constexpr std::string_view kBlockKey = "block_size";

/// {"quantization_points": {"<id>": ...}, "unified_scale_groups": {...}, "shared_input_operation_set_groups": {...}}
nlohmann::ordered_json setupJson(const Model& model, const QuantizerSetup& setup);

/// Its parts, for whoever writes a large setup piece by piece: one point, and groups by their ids.
nlohmann::ordered_json pointJson(const Model& model, const QuantizationPoint& point);
nlohmann::ordered_json groupsJson(const PointGroups& groups);

} // namespace duo
