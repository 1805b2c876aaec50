// SPDX-License-Identifier: Apache-2.0
// SearchSubject: what a node, a scope or a tensor says of itself to whoever searches.
#pragma once

#include "core/quantize/points/decision.h"
#include "core/scope/scope.h"

#include <optional>
#include <string_view>
#include <vector>

namespace duo {

enum class SearchField { Name, Type, Class, Scope, Parameter };

/// One text; `own` is the end of it that tells the thing from what lies around it, "Conv" of "/layer1/0/Conv".
struct SearchLine {
    SearchField field = SearchField::Name;
    std::string_view text;
    std::string_view own; // "" where all of it is said of what lies around
};

/// Views into the model and the scopes, which must outlive it.
struct SearchSubject {
    std::vector<SearchLine> lines;
    const Model* model = nullptr; // of `node`
    NodeId node; // valid for nodes: asked for shapes
    std::optional<NodeState> state; // of a node where one was decided
};

/// A node: its name, operator, the values it gives, its scopes and the parameters it reads.
SearchSubject nodeSubject(const Model& model, const Scopes& scopes, const Decisions* decisions, NodeId node);
/// A scope of either tree: path and class, and its parameters where no node reads them.
SearchSubject scopeSubject(const Scope& scope);
/// A parameter by its key, or another tensor by its name.
SearchSubject tensorSubject(std::string_view name);

} // namespace duo
