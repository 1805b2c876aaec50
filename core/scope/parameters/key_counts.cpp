// SPDX-License-Identifier: Apache-2.0
#include "core/scope/parameters/key_counts.h"

namespace duo {

KeyCounts::KeyCounts(const ModulePaths& paths, const Parameters& parameters)
    : m_below(paths.size(), 0)
    , m_untied(paths.size(), 0)
    , m_parts(paths.size(), 0)
    , m_keys(paths.size())
    , m_children(paths.size())
{
    for (std::size_t k = 0; k < parameters.keys.size(); ++k) {
        const auto key = static_cast<std::int32_t>(k);
        const PathId owner = parameters.key(key).owner;
        ++m_below[owner.index];
        m_untied[owner.index] += parameters.hasSeveralKeys(key) ? 0 : 1;
        m_parts[owner.index] = kOwn;
        m_keys[owner.index].push_back(key);
    }
    for (std::size_t p = paths.size(); p-- > 1;) { // parents have smaller ids
        const PathId above = paths.parent(PathId(p));
        m_children[above.index].emplace_back(p);
        m_below[above.index] += m_below[p];
        m_untied[above.index] += m_untied[p];
        m_parts[above.index] += m_below[p] > 0 ? 1 : 0;
    }
}

std::vector<std::int32_t> KeyCounts::keysBelow(PathId path) const
{
    std::vector<std::int32_t> keys;
    std::vector<PathId> open{path};
    while (!open.empty()) {
        const std::uint32_t at = open.back().index;
        open.pop_back();
        keys.insert(keys.end(), m_keys[at].begin(), m_keys[at].end());
        open.insert(open.end(), m_children[at].begin(), m_children[at].end());
    }
    return keys;
}

} // namespace duo
