// SPDX-License-Identifier: Apache-2.0
// ScopeRows: a scope tree as numbered rows: scopes, the nodes under them and, in the storage tree, the parameters.
#pragma once

#include "core/model/model.h"
#include "core/scope/scope.h"
#include "views/intent/selection.h"

#include <cstdint>
#include <string>
#include <vector>

namespace duo::ui {

/// Places in the order in which a fully open tree shows its rows from top to bottom: [begin, end).
struct RowSpan {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
    bool operator==(const RowSpan&) const = default;
};

struct ScopeRow {
    enum class Kind { Scope, Node, Parameter, Constant };
    Kind kind = Kind::Scope;
    ScopeId scope; // the scope itself, or the one the leaf stands in
    NodeId node; // Node
    std::uint32_t key = 0; // Parameter: index into Scope::keys; Constant: into TreeContent::constants
    std::int32_t parent = -1;
    std::uint32_t firstChild = 0; // children lie side by side
    std::uint32_t children = 0;
    RowSpan span; // of the row and everything below
};

/// [Model::nodes] when each node runs: its place in the file; what needs constants only runs when its first reader
/// does, wherever the exporter put it. O(nodes + uses).
std::vector<std::uint32_t> runOrder(const Model& model);

/// [0] is the root scope. In the execution tree children stand in the order they run (`order`, [nodes]; not read for
/// the other one); in the storage tree parameters, then nodes, then modules, as defined, and after all of these the
/// model's constants. O(scopes + nodes + constants), and sorting the children of each scope.
std::vector<ScopeRow> makeScopeRows(
    const ScopeTree& tree, TreeKind kind, const std::vector<std::uint32_t>& order, std::size_t constants = 0);

} // namespace duo::ui
