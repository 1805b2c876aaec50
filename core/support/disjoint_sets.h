// SPDX-License-Identifier: Apache-2.0
// DisjointSets: numbers from 0 on, each in a set of its own at first, that are joined.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

namespace duo {

class DisjointSets
{
public:
    explicit DisjointSets(std::size_t items)
        : m_first(items)
    {
        std::iota(m_first.begin(), m_first.end(), 0U);
    }

    /// The lowest number of its set. O(log items) on average.
    std::uint32_t of(std::uint32_t item)
    {
        while (m_first[item] != item)
            item = m_first[item] = m_first[m_first[item]];
        return item;
    }

    void join(std::uint32_t a, std::uint32_t b)
    {
        a = of(a);
        b = of(b);
        m_first[std::max(a, b)] = std::min(a, b);
    }

private:
    std::vector<std::uint32_t> m_first; // [items] one of its set that is as low or lower
};

} // namespace duo
