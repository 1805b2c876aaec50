// SPDX-License-Identifier: Apache-2.0
// ScopeFilter: shows the rows that a query finds, or only nodes whose scopes differ; constants only if they are asked
// for.
#pragma once

#include "core/search/search_query.h"
#include "views/trees/scope_tree_model.h"

#include <QSortFilterProxyModel>

#include <memory>
#include <optional>
#include <vector>

namespace duo::ui {

/// Over a ScopeTreeModel. What is shown is found in one pass over its rows for each change of what is wanted: at once,
/// or in pieces between other events, as filtering 50,000 nodes by a pattern takes its time.
class ScopeFilter : public QSortFilterProxyModel
{
    Q_OBJECT

public:
    explicit ScopeFilter(QObject* parent = nullptr);
    /// Words as they are written to find something (resources/docs/find.md, "What can be written"). What is no query
    /// yet changes nothing. Rows stay as they are until showWanted(). @return what is wrong with it, or ""
    QString beginWanted(const QString& words, bool onlyDifferences);
    /// Looks at the next rows. @return true once nothing is left to look at
    bool look(std::size_t rows);
    /// All changes in one; what was not looked at yet is looked at now.
    void showWanted();
    void setWithConstants(bool with);
    /// Of the values of the rows' model; where shapes are wanted that is a beginning. Null: as the file says.
    void setTypes(std::shared_ptr<const ValueTypes> types);
    void decisionsChanged(); // of the same rows; where a state is wanted that is a beginning
    [[nodiscard]] bool isChanging() const { return m_coming.has_value(); } // begun, and not shown
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
    /// Which rows are shown, as far as they were looked at.
    struct Rows {
        std::shared_ptr<const Scopes> scopes; // theirs; null: nothing is known
        std::vector<bool> shown; // [TreeContent::rows]
        std::size_t left = 0; // to look at: children come after their parents, so it goes from the back
    };
    [[nodiscard]] Rows noRows() const;
    void look(Rows& rows, std::size_t count) const;
    const std::vector<bool>& shown() const;

    SearchQuery m_query;
    std::shared_ptr<const ValueTypes> m_types;
    bool m_onlyDifferences = false;
    bool m_withConstants = false;
    mutable Rows m_rows; // a cache
    std::optional<Rows> m_coming;
};

} // namespace duo::ui
