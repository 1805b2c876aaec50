// SPDX-License-Identifier: Apache-2.0
// Why it is not known for sure where a node runs, and what would decide it.
#pragma once

#include "core/model/model.h"
#include "core/scope/scope.h"

#include <string>

namespace duo {

/// A sentence without a period for a node whose execution scope is a guess; "" for others and for scopes without facts.
std::string executionDoubt(const Model& model, const Scopes& scopes, NodeId node);

} // namespace duo
