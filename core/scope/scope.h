// SPDX-License-Identifier: Apache-2.0
// findScopes: from a model, and what is known besides, to both trees and every difference between them.
#pragma once

#include "core/scope/facts/scopes.h"
#include "core/scope/facts/sources.h"

namespace duo {

/// Both trees and every difference, from the model and what is known besides. O(nodes + scopes + keys).
Scopes findScopes(const Model& model, const ScopeSources& sources = {});

} // namespace duo
