// SPDX-License-Identifier: Apache-2.0
// ScopeFilter: shows the rows that a query finds, or only nodes whose scopes differ; constants only if they are asked
// for.
#pragma once

#include "core/search/search_query.h"
#include "views/trees/scope_tree_model.h"

#include <QSortFilterProxyModel>

#include <memory>
#include <vector>

namespace duo::ui {

/// Over a ScopeTreeModel. What is shown is found in one pass over its rows for each change of what is wanted.
class ScopeFilter : public QSortFilterProxyModel
{
    Q_OBJECT

public:
    explicit ScopeFilter(QObject* parent = nullptr);
    /// Words as they are written to find something (resources/docs/find.md, "What can be written"). What is no query
    /// yet changes nothing. @return what is wrong with it, or ""
    QString setWanted(const QString& words, bool onlyDifferences);
    void setWithConstants(bool with);
    void decisionsChanged(); // of the same rows
    [[nodiscard]] bool isActive() const { return !m_query.empty() || m_onlyDifferences; }
    /// TreeContent::rows[row] passes, or something below it does. O(1) but for the first question.
    [[nodiscard]] bool isShown(std::size_t row) const;
    [[nodiscard]] std::size_t shownRows() const;

protected:
    [[nodiscard]] bool filterAcceptsRow(int row, const QModelIndex& parent) const override;

private:
    [[nodiscard]] const ScopeTreeModel& model() const { return *static_cast<const ScopeTreeModel*>(sourceModel()); }
    [[nodiscard]] bool passes(const TreeContent& content, const ScopeRow& row) const;
    [[nodiscard]] bool isFound(const TreeContent& content, const ScopeRow& row) const;
    const std::vector<bool>& shown() const;
    void showAgain();

    SearchQuery m_query;
    bool m_onlyDifferences = false;
    bool m_withConstants = false;
    mutable std::vector<bool> m_shown; // [rows] of m_scopes; a cache
    mutable std::shared_ptr<const Scopes> m_scopes; // null: nothing is known
};

} // namespace duo::ui
