// SPDX-License-Identifier: Apache-2.0
#include "views/trees/scope_filter.h"

#include "views/style/format.h"

#include <algorithm>
#include <limits>
#include <utility>
#include <variant>

namespace duo::ui {
namespace {

constexpr std::size_t kAllRows = std::numeric_limits<std::size_t>::max();

} // namespace

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

void ScopeFilter::beginWithConstants(bool with)
{
    if (std::exchange(m_withConstants, with) != with)
        m_coming = Rows();
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

bool ScopeFilter::look(const TreeContent& content, std::size_t rows)
{
    if (m_coming)
        look(content, *m_coming, rows);
    return !m_coming || m_coming->left == 0;
}

std::vector<bool> ScopeFilter::end(const TreeContent& content)
{
    auto rows = std::exchange(m_coming, std::nullopt).value_or(Rows());
    look(content, rows, kAllRows);
    return std::move(rows.wanted);
}

std::vector<bool> ScopeFilter::wanted(const TreeContent& content) const
{
    Rows rows;
    look(content, rows, kAllRows);
    return std::move(rows.wanted);
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

void ScopeFilter::look(const TreeContent& content, Rows& rows, std::size_t count) const
{
    const auto& scopes = content.snapshot ? content.snapshot->scopes : nullptr;
    if (!rows.scopes || rows.scopes != scopes)
        rows = {scopes, std::vector<bool>(content.rows.size(), false), content.rows.size()};
    for (const std::size_t end = rows.left - std::min(rows.left, count); rows.left > end;) {
        const std::size_t i = --rows.left;
        const ScopeRow& row = content.rows[i];
        rows.wanted[i] = rows.wanted[i] || passes(content, row);
        if (rows.wanted[i] && row.parent >= 0)
            rows.wanted[static_cast<std::size_t>(row.parent)] = true;
    }
}

} // namespace duo::ui
