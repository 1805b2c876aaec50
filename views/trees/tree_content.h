// SPDX-License-Identifier: Apache-2.0
// TreeContent: everything one scope tree shows of a snapshot: its rows, and what they say.
#pragma once

#include "core/model/held_tensors.h"
#include "core/pipeline/snapshot/snapshot.h"
#include "views/intent/selection.h"
#include "views/style/state_style.h"
#include "views/trees/scope_rows.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace duo::ui {

/// What rows say beyond the tree itself, counted once per snapshot.
struct ScopeFacts {
    std::vector<std::int64_t> differing; // [scopes] differing nodes listed at and below
    std::vector<bool> neverExecuted; // [scopes] storage tree only
    std::vector<std::int64_t> neverBelow; // [scopes] modules named in Scopes::neverExecuted at and below
    std::vector<std::int64_t> withParameters; // [scopes] nodes listed at and below that read parameters
    std::vector<bool> onlyGuessed; // [scopes] nodes are listed at or below, and each is placed there by a guess
    std::unordered_map<std::string_view, std::vector<NodeId>> readers; // of each key of the scopes; storage tree only
};

/// The rows of each node.
class NodeRows
{
public:
    NodeRows() = default;
    NodeRows(const std::vector<ScopeRow>& rows, std::size_t nodes); // O(rows)
    /// Ascending; none of a node that is not listed. O(1).
    [[nodiscard]] std::span<const std::size_t> of(NodeId node) const
    {
        if (node.index + std::size_t{1} >= m_first.size())
            return {};
        return std::span(m_rows).subspan(m_first[node.index], m_first[node.index + 1] - m_first[node.index]);
    }

private:
    std::vector<std::uint32_t> m_first; // [nodes + 1] into m_rows
    std::vector<std::size_t> m_rows;
};

struct TreeContent {
    TreeKind kind = TreeKind::Execution;
    std::shared_ptr<const Snapshot> snapshot; // with scopes where there are rows
    std::vector<ScopeRow> rows; // [0] is the root scope
    std::vector<std::size_t> rowOfScope; // [ScopeTree::scopes]
    NodeRows rowsOfNode;
    std::vector<StateCounts> counts; // [scopes]
    ScopeFacts facts;
    std::unordered_map<std::string_view, const Tensor*> saved; // by key: of the checkpoint, else of the model
    std::vector<HeldTensor> constants; // tensors that are no parameters; storage tree only

    [[nodiscard]] const ScopeTree& tree() const { return treeOf(*snapshot->scopes, kind); }
    [[nodiscard]] const Scope& scope(const ScopeRow& row) const { return tree().scope(row.scope); }
    [[nodiscard]] const NodeScope& nodeScope(NodeId node) const { return snapshot->scopes->nodes[node.index]; }
    [[nodiscard]] const Decision* decision(NodeId node) const; // null where nothing was decided
    /// Of a parameter or a constant. Null where neither file holds it by its key.
    [[nodiscard]] const Tensor* tensor(const ScopeRow& row) const;
    [[nodiscard]] std::vector<NodeId> readers(const ScopeRow& row) const;
    [[nodiscard]] std::string_view tensorName(const ScopeRow& row) const;
    /// What a row stands for: a scope, a node, or the nodes that read a parameter.
    [[nodiscard]] Selection selectionOf(const ScopeRow& row) const;
    /// The rows that stand for a selection, ascending: its own scope, else the topmost scopes and nodes that cover it.
    [[nodiscard]] std::vector<std::size_t> rowsOf(const Selection& selection) const;
    /// A guess is all there is: of a node, where it runs or whose parameters it reads; of a scope, all nodes below.
    [[nodiscard]] bool isGuess(const ScopeRow& row) const;
};

/// Empty rows without a snapshot. O(scopes + nodes + keys).
TreeContent makeTreeContent(TreeKind kind, std::shared_ptr<const Snapshot> snapshot);

/// Decisions of the nodes at and below each scope, under the snapshot's present rules.
std::vector<StateCounts> countStates(const TreeContent& content);

} // namespace duo::ui
