// SPDX-License-Identifier: Apache-2.0
#include "views/trees/link_index.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace duo::ui {

LinkIndex::Direction LinkIndex::sortBlocks(std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs)
{
    std::sort(pairs.begin(), pairs.end());
    Direction direction;
    direction.levels.emplace_back();
    for (const auto& [key, value] : pairs) {
        direction.keys.push_back(key);
        direction.levels.front().push_back(value);
    }
    for (std::size_t half = 1; 2 * half <= pairs.size(); half *= 2) {
        auto level = direction.levels.back();
        for (std::size_t begin = 0; begin + 2 * half <= level.size(); begin += 2 * half) {
            const auto first = level.begin() + static_cast<std::ptrdiff_t>(begin);
            const auto middle = first + static_cast<std::ptrdiff_t>(half);
            std::inplace_merge(first, middle, middle + static_cast<std::ptrdiff_t>(half));
        }
        direction.levels.push_back(std::move(level));
    }
    return direction;
}

LinkIndex::LinkIndex(const std::vector<LinkPoint>& points)
{
    std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
    pairs.reserve(points.size());
    for (const LinkPoint& point : points)
        pairs.emplace_back(point.execution, point.storage);
    m_fromExecution = sortBlocks(pairs);
    for (auto& [key, value] : pairs)
        std::swap(key, value);
    m_fromStorage = sortBlocks(std::move(pairs));
}

std::uint32_t LinkIndex::next(TreeKind tree, RowSpan rows, std::uint32_t from) const
{
    const Direction& direction = tree == TreeKind::Execution ? m_fromExecution : m_fromStorage;
    const auto place = [&](std::uint32_t key) {
        const auto found = std::lower_bound(direction.keys.begin(), direction.keys.end(), key);
        return static_cast<std::size_t>(found - direction.keys.begin());
    };
    std::size_t begin = place(rows.begin);
    const std::size_t end = place(rows.end);
    std::uint32_t best = kNone;
    while (begin < end) { // the largest aligned block that begins here and ends in time
        auto level = static_cast<std::size_t>(std::bit_width(end - begin)) - 1;
        if (begin > 0)
            level = std::min(level, static_cast<std::size_t>(std::countr_zero(begin)));
        const auto first = direction.levels[level].begin() + static_cast<std::ptrdiff_t>(begin);
        const auto last = first + (std::ptrdiff_t{1} << level);
        if (const auto found = std::lower_bound(first, last, from); found != last)
            best = std::min(best, *found);
        begin += std::size_t{1} << level;
    }
    return best;
}

bool LinkIndex::links(RowSpan execution, RowSpan storage) const
{
    return next(TreeKind::Execution, execution, storage.begin) < storage.end;
}

} // namespace duo::ui
