// SPDX-License-Identifier: Apache-2.0
// What is selected in a scope tree: by the user, who is followed, and elsewhere.
#include "views/trees/scope_tree_view.h"

#include "core/support/sorted.h"

#include <QGuiApplication>
#include <QScopedValueRollback>
#include <QSignalBlocker>

#include <algorithm>
#include <utility>

namespace duo::ui {
namespace {

constexpr std::size_t kMostTold = 300; // rows selected: Qt goes through all of them for each cell that it paints

/// Neighbouring rows as ranges of all columns: whole rows that Qt is to complete are compared each with each.
QItemSelection rangesOf(const QModelIndexList& indexes)
{
    constexpr int kLast = ScopeTreeModel::ColumnCount - 1;
    QItemSelection ranges;
    for (qsizetype i = 0; i < indexes.size(); ++i) {
        const QModelIndex first = indexes[i];
        QModelIndex last = first;
        while (i + 1 < indexes.size() && indexes[i + 1].parent() == first.parent()
            && indexes[i + 1].row() == last.row() + 1)
            last = indexes[++i];
        ranges.append(QItemSelectionRange(first, last.siblingAtColumn(kLast)));
    }
    return ranges;
}

} // namespace

std::vector<std::size_t> ScopeTreeView::selectedRows() const
{
    std::vector<std::size_t> rows = m_untold;
    for (const QModelIndex& index : selectionModel()->selectedRows())
        rows.push_back(ScopeTreeModel::rowOf(index));
    return rows;
}

Selection ScopeTreeView::currentSelection() const
{
    const std::vector<std::size_t> rows = selectedRows();
    if (rows.size() == 1)
        return selectionOf(rows.front());
    std::vector<NodeId> nodes;
    for (const std::size_t row : rows) {
        const Selection one = selectionOf(row);
        nodes.insert(nodes.end(), one.nodes.begin(), one.nodes.end());
    }
    return selectNodes(std::move(nodes));
}

void ScopeTreeView::reportSelection()
{
    if (m_isShowing)
        return;
    if (!(QGuiApplication::keyboardModifiers() & (Qt::ControlModifier | Qt::ShiftModifier)))
        forgetSelection(); // another one, and not more of the same
    Q_EMIT selected(currentSelection());
}

/// As far as Qt was not told of it.
void ScopeTreeView::forgetSelection()
{
    m_untold.clear();
    m_beforeRange.reset();
    m_isRangeOfMany = false;
}

/// Of many rows Qt is told of those in sight alone: it goes through all for each cell that it paints, compares each
/// range with each of those before, and looks for those in closed scopes among all that are open.
void ScopeTreeView::selectRows(std::vector<std::size_t> rows)
{
    sortUniqueInPlace(rows);
    const bool isOfMany = rows.size() > kMostTold;
    std::set<std::size_t> seen;
    if (isOfMany) {
        for (const QModelIndex& index : indexesInSight())
            seen.insert(ScopeTreeModel::rowOf(index));
    }
    const auto untold = std::stable_partition(rows.begin(), rows.end(),
        [&](std::size_t row) { return m_model->shown().has(row) && (!isOfMany || seen.contains(row)); });
    m_untold.assign(untold, rows.end());
    rows.erase(untold, rows.end());
    tellRows(rows);
}

/// @param rows ascending: neighbours are one range
void ScopeTreeView::tellRows(const std::vector<std::size_t>& rows)
{
    QModelIndexList indexes;
    for (const std::size_t row : rows) {
        if (m_model->shown().has(row))
            indexes += m_model->indexOfRow(row);
    }
    const QSignalBlocker blocker(selectionModel());
    selectionModel()->clearSelection();
    selectionModel()->select(rangesOf(indexes), QItemSelectionModel::Select);
    viewport()->update();
}

/// Qt drags what it was told of.
void ScopeTreeView::startDrag(Qt::DropActions actions)
{
    const bool isOfMany = !m_untold.empty();
    std::vector<std::size_t> rows = selectedRows();
    std::ranges::sort(rows);
    if (isOfMany)
        tellRows(rows);
    QTreeView::startDrag(actions);
    if (isOfMany)
        selectRows(std::move(rows));
}

/// Of rows in a selected scope none is told to Qt, which would compare the range of each parent with those before.
void ScopeTreeView::selectBetween(std::size_t first, std::size_t last)
{
    const auto& rows = content().rows;
    const auto isBetween = [&, from = rows[first].span.begin, to = rows[last].span.begin](
                               const ScopeRow& row) { return row.span.begin >= from && row.span.begin <= to; };
    std::vector<std::size_t> topmost = m_beforeRange.value_or(std::vector<std::size_t>());
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const bool isInSelected = rows[i].parent >= 0 && isBetween(rows[static_cast<std::size_t>(rows[i].parent)]);
        if (isBetween(rows[i]) && !isInSelected && m_model->shown().has(i))
            topmost.push_back(i);
    }
    selectAsUser(std::move(topmost));
}

void ScopeTreeView::selectAsUser(std::vector<std::size_t> rows)
{
    {
        const QScopedValueRollback guard(m_isShowing, true);
        selectRows(std::move(rows));
    }
    Q_EMIT selected(currentSelection());
}

void ScopeTreeView::selectAll()
{
    forgetSelection();
    const auto& rows = content().rows;
    if (m_isFiltered)
        return selectFiltered();
    if (rows.size() <= kMostTold)
        return QTreeView::selectAll();
    const auto last = std::ranges::max_element(rows, {}, [](const ScopeRow& row) { return row.span.begin; });
    selectBetween(0, static_cast<std::size_t>(last - rows.begin()));
}

/// Scopes stand for all that is in them, also what the filter hides: so what is shown of it.
void ScopeTreeView::selectFiltered()
{
    std::vector<std::size_t> lowest;
    for (std::size_t row = 0; row < content().rows.size(); ++row) {
        if (m_model->shown().has(row) && m_model->shown().childrenOf(row) == 0)
            lowest.push_back(row);
    }
    selectAsUser(std::move(lowest));
}

/// A range takes the place of the one before it, and what was selected before both stays, as Qt has it.
void ScopeTreeView::setSelection(const QRect& rect, QItemSelectionModel::SelectionFlags command)
{
    if ((command & QItemSelectionModel::SelectCurrent) != QItemSelectionModel::SelectCurrent) {
        m_beforeRange.reset();
        if (command & QItemSelectionModel::Clear)
            forgetSelection();
        return QTreeView::setSelection(rect, command);
    }
    if (!m_beforeRange)
        m_beforeRange = selectedRows();
    const QModelIndex first = indexAt({rect.center().x(), std::min(rect.top(), rect.bottom())});
    const QModelIndex last = indexAt({rect.center().x(), std::max(rect.top(), rect.bottom())});
    const bool isOfMany
        = first.isValid() && last.isValid() && std::abs(rect.height()) > static_cast<int>(kMostTold) * rowHeight(first);
    const bool wasOfMany = std::exchange(m_isRangeOfMany, isOfMany);
    if (isOfMany)
        return selectBetween(ScopeTreeModel::rowOf(first), ScopeTreeModel::rowOf(last));
    if (wasOfMany) {
        const QScopedValueRollback guard(m_isShowing, true);
        selectRows(*m_beforeRange);
    }
    QTreeView::setSelection(rect, command);
}

QModelIndex ScopeTreeView::firstShown(const std::vector<std::size_t>& rows) const
{
    const auto shown = std::ranges::find_if(rows, [this](std::size_t row) { return m_model->shown().has(row); });
    return shown == rows.end() ? QModelIndex() : m_model->indexOfRow(*shown);
}

void ScopeTreeView::showSelection(const Selection& selection)
{
    const QScopedValueRollback guard(m_isShowing, true);
    std::vector<std::size_t> rows = content().rowsOf(selection);
    const QModelIndex first = firstShown(rows);
    forgetSelection(); // those of the selection before are not looked for as parents open
    if (first.isValid()) {
        selectionModel()->setCurrentIndex(first, QItemSelectionModel::NoUpdate);
        scrollTo(first, EnsureVisible); // opens its parents
    }
    selectRows(std::move(rows));
}

void ScopeTreeView::keepSelection(const Selection& selection)
{
    const QScopedValueRollback guard(m_isShowing, true);
    forgetSelection();
    const std::vector<std::size_t> rows = content().rowsOf(selection);
    selectRows(rows);
    const QModelIndex first = firstShown(rows);
    if (!first.isValid() || isChosen(currentIndex()))
        return;
    setAutoScroll(false);
    selectionModel()->setCurrentIndex(first, QItemSelectionModel::NoUpdate);
    setAutoScroll(true);
}

bool ScopeTreeView::isChosen(const QModelIndex& index) const
{
    for (QModelIndex around = index; around.isValid(); around = around.parent()) {
        if (selectionModel()->isSelected(around) || std::ranges::count(m_untold, ScopeTreeModel::rowOf(around)) > 0)
            return true;
    }
    return false;
}

} // namespace duo::ui
