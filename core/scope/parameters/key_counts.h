// SPDX-License-Identifier: Apache-2.0
// KeyCounts: how many keys lie below each module, and where.
#pragma once

#include "core/scope/facts/parameters.h"

#include <cstddef>
#include <vector>

namespace duo {

/// Of the paths and ties there are when it is made. O(paths + keys).
class KeyCounts
{
public:
    KeyCounts(const ModulePaths& paths, const Parameters& parameters);

    [[nodiscard]] std::size_t below(PathId path) const { return m_below[path.index]; }
    /// Those whose tensor has no other key.
    [[nodiscard]] std::size_t untiedBelow(PathId path) const { return m_untied[path.index]; }
    /// Sharing all of it piece by piece is less likely than sharing the module.
    [[nodiscard]] bool isOfSeveralParts(PathId path) const { return m_parts[path.index] > 1; }
    /// The module holds one key itself, and none below.
    [[nodiscard]] bool isOneKey(PathId path) const { return below(path) == 1 && m_keys[path.index].size() == 1; }
    [[nodiscard]] std::vector<std::int32_t> keysBelow(PathId path) const;

private:
    static constexpr std::size_t kOwn = 2;
    std::vector<std::size_t> m_below;
    std::vector<std::size_t> m_untied;
    std::vector<std::size_t> m_parts; // children with keys, and kOwn for keys of its own
    std::vector<std::vector<std::int32_t>> m_keys; // owned directly
    std::vector<std::vector<PathId>> m_children;
};

} // namespace duo
