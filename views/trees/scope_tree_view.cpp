// SPDX-License-Identifier: Apache-2.0
#include "views/trees/scope_tree_view.h"

#include "views/style/format.h"
#include "views/style/state_style.h"
#include "views/trees/scope_delegate.h"

#include <QAccessible>
#include <QContextMenuEvent>
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

constexpr int kLeastNameLetters = 6; // where there is room for less, the other columns are reached by scrolling
constexpr int kMostOverlayLetters = 22; // more are a tip
constexpr int kCellMargins = 12; // px left and right of a cell's text together

bool isOfSameFile(const Snapshot* snapshot, const Snapshot* other)
{
    return snapshot != nullptr && other != nullptr && !snapshot->model->path.empty()
        && snapshot->model->path == other->model->path;
}

} // namespace

ScopeTreeView::ScopeTreeView(TreeKind kind, QWidget* parent)
    : QTreeView(parent)
    , m_model(new ScopeTreeModel(kind, this))
{
    const bool isExecution = kind == TreeKind::Execution;
    setObjectName(isExecution ? QStringLiteral("executionTree") : QStringLiteral("storageTree"));
    setAccessibleName(isExecution ? tr("Execution scopes") : tr("Storage scopes"));
    m_model->setTheme(themeFor(palette()));
    setModel(m_model);
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
    connect(this, &QTreeView::expanded, this, &ScopeTreeView::noteSight);
    connect(this, &QTreeView::collapsed, this, &ScopeTreeView::noteSight);
}

void ScopeTreeView::setSnapshot(std::shared_ptr<const Snapshot> snapshot, std::optional<TreeContent> made)
{
    const QScopedValueRollback guard(m_isShowing, true);
    const TreeContent& now = m_model->content();
    const bool isSameModel = snapshot && now.snapshot && snapshot->model == now.snapshot->model;
    const bool isSameScopes = isSameModel && snapshot->scopes == now.snapshot->scopes;
    const bool isSameFile = isSameModel || isOfSameFile(snapshot.get(), now.snapshot.get());
    if (isSameScopes) {
        m_model->setSnapshot(std::move(snapshot));
        m_model->filter().decisionsChanged();
        return;
    }
    forgetSelection(); // rows are others now
    const bool isOpening = isClearing() && m_unfiltered;
    const bool wereOther = m_unfiltered && (isOpening || !isSameModel); // than those that are open now
    const auto open = isSameFile ? pathsOf(wereOther ? m_unfiltered->open : expandedRows()) : std::set<std::string>();
    if (isOpening)
        m_unfiltered.reset();
    finishEnding();
    const auto unfiltered = isSameModel && m_unfiltered ? pathsOf(m_unfiltered->open) : std::set<std::string>();
    m_model->setSnapshot(std::move(snapshot), std::move(made));
    m_isFiltered = m_model->filter().isActive();
    if (!isSameModel)
        m_unfiltered.reset();
    else if (m_unfiltered)
        m_unfiltered->open = rowsAt(unfiltered);
    showOverlayColumn();
    if (!m_isWidthChosen)
        sizeColumns();
    if (isSameFile)
        reopen(open);
    else
        expandFirstLevels(kFirstRows);
    noteSight();
}

void ScopeTreeView::setTypes(const std::shared_ptr<const ValueTypes>& types)
{
    m_model->filter().setTypes(types);
}

std::vector<std::size_t> ScopeTreeView::expandedRows() const
{
    std::vector<std::size_t> rows;
    for (std::size_t row = 0; row < content().rows.size(); ++row) {
        if (content().rows[row].children > 0 && isExpanded(m_model->indexOfRow(row)))
            rows.push_back(row);
    }
    return rows;
}

std::set<std::string> ScopeTreeView::pathsOf(std::span<const std::size_t> rows) const
{
    std::set<std::string> paths;
    for (const std::size_t row : rows)
        paths.insert(content().scope(content().rows[row]).path);
    return paths;
}

std::vector<std::size_t> ScopeTreeView::rowsAt(const std::set<std::string>& paths) const
{
    std::vector<std::size_t> rows;
    for (const auto& path : paths) {
        if (const ScopeId scope = content().tree().find(path); scope.valid())
            rows.push_back(content().rowOfScope[scope.index]);
    }
    std::ranges::sort(rows);
    return rows;
}

void ScopeTreeView::reopen(const std::set<std::string>& paths)
{
    expandRows(rowsAt(paths));
    noteSight();
}

void ScopeTreeView::expandRows(std::span<const std::size_t> rows)
{
    const QSignalBlocker quiet(this);
    scheduleDelayedItemsLayout(); // once for all of them
    for (const std::size_t row : rows)
        expand(m_model->indexOfRow(row));
    executeDelayedItemsLayout(); // or there is nothing to scroll yet
}

void ScopeTreeView::closeAll()
{
    const QSignalBlocker quiet(this);
    collapseAll();
}

ScopeTreeView::Sight ScopeTreeView::sight() const
{
    std::vector<std::size_t> open; // those around come before those in them
    if (m_unfiltered) {
        open = m_unfiltered->open;
    } else {
        const auto addIfOpen = [&](const QModelIndex& index) {
            if (open.size() < kMostOpen && isExpanded(index))
                open.push_back(ScopeTreeModel::rowOf(index));
        };
        addIfOpen(m_model->index(0, 0));
        for (std::size_t i = 0; i < open.size() && open.size() < kMostOpen; ++i) {
            for (int place = 0; place < m_model->shown().childrenOf(open[i]); ++place)
                addIfOpen(m_model->indexOfRow(m_model->shown().childOf(content().rows[open[i]], place)));
        }
    }
    open.resize(std::min(open.size(), kMostOpen));
    return {pathsOf(open), m_unfiltered ? m_unfiltered->scrolled : verticalScrollBar()->value()};
}

void ScopeTreeView::goToSight(const Sight& sight)
{
    if (m_unfiltered) {
        m_unfiltered = Unfiltered{rowsAt(sight.open), sight.scrolled};
        if (m_ending)
            m_ending->opened = 0; // of others
        return;
    }
    if (this->sight().open != sight.open) { // else what is open beyond kMostOpen stays
        closeAll();
        reopen(sight.open);
    }
    verticalScrollBar()->setValue(sight.scrolled);
    noteSight();
}

/// Breadth first; a scope with one child says nothing, so it opens with its parent, and what is alone on its level
/// opens however many rows that takes.
void ScopeTreeView::expandFirstLevels(int most)
{
    std::vector<std::size_t> open;
    std::deque<QModelIndex> pending = {m_model->index(0, 0)};
    int rows = 1;
    bool isAlone = true; // what is looked at, and all above it
    while (!pending.empty()) {
        const QModelIndex index = pending.front();
        pending.pop_front();
        const int children = m_model->rowCount(index);
        if (!index.isValid() || children == 0 || (rows + children > most && children > 1 && !isAlone))
            continue;
        isAlone = isAlone && children == 1;
        rows += children;
        open.push_back(ScopeTreeModel::rowOf(index));
        for (int row = 0; row < children; ++row)
            pending.push_back(m_model->index(row, 0, index));
    }
    expandRows(open);
}

std::optional<std::size_t> ScopeTreeView::currentRow() const
{
    const QModelIndex index = currentIndex();
    if (!index.isValid())
        return std::nullopt;
    return ScopeTreeModel::rowOf(index);
}

Selection ScopeTreeView::selectionOf(std::size_t row) const
{
    return content().selectionOf(content().rows[row]);
}

std::vector<std::size_t> ScopeTreeView::rowsOf(const Selection& selection) const
{
    auto rows = content().rowsOf(selection);
    std::ranges::sort(rows, {}, [this](std::size_t row) { return content().rows[row].span.begin; });
    return rows;
}

void ScopeTreeView::goTo(std::size_t row)
{
    const QModelIndex index = m_model->indexOfRow(row);
    if (!index.isValid())
        return;
    scrollTo(index); // opens its parents
    forgetSelection();
    selectionModel()->setCurrentIndex(index, QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
    setFocus(Qt::ShortcutFocusReason);
}

QModelIndexList ScopeTreeView::indexesInSight() const
{
    QModelIndexList indexes;
    for (QModelIndex index = indexAt({0, 0}); index.isValid(); index = indexBelow(index)) {
        if (visualRect(index).top() >= viewport()->height())
            break;
        indexes += index;
    }
    return indexes;
}

std::vector<GutterRow> ScopeTreeView::rowsInSight(const QWidget& relativeTo) const
{
    std::vector<GutterRow> rows;
    const int shift = relativeTo.mapFromGlobal(viewport()->mapToGlobal(QPoint())).y();
    for (const QModelIndex& index : indexesInSight()) {
        GutterRow row;
        row.row = ScopeTreeModel::rowOf(index);
        const ScopeRow& shown = content().rows[row.row];
        const bool isOpen = isExpanded(index);
        row.link.y = shift + visualRect(index).center().y();
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
    noteSight();
}

void ScopeTreeView::noteSight()
{
    if (!m_untold.empty())
        selectRows(selectedRows());
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
    QModelIndex inSight = marks->thing() ? m_model->indexOfThing(*marks->thing()) : QModelIndex();
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
    return shown.isValid() ? m_model->moduleAt(ScopeTreeModel::rowOf(shown)) : ModuleTree::kNone;
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
    } else if (const bool opens = event->matches(QKeySequence::MoveToNextChar) || event->key() == Qt::Key_Plus;
               opens && opensMany(currentIndex())) {
        openMany(currentIndex());
    } else {
        QTreeView::keyPressEvent(event);
    }
}

/// It is closed, and so many rows in it are open that Qt, which makes room for what is in each of them by itself, would
/// move all that follow as often.
bool ScopeTreeView::opensMany(const QModelIndex& index) const
{
    constexpr int kMany = 100;
    if (!index.isValid() || isExpanded(index.siblingAtColumn(0)))
        return false;
    int open = 0;
    const std::size_t row = ScopeTreeModel::rowOf(index);
    std::vector<std::size_t> pending = {row};
    while (!pending.empty() && open < kMany) {
        const ScopeRow& around = content().rows[pending.back()];
        pending.pop_back();
        for (std::size_t child = around.firstChild; child < around.firstChild + around.children; ++child) {
            if (content().rows[child].children == 0 || !isExpanded(m_model->indexOfRow(child)))
                continue;
            ++open;
            pending.push_back(child);
        }
    }
    return open >= kMany;
}

void ScopeTreeView::openMany(const QModelIndex& index)
{
    expandRows(std::array{ScopeTreeModel::rowOf(index)});
    noteSight();
}

/// As Qt does.
void ScopeTreeView::openBelow(QKeyEvent& event)
{
    const bool isOfAll = currentIndex() == m_model->index(0, currentIndex().column()) && m_model->rowCount() == 1;
    {
        const QSignalBlocker quiet(this); // Qt would tell of each row that opens
        isOfAll ? expandAll() : QTreeView::keyPressEvent(&event);
    }
    noteSight();
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
    const QModelIndex branch = isPlain ? branchAt(event->position().toPoint()) : QModelIndex();
    if (opensMany(branch))
        openMany(branch);
    else
        QTreeView::mousePressEvent(event);
}

QModelIndex ScopeTreeView::branchAt(const QPoint& position) const
{
    const QModelIndex index = indexAt(position);
    const int to = visualRect(index).left();
    const bool isOn
        = index.column() == ScopeTreeModel::NameColumn && position.x() >= to - indentation() && position.x() < to;
    return isOn ? index : QModelIndex();
}

void ScopeTreeView::mouseDoubleClickEvent(QMouseEvent* event)
{
    const QPersistentModelIndex index = indexAt(event->position().toPoint());
    const bool isMany = event->button() == Qt::LeftButton && opensMany(index);
    setExpandsOnDoubleClick(!isMany);
    QTreeView::mouseDoubleClickEvent(event);
    setExpandsOnDoubleClick(true);
    if (isMany && index.isValid() && !isExpanded(index))
        openMany(index);
}

void ScopeTreeView::mouseReleaseEvent(QMouseEvent* event)
{
    QTreeView::mouseReleaseEvent(event);
    const QPersistentModelIndex pressed = std::exchange(m_pressedMark, {});
    if (pressed.isValid() && pressed == stateMarkAt(event->position().toPoint()))
        Q_EMIT stateClicked(m_model->selectionAt(pressed));
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
    noteSight();
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
        QString nodes = hasRoot ? m_model->textAt(0, ScopeTreeModel::NodesColumn) : QStringLiteral("88");
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
        texts += m_model->textAt(0, column);
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
    const int least = fontMetrics().averageCharWidth() * kLeastNameLetters;
    header()->resizeSection(ScopeTreeModel::NameColumn, rest >= least ? rest : std::max(viewport()->width(), least));
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
