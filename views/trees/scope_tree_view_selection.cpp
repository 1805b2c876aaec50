// SPDX-License-Identifier: Apache-2.0
// What is selected in a scope tree: by the user, who is followed, and elsewhere.
#include "views/trees/scope_tree_view.h"

#include "core/support/sorted.h"
#include "views/style/format.h"

#include <QDrag>
#include <QGuiApplication>
#include <QMimeData>
#include <QPainter>
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

/// The first of the lines, and how many more there are.
QPixmap pictureOf(const QString& lines, const QWidget& view)
{
    constexpr int kMostLetters = 48;
    constexpr int kMargin = 4; // px
    const QFontMetrics metrics = view.fontMetrics();
    const qsizetype more = lines.count(QLatin1Char('\n'));
    QString text = metrics.elidedText(
        lines.section(QLatin1Char('\n'), 0, 0), Qt::ElideMiddle, kMostLetters * metrics.averageCharWidth());
    if (more > 0)
        text = ScopeTreeView::tr("%1 and %2 more").arg(text, countText(more));
    const QSize size(metrics.horizontalAdvance(text) + 2 * kMargin, metrics.height() + 2 * kMargin);
    QPixmap picture(size * view.devicePixelRatio());
    picture.setDevicePixelRatio(view.devicePixelRatio());
    picture.fill(view.palette().color(QPalette::Highlight));
    QPainter painter(&picture);
    painter.setFont(view.font());
    painter.setPen(view.palette().color(QPalette::HighlightedText));
    painter.drawText(QRect({}, size), Qt::AlignCenter, text);
    return picture;
}

} // namespace

std::vector<std::size_t> ScopeTreeView::selectedRows() const
{
    std::vector<std::size_t> rows = m_untold;
    for (const QModelIndex& index : selectionModel()->selectedRows())
        rows.push_back(ScopeTreeModel::rowOf(index));
    return rows;
}

/// A selected scope stands for all that is in it.
std::vector<std::size_t> ScopeTreeView::topmostSelectedRows() const
{
    std::vector<std::size_t> rows = selectedRows();
    std::vector<bool> isIn(content().rows.size());
    for (const std::size_t row : rows)
        isIn[row] = true;
    const auto isInner = [&](std::size_t row) {
        const std::int32_t parent = content().rows[row].parent;
        return parent >= 0 && isIn[static_cast<std::size_t>(parent)];
    };
    for (std::size_t row = 0; row < isIn.size(); ++row) // parents come before their children
        isIn[row] = isIn[row] || isInner(row);
    std::erase_if(rows, isInner);
    std::ranges::sort(rows);
    return rows;
}

Selection ScopeTreeView::currentSelection() const
{
    const std::vector<std::size_t> rows = topmostSelectedRows();
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

/// With the rule's words as picture: Qt would paint all rows that are selected, as high as they stand apart.
void ScopeTreeView::startDrag(Qt::DropActions actions)
{
    QModelIndexList indexes;
    for (const std::size_t row : topmostSelectedRows()) {
        if (m_model->shown().has(row))
            indexes += m_model->indexOfRow(row);
    }
    QMimeData* data = m_model->mimeData(indexes);
    if (data == nullptr)
        return;
    auto* drag = new QDrag(this); // Qt deletes it
    drag->setMimeData(data);
    drag->setPixmap(pictureOf(data->text(), *this));
    drag->exec(actions, Qt::CopyAction);
}

/// As the rows stand below each other where all is open.
void ScopeTreeView::selectBetween(std::size_t first, std::size_t last)
{
    const auto& rows = content().rows;
    const auto isBetween = [&, from = rows[first].span.begin, to = rows[last].span.begin](
                               const ScopeRow& row) { return row.span.begin >= from && row.span.begin <= to; };
    std::vector<std::size_t> chosen = m_beforeRange.value_or(std::vector<std::size_t>());
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (isBetween(rows[i]) && m_model->shown().has(i))
            chosen.push_back(i);
    }
    selectAsUser(std::move(chosen));
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
