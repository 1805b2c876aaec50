// SPDX-License-Identifier: Apache-2.0
// From a scope of one tree to those of the other that are about the same module, and what the model says beforehand to
// whoever compares values.
#pragma once

#include "core/content/content_matches.h"
#include "core/scope/facts/scopes.h"

#include <vector>

namespace duo {

/// Calls of the module stored in `scope`, in call order. For a module that is not called itself: the calls that read
/// what it owns. Empty where nothing does. O(scopes of the execution tree).
std::vector<ScopeId> executionCounterparts(const Scopes& scopes, ScopeId storage);

/// Where the module that runs in `scope` is stored; for one that stores nothing, where the parameters lie that it reads
/// itself. Empty where it reads none.
std::vector<ScopeId> storageCounterparts(const Scopes& scopes, ScopeId execution);

/// What `scopes`, found without a checkpoint, tell of each node.
ContentPriors contentPriors(const Scopes& scopes);

} // namespace duo
