// SPDX-License-Identifier: Apache-2.0
// ScopeFilter: finds the rows that a query asks for, or only nodes whose scopes differ; constants only if they are
// asked for.
#pragma once

#include "core/search/search_query.h"
#include "views/trees/tree_content.h"

#include <QString>

#include <memory>
#include <optional>
#include <vector>

namespace duo::ui {

/// What is wanted is found in one pass over the rows for each change: at once, or in pieces between other events, as
/// filtering 50,000 nodes by a pattern takes its time.
class ScopeFilter
{
public:
    /// Words as they are written to find something (resources/docs/find.md, "What can be written"). What is no query
    /// yet changes nothing. @return what is wrong with it, or ""
    QString beginWanted(const QString& words, bool onlyDifferences);
    void beginWithConstants(bool with);
    /// Of the values of the rows' model; where shapes are wanted that is a beginning. Null: as the file says.
    void setTypes(std::shared_ptr<const ValueTypes> types);
    void decisionsChanged(); // of the same rows; where a state is wanted that is a beginning
    [[nodiscard]] bool isChanging() const { return m_coming.has_value(); } // begun, and not ended
    [[nodiscard]] bool isActive() const { return !m_query.empty() || m_onlyDifferences; }
    /// Looks at the next rows; at all of them anew where they are of other scopes than before.
    /// @return true once nothing is left to look at
    bool look(const TreeContent& content, std::size_t rows);
    /// Ends what was begun; what was not looked at yet is looked at now.
    /// @return [TreeContent::rows] it passes, or something below it does
    std::vector<bool> end(const TreeContent& content);
    /// As end(), where nothing was looked at yet, and whatever was begun goes on.
    [[nodiscard]] std::vector<bool> wanted(const TreeContent& content) const;

private:
    [[nodiscard]] bool passes(const TreeContent& content, const ScopeRow& row) const;
    [[nodiscard]] bool isFound(const TreeContent& content, const ScopeRow& row) const;
    /// Which rows are wanted, as far as they were looked at.
    struct Rows {
        std::shared_ptr<const Scopes> scopes; // theirs; null: nothing is known
        std::vector<bool> wanted; // [TreeContent::rows]
        std::size_t left = 0; // to look at: children come after their parents, so it goes from the back
    };
    void look(const TreeContent& content, Rows& rows, std::size_t count) const;

    SearchQuery m_query;
    std::shared_ptr<const ValueTypes> m_types;
    bool m_onlyDifferences = false;
    bool m_withConstants = false;
    std::optional<Rows> m_coming;
};

} // namespace duo::ui
