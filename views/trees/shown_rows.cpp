// SPDX-License-Identifier: Apache-2.0
#include "views/trees/shown_rows.h"

namespace duo::ui {

ShownRows::ShownRows(const std::vector<ScopeRow>& rows, const std::vector<bool>& wanted)
    : m_place(rows.size(), -1)
    , m_children(rows.size(), 0)
    , m_row(rows.size(), 0)
{
    for (std::size_t i = 0; i < rows.size(); ++i) { // children come after their parents
        const bool isRoot = rows[i].parent < 0;
        const auto parent = isRoot ? std::size_t{0} : static_cast<std::size_t>(rows[i].parent);
        if (!wanted[i] || (!isRoot && !has(parent)))
            continue;
        m_place[i] = isRoot ? 0 : m_children[parent]++;
        if (!isRoot)
            m_row[rows[parent].firstChild + static_cast<std::size_t>(m_place[i])] = static_cast<std::uint32_t>(i);
        ++m_count;
    }
}

} // namespace duo::ui
