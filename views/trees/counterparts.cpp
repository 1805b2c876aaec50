// SPDX-License-Identifier: Apache-2.0
#include "views/trees/counterparts.h"

#include "core/scope/counterparts.h"
#include "views/style/scope_text.h"
#include "views/style/tr.h"

namespace duo::ui {
namespace {

QString nameOf(const ScopeTreeView& view, std::size_t row)
{
    const TreeContent& content = view.content();
    const ScopeRow& place = content.rows[row];
    const QString scope = scopeLabel(content.scope(place).path);
    if (place.kind == ScopeRow::Kind::Scope)
        return scope;
    const QString leaf = cellText(content, place, ScopeColumn::Name);
    return QStringLiteral("%1, %2").arg(scope, leaf);
}

} // namespace

void Counterparts::forget()
{
    m_ring.clear();
    m_at = 0;
}

std::vector<std::size_t> Counterparts::counterpartsOf(const Place& origin) const
{
    const bool isExecution = origin.view == &m_execution;
    const ScopeTreeView& other = isExecution ? m_storage : m_execution;
    const TreeContent& content = origin.view->content();
    const Scopes& scopes = *content.snapshot->scopes;
    const ScopeRow& row = content.rows[origin.row];
    std::vector<ScopeId> found;
    if (row.kind == ScopeRow::Kind::Scope)
        found = isExecution ? storageCounterparts(scopes, row.scope) : executionCounterparts(scopes, row.scope);
    std::vector<std::size_t> rows;
    for (const ScopeId scope : found)
        rows.push_back(other.content().rowOfScope[scope.index]);
    // A node, a parameter, a container that is not called: where the same nodes stand.
    return rows.empty() ? other.rowsOf(origin.view->selectionOf(origin.row)) : rows;
}

void Counterparts::begin(const Place& origin)
{
    m_ring = {origin};
    m_at = 0;
    ScopeTreeView& other = origin.view == &m_execution ? m_storage : m_execution;
    const auto rows = counterpartsOf(origin);
    for (const std::size_t row : rows) {
        if (other.isShown(row))
            m_ring.push_back({&other, row});
    }
    m_isHidden = m_ring.size() == 1 && !rows.empty();
}

QString Counterparts::whyNone(const Place& origin) const
{
    const QString name = nameOf(*origin.view, origin.row);
    if (m_isHidden)
        return tr("The filter hides the counterpart of %1").arg(name);
    return origin.view == &m_execution
        ? tr("No counterpart: %1 has no parameters, so nothing of it is in the storage tree").arg(name)
        : tr("No counterpart: no node reads what %1 holds, it is never executed").arg(name);
}

QString Counterparts::step(ScopeTreeView& from, bool isForward)
{
    const auto current = from.currentRow();
    if (!current)
        return tr("Choose a row in one of the trees first");
    const Place here{&from, *current};
    if (m_ring.size() < 2 || m_ring[m_at] != here)
        begin(here);
    if (m_ring.size() == 1)
        return whyNone(here);
    m_at = (m_at + (isForward ? 1 : m_ring.size() - 1)) % m_ring.size();
    const Place to = m_ring[m_at];
    const std::size_t at = m_at;
    const std::size_t all = m_ring.size() - 1;
    to.view->goTo(to.row);
    if (at == 0)
        return tr("Back at %1").arg(nameOf(*to.view, to.row));
    const QString name = nameOf(*to.view, to.row);
    return all == 1 ? tr("Counterpart: %1").arg(name)
                    : tr("Counterpart %1 of %2: %3").arg(QString::number(at), QString::number(all), name);
}

} // namespace duo::ui
