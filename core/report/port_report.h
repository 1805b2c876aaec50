// SPDX-License-Identifier: Apache-2.0
// Values that go into and come out of nodes and graphs, with their types, as JSON and as text.
#pragma once

#include "core/model/value_types.h"

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace duo {

/// {"name", "type", "shape"}: per dimension a size, a name, or null where neither is known; null for an unknown rank.
nlohmann::ordered_json portJson(const std::string& name, const ValueType& type);

/// A port for each; null for one that is left out. @param types null: as the file says
nlohmann::ordered_json portsJson(
    const Model& model, const std::vector<ValueId>& ids, const ValueTypes* types = nullptr);

/// "x float32[N,3]" of such a port.
std::string portText(const nlohmann::ordered_json& port);

/// Every value that a node computes, in the order of the file, as ports. O(values).
nlohmann::ordered_json valuesJson(const Model& model, const ValueTypes& types);

} // namespace duo
