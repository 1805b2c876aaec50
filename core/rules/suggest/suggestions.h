// SPDX-License-Identifier: Apache-2.0
// What a rule that matches nothing may have meant.
#pragma once

#include "core/model/model.h"
#include "core/rules/match.h"
#include "core/rules/rule.h"
#include "core/scope/scope.h"

#include <vector>

namespace duo {

/// Nearer spellings, at most five: near names, the same words as another kind of rule, and for a scope of one tree what
/// it is in the other. Every suggestion matches at least one node. O(nodes + scopes) and bounded edit distances.
std::vector<Suggestion> suggestionsFor(const Model& model, const Scopes& scopes, const Rule& rule);

} // namespace duo
