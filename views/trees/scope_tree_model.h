// SPDX-License-Identifier: Apache-2.0
// ScopeTreeModel: one scope tree of a snapshot as an item model; the same class serves both trees.
#pragma once

#include "core/pipeline/snapshot.h"
#include "views/intent/selection.h"
#include "views/trees/scope_facts.h"
#include "views/trees/scope_rows.h"

#include <QAbstractItemModel>

#include <memory>
#include <unordered_map>

namespace duo::ui {

class ScopeTreeModel : public QAbstractItemModel
{
    Q_OBJECT

public:
    enum Column { NameColumn, DiffersColumn, StateColumn, NodesColumn, ParametersColumn, BytesColumn, ColumnCount };
    enum Role {
        SearchRole = Qt::UserRole, // everything the filter looks at
        DiffersRole, // bool: a node whose scopes differ
    };

    explicit ScopeTreeModel(TreeKind kind, QObject* parent = nullptr);

    /// Null empties the model. The same scopes as before: only rows whose state changed are announced.
    void setSnapshot(std::shared_ptr<const Snapshot> snapshot);
    void setTheme(const Theme& theme);

    [[nodiscard]] TreeKind kind() const { return m_kind; }
    [[nodiscard]] int allRows() const { return static_cast<int>(m_rows.size()); }
    /// What a row stands for: a scope, a node, or the nodes that read a parameter.
    [[nodiscard]] Selection selectionAt(const QModelIndex& index) const;
    /// The rows that stand for a selection: its own scope, else the topmost scopes and nodes that cover it.
    [[nodiscard]] QModelIndexList indexesOf(const Selection& selection) const;

    [[nodiscard]] QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    [[nodiscard]] QModelIndex parent(const QModelIndex& child) const override;
    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    [[nodiscard]] const ScopeRow& rowOf(const QModelIndex& index) const;
    [[nodiscard]] const Scope& scopeOf(const ScopeRow& row) const;
    [[nodiscard]] QModelIndex indexOfRow(std::size_t row, int column = 0) const;
    [[nodiscard]] QString textOf(const ScopeRow& row, int column) const;
    [[nodiscard]] QString nameOf(const ScopeRow& row) const;
    [[nodiscard]] QString stateOf(const ScopeRow& row) const;
    [[nodiscard]] QString toolTipOf(const ScopeRow& row) const;
    [[nodiscard]] QString searchTextOf(const ScopeRow& row) const;
    [[nodiscard]] QVariant inkOf(const ScopeRow& row, int column) const;
    [[nodiscard]] const Tensor* tensorOf(const ScopeRow& row) const;
    [[nodiscard]] std::vector<NodeId> readersOf(const ScopeRow& row) const;
    [[nodiscard]] const Decision* decisionOf(NodeId node) const;
    void indexRows();
    [[nodiscard]] std::vector<StateCounts> currentCounts() const;
    void announceChanges(const std::vector<StateCounts>& before, const Snapshot& old);

    TreeKind m_kind;
    const Theme* m_theme;
    std::shared_ptr<const Snapshot> m_snapshot;
    std::vector<ScopeRow> m_rows;
    std::vector<std::size_t> m_rowOfScope; // [ScopeTree::scopes]
    std::unordered_map<NodeId, std::vector<std::size_t>> m_rowsOfNode;
    std::vector<StateCounts> m_counts; // [scopes]
    ScopeFacts m_facts;
};

} // namespace duo::ui
