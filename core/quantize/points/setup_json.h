// SPDX-License-Identifier: Apache-2.0
// QuantizerSetup as JSON with NNCF's keys (resources/docs/state.md, "Quantizer setup"); nodes go by name.
#pragma once

#include "core/model/model.h"
#include "core/quantize/points/quantizer_setup.h"
#include "core/support/result.h"

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace duo {

/// {"quantization_points": {"<id>": ...}, "unified_scale_groups": {...}, "shared_input_operation_set_groups": {...}}
nlohmann::ordered_json setupJson(const Model& model, const QuantizerSetup& setup);

/// Its parts, for whoever writes a large setup piece by piece: one point, and groups by their ids.
nlohmann::ordered_json pointJson(const Model& model, const QuantizationPoint& point);
nlohmann::ordered_json groupsJson(const PointGroups& groups);

/// A setup read back onto a model, and the points that do not fit it.
struct ReadSetup {
    QuantizerSetup setup;
    std::vector<std::string> leftOut; // one sentence each, in id order
};

/// @return BadState naming the key that is missing or of the wrong kind; a node or port the model does not have only
/// leaves its point out
Result<ReadSetup> setupFromJson(const Model& model, const nlohmann::ordered_json& json, const std::string& name);

} // namespace duo
