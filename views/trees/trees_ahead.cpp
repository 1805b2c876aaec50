// SPDX-License-Identifier: Apache-2.0
#include "views/trees/trees_ahead.h"

#include <utility>

namespace duo::ui {

void TreesAhead::make(const std::shared_ptr<const Snapshot>& snapshot)
{
    TreeContent execution = makeTreeContent(TreeKind::Execution, snapshot);
    TreeContent storage = makeTreeContent(TreeKind::Storage, snapshot);
    const std::scoped_lock lock(m_mutex);
    m_execution = std::move(execution);
    m_storage = std::move(storage);
}

std::optional<TreeContent> TreesAhead::take(TreeKind kind, const std::shared_ptr<const Snapshot>& snapshot)
{
    const std::scoped_lock lock(m_mutex);
    auto made = std::exchange(kind == TreeKind::Execution ? m_execution : m_storage, std::nullopt);
    return made && made->snapshot == snapshot ? std::move(made) : std::nullopt;
}

} // namespace duo::ui
