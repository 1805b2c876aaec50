// SPDX-License-Identifier: Apache-2.0
// JSON of what a compression state tells besides quantizers: changes of the float model, shifts of biases, nodes that
// stay in float.
#pragma once

#include "core/quantize/edits/bias_correction.h"
#include "core/quantize/edits/float_changes.h"
#include "core/quantize/points/kept_float.h"

#include <nlohmann/json.hpp>

namespace duo {

/// [{"kind", "value", "nodes", "scales", "folded_into" unless empty}], in the order they are made.
nlohmann::ordered_json floatChangesJson(const std::vector<FloatChange>& changes);
/// @return BadState for what is no change, or scales that are not positive and finite
Result<std::vector<FloatChange>> floatChangesFromJson(const nlohmann::ordered_json& json, const std::string& name);

/// {node name: [shift per channel]}.
nlohmann::ordered_json biasShiftsJson(const Model& model, const BiasShifts& shifts);
/// Shifts of nodes the model does not have are told in `leftOut`. @return BadState for what is no finite number
Result<BiasShifts> biasShiftsFromJson(
    const Model& model, const nlohmann::ordered_json& json, const std::string& name, std::vector<std::string>& leftOut);

/// [{"node", "reason", "counterfactual"}] in node order.
nlohmann::ordered_json keptFloatJson(const Model& model, const KeptFloats& kept);
/// Nodes the model does not have are told in `leftOut`. @return BadState for what is no such list
Result<KeptFloats> keptFloatFromJson(
    const Model& model, const nlohmann::ordered_json& json, const std::string& name, std::vector<std::string>& leftOut);

} // namespace duo
