// SPDX-License-Identifier: Apache-2.0
#include "views/trees/scope_filter.h"

#include "views/style/format.h"

#include <algorithm>
#include <limits>
#include <utility>
#include <variant>

namespace duo::ui {

ScopeFilter::ScopeFilter(QObject* parent)
    : QSortFilterProxyModel(parent)
{
    setDynamicSortFilter(false); // what a row says of its state changes nothing about whether it is shown
}

QString ScopeFilter::beginWanted(const QString& words, bool onlyDifferences)
{
    auto query = SearchQuery::parse(toStd(words));
    if (const auto* problem = std::get_if<std::string>(&query))
        return toQt(*problem);
    auto& wanted = std::get<SearchQuery>(query);
    const bool isSame = wanted == m_query && onlyDifferences == m_onlyDifferences;
    m_query = std::move(wanted);
    m_onlyDifferences = onlyDifferences;
    if (!isSame)
        m_coming = Rows();
    return {};
}

void ScopeFilter::setWithConstants(bool with)
{
    if (std::exchange(m_withConstants, with) == with)
        return;
    m_coming = Rows();
    showWanted();
}

void ScopeFilter::setTypes(std::shared_ptr<const ValueTypes> types)
{
    m_types = std::move(types);
    if (m_query.asksForShapes())
        m_coming = Rows();
}

void ScopeFilter::decisionsChanged()
{
    if (m_query.asksForStates())
        m_coming = Rows();
}

bool ScopeFilter::look(std::size_t rows)
{
    if (m_coming && sourceModel() != nullptr)
        look(*m_coming, rows);
    return !m_coming || m_coming->left == 0;
}

/// All rows at once: rows taken out and put in one run after the other are as many changes for the view.
void ScopeFilter::showWanted()
{
    if (!m_coming)
        return;
    m_rows = *std::exchange(m_coming, std::nullopt);
    if (sourceModel() != nullptr)
        invalidate();
}

bool ScopeFilter::isFound(const TreeContent& content, const ScopeRow& row) const
{
    const Snapshot& snapshot = *content.snapshot;
    const Decisions* decisions = snapshot.placement ? &snapshot.placement->decisions : nullptr;
    switch (row.kind) {
    case ScopeRow::Kind::Node:
        return m_query.matches(nodeSubject(*snapshot.model, *snapshot.scopes, decisions, row.node, m_types.get()))
            == SearchOutcome::Match;
    case ScopeRow::Kind::Scope:
        return m_query.findsScopes() && m_query.matches(scopeSubject(content.scope(row))) == SearchOutcome::Match;
    case ScopeRow::Kind::Parameter:
    case ScopeRow::Kind::Constant:
        return m_query.matches(tensorSubject(content.tensorName(row))) == SearchOutcome::Match;
    }
    return false;
}

bool ScopeFilter::passes(const TreeContent& content, const ScopeRow& row) const
{
    if (!m_withConstants && row.kind == ScopeRow::Kind::Constant)
        return false;
    if (m_onlyDifferences && (row.kind != ScopeRow::Kind::Node || !content.nodeScope(row.node).differs))
        return false;
    return m_query.empty() || isFound(content, row);
}

ScopeFilter::Rows ScopeFilter::noRows() const
{
    const TreeContent& content = model().content();
    return {content.snapshot ? content.snapshot->scopes : nullptr, std::vector<bool>(content.rows.size(), false),
        content.rows.size()};
}

/// Begins anew where rows are not those of the model.
void ScopeFilter::look(Rows& rows, std::size_t count) const
{
    const TreeContent& content = model().content();
    const Scopes* scopes = content.snapshot ? content.snapshot->scopes.get() : nullptr;
    if (!rows.scopes || rows.scopes.get() != scopes)
        rows = noRows();
    for (const std::size_t end = rows.left - std::min(rows.left, count); rows.left > end;) {
        const std::size_t i = --rows.left;
        const ScopeRow& row = content.rows[i];
        rows.shown[i] = rows.shown[i] || passes(content, row);
        if (rows.shown[i] && row.parent >= 0)
            rows.shown[static_cast<std::size_t>(row.parent)] = true;
    }
}

const std::vector<bool>& ScopeFilter::shown() const
{
    look(m_rows, std::numeric_limits<std::size_t>::max());
    return m_rows.shown;
}

bool ScopeFilter::isShown(std::size_t row) const
{
    return shown()[row];
}

std::size_t ScopeFilter::shownRows() const
{
    return static_cast<std::size_t>(std::ranges::count(shown(), true));
}

bool ScopeFilter::filterAcceptsRow(int row, const QModelIndex& parent) const
{
    const auto& rows = model().content().rows;
    return shown()[parent.isValid() ? rows[parent.internalId()].firstChild + static_cast<std::size_t>(row) : 0];
}

} // namespace duo::ui
