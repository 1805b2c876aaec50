// SPDX-License-Identifier: Apache-2.0
// TreesAhead: what the scope trees show of a model, made by the thread that opens it: of many nodes it takes a while.
#pragma once

#include "views/trees/tree_content.h"

#include <memory>
#include <mutex>
#include <optional>

namespace duo::ui {

class TreesAhead
{
public:
    /// In any thread; what was made before and not taken is forgotten. O(scopes + nodes + keys).
    void make(const std::shared_ptr<const Snapshot>& snapshot);
    /// Once; nothing where another snapshot was the last.
    [[nodiscard]] std::optional<TreeContent> take(TreeKind kind, const std::shared_ptr<const Snapshot>& snapshot);

private:
    std::mutex m_mutex; // of all that follows
    std::optional<TreeContent> m_execution;
    std::optional<TreeContent> m_storage;
};

} // namespace duo::ui
