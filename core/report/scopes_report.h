// SPDX-License-Identifier: Apache-2.0
// Both scope trees and every difference, as JSON and as text.
#pragma once

#include "core/model/model.h"
#include "core/scope/scope.h"
#include "core/support/write_text.h"

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace duo {

/// The text of the document of `scopes` (resources/schemas/scopes.schema.json), indented by two, a node and a scope at
/// a time: the whole of it takes many times the memory that the scopes do. A class that is not known is null.
/// @param more an object whose members follow
void writeScopesJson(const Model& model, const Scopes& scopes, const WriteText& write,
    const nlohmann::ordered_json& more = nlohmann::ordered_json::object());

/// Execution tree, storage tree, then the differences, each with its reasons as sentences, then what never runs.
std::string scopesText(const Model& model, const Scopes& scopes, const ScopeSources& sources = {});

/// Tensors of the model that are no parameters, in the order they have in the file: `constants` in that document.
nlohmann::ordered_json constantsJson(const Model& model, const Scopes& scopes);
std::string constantsText(const Model& model, const Scopes& scopes);

/// An entry of `nodes` in that document.
nlohmann::ordered_json nodeScopeJson(const Node& node, const NodeScope& scope);

/// "3 nodes, 20 parameters (80 B)".
std::string scopeSizes(const Scope& scope);

/// Nodes that run in one scope and read the same modules for the same reasons: one difference to the reader.
struct DifferenceGroup {
    std::vector<NodeId> nodes;
};
/// Of the nodes given that differ, in order of their execution scopes.
std::vector<DifferenceGroup> groupDifferences(const Scopes& scopes, const std::vector<NodeId>& nodes);

/// One group with its reasons as sentences, indented by two.
std::string differenceText(
    const Model& model, const Scopes& scopes, const ScopeSources& sources, const DifferenceGroup& group);

} // namespace duo
