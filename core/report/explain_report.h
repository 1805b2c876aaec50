// SPDX-License-Identifier: Apache-2.0
// Everything known about one node or scope: where it runs, what it reads, what shows it, and what happens to it.
#pragma once

#include "core/model/value_types.h"
#include "core/quantize/placement.h"
#include "core/rules/match.h"
#include "core/scope/scope.h"
#include "core/support/result.h"

#include <nlohmann/json.hpp>

#include <string>

namespace duo {

/// What a name stands for; one name can be a node, a call and a module at once.
struct Asked {
    std::string text;
    NodeId node; // invalid: there is no such node
    ScopeId execution; // in Scopes::execution
    ScopeId storage; // in Scopes::storage
};

/// What an explanation is made of. Placement and hits may be null: then nothing is said about quantization.
struct Known {
    const Model& model;
    const Scopes& scopes; // of `model` with `sources`
    ScopeSources sources = {};
    const Placement* placement = nullptr;
    const RuleHits* hits = nullptr;
    const PlacementBase* base = nullptr; // with `unruled`: what would have to change is told as well
    const Placement* unruled = nullptr;
    const ValueTypes* types = nullptr; // null: as the file says
};

/// Exact names only; "" is the root of both trees.
/// @return Usage naming what is nearest, if there is neither such a node nor such a scope
Result<Asked> findAsked(const Model& model, const Scopes& scopes, const std::string& text);

/// The document of `explain` (resources/schemas/explain.schema.json): for a node its scopes, the parameters it reads
/// with their owners, its reasons with their evidence, and its decision with what would change it; for a scope its
/// totals, its counterparts in the other tree, other paths of the same module, its parameters, and of the nodes in it
/// differences and decisions.
nlohmann::ordered_json explainJson(const Known& known, const Asked& asked);
std::string explainText(const Known& known, const Asked& asked);

} // namespace duo
