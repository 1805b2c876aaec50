// SPDX-License-Identifier: Apache-2.0
// ScopeFilter: shows the rows whose name, path or type contains a text, or only nodes whose scopes differ; constants
// only if they are asked for.
#pragma once

#include "views/trees/scope_tree_model.h"

#include <QSortFilterProxyModel>

#include <memory>
#include <string>
#include <vector>

namespace duo::ui {

/// Over a ScopeTreeModel. What is shown is found in one pass over its rows for each change of what is wanted.
class ScopeFilter : public QSortFilterProxyModel
{
    Q_OBJECT

public:
    explicit ScopeFilter(QObject* parent = nullptr);
    /// Words separated by spaces must all occur; upper and lower case are the same.
    void setWanted(const QString& words, bool onlyDifferences);
    void setWithConstants(bool with);
    [[nodiscard]] bool isActive() const { return !m_words.empty() || m_onlyDifferences; }
    /// TreeContent::rows[row] passes, or something below it does. O(1) but for the first question.
    [[nodiscard]] bool isShown(std::size_t row) const;
    [[nodiscard]] std::size_t shownRows() const;

protected:
    [[nodiscard]] bool filterAcceptsRow(int row, const QModelIndex& parent) const override;

private:
    [[nodiscard]] const ScopeTreeModel& model() const { return *static_cast<const ScopeTreeModel*>(sourceModel()); }
    [[nodiscard]] bool passes(const TreeContent& content, const ScopeRow& row) const;
    [[nodiscard]] bool hasWords(const TreeContent& content, const ScopeRow& row) const;
    const std::vector<bool>& shown() const;
    void showAgain();

    std::vector<std::string> m_words; // folded
    bool m_onlyDifferences = false;
    bool m_withConstants = false;
    mutable std::vector<bool> m_shown; // [rows] of m_scopes; a cache
    mutable std::shared_ptr<const Scopes> m_scopes; // null: nothing is known
};

} // namespace duo::ui
