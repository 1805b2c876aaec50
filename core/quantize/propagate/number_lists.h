// SPDX-License-Identifier: Apache-2.0
// NumberLists: many short lists of numbers in one array, so that thousands of them cost no allocation each.
#pragma once

#include "core/quantize/operators/op_graph.h"

#include <vector>

namespace duo {

class NumberLists
{
public:
    /// One of the lists; empty at first. A copy is the same list.
    struct List {
        std::uint32_t first = kNoIndex; // links
        std::uint32_t last = kNoIndex;
        [[nodiscard]] bool empty() const { return first == kNoIndex; }
    };

    void push(List& list, std::uint32_t number)
    {
        const auto link = static_cast<std::uint32_t>(m_links.size());
        m_links.push_back({number, kNoIndex});
        join(list, {link, link});
    }

    /// Behind the others; `tail` is a part of `list` from now on. O(1).
    void join(List& list, List tail)
    {
        if (tail.empty())
            return;
        if (list.empty())
            list = tail;
        else
            m_links[list.last].next = tail.first;
        list.last = tail.last;
    }

    template <typename Visit> void forEach(List list, const Visit& visit) const
    {
        for (std::uint32_t link = list.first; link != kNoIndex; link = m_links[link].next)
            visit(m_links[link].number);
    }

    [[nodiscard]] std::uint32_t front(List list) const
    {
        return m_links[list.first].number;
    } // of one that is not empty

private:
    struct Link {
        std::uint32_t number = 0;
        std::uint32_t next = kNoIndex;
    };
    std::vector<Link> m_links;
};

} // namespace duo
