// SPDX-License-Identifier: Apache-2.0
// How long each kernel and each scope of a model takes, as JSON and as text.
#pragma once

#include "core/analysis/node_times.h"
#include "core/scope/scope.h"

#include <nlohmann/json.hpp>

#include <string>

namespace duo {

/// The document of `times` (resources/schemas/times.schema.json). @param times of `model`
nlohmann::ordered_json timesJson(const Model& model, const Scopes& scopes, const NodeTimes& times);

/// A run as a whole, the longest kernels with what they were made from, and the scopes that take most.
std::string timesText(const Model& model, const Scopes& scopes, const NodeTimes& times);

} // namespace duo
