// SPDX-License-Identifier: Apache-2.0
#include "views/trees/link_layout.h"

#include <algorithm>

namespace duo::ui {
namespace {

constexpr std::uint32_t kEnd = LinkIndex::kNone;

/// What is out of sight above and below some rows; nothing is in sight without rows.
RowSpan above(std::span<const LinkRow> rows)
{
    return {0, rows.empty() ? 0 : rows.front().span.begin};
}

RowSpan below(std::span<const LinkRow> rows)
{
    return {rows.empty() ? kEnd : rows.back().span.end, kEnd};
}

class LinkCollector
{
public:
    LinkCollector(const LinkSets& sets, std::span<const LinkRow> execution, std::span<const LinkRow> storage)
        : m_sets(sets)
        , m_execution(execution)
        , m_storage(storage)
    {
    }

    void addBetween(std::size_t row)
    {
        const RowSpan from = m_execution[row].span;
        std::uint32_t place = above(m_storage).end;
        while (true) {
            place = m_sets.all.next(TreeKind::Execution, from, place);
            const auto to = std::upper_bound(m_storage.begin(), m_storage.end(), place,
                [](std::uint32_t wanted, const LinkRow& candidate) { return wanted < candidate.span.end; });
            if (place == kEnd || to == m_storage.end())
                return;
            if (place >= to->span.begin) // else it stands at no row: filtered out
                add(row, static_cast<std::size_t>(to - m_storage.begin()), LinkEnd::Row, from, to->span);
            place = std::max(place + 1, to->span.end);
        }
    }

    void addLeaving(TreeKind tree, std::size_t row)
    {
        const bool isExecution = tree == TreeKind::Execution;
        const RowSpan from = (isExecution ? m_execution : m_storage)[row].span;
        const auto others = isExecution ? m_storage : m_execution;
        for (const auto& [away, end] : {std::pair(above(others), LinkEnd::Above), {below(others), LinkEnd::Below}}) {
            if (m_sets.all.next(tree, from, away.begin) >= away.end)
                continue;
            if (isExecution)
                add(row, std::nullopt, end, from, away);
            else
                add(std::nullopt, row, end, away, from);
        }
    }

    [[nodiscard]] std::vector<Link> take() { return std::move(m_links); }

private:
    void add(std::optional<std::size_t> execution, std::optional<std::size_t> storage, LinkEnd end,
        RowSpan executionSpan, RowSpan storageSpan)
    {
        Link link{execution, storage, end, executionSpan, storageSpan};
        link.differs = m_sets.differing.links(executionSpan, storageSpan);
        link.isGuess = !m_sets.known.links(executionSpan, storageSpan);
        link.isSelected = m_sets.selected.links(executionSpan, storageSpan);
        m_links.push_back(link);
    }

    const LinkSets& m_sets;
    std::span<const LinkRow> m_execution;
    std::span<const LinkRow> m_storage;
    std::vector<Link> m_links;
};

} // namespace

std::vector<Link> layoutLinks(
    const LinkSets& sets, std::span<const LinkRow> execution, std::span<const LinkRow> storage)
{
    LinkCollector collector(sets, execution, storage);
    for (std::size_t row = 0; row < execution.size(); ++row)
        collector.addBetween(row);
    for (std::size_t row = 0; row < execution.size(); ++row)
        collector.addLeaving(TreeKind::Execution, row);
    for (std::size_t row = 0; row < storage.size(); ++row)
        collector.addLeaving(TreeKind::Storage, row);
    return collector.take();
}

} // namespace duo::ui
