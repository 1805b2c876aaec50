// SPDX-License-Identifier: Apache-2.0
#include "views/properties/found_decisions.h"

#include <algorithm>
#include <utility>

namespace duo::ui {
namespace {

constexpr std::size_t kNodes = 8000; // in one event

} // namespace

bool FoundDecisions::find(const std::shared_ptr<const Snapshot>& snapshot, const std::vector<NodeId>& nodes)
{
    if (m_snapshot != snapshot || m_nodes != nodes) {
        m_snapshot = snapshot;
        m_nodes = nodes;
        m_done = 0;
        m_groups.clear();
        m_grouping.reset();
        if (snapshot->placement)
            m_grouping.emplace(*snapshot->model, *snapshot->placement);
    }
    if (!m_grouping)
        return true;
    const std::size_t end = std::min(m_nodes.size(), m_done + kNodes);
    for (; m_done < end; ++m_done)
        m_grouping->add(m_nodes[m_done]);
    if (m_done < m_nodes.size())
        return false;
    m_groups = std::move(*m_grouping).groups();
    m_grouping.reset();
    return true;
}

} // namespace duo::ui
