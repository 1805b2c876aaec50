// SPDX-License-Identifier: Apache-2.0
// ShownRows: which rows of a scope tree are shown, and where each stands among the shown rows of its parent.
#pragma once

#include "views/trees/scope_rows.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace duo::ui {

class ShownRows
{
public:
    ShownRows() = default;
    /// @param wanted [rows] a row is shown where all above it are wanted too. O(rows)
    ShownRows(const std::vector<ScopeRow>& rows, const std::vector<bool>& wanted);

    // Each O(1).
    [[nodiscard]] std::size_t count() const { return m_count; }
    [[nodiscard]] bool has(std::size_t row) const { return m_place[row] >= 0; }
    [[nodiscard]] int placeOf(std::size_t row) const { return m_place[row]; } // below its parent; -1: not shown
    [[nodiscard]] int childrenOf(std::size_t row) const { return m_children[row]; }
    /// @param parent that is shown; place in [0, childrenOf(parent))
    [[nodiscard]] std::size_t childOf(const ScopeRow& parent, int place) const
    {
        return m_row[parent.firstChild + static_cast<std::size_t>(place)];
    }

private:
    std::vector<std::int32_t> m_place; // [rows]
    std::vector<std::int32_t> m_children; // [rows]
    std::vector<std::uint32_t> m_row; // of each parent from firstChild on those of its children that are shown
    std::size_t m_count = 0;
};

} // namespace duo::ui
