// SPDX-License-Identifier: Apache-2.0
// Counterparts: goes from a row of one tree to the rows of the other that belong to it, one after the other, and back.
#pragma once

#include "views/trees/scope_tree_view.h"

#include <QString>

#include <cstddef>
#include <vector>

namespace duo::ui {

class Counterparts
{
public:
    Counterparts(ScopeTreeView& execution, ScopeTreeView& storage)
        : m_execution(execution)
        , m_storage(storage)
    {
    }

    /// From the current row of `from` to its first counterpart; called again where it went to: to the next one, after
    /// the last one back to the row it came from. Backwards the other way round. The row it goes to gets the focus.
    /// @return what happened, or why nothing could, as a sentence
    QString step(ScopeTreeView& from, bool isForward);
    void forget(); // rows have changed

private:
    struct Place {
        ScopeTreeView* view = nullptr;
        std::size_t row = 0; // TreeContent::rows
        bool operator==(const Place&) const = default;
    };
    /// Of a scope, the module it calls or the calls of it; of anything else, where the same nodes stand.
    [[nodiscard]] std::vector<std::size_t> counterpartsOf(const Place& origin) const;
    void begin(const Place& origin);
    [[nodiscard]] QString whyNone(const Place& origin) const;

    ScopeTreeView& m_execution;
    ScopeTreeView& m_storage;
    std::vector<Place> m_ring; // [0] is where it began
    std::size_t m_at = 0;
    bool m_isHidden = false; // there are counterparts, but the filter hides them
};

} // namespace duo::ui
