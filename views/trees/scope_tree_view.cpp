// SPDX-License-Identifier: Apache-2.0
#include "views/trees/scope_tree_view.h"

#include <QContextMenuEvent>
#include <QHeaderView>
#include <QScopedValueRollback>

#include <array>
#include <deque>

namespace duo::ui {
namespace {

constexpr int kLeastNameLetters = 12;
constexpr int kFirstRows = 32; // shown at first
constexpr int kExpandAllRows = 2000; // above it a filter leaves the rows collapsed

/// Neighbouring rows as ranges: selecting thousands of single rows is quadratic in Qt.
QItemSelection rangesOf(const QModelIndexList& indexes)
{
    QItemSelection ranges;
    for (qsizetype i = 0; i < indexes.size(); ++i) {
        const QModelIndex first = indexes[i];
        QModelIndex last = first;
        while (i + 1 < indexes.size() && indexes[i + 1].parent() == first.parent()
            && indexes[i + 1].row() == last.row() + 1)
            last = indexes[++i];
        ranges.append(QItemSelectionRange(first, last));
    }
    return ranges;
}

} // namespace

ScopeTreeView::ScopeTreeView(TreeKind kind, QWidget* parent)
    : QTreeView(parent)
    , m_model(new ScopeTreeModel(kind, this))
    , m_filter(new ScopeFilter(this))
{
    const bool isExecution = kind == TreeKind::Execution;
    setObjectName(isExecution ? QStringLiteral("executionTree") : QStringLiteral("storageTree"));
    setAccessibleName(isExecution ? tr("Execution scopes") : tr("Storage scopes"));
    m_model->setTheme(themeFor(palette()));
    m_filter->setSourceModel(m_model);
    setModel(m_filter);
    setUniformRowHeights(true);
    setSelectionMode(ExtendedSelection);
    setAlternatingRowColors(true);
    setEditTriggers(NoEditTriggers);
    setExpandsOnDoubleClick(true);
    setTextElideMode(Qt::ElideMiddle);
    setIndentation(fontMetrics().averageCharWidth() * 2);
    header()->setStretchLastSection(false);
    header()->setSectionResizeMode(QHeaderView::Interactive);
    header()->setMinimumSectionSize(24);
    const QFontMetrics metrics(font());
    const std::array<QString, ScopeTreeModel::ColumnCount> samples
        = {QString(20, QLatin1Char('n')), QStringLiteral("≠ 88"), QStringLiteral("◪ 88/88, ⊘ 8"),
            QStringLiteral("Nodes 0"), QStringLiteral("Parameters 0"), QStringLiteral("888.8 MB 0")};
    for (int column = 0; column < ScopeTreeModel::ColumnCount; ++column)
        header()->resizeSection(
            column, metrics.horizontalAdvance(samples[static_cast<std::size_t>(column)]) + (column == 0 ? 0 : 12));
    connect(header(), &QHeaderView::sectionResized, this, [this](int section) {
        m_isNameWidthChosen |= section == ScopeTreeModel::NameColumn && !m_isFitting && isVisible();
    });
    connect(selectionModel(), &QItemSelectionModel::selectionChanged, this, &ScopeTreeView::reportSelection);
}

void ScopeTreeView::setSnapshot(std::shared_ptr<const Snapshot> snapshot)
{
    const QScopedValueRollback guard(m_isShowing, true);
    const auto resets = m_model->rowCount();
    const QPersistentModelIndex root(m_filter->index(0, 0));
    m_model->setSnapshot(std::move(snapshot));
    if (resets == 0 || !root.isValid())
        expandFirstLevels();
}

void ScopeTreeView::expandFirstLevels()
{
    // Breadth first while the rows fit on a screen; a scope with one child says nothing, so it opens with its parent.
    std::deque<QModelIndex> pending = {m_filter->index(0, 0)};
    int rows = 1;
    while (!pending.empty()) {
        const QModelIndex index = pending.front();
        pending.pop_front();
        const int children = m_filter->rowCount(index);
        if (!index.isValid() || children == 0 || (rows + children > kFirstRows && children > 1 && rows > 1))
            continue;
        rows += children;
        expand(index);
        for (int row = 0; row < children; ++row)
            pending.push_back(m_filter->index(row, 0, index));
    }
}

Selection ScopeTreeView::currentSelection() const
{
    const QModelIndexList rows = selectionModel()->selectedRows();
    if (rows.size() == 1)
        return m_model->selectionAt(m_filter->mapToSource(rows.front()));
    std::vector<NodeId> nodes;
    for (const QModelIndex& row : rows) {
        const Selection one = m_model->selectionAt(m_filter->mapToSource(row));
        nodes.insert(nodes.end(), one.nodes.begin(), one.nodes.end());
    }
    return selectNodes(std::move(nodes));
}

void ScopeTreeView::reportSelection()
{
    if (!m_isShowing)
        Q_EMIT selected(currentSelection());
}

void ScopeTreeView::showSelection(const Selection& selection)
{
    const QScopedValueRollback guard(m_isShowing, true);
    QModelIndexList indexes;
    for (const QModelIndex& index : m_model->indexesOf(selection)) {
        if (const QModelIndex shown = m_filter->mapFromSource(index); shown.isValid())
            indexes += shown;
    }
    selectionModel()->select(rangesOf(indexes), QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
    if (indexes.isEmpty())
        return;
    selectionModel()->setCurrentIndex(indexes.front(), QItemSelectionModel::NoUpdate);
    scrollTo(indexes.front(), EnsureVisible); // opens its parents
}

void ScopeTreeView::setFilter(const QString& words, bool onlyDifferences)
{
    const QScopedValueRollback guard(m_isShowing, true);
    const bool wasActive = m_filter->isActive();
    m_filter->setWords(words);
    m_filter->setOnlyDifferences(onlyDifferences);
    if (m_filter->isActive() && m_filter->sourceModel()->rowCount() > 0) {
        if (m_model->allRows() <= kExpandAllRows)
            expandAll();
        else
            expandToDepth(1);
    } else if (wasActive) {
        collapseAll();
        expandFirstLevels();
    }
}

void ScopeTreeView::resizeEvent(QResizeEvent* event)
{
    QTreeView::resizeEvent(event);
    if (m_isNameWidthChosen)
        return;
    // Names get what the difference and the state leave; numbers are reached by scrolling or a wider dock.
    const QScopedValueRollback guard(m_isFitting, true);
    int rest = viewport()->width();
    for (int column = 1; column < ScopeTreeModel::ColumnCount; ++column) {
        const bool fits
            = column <= ScopeTreeModel::StateColumn || rest - header()->sectionSize(column) >= header()->sectionSize(0);
        if (!fits)
            break;
        rest -= header()->sectionSize(column);
    }
    header()->resizeSection(
        ScopeTreeModel::NameColumn, std::max(rest, fontMetrics().averageCharWidth() * kLeastNameLetters));
}

void ScopeTreeView::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange)
        m_model->setTheme(themeFor(palette()));
    QTreeView::changeEvent(event);
}

void ScopeTreeView::contextMenuEvent(QContextMenuEvent* event)
{
    const bool isKey = event->reason() == QContextMenuEvent::Keyboard;
    const QModelIndex index = isKey ? currentIndex() : indexAt(viewport()->mapFrom(this, event->pos()));
    if (!index.isValid())
        return;
    Q_EMIT menuRequested(
        currentSelection(), isKey ? viewport()->mapToGlobal(visualRect(index).bottomLeft()) : event->globalPos());
}

} // namespace duo::ui
