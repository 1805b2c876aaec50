// SPDX-License-Identifier: Apache-2.0
#include "views/trees/scope_tree_model.h"

#include "views/intent/subject_mime.h"
#include "views/style/format.h"
#include "views/style/overlay_shade.h"
#include "views/trees/mark_sign.h"

#include <QFont>
#include <QMimeData>

#include <algorithm>
#include <utility>

namespace duo::ui {

namespace {

/// Rows are told apart in indexes by numbers that are far from each other. Qt keeps indexes by the sum of that number
/// and the row: numbers one after the other fill its table without a gap, and it goes through all of them to forget
/// one.
constexpr std::uint64_t kScatter = 0x9E3779B97F4A7C15;
constexpr std::uint64_t kGather = 0xF1DE83E19937733D;
static_assert(kScatter * kGather == 1, "one takes back the other");

/// Of a sum its share: the tool tip has both.
QString shortValue(const QString& text, const std::shared_ptr<const ShownOverlay>& overlay)
{
    if (text.isEmpty() || overlay->values->unit == OverlayUnit::Category)
        return text;
    return text.section(QStringLiteral(", "), 0, 0).replace(QStringLiteral("under "), QStringLiteral("< "));
}

/// Short: a column is as wide as its title.
QString overlayHeader(OverlayKind kind)
{
    switch (kind) {
    case OverlayKind::Bytes:
        return ScopeTreeModel::tr("Bytes");
    case OverlayKind::Error:
        return ScopeTreeModel::tr("Error");
    default:
        return toQt(overlayTitle(kind));
    }
}

} // namespace

ScopeTreeModel::ScopeTreeModel(TreeKind kind, QObject* parent)
    : QAbstractItemModel(parent)
    , m_theme(&lightTheme())
{
    m_content.kind = kind;
}

void ScopeTreeModel::setTheme(const Theme& theme)
{
    m_theme = &theme; // colours are asked for when painting
}

void ScopeTreeModel::setSnapshot(std::shared_ptr<const Snapshot> snapshot, std::optional<TreeContent> made)
{
    if (snapshot && m_content.snapshot && snapshot->scopes == m_content.snapshot->scopes) {
        const auto old = std::exchange(m_content.snapshot, std::move(snapshot));
        const auto before = std::exchange(m_content.counts, countStates(m_content));
        announceChanges(before, *old);
        return;
    }
    beginResetModel();
    m_preview.clear();
    m_found.clear();
    m_content = made ? *std::move(made) : makeTreeContent(m_content.kind, std::move(snapshot));
    m_shown = ShownRows(m_content.rows, m_filter.wanted(m_content));
    endResetModel();
}

/// All rows at once: rows taken out and put in one run after the other are as many changes for the view.
void ScopeTreeModel::showWanted()
{
    if (!m_filter.isChanging())
        return;
    Q_EMIT layoutAboutToBeChanged();
    m_shown = ShownRows(m_content.rows, m_filter.end(m_content));
    QModelIndexList from;
    QModelIndexList to;
    for (const QModelIndex& index : persistentIndexList()) {
        const QModelIndex now = indexOfRow(rowOf(index), index.column());
        if (now == index)
            continue;
        from += index;
        to += now;
    }
    changePersistentIndexList(from, to);
    Q_EMIT layoutChanged();
}

void ScopeTreeModel::setPreview(const std::vector<NodeId>& nodes)
{
    const auto before = std::exchange(m_preview, {});
    if (!nodes.empty()) {
        const auto& rows = m_content.rows;
        std::vector<bool> isMarked(rows.size(), false);
        for (const NodeId node : nodes) {
            for (const std::size_t row : m_content.rowsOfNode.of(node))
                isMarked[row] = true;
        }
        std::vector<std::size_t> all(rows.size(), 0); // nodes at and below, and those marked
        std::vector<std::size_t> marked(rows.size(), 0);
        m_preview.assign(rows.size(), Preview::None);
        for (std::size_t i = rows.size(); i-- > 0;) { // children come after their parents
            all[i] += rows[i].kind == ScopeRow::Kind::Node ? 1U : 0U;
            marked[i] += isMarked[i] ? 1U : 0U;
            if (marked[i] > 0)
                m_preview[i] = marked[i] == all[i] ? Preview::All : Preview::Some;
            if (rows[i].parent >= 0) {
                all[static_cast<std::size_t>(rows[i].parent)] += all[i];
                marked[static_cast<std::size_t>(rows[i].parent)] += marked[i];
            }
        }
    }
    announce([&](std::size_t row) { return (before.empty() ? Preview::None : before[row]) != previewAt(row); });
}

void ScopeTreeModel::setFound(const FoundMarks* marks)
{
    const auto before = std::exchange(m_found, {});
    const auto& rows = m_content.rows;
    if (marks != nullptr && m_content.snapshot && marks->scopes == m_content.snapshot->scopes) {
        m_found.assign(rows.size(), Preview::None);
        for (const FoundThing& thing : marks->found->things) {
            if (thing.kind != FoundThing::Kind::Node) {
                if (const auto row = rowOfThing(thing))
                    m_found[*row] = Preview::All;
            } else {
                for (const std::size_t row : m_content.rowsOfNode.of(thing.node))
                    m_found[row] = Preview::All;
            }
        }
        for (std::size_t i = rows.size(); i-- > 1;) { // children come after their parents
            Preview& around = m_found[static_cast<std::size_t>(rows[i].parent)];
            if (m_found[i] != Preview::None && around == Preview::None)
                around = Preview::Some;
        }
    }
    announce([&](std::size_t row) { return (before.empty() ? Preview::None : before[row]) != foundAt(row); });
}

std::optional<std::size_t> ScopeTreeModel::rowOfThing(const FoundThing& thing) const
{
    if (thing.kind == FoundThing::Kind::Node) {
        const auto found = m_content.rowsOfNode.of(thing.node);
        return found.empty() ? std::nullopt : std::optional(found.front());
    }
    const TreeKind tree = thing.kind == FoundThing::Kind::ExecutionScope ? TreeKind::Execution : TreeKind::Storage;
    return tree == m_content.kind ? std::optional(m_content.rowOfScope[thing.scope.index]) : std::nullopt;
}

QModelIndex ScopeTreeModel::indexOfThing(const FoundThing& thing) const
{
    const auto row = rowOfThing(thing);
    return row ? indexOfRow(*row) : QModelIndex();
}

/// Views paint again what is in sight.
void ScopeTreeModel::announceAll()
{
    if (rowCount() > 0)
        Q_EMIT dataChanged(indexOfRow(0), indexOfRow(0, ColumnCount - 1));
}

void ScopeTreeModel::setOverlay(std::shared_ptr<const ShownOverlay> overlay)
{
    const auto title = [this] { return headerData(OverlayColumn, Qt::Horizontal, Qt::DisplayRole); };
    const bool hadValues = hasOverlay();
    const QVariant before = title();
    m_overlay = std::move(overlay);
    if (hadValues || hasOverlay())
        announceAll();
    if (title() != before) // QTreeView lays out all rows for it
        Q_EMIT headerDataChanged(Qt::Horizontal, OverlayColumn, OverlayColumn);
}

void ScopeTreeModel::setMarks(std::shared_ptr<const ShownMarks> marks)
{
    m_marks = std::move(marks);
    announceAll();
}

const MarkedModules* ScopeTreeModel::marks() const
{
    const bool isOfThese
        = m_marks && m_marks->modules && m_content.snapshot && m_marks->modules->scopes == m_content.snapshot->scopes;
    return isOfThese ? m_marks->modules.get() : nullptr;
}

std::uint32_t ScopeTreeModel::moduleOf(const ScopeRow& row) const
{
    const MarkedModules* modules = marks();
    if (modules == nullptr || row.kind != ScopeRow::Kind::Scope)
        return ModuleTree::kNone;
    if (m_content.kind == TreeKind::Execution)
        return m_content.scope(row).isBody ? ModuleTree::kNone : modules->tree->ofExecution[row.scope.index];
    return modules->tree->ofPath.contains(m_content.scope(row).path) ? modules->tree->ofStorage[row.scope.index]
                                                                     : ModuleTree::kNone;
}

std::uint32_t ScopeTreeModel::moduleAt(std::size_t row) const
{
    return moduleOf(m_content.rows[row]);
}

MarkSign ScopeTreeModel::signOf(const ScopeRow& row) const
{
    if (moduleOf(row) == ModuleTree::kNone)
        return MarkSign::None;
    return (m_content.kind == TreeKind::Execution ? marks()->execution : marks()->storage)[row.scope.index];
}

/// The box of a module that is not marked is there while somebody marks.
QVariant ScopeTreeModel::shownSign(const ScopeRow& row) const
{
    const MarkSign sign = signOf(row);
    const bool isShown = moduleOf(row) != ModuleTree::kNone && (sign != MarkSign::None || m_marks->isMarking);
    return isShown ? QVariant(static_cast<int>(sign)) : QVariant();
}

QStringList ScopeTreeModel::widestOverlayTexts() const
{
    if (!hasOverlay())
        return {};
    switch (m_overlay->values->unit) {
    case OverlayUnit::Category: {
        QStringList texts;
        for (const std::string& category : m_overlay->values->categories)
            texts += toQt(category);
        return texts;
    }
    case OverlayUnit::Count:
    case OverlayUnit::Bytes:
    case OverlayUnit::Microseconds:
    case OverlayUnit::Share:
        return {QStringLiteral("88.8 %"), QStringLiteral("< 0.1 %")};
    case OverlayUnit::Magnitude:
        return {QStringLiteral("8.888e+08")};
    case OverlayUnit::Decibel:
        return {QStringLiteral("-88.8 dB"), QStringLiteral("888.8 dB")};
    }
    return {};
}

bool ScopeTreeModel::hasOverlay() const
{
    return m_overlay && m_overlay->hasColumn() && m_content.snapshot && m_overlay->scopes == m_content.snapshot->scopes;
}

std::optional<double> ScopeTreeModel::overlayAt(std::size_t index) const
{
    if (!hasOverlay())
        return std::nullopt;
    const ScopeRow& row = m_content.rows[index];
    const Overlay& overlay = *m_overlay->values;
    if (row.kind == ScopeRow::Kind::Node)
        return overlay.ofNode[row.node.index];
    if (row.kind != ScopeRow::Kind::Scope)
        return std::nullopt;
    return (m_content.kind == TreeKind::Execution ? overlay.ofExecution : overlay.ofStorage)[row.scope.index];
}

QVariant ScopeTreeModel::overlayColorAt(std::size_t row) const
{
    const auto value = overlayAt(row);
    return value ? overlayShade(*m_theme, *m_overlay->values, m_overlay->values->stepOf(*value)).border : QVariant();
}

QString ScopeTreeModel::overlayTextAt(std::size_t row) const
{
    const auto value = overlayAt(row);
    return value ? toQt(overlayText(*m_overlay->values, *value)) : QString();
}

QString ScopeTreeModel::toolTipAt(std::size_t row) const
{
    QString text = rowToolTip(m_content, m_content.rows[row]);
    if (const std::uint32_t module = moduleOf(m_content.rows[row]); module != ModuleTree::kNone) {
        for (const QString& line : markLines(*marks(), module, signOf(m_content.rows[row])))
            text += QLatin1Char('\n') + line;
    }
    const QString value = overlayTextAt(row);
    if (value.isEmpty())
        return text;
    QString line = QStringLiteral("%1: %2").arg(toQt(overlayTitle(m_overlay->kind)), value);
    if (const ScopeRow& of = m_content.rows[row]; of.kind == ScopeRow::Kind::Node) {
        if (const QString why = toQt(m_overlay->values->whyOf(of.node)); !why.isEmpty())
            line += QLatin1Char('\n') + why;
    }
    return text.isEmpty() ? line : text + QLatin1Char('\n') + line;
}

ScopeTreeModel::Preview ScopeTreeModel::previewAt(std::size_t row) const
{
    return m_preview.empty() ? Preview::None : m_preview[row];
}

ScopeTreeModel::Preview ScopeTreeModel::foundAt(std::size_t row) const
{
    return m_found.empty() ? Preview::None : m_found[row];
}

QVariant ScopeTreeModel::fillAt(std::size_t row) const
{
    const bool isFound = foundAt(row) != Preview::None;
    const Preview mark = isFound ? foundAt(row) : previewAt(row);
    if (mark == Preview::None)
        return {};
    QColor fill = isFound ? m_theme->found.fill : m_theme->preview.fill;
    if (mark == Preview::Some)
        fill.setAlphaF(0.45F);
    return fill;
}

void ScopeTreeModel::announceChanges(const std::vector<StateCounts>& before, const Snapshot& old)
{
    const auto& placement = m_content.snapshot->placement;
    announce([&](std::size_t index) {
        const ScopeRow& row = m_content.rows[index];
        if (row.kind == ScopeRow::Kind::Scope)
            return before[row.scope.index] != m_content.counts[row.scope.index];
        if (row.kind != ScopeRow::Kind::Node || !old.placement || !placement)
            return old.placement != placement;
        return old.placement->decisions[row.node.index] != placement->decisions[row.node.index];
    });
}

template <typename IsChanged> void ScopeTreeModel::announce(IsChanged isChanged)
{
    const auto& rows = m_content.rows;
    std::vector<std::pair<std::size_t, std::size_t>> changed; // first and last below one parent
    for (std::size_t i = 0; i < rows.size() && changed.size() <= kMostAnnounced; ++i) {
        if (!m_shown.has(i) || !isChanged(i))
            continue;
        if (!changed.empty() && rows[changed.back().first].parent == rows[i].parent) // siblings lie side by side
            changed.back().second = i;
        else
            changed.emplace_back(i, i);
    }
    if (changed.size() > kMostAnnounced)
        return announceAll();
    for (const auto& [first, last] : changed)
        Q_EMIT dataChanged(indexOfRow(first), indexOfRow(last, ColumnCount - 1));
}

std::size_t ScopeTreeModel::rowOf(const QModelIndex& index)
{
    return static_cast<std::size_t>(static_cast<std::uint64_t>(index.internalId()) * kGather);
}

QModelIndex ScopeTreeModel::indexOfRow(std::size_t row, int column) const
{
    return m_shown.has(row) ? createIndex(m_shown.placeOf(row), column, static_cast<quintptr>(row * kScatter))
                            : QModelIndex();
}

QModelIndex ScopeTreeModel::index(int row, int column, const QModelIndex& parent) const
{
    if (row < 0 || row >= rowCount(parent) || column < 0 || column >= ColumnCount)
        return {};
    return indexOfRow(parent.isValid() ? m_shown.childOf(rowAt(parent), row) : 0, column);
}

QModelIndex ScopeTreeModel::parent(const QModelIndex& child) const
{
    if (!child.isValid() || rowAt(child).parent < 0)
        return {};
    return indexOfRow(static_cast<std::size_t>(rowAt(child).parent));
}

/// Cells of a row are asked for most.
QModelIndex ScopeTreeModel::sibling(int row, int column, const QModelIndex& index) const
{
    const bool isOfRow = index.isValid() && row == index.row() && column >= 0 && column < ColumnCount;
    return isOfRow ? createIndex(row, column, index.internalId()) : QAbstractItemModel::sibling(row, column, index);
}

int ScopeTreeModel::rowCount(const QModelIndex& parent) const
{
    if (!parent.isValid())
        return m_shown.count() > 0 ? 1 : 0;
    return parent.column() == 0 ? m_shown.childrenOf(rowOf(parent)) : 0;
}

bool ScopeTreeModel::hasChildren(const QModelIndex& parent) const
{
    return rowCount(parent) > 0;
}

int ScopeTreeModel::columnCount(const QModelIndex&) const
{
    return ColumnCount;
}

Selection ScopeTreeModel::selectionAt(const QModelIndex& index) const
{
    return index.isValid() ? m_content.selectionOf(rowAt(index)) : Selection();
}

QModelIndexList ScopeTreeModel::indexesOf(const Selection& selection) const
{
    QModelIndexList indexes;
    for (const std::size_t row : m_content.rowsOf(selection)) {
        if (m_shown.has(row))
            indexes += indexOfRow(row);
    }
    return indexes;
}

QString ScopeTreeModel::textAt(std::size_t row, int column) const
{
    return column == OverlayColumn ? shortValue(overlayTextAt(row), m_overlay)
                                   : cellText(m_content, m_content.rows[row], static_cast<ScopeColumn>(column));
}

QMimeData* ScopeTreeModel::mimeData(const QModelIndexList& indexes) const
{
    std::vector<RuleSubject> subjects;
    for (const QModelIndex& index : indexes) {
        if (index.column() != NameColumn)
            continue;
        for (RuleSubject& subject :
            subjectsOf(selectionAt(index), *m_content.snapshot->model, *m_content.snapshot->scopes))
            subjects.push_back(std::move(subject));
    }
    return subjects.empty() ? nullptr : mimeOf(subjects).release();
}

QStringList ScopeTreeModel::mimeTypes() const
{
    return mimeOf({})->formats();
}

/// Views need not keep that leaves are open.
Qt::ItemFlags ScopeTreeModel::flags(const QModelIndex& index) const
{
    if (!index.isValid())
        return Qt::NoItemFlags;
    constexpr Qt::ItemFlags kAny = Qt::ItemIsSelectable | Qt::ItemIsEnabled | Qt::ItemIsDragEnabled;
    return rowAt(index).children == 0 ? kAny | Qt::ItemNeverHasChildren : kAny;
}

QString ScopeTreeModel::accessibleText(const ScopeRow& row) const
{
    QStringList parts;
    for (const QString& part : {cellText(m_content, row, ScopeColumn::Name), quietText(m_content, row),
             cellText(m_content, row, ScopeColumn::State), markSignText(signOf(row))}) {
        if (!part.isEmpty())
            parts += part;
    }
    if (!cellText(m_content, row, ScopeColumn::Differs).isEmpty())
        parts += tr("differs");
    if (const QString value = overlayTextAt(static_cast<std::size_t>(&row - m_content.rows.data())); !value.isEmpty())
        parts += QStringLiteral("%1: %2").arg(toQt(overlayTitle(m_overlay->kind)), value);
    return parts.join(QStringLiteral(", "));
}

QVariant ScopeTreeModel::inkOf(const ScopeRow& row, int column) const
{
    if (column == DiffersColumn)
        return m_theme->warning.ink;
    if (m_content.facts.neverExecuted[row.scope.index] || m_content.scope(row).neverRuns)
        return m_theme->muted;
    if (column != StateColumn)
        return row.kind == ScopeRow::Kind::Parameter || row.kind == ScopeRow::Kind::Constant ? QVariant(m_theme->muted)
                                                                                             : QVariant();
    if (row.kind == ScopeRow::Kind::Node) {
        const Decision* decision = m_content.decision(row.node);
        return decision ? QVariant(stateShade(*m_theme, decision->state).ink) : QVariant();
    }
    return row.kind == ScopeRow::Kind::Scope ? QVariant(countsShade(*m_theme, m_content.counts[row.scope.index]).ink)
                                             : QVariant(m_theme->muted);
}

QVariant ScopeTreeModel::fontOf(const ScopeRow& row, int column) const
{
    if (column != NameColumn || !m_content.isGuess(row))
        return {};
    QFont font;
    font.setItalic(true);
    return font;
}

QVariant ScopeTreeModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid())
        return {};
    const ScopeRow& row = rowAt(index);
    switch (role) {
    case Qt::DisplayRole:
        return textAt(rowOf(index), index.column());
    case Qt::ToolTipRole:
        return toolTipAt(rowOf(index));
    case Qt::AccessibleTextRole:
        return accessibleText(row);
    case Qt::ForegroundRole:
        return inkOf(row, index.column());
    case Qt::BackgroundRole:
        return fillAt(rowOf(index));
    case Qt::DecorationRole:
        return index.column() == OverlayColumn ? overlayColorAt(rowOf(index)) : QVariant();
    case PreviewRole:
        return static_cast<int>(previewAt(rowOf(index)));
    case FoundRole:
        return static_cast<int>(foundAt(rowOf(index)));
    case MarkRole:
        return index.column() == NameColumn ? shownSign(row) : QVariant();
    case Qt::FontRole:
        return fontOf(row, index.column());
    case Qt::TextAlignmentRole:
        return index.column() >= NodesColumn ? QVariant(Qt::AlignRight | Qt::AlignVCenter) : QVariant();
    case QuietRole:
        return index.column() == NameColumn ? quietText(m_content, row) : QString();
    default:
        return {};
    }
}

QVariant ScopeTreeModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole && section >= NodesColumn && section != OverlayColumn) // that one may be cut
        return QVariant(Qt::AlignRight | Qt::AlignVCenter);
    if (role == Qt::ToolTipRole && section == DiffersColumn)
        return tr("Nodes whose storage and execution scope are not the same path");
    if (role == Qt::ToolTipRole && section == OverlayColumn)
        return hasOverlay() ? toQt(m_overlay->values->about) : QString();
    if (role == Qt::ToolTipRole && section == StateColumn)
        return tr("What happens to the nodes of a row; a click on the mark ignores them, one more takes that back");
    if (role != Qt::DisplayRole)
        return {};
    switch (section) {
    case NameColumn:
        return m_content.kind == TreeKind::Execution ? tr("Execution scope") : tr("Storage scope");
    case StateColumn:
        return tr("State");
    case DiffersColumn:
        return tr("≠");
    case NodesColumn:
        return tr("Nodes");
    case ParametersColumn:
        return tr("Parameters");
    case BytesColumn:
        return tr("Size");
    case OverlayColumn:
        return m_overlay ? overlayHeader(m_overlay->kind) : QString();
    default:
        return {};
    }
}

} // namespace duo::ui
