// SPDX-License-Identifier: Apache-2.0
// Both scope trees and every difference, as JSON and as text.
#pragma once

#include "core/model/model.h"
#include "core/scope/scope.h"

#include <nlohmann/json.hpp>

#include <string>

namespace duo {

/// The document of `scopes` (resources/schemas/scopes.schema.json). A class that is not known is null.
nlohmann::ordered_json scopesJson(const Model& model, const Scopes& scopes);

/// Execution tree, storage tree, then the differences, each with its reasons as sentences, then what never runs.
std::string scopesText(const Model& model, const Scopes& scopes);

/// What a reason means for this node, as one sentence without a final period.
std::string reasonSentence(Reason reason, const NodeScope& node);

} // namespace duo
