// SPDX-License-Identifier: Apache-2.0
#include "views/trees/scope_tree_model.h"

#include "views/style/format.h"
#include "views/style/scope_text.h"

#include <algorithm>
#include <utility>

namespace duo::ui {
namespace {

/// "conv" of "/layer1/0/conv": names are long, their last part tells nodes of one scope apart.
QString lastPart(const std::string& name)
{
    const auto slash = name.find_last_of('/');
    return toQt(slash == std::string::npos || slash + 1 == name.size() ? name : name.substr(slash + 1));
}

QString dimsText(const Tensor& tensor)
{
    QStringList dims;
    for (const auto dim : tensor.dims)
        dims += QString::number(dim);
    return QLatin1Char('[') + dims.join(QStringLiteral(", ")) + QLatin1Char(']');
}

} // namespace

ScopeTreeModel::ScopeTreeModel(TreeKind kind, QObject* parent)
    : QAbstractItemModel(parent)
    , m_kind(kind)
    , m_theme(&lightTheme())
{
}

void ScopeTreeModel::setTheme(const Theme& theme)
{
    m_theme = &theme; // colours are asked for when painting
}

void ScopeTreeModel::setSnapshot(std::shared_ptr<const Snapshot> snapshot)
{
    if (snapshot && m_snapshot && snapshot->scopes == m_snapshot->scopes) {
        const auto old = std::exchange(m_snapshot, std::move(snapshot));
        const auto before = std::exchange(m_counts, currentCounts());
        announceChanges(before, *old);
        return;
    }
    beginResetModel();
    m_snapshot = std::move(snapshot);
    m_rows.clear();
    if (m_snapshot && m_snapshot->scopes)
        m_rows = makeScopeRows(treeOf(*m_snapshot->scopes, m_kind), m_kind, runOrder(*m_snapshot->model));
    indexRows();
    m_counts = currentCounts();
    endResetModel();
}

void ScopeTreeModel::indexRows()
{
    m_rowOfScope.clear();
    m_rowsOfNode.clear();
    m_facts = {};
    if (m_rows.empty())
        return;
    m_facts = findScopeFacts(*m_snapshot->scopes, m_kind);
    m_rowOfScope.assign(treeOf(*m_snapshot->scopes, m_kind).scopes.size(), 0);
    for (std::size_t i = 0; i < m_rows.size(); ++i) {
        if (m_rows[i].kind == ScopeRow::Kind::Scope)
            m_rowOfScope[m_rows[i].scope.index] = i;
        else if (m_rows[i].kind == ScopeRow::Kind::Node)
            m_rowsOfNode[m_rows[i].node].push_back(i);
    }
}

std::vector<StateCounts> ScopeTreeModel::currentCounts() const
{
    if (m_rows.empty())
        return {};
    return countStates(treeOf(*m_snapshot->scopes, m_kind), m_snapshot->placement.get());
}

void ScopeTreeModel::announceChanges(const std::vector<StateCounts>& before, const Snapshot& old)
{
    const auto isChanged = [&](const ScopeRow& row) {
        if (row.kind == ScopeRow::Kind::Scope)
            return before[row.scope.index] != m_counts[row.scope.index];
        if (row.kind == ScopeRow::Kind::Parameter || !old.placement || !m_snapshot->placement)
            return old.placement != m_snapshot->placement;
        return old.placement->decisions[row.node.index] != m_snapshot->placement->decisions[row.node.index];
    };
    for (std::size_t i = 0; i < m_rows.size(); ++i) {
        if (!isChanged(m_rows[i]))
            continue;
        std::size_t last = i;
        while (last + 1 < m_rows.size() && m_rows[last + 1].parent == m_rows[i].parent && isChanged(m_rows[last + 1]))
            ++last;
        Q_EMIT dataChanged(indexOfRow(i), indexOfRow(last, ColumnCount - 1));
        i = last;
    }
}

const ScopeRow& ScopeTreeModel::rowOf(const QModelIndex& index) const
{
    return m_rows[static_cast<std::size_t>(index.internalId())];
}

const Scope& ScopeTreeModel::scopeOf(const ScopeRow& row) const
{
    return treeOf(*m_snapshot->scopes, m_kind).scope(row.scope);
}

QModelIndex ScopeTreeModel::indexOfRow(std::size_t row, int column) const
{
    return createIndex(m_rows[row].row, column, static_cast<quintptr>(row));
}

QModelIndex ScopeTreeModel::index(int row, int column, const QModelIndex& parent) const
{
    if (!hasIndex(row, column, parent))
        return {};
    if (!parent.isValid())
        return indexOfRow(0, column);
    return indexOfRow(rowOf(parent).firstChild + static_cast<std::size_t>(row), column);
}

QModelIndex ScopeTreeModel::parent(const QModelIndex& child) const
{
    if (!child.isValid() || rowOf(child).parent < 0)
        return {};
    return indexOfRow(static_cast<std::size_t>(rowOf(child).parent));
}

int ScopeTreeModel::rowCount(const QModelIndex& parent) const
{
    if (!parent.isValid())
        return m_rows.empty() ? 0 : 1;
    return parent.column() == 0 ? static_cast<int>(rowOf(parent).children) : 0;
}

int ScopeTreeModel::columnCount(const QModelIndex&) const
{
    return ColumnCount;
}

std::vector<NodeId> ScopeTreeModel::readersOf(const ScopeRow& row) const
{
    const auto found = m_facts.readers.find(scopeOf(row).keys[row.key]);
    return found == m_facts.readers.end() ? std::vector<NodeId>() : found->second;
}

Selection ScopeTreeModel::selectionAt(const QModelIndex& index) const
{
    if (!index.isValid())
        return {};
    const ScopeRow& row = rowOf(index);
    switch (row.kind) {
    case ScopeRow::Kind::Scope:
        return selectScope(*m_snapshot->scopes, m_kind, row.scope);
    case ScopeRow::Kind::Node:
        return selectNode(row.node);
    case ScopeRow::Kind::Parameter:
        return selectNodes(readersOf(row));
    }
    return {};
}

QModelIndexList ScopeTreeModel::indexesOf(const Selection& selection) const
{
    if (m_rows.empty())
        return {};
    if (selection.scope && selection.scope->tree == m_kind)
        return {indexOfRow(m_rowOfScope[selection.scope->scope.index])};
    const Cover cover
        = coverNodes(treeOf(*m_snapshot->scopes, m_kind), selection.nodes, m_snapshot->scopes->nodes.size());
    // One node that is all of its scope is shown as the node: that is what was pointed at.
    const bool isSingle = !selection.scope && selection.nodes.size() == 1;
    std::vector<std::size_t> rows;
    for (const ScopeId scope : cover.scopes) {
        if (!isSingle)
            rows.push_back(m_rowOfScope[scope.index]);
    }
    const auto addRows = [&](NodeId node) {
        if (const auto found = m_rowsOfNode.find(node); found != m_rowsOfNode.end())
            rows.insert(rows.end(), found->second.begin(), found->second.end());
    };
    if (isSingle)
        addRows(selection.nodes.front());
    for (const auto& [scope, node] : cover.nodes) {
        if (!isSingle)
            addRows(node);
    }
    std::sort(rows.begin(), rows.end());
    rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
    QModelIndexList indexes;
    for (const std::size_t row : rows)
        indexes += indexOfRow(row);
    return indexes;
}

const Decision* ScopeTreeModel::decisionOf(NodeId node) const
{
    return m_snapshot->placement ? &m_snapshot->placement->decisions[node.index] : nullptr;
}

const Tensor* ScopeTreeModel::tensorOf(const ScopeRow& row) const
{
    const Model& model = *m_snapshot->model;
    const ValueId value = model.findValue(scopeOf(row).keys[row.key]);
    return value.valid() ? model.constant(value) : nullptr;
}

QString ScopeTreeModel::nameOf(const ScopeRow& row) const
{
    const Scope& scope = scopeOf(row);
    const Model& model = *m_snapshot->model;
    switch (row.kind) {
    case ScopeRow::Kind::Scope:
        break;
    case ScopeRow::Kind::Node: {
        const Node& node = model.node(row.node);
        const QString type = toQt(node.opType);
        const QString name = lastPart(node.name);
        return name.startsWith(type) ? name : QStringLiteral("%1 (%2)").arg(name, type);
    }
    case ScopeRow::Kind::Parameter: {
        const std::string& key = scope.keys[row.key];
        const auto dot = key.find_last_of('.');
        const QString name = toQt(dot == std::string::npos ? key : key.substr(dot + 1));
        const Tensor* tensor = tensorOf(row);
        return tensor ? name + QLatin1Char(' ') + dimsText(*tensor) : name;
    }
    }
    QString name = toQt(scope.name);
    if (!scope.parent.valid())
        name = model.path.empty() ? QStringLiteral("(model)") : pathText(model.path.stem());
    if (!scope.className.empty())
        name += QStringLiteral(" · ") + toQt(scope.className);
    if (m_kind == TreeKind::Storage && scope.calls > 1)
        name += QStringLiteral(" ×%1").arg(scope.calls);
    return name;
}

QString ScopeTreeModel::stateOf(const ScopeRow& row) const
{
    if (row.kind == ScopeRow::Kind::Node) {
        const Decision* decision = decisionOf(row.node);
        return decision ? stateMark(decision->state) + QLatin1Char(' ') + stateLabel(decision->state) : QString();
    }
    if (m_kind == TreeKind::Storage && m_facts.neverExecuted[row.scope.index])
        return QStringLiteral("never executed");
    if (row.kind == ScopeRow::Kind::Parameter)
        return readersOf(row).empty() ? QStringLiteral("not read") : QString();
    return countsLabel(m_counts[row.scope.index]);
}

QString ScopeTreeModel::textOf(const ScopeRow& row, int column) const
{
    const bool isScope = row.kind == ScopeRow::Kind::Scope;
    const Scope& scope = scopeOf(row);
    const Tensor* tensor = row.kind == ScopeRow::Kind::Parameter ? tensorOf(row) : nullptr;
    switch (column) {
    case NameColumn:
        return nameOf(row);
    case StateColumn:
        return stateOf(row);
    case DiffersColumn:
        if (isScope)
            return m_facts.differing[row.scope.index] > 0
                ? QStringLiteral("≠ ") + countText(m_facts.differing[row.scope.index])
                : QString();
        return row.kind == ScopeRow::Kind::Node && m_snapshot->scopes->nodes[row.node.index].differs
            ? QStringLiteral("≠")
            : QString();
    case NodesColumn:
        if (row.kind == ScopeRow::Kind::Parameter)
            return countText(static_cast<std::int64_t>(readersOf(row).size()));
        return isScope ? countText(scope.totalNodes) : QString();
    case ParametersColumn:
        return isScope && scope.totalParameters > 0 ? countText(scope.totalParameters)
            : tensor                                ? countText(tensor->elements())
                                                    : QString();
    case BytesColumn:
        return isScope && scope.totalBytes > 0 ? bytesText(scope.totalBytes)
            : tensor                           ? bytesText(static_cast<std::int64_t>(tensor->bytes().size()))
                                               : QString();
    default:
        return {};
    }
}

QString ScopeTreeModel::toolTipOf(const ScopeRow& row) const
{
    const Scope& scope = scopeOf(row);
    if (row.kind == ScopeRow::Kind::Parameter)
        return QStringLiteral("%1\nread by %2")
            .arg(toQt(scope.keys[row.key]))
            .arg(nodesText(static_cast<std::int64_t>(readersOf(row).size())));
    if (row.kind == ScopeRow::Kind::Scope) {
        QString text = scopeLabel(scope.path);
        if (m_facts.differing[row.scope.index] > 0)
            text += QStringLiteral("\n%1 here run and live in different scopes")
                        .arg(nodesText(m_facts.differing[row.scope.index]));
        return text;
    }
    const NodeScope& facts = m_snapshot->scopes->nodes[row.node.index];
    QStringList lines = {toQt(m_snapshot->model->node(row.node).name)};
    if (const Decision* decision = decisionOf(row.node); decision && !decision->reason.empty())
        lines += stateLabel(decision->state) + QStringLiteral(": ") + toQt(decision->reason);
    if (facts.differs)
        lines += differenceSentence(facts);
    return lines.join(QLatin1Char('\n'));
}

QString ScopeTreeModel::searchTextOf(const ScopeRow& row) const
{
    if (row.kind == ScopeRow::Kind::Node) {
        const Node& node = m_snapshot->model->node(row.node);
        return toQt(node.name) + QLatin1Char(' ') + toQt(node.opType);
    }
    const Scope& scope = scopeOf(row);
    if (row.kind == ScopeRow::Kind::Parameter)
        return toQt(scope.keys[row.key]);
    return toQt(scope.path) + QLatin1Char(' ') + toQt(scope.className);
}

QVariant ScopeTreeModel::inkOf(const ScopeRow& row, int column) const
{
    if (column == DiffersColumn)
        return m_theme->warning.ink;
    if (column != StateColumn)
        return row.kind == ScopeRow::Kind::Parameter ? QVariant(m_theme->muted) : QVariant();
    if (row.kind == ScopeRow::Kind::Node) {
        const Decision* decision = decisionOf(row.node);
        return decision ? QVariant(stateShade(*m_theme, decision->state).ink) : QVariant();
    }
    return row.kind == ScopeRow::Kind::Scope ? QVariant(countsShade(*m_theme, m_counts[row.scope.index]).ink)
                                             : QVariant(m_theme->muted);
}

QVariant ScopeTreeModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid())
        return {};
    const ScopeRow& row = rowOf(index);
    switch (role) {
    case Qt::DisplayRole:
        return textOf(row, index.column());
    case Qt::ToolTipRole:
        return toolTipOf(row);
    case Qt::AccessibleTextRole:
        return textOf(row, NameColumn) + QStringLiteral(", ") + textOf(row, StateColumn);
    case Qt::ForegroundRole:
        return inkOf(row, index.column());
    case Qt::TextAlignmentRole:
        return index.column() >= NodesColumn ? QVariant(Qt::AlignRight | Qt::AlignVCenter) : QVariant();
    case SearchRole:
        return searchTextOf(row);
    case DiffersRole:
        return row.kind == ScopeRow::Kind::Node && m_snapshot->scopes->nodes[row.node.index].differs;
    default:
        return {};
    }
}

QVariant ScopeTreeModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole && section >= NodesColumn)
        return QVariant(Qt::AlignRight | Qt::AlignVCenter);
    if (role == Qt::ToolTipRole && section == DiffersColumn)
        return tr("Nodes whose storage and execution scope are not the same path");
    if (role != Qt::DisplayRole)
        return {};
    switch (section) {
    case NameColumn:
        return m_kind == TreeKind::Execution ? tr("Execution scope") : tr("Storage scope");
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
    default:
        return {};
    }
}

} // namespace duo::ui
