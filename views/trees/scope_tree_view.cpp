// SPDX-License-Identifier: Apache-2.0
#include "views/trees/scope_tree_view.h"

#include "views/style/format.h"
#include "views/style/state_style.h"
#include "views/trees/scope_delegate.h"

#include <QAccessible>
#include <QContextMenuEvent>
#include <QGuiApplication>
#include <QHeaderView>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QScopedValueRollback>
#include <QScrollBar>
#include <QSignalBlocker>

#include <algorithm>
#include <array>
#include <deque>
#include <utility>

namespace duo::ui {
namespace {

constexpr int kLeastNameLetters = 12;
constexpr int kMostOverlayLetters = 22; // more are a tip
constexpr int kCellMargins = 12; // px left and right of a cell's text together
constexpr int kFirstRows = 32; // shown at first
constexpr qsizetype kMostRanges = 300; // of rows selected: Qt goes through all of them for each row that it paints
constexpr std::size_t kExpandAllRows = 2000; // above it a filter leaves the rows it finds collapsed

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
    setItemDelegate(new ScopeDelegate(this));
    setUniformRowHeights(true);
    setSelectionMode(ExtendedSelection);
    setAlternatingRowColors(true);
    setEditTriggers(NoEditTriggers);
    setDragEnabled(true);
    setMouseTracking(true);
    setExpandsOnDoubleClick(true);
    setTextElideMode(Qt::ElideMiddle);
    setIndentation(fontMetrics().averageCharWidth() * 5 / 3);
    header()->setStretchLastSection(false);
    header()->setSectionResizeMode(QHeaderView::Interactive);
    header()->setMinimumSectionSize(24);
    header()->setTextElideMode(Qt::ElideRight);
    header()->moveSection(ScopeTreeModel::OverlayColumn, ScopeTreeModel::StateColumn); // what was asked for comes first
    setIconSize(QSize(fontMetrics().ascent(), fontMetrics().ascent()) * 3 / 4); // rows stay as high as they are
    setColumnHidden(ScopeTreeModel::OverlayColumn, true);
    sizeColumns();
    connect(header(), &QHeaderView::sectionResized, this, [this](int section) {
        m_isWidthChosen |= section <= ScopeTreeModel::StateColumn && !m_isFitting && isVisible();
    });
    connect(selectionModel(), &QItemSelectionModel::selectionChanged, this, &ScopeTreeView::reportSelection);
    connect(this, &QTreeView::expanded, this, &ScopeTreeView::noteExpanded);
    connect(this, &QTreeView::collapsed, this, &ScopeTreeView::sightChanged);
}

void ScopeTreeView::setSnapshot(std::shared_ptr<const Snapshot> snapshot, std::future<TreeContent> made)
{
    const QScopedValueRollback guard(m_isShowing, true);
    const TreeContent& now = m_model->content();
    const bool isSameModel = snapshot && now.snapshot && snapshot->model == now.snapshot->model;
    const bool isSameScopes = isSameModel && snapshot->scopes == now.snapshot->scopes;
    const auto open = isSameModel && !isSameScopes ? openScopes() : std::set<std::string>();
    m_model->setSnapshot(std::move(snapshot), std::move(made));
    if (!isSameModel)
        m_unfiltered.reset();
    if (isSameScopes) {
        m_filter->decisionsChanged();
        return;
    }
    showOverlayColumn();
    if (!m_isWidthChosen)
        sizeColumns();
    if (isSameModel)
        reopen(open);
    else
        expandFirstLevels();
    Q_EMIT sightChanged();
}

void ScopeTreeView::setTypes(const std::shared_ptr<const ValueTypes>& types)
{
    m_filter->setTypes(types);
}

std::set<std::string> ScopeTreeView::openScopes() const
{
    std::set<std::string> paths;
    for (std::size_t row = 0; row < content().rows.size(); ++row) {
        if (content().rows[row].kind == ScopeRow::Kind::Scope && isExpanded(shownIndex(row)))
            paths.insert(content().scope(content().rows[row]).path);
    }
    return paths;
}

void ScopeTreeView::reopen(const std::set<std::string>& paths)
{
    {
        const QSignalBlocker quiet(this);
        scheduleDelayedItemsLayout(); // once for all of them
        for (const auto& path : paths) {
            if (const ScopeId scope = content().tree().find(path); scope.valid())
                expand(shownIndex(content().rowOfScope[scope.index]));
        }
        executeDelayedItemsLayout(); // or there is nothing to scroll yet
    }
    noteExpanded();
}

/// Who looks at the sight is told by the caller, once.
void ScopeTreeView::closeAll()
{
    const QSignalBlocker quiet(this);
    collapseAll();
}

ScopeTreeView::Sight ScopeTreeView::sight() const
{
    if (m_unfiltered)
        return *m_unfiltered;
    Sight sight{{}, verticalScrollBar()->value()};
    std::vector<QModelIndex> opened(1);
    for (std::size_t i = 0; i < opened.size(); ++i) { // those around come before those in them
        const QModelIndex above = opened[i];
        for (int row = 0; row < m_filter->rowCount(above) && opened.size() <= kMostOpen; ++row) {
            const QModelIndex index = m_filter->index(row, 0, above);
            if (!isExpanded(index))
                continue;
            opened.push_back(index);
            if (const ScopeRow& shown = m_model->rowAt(m_filter->mapToSource(index));
                shown.kind == ScopeRow::Kind::Scope)
                sight.open.insert(content().scope(shown).path);
        }
    }
    return sight;
}

void ScopeTreeView::goToSight(const Sight& sight)
{
    if (m_unfiltered) {
        m_unfiltered = sight;
        return;
    }
    closeAll();
    reopen(sight.open);
    verticalScrollBar()->setValue(sight.scrolled);
    Q_EMIT sightChanged();
}

void ScopeTreeView::expandFirstLevels()
{
    // Breadth first while the rows fit on a screen; a scope with one child says nothing, so it opens with its parent,
    // and what is alone on its level opens however many rows that takes.
    std::deque<QModelIndex> pending = {m_filter->index(0, 0)};
    int rows = 1;
    bool isAlone = true; // what is looked at, and all above it
    while (!pending.empty()) {
        const QModelIndex index = pending.front();
        pending.pop_front();
        const int children = m_filter->rowCount(index);
        if (!index.isValid() || children == 0 || (rows + children > kFirstRows && children > 1 && !isAlone))
            continue;
        isAlone = isAlone && children == 1;
        rows += children;
        expand(index);
        for (int row = 0; row < children; ++row)
            pending.push_back(m_filter->index(row, 0, index));
    }
}

Selection ScopeTreeView::currentSelection() const
{
    const QModelIndexList rows = selectionModel()->selectedRows();
    if (rows.size() == 1 && m_hidden.empty())
        return m_model->selectionAt(m_filter->mapToSource(rows.front()));
    std::vector<NodeId> nodes = m_hidden;
    for (const QModelIndex& row : rows) {
        const Selection one = m_model->selectionAt(m_filter->mapToSource(row));
        nodes.insert(nodes.end(), one.nodes.begin(), one.nodes.end());
    }
    return selectNodes(std::move(nodes));
}

QModelIndex ScopeTreeView::shownIndex(std::size_t row) const
{
    return m_filter->mapFromSource(m_model->indexOfRow(row));
}

std::optional<std::size_t> ScopeTreeView::currentRow() const
{
    const QModelIndex index = currentIndex();
    if (!index.isValid())
        return std::nullopt;
    return static_cast<std::size_t>(m_filter->mapToSource(index).internalId());
}

Selection ScopeTreeView::selectionOf(std::size_t row) const
{
    return m_model->selectionAt(m_model->indexOfRow(row));
}

std::vector<std::size_t> ScopeTreeView::rowsOf(const Selection& selection) const
{
    std::vector<std::size_t> rows;
    for (const QModelIndex& index : m_model->indexesOf(selection))
        rows.push_back(static_cast<std::size_t>(index.internalId()));
    std::sort(rows.begin(), rows.end(),
        [this](std::size_t a, std::size_t b) { return content().rows[a].span.begin < content().rows[b].span.begin; });
    return rows;
}

void ScopeTreeView::goTo(std::size_t row)
{
    const QModelIndex index = shownIndex(row);
    if (!index.isValid())
        return;
    scrollTo(index); // opens its parents
    setCurrentIndex(index);
    setFocus(Qt::ShortcutFocusReason);
}

std::vector<GutterRow> ScopeTreeView::rowsInSight(const QWidget& relativeTo) const
{
    std::vector<GutterRow> rows;
    const int shift = relativeTo.mapFromGlobal(viewport()->mapToGlobal(QPoint())).y();
    for (QModelIndex index = indexAt({0, 0}); index.isValid(); index = indexBelow(index)) {
        const QRect place = visualRect(index);
        if (place.top() >= viewport()->height())
            break;
        GutterRow row;
        row.row = static_cast<std::size_t>(m_filter->mapToSource(index).internalId());
        const ScopeRow& shown = content().rows[row.row];
        const bool isOpen = isExpanded(index);
        row.link.y = shift + place.center().y();
        row.link.span = shown.span;
        if (isOpen)
            row.link.span.end = shown.span.begin + 1;
        row.mark = markOf(content(), shown, isOpen);
        rows.push_back(row);
    }
    return rows;
}

void ScopeTreeView::scrollContentsBy(int dx, int dy)
{
    QTreeView::scrollContentsBy(dx, dy);
    Q_EMIT sightChanged();
}

void ScopeTreeView::reportSelection()
{
    if (m_isShowing)
        return;
    if (!(QGuiApplication::keyboardModifiers() & (Qt::ControlModifier | Qt::ShiftModifier)))
        m_hidden.clear(); // another selection, and not more of the same
    Q_EMIT selected(currentSelection());
}

bool ScopeTreeView::isInOpenScope(const QModelIndex& shown) const
{
    for (QModelIndex around = shown.parent(); around.isValid(); around = around.parent()) {
        if (!isExpanded(around))
            return false;
    }
    return true;
}

/// Rows that a closed scope hides are kept from Qt where there are many: it would compare each range with each of those
/// before, and look for all of them among the rows that are open.
/// @return those selected, in the order of the selection
QModelIndexList ScopeTreeView::shownIndexes(const Selection& selection) const
{
    QModelIndexList indexes;
    for (const QModelIndex& index : m_model->indexesOf(selection)) {
        if (const QModelIndex shown = m_filter->mapFromSource(index); shown.isValid())
            indexes += shown;
    }
    return indexes;
}

void ScopeTreeView::selectRows(const QModelIndexList& indexes)
{
    m_hidden.clear();
    QModelIndexList open = indexes;
    if (indexes.size() > kMostRanges) {
        const auto hidden = std::stable_partition(
            open.begin(), open.end(), [this](const auto& shown) { return isInOpenScope(shown); });
        for (auto row = hidden; row != open.end(); ++row) {
            const Selection one = m_model->selectionAt(m_filter->mapToSource(*row));
            m_hidden.insert(m_hidden.end(), one.nodes.begin(), one.nodes.end());
        }
        open.erase(hidden, open.end());
    }
    const QSignalBlocker blocker(selectionModel());
    selectionModel()->clearSelection();
    selectionModel()->select(rangesOf(open), QItemSelectionModel::Select);
    viewport()->update();
}

/// Of rows in a selected scope none is told to Qt, which would compare the range of each parent with those before.
void ScopeTreeView::selectBetween(std::size_t first, std::size_t last)
{
    const auto& rows = content().rows;
    const auto isBetween = [&, from = rows[first].span.begin, to = rows[last].span.begin](
                               const ScopeRow& row) { return row.span.begin >= from && row.span.begin <= to; };
    QModelIndexList topmost;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const bool isInSelected = rows[i].parent >= 0 && isBetween(rows[static_cast<std::size_t>(rows[i].parent)]);
        if (isBetween(rows[i]) && !isInSelected && m_filter->isShown(i))
            topmost += shownIndex(i);
    }
    {
        const QScopedValueRollback guard(m_isShowing, true);
        selectRows(topmost);
    }
    Q_EMIT selected(currentSelection());
}

void ScopeTreeView::selectAll()
{
    const auto& rows = content().rows;
    if (rows.size() <= static_cast<std::size_t>(kMostRanges))
        return QTreeView::selectAll();
    const auto last = std::ranges::max_element(rows, {}, [](const ScopeRow& row) { return row.span.begin; });
    selectBetween(0, static_cast<std::size_t>(last - rows.begin()));
}

void ScopeTreeView::setSelection(const QRect& rect, QItemSelectionModel::SelectionFlags command)
{
    const QModelIndex first = indexAt({rect.center().x(), std::min(rect.top(), rect.bottom())});
    const QModelIndex last = indexAt({rect.center().x(), std::max(rect.top(), rect.bottom())});
    const bool isOfMany = first.isValid() && last.isValid() && std::abs(rect.height()) > kMostRanges * rowHeight(first);
    if (!isOfMany || (command & QItemSelectionModel::SelectCurrent) != QItemSelectionModel::SelectCurrent)
        return QTreeView::setSelection(rect, command);
    selectBetween(static_cast<std::size_t>(m_filter->mapToSource(first).internalId()),
        static_cast<std::size_t>(m_filter->mapToSource(last).internalId()));
}

void ScopeTreeView::showSelection(const Selection& selection)
{
    const QScopedValueRollback guard(m_isShowing, true);
    const QModelIndexList indexes = shownIndexes(selection);
    if (!indexes.isEmpty()) {
        m_hidden.clear(); // those of the selection before are not looked for as parents open
        selectionModel()->setCurrentIndex(indexes.front(), QItemSelectionModel::NoUpdate);
        scrollTo(indexes.front(), EnsureVisible); // opens its parents
    }
    selectRows(indexes);
}

QString ScopeTreeView::beginFilter(const QString& words, bool onlyDifferences)
{
    m_wasFiltered = m_wasFiltered.value_or(false) || m_filter->isActive();
    QString problem = m_filter->beginWanted(words, onlyDifferences);
    if (!*m_wasFiltered && m_filter->isActive() && !content().rows.empty())
        m_unfiltered = Sight{openScopes(), verticalScrollBar()->value()};
    return problem;
}

void ScopeTreeView::endFilter()
{
    const QScopedValueRollback guard(m_isShowing, true);
    const auto wasFiltered = std::exchange(m_wasFiltered, std::nullopt);
    const int top = visualRect(currentIndex()).top();
    if (m_unfiltered && m_unfiltered->open.size() > kMostOpen)
        closeAll(); // else Qt looks for each of those that are open among all of them
    m_filter->showWanted();
    if (wasFiltered && m_filter->isActive() && m_filter->sourceModel()->rowCount() > 0) {
        if (m_filter->shownRows() <= kExpandAllRows)
            expandAll();
        else
            expandToDepth(1);
    } else if (wasFiltered.value_or(false)) {
        goBehindFilter(top);
    }
    Q_EMIT sightChanged();
}

/// @param top where the current row was, viewport px
void ScopeTreeView::goBehindFilter(int top)
{
    closeAll();
    const auto before = std::exchange(m_unfiltered, std::nullopt);
    if (before)
        reopen(before->open);
    else
        expandFirstLevels();
    const QModelIndex current = currentIndex();
    if (selectionModel()->isSelected(current)) {
        scrollTo(current); // opens its parents
        const QRect now = visualRect(current);
        const int rows = (now.top() - top) / std::max(now.height(), 1); // it scrolls by rows
        verticalScrollBar()->setValue(verticalScrollBar()->value() + rows);
    } else if (before) {
        verticalScrollBar()->setValue(before->scrolled);
    }
}

void ScopeTreeView::setWithConstants(bool with)
{
    const QScopedValueRollback guard(m_isShowing, true);
    m_filter->setWithConstants(with);
    Q_EMIT sightChanged();
}

void ScopeTreeView::setOverlay(std::shared_ptr<const ShownOverlay> overlay)
{
    m_model->setOverlay(std::move(overlay));
    showOverlayColumn();
}

void ScopeTreeView::showOverlayColumn()
{
    const bool isWanted = m_model->hasOverlay();
    const QScopedValueRollback guard(m_isFitting, true);
    setColumnHidden(ScopeTreeModel::OverlayColumn, !isWanted);
    if (isWanted)
        header()->resizeSection(ScopeTreeModel::OverlayColumn,
            std::min(widthFor(ScopeTreeModel::OverlayColumn), fontMetrics().averageCharWidth() * kMostOverlayLetters)
                + iconSize().width() + kCellMargins / 2);
    if (!m_isWidthChosen)
        fitColumns();
}

void ScopeTreeView::setFound(const FoundMarks* marks)
{
    m_model->setFound(marks);
    if (marks == nullptr || !content().snapshot || marks->scopes != content().snapshot->scopes)
        return;
    const QModelIndex row = marks->thing() ? m_model->indexOfThing(*marks->thing()) : QModelIndex();
    QModelIndex inSight = row.isValid() ? m_filter->mapFromSource(row) : QModelIndex();
    for (QModelIndex around = inSight.parent(); around.isValid(); around = around.parent()) {
        if (!isExpanded(around))
            inSight = around; // scrollTo() would open it
    }
    if (inSight.isValid())
        scrollTo(inSight, EnsureVisible);
}

void ScopeTreeView::setPreview(const std::vector<NodeId>& nodes)
{
    m_model->setPreview(nodes);
}

void ScopeTreeView::setMarks(const std::shared_ptr<const ShownMarks>& marks)
{
    m_isMarking = marks && marks->isMarking;
    m_model->setMarks(marks);
}

std::uint32_t ScopeTreeView::moduleOf(const QModelIndex& shown) const
{
    return m_model->moduleAt(m_filter->mapToSource(shown));
}

QModelIndex ScopeTreeView::markSignAt(const QPoint& position) const
{
    const QModelIndex index = indexAt(position);
    if (!m_isMarking || index.column() != ScopeTreeModel::NameColumn || !index.data(ScopeTreeModel::MarkRole).isValid())
        return {};
    const int from = visualRect(index).left();
    const int reach = iconSize().width() + kCellMargins;
    return position.x() >= from && position.x() < from + reach ? index : QModelIndex();
}

/// On Space: the module of the current row.
void ScopeTreeView::keyPressEvent(QKeyEvent* event)
{
    const bool isMark = m_isMarking && event->key() == Qt::Key_Space && event->modifiers() == Qt::NoModifier;
    const std::uint32_t module = isMark ? moduleOf(currentIndex()) : ModuleTree::kNone;
    if (module != ModuleTree::kNone) {
        Q_EMIT moduleClicked(module);
    } else if (event->key() == Qt::Key_Asterisk) {
        openBelow(*event);
    } else {
        QTreeView::keyPressEvent(event);
    }
}

/// As Qt does, which would tell of each row that it opens.
void ScopeTreeView::openBelow(QKeyEvent& event)
{
    const bool isOfAll = currentIndex() == m_filter->index(0, currentIndex().column()) && m_filter->rowCount() == 1;
    {
        const QSignalBlocker quiet(this);
        if (isOfAll)
            expandAll();
        else
            QTreeView::keyPressEvent(&event);
    }
    noteExpanded();
}

void ScopeTreeView::noteExpanded()
{
    if (!m_hidden.empty())
        selectRows(shownIndexes(currentSelection()));
    Q_EMIT sightChanged();
}

QModelIndex ScopeTreeView::stateMarkAt(const QPoint& position) const
{
    const QModelIndex index = indexAt(position);
    if (index.column() != ScopeTreeModel::StateColumn || index.data().toString().isEmpty())
        return {};
    const int reach = fontMetrics().horizontalAdvance(QLatin1Char('M')) + kCellMargins;
    return position.x() < visualRect(index).left() + reach ? index : QModelIndex();
}

void ScopeTreeView::mousePressEvent(QMouseEvent* event)
{
    const bool isPlain = event->button() == Qt::LeftButton && event->modifiers() == Qt::NoModifier;
    m_pressedMark = isPlain ? stateMarkAt(event->position().toPoint()) : QModelIndex();
    m_pressedSign = isPlain ? markSignAt(event->position().toPoint()) : QModelIndex();
    QTreeView::mousePressEvent(event);
}

void ScopeTreeView::mouseReleaseEvent(QMouseEvent* event)
{
    QTreeView::mouseReleaseEvent(event);
    const QPersistentModelIndex pressed = std::exchange(m_pressedMark, {});
    if (pressed.isValid() && pressed == stateMarkAt(event->position().toPoint()))
        Q_EMIT stateClicked(m_model->selectionAt(m_filter->mapToSource(pressed)));
    const QPersistentModelIndex sign = std::exchange(m_pressedSign, {});
    if (sign.isValid() && sign == markSignAt(event->position().toPoint()))
        Q_EMIT moduleClicked(moduleOf(sign));
}

void ScopeTreeView::mouseMoveEvent(QMouseEvent* event)
{
    QTreeView::mouseMoveEvent(event);
    if (event->buttons() != Qt::NoButton)
        return;
    const QPoint position = event->position().toPoint();
    if (stateMarkAt(position).isValid() || markSignAt(position).isValid())
        viewport()->setCursor(Qt::PointingHandCursor);
    else
        viewport()->unsetCursor();
}

/// The current row stays in sight where a pane below takes room from the tree.
void ScopeTreeView::resizeEvent(QResizeEvent* event)
{
    const QRect row = visualRect(currentIndex());
    const bool wasSeen = row.isValid() && row.top() >= 0 && row.bottom() <= event->oldSize().height();
    QTreeView::resizeEvent(event);
    if (wasSeen && row.bottom() > viewport()->height())
        scrollTo(currentIndex(), EnsureVisible);
    if (!m_isWidthChosen)
        fitColumns();
    Q_EMIT sightChanged();
}

/// Of the widest text: no scope has larger numbers than the root.
int ScopeTreeView::widthFor(int column, Wording wording) const
{
    static constexpr auto kSamples = std::to_array<const char*>(
        {"layer_normalization_12", "≠ 88", "◪ 88/88, ⊘ 8", "Nodes 0", "Parameters 0", "888.8 MB 0", ""});
    static_assert(kSamples.size() == ScopeTreeModel::ColumnCount, "one sample for each column");
    QStringList texts{QString::fromUtf8(kSamples[static_cast<std::size_t>(column)])};
    const bool isState = column == ScopeTreeModel::StateColumn;
    const bool hasRoot = !content().rows.empty();
    if (column == ScopeTreeModel::DiffersColumn && hasRoot)
        texts = {QStringLiteral("≠")}; // its title: there may be nothing else
    if (isState) {
        QString nodes
            = hasRoot ? m_model->indexOfRow(0, ScopeTreeModel::NodesColumn).data().toString() : QStringLiteral("88");
        if (wording != Wording::Whole)
            nodes = shortCounts(nodes);
        const QString most = QStringLiteral("◪ %1/%1").arg(nodes);
        if (wording == Wording::Whole)
            texts += most + QStringLiteral(", ⊘ 8");
        else
            texts = {QStringLiteral("◪ 88/88"), most};
        if (wording == Wording::Words)
            texts += stateMark(NodeState::Quantized) + QLatin1Char(' ') + stateLabel(NodeState::Quantized);
    } else if (hasRoot && column != ScopeTreeModel::NameColumn) {
        texts += m_model->indexOfRow(0, column).data().toString();
    }
    if (column == ScopeTreeModel::OverlayColumn) {
        texts += m_model->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
        texts += m_model->widestOverlayTexts();
    }
    int width = 0;
    for (const QString& text : texts)
        width = std::max(width, fontMetrics().horizontalAdvance(text));
    return width + (column == 0 ? 0 : kCellMargins);
}

void ScopeTreeView::sizeColumns()
{
    const QScopedValueRollback guard(m_isFitting, true);
    for (int column = 0; column < ScopeTreeModel::OverlayColumn; ++column)
        header()->resizeSection(column, widthFor(column));
    fitColumns();
}

void ScopeTreeView::fitColumns()
{
    // Names come first: the state is shortened before they are, and numbers are reached by scrolling or a wider dock.
    const QScopedValueRollback guard(m_isFitting, true);
    const int name = widthFor(ScopeTreeModel::NameColumn);
    const int differs = header()->sectionSize(ScopeTreeModel::DiffersColumn);
    const int overlay = header()->sectionSize(ScopeTreeModel::OverlayColumn); // 0 while it is hidden
    int rest = viewport()->width() - differs - overlay;
    constexpr double kForWords = 0.75; // of the room for names, where states can be said in words
    const auto leaves
        = [&](Wording wording, double least) { return rest - widthFor(ScopeTreeModel::StateColumn, wording) >= least; };
    const Wording wording = leaves(Wording::Whole, name) ? Wording::Whole
        : leaves(Wording::Words, kForWords * name)       ? Wording::Words
                                                         : Wording::Short;
    int state = widthFor(ScopeTreeModel::StateColumn, wording);
    const QString longWord = stateMark(NodeState::Unsupported) + QLatin1Char(' ') + stateLabel(NodeState::Unsupported);
    const int words = fontMetrics().horizontalAdvance(longWord) + kCellMargins;
    if (wording != Wording::Short && rest - words >= kForWords * name)
        state = std::max(state, words); // else its mark alone is shown
    header()->resizeSection(ScopeTreeModel::StateColumn, state);
    for (int column = ScopeTreeModel::StateColumn; column < ScopeTreeModel::OverlayColumn; ++column) {
        if ((column > ScopeTreeModel::StateColumn || overlay > 0) && rest - header()->sectionSize(column) < name)
            break;
        rest -= header()->sectionSize(column);
    }
    header()->resizeSection(
        ScopeTreeModel::NameColumn, std::max(rest, fontMetrics().averageCharWidth() * kLeastNameLetters));
}

/// Rows keep their heights and children, so what is in sight is painted again. QTreeView would look for each of the
/// rows among all that are open, one after the other.
void ScopeTreeView::dataChanged(const QModelIndex& first, const QModelIndex& last, const QList<int>&)
{
    viewport()->update();
    if (!QAccessible::isActive())
        return;
    QAccessibleTableModelChangeEvent event(this, QAccessibleTableModelChangeEvent::DataChanged);
    event.setFirstRow(first.row());
    event.setFirstColumn(first.column());
    event.setLastRow(last.row());
    event.setLastColumn(last.column());
    QAccessible::updateAccessibility(&event);
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
    const QModelIndex index = isKey ? currentIndex() : indexAt(event->pos());
    if (!index.isValid())
        return;
    Q_EMIT menuRequested(
        currentSelection(), isKey ? viewport()->mapToGlobal(visualRect(index).bottomLeft()) : event->globalPos());
}

} // namespace duo::ui
