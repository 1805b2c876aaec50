// SPDX-License-Identifier: Apache-2.0
// What a rule that matches nothing may have meant.
#pragma once

#include "core/model/model.h"
#include "core/rules/match.h"
#include "core/rules/rule.h"
#include "core/scope/scope.h"

#include <optional>
#include <vector>

namespace duo {

/// Nearer spellings, at most five: near names, the same words as another kind of rule, and for a scope of one tree what
/// it is in the other. Every suggestion matches at least one node. O(nodes + scopes) and bounded edit distances.
std::vector<Suggestion> suggestionsFor(const Model& model, const Scopes& scopes, const Rule& rule);

/// For a rule made for another export of the model: what the scope it was made in, or the one its words tell, is here.
/// Nothing where no scope tells it, or two might; spelling is not looked at. O(nodes + scopes).
std::optional<Suggestion> meaningByScope(const Model& model, const Scopes& scopes, const Rule& rule);

/// `rule` with what a suggestion says; action, comment and the rest stay.
Rule withSuggestion(Rule rule, const Suggestion& suggestion);

} // namespace duo
