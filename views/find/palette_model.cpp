// SPDX-License-Identifier: Apache-2.0
#include "views/find/palette_model.h"

#include "views/style/format.h"
#include "views/style/scope_text.h"
#include "views/style/state_style.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>

namespace duo::ui {
namespace {

QString kindText(PaletteKind kind)
{
    switch (kind) {
    case PaletteKind::Command:
        return PaletteModel::tr("command");
    case PaletteKind::ExecutionScope:
        return PaletteModel::tr("execution scope");
    case PaletteKind::StorageScope:
        return PaletteModel::tr("storage scope");
    case PaletteKind::Type:
        return PaletteModel::tr("operator");
    case PaletteKind::Rule:
        return PaletteModel::tr("rule");
    case PaletteKind::Node:
        return PaletteModel::tr("node");
    }
    return {};
}

/// "&Quit" -> "Quit", "A && B" -> "A & B"
QString withoutMnemonic(QString text)
{
    const QChar mark(0x1);
    text.replace(QLatin1String("&&"), mark);
    text.remove(QLatin1Char('&'));
    return text.replace(mark, QLatin1Char('&'));
}

QString commandText(const PaletteCommand& command)
{
    return QStringLiteral("%1: %2").arg(withoutMnemonic(command.menu), withoutMnemonic(command.action->text()));
}

/// Without what an action adds to its name: the change that "Undo: Ignore Conv" takes back is no command.
QString searchedText(const PaletteCommand& command)
{
    const QString name = command.action->iconText();
    const bool isLonger = withoutMnemonic(command.action->text()).startsWith(name + QLatin1Char(':'));
    return isLonger ? QStringLiteral("%1: %2").arg(withoutMnemonic(command.menu), name) : commandText(command);
}

TreeKind treeKindOf(const PaletteItem& item)
{
    return item.kind == PaletteKind::StorageScope ? TreeKind::Storage : TreeKind::Execution;
}

} // namespace

bool PaletteModel::setSnapshot(const std::shared_ptr<const Snapshot>& snapshot)
{
    const bool isSame = m_snapshot && snapshot && m_snapshot->scopes == snapshot->scopes;
    if (!isSame)
        forgetHits();
    m_snapshot = snapshot;
    m_isModelIndexed = m_isModelIndexed && isSame;
    return !isSame;
}

bool PaletteModel::setRules(const RuleSet& rules)
{
    if (rules == m_rules)
        return false;
    forgetHits();
    m_rules = rules;
    return true;
}

void PaletteModel::forgetHits()
{
    beginResetModel();
    m_hits = {};
    endResetModel();
}

void PaletteModel::setCommands(const std::vector<PaletteCommand>& commands)
{
    m_commands = commands;
    m_ofWindow.clear();
    for (std::uint32_t i = 0; i < m_commands.size(); ++i)
        m_ofWindow.add({PaletteKind::Command, i}, toStd(searchedText(m_commands[i])));
    for (std::uint32_t i = 0; i < m_rules.rules.size(); ++i)
        m_ofWindow.add({PaletteKind::Rule, i}, ruleText(m_rules.rules[i]));
}

void PaletteModel::indexModel()
{
    m_isModelIndexed = true;
    m_ofModel.clear();
    m_types.clear();
    if (!m_snapshot || !m_snapshot->scopes)
        return;
    for (const auto& [kind, tree] : {std::pair(PaletteKind::ExecutionScope, &m_snapshot->scopes->execution),
             {PaletteKind::StorageScope, &m_snapshot->scopes->storage}}) {
        for (std::uint32_t i = 1; i < tree->scopes.size(); ++i) // the root has no name
            m_ofModel.add({kind, i}, tree->scopes[i].path);
    }
    std::map<std::string_view, std::int64_t> types;
    const auto& nodes = m_snapshot->model->nodes;
    for (std::uint32_t i = 0; i < nodes.size(); ++i) {
        ++types[nodes[i].opType];
        m_ofModel.add({PaletteKind::Node, i}, nodes[i].name);
    }
    for (const auto& [name, count] : types) {
        m_ofModel.add({PaletteKind::Type, static_cast<std::uint32_t>(m_types.size())}, name);
        m_types.push_back({std::string(name), count});
    }
}

void PaletteModel::find(const QString& query)
{
    if (!m_isModelIndexed)
        indexModel();
    beginResetModel();
    m_hits = findInPalette(std::array<const PaletteIndex*, 2>{&m_ofWindow, &m_ofModel}, toStd(query), kMostRows);
    std::erase_if(m_hits.items, [this](const PaletteItem& item) { return isGone(item); });
    putOffDisabled();
    endResetModel();
}

/// Commands that cannot be run now come behind those that can, in the places of commands.
void PaletteModel::putOffDisabled()
{
    std::vector<PaletteItem> commands;
    std::ranges::copy_if(m_hits.items, std::back_inserter(commands),
        [this](const PaletteItem& item) { return actionOf(item) != nullptr; });
    std::ranges::stable_partition(commands, [this](const PaletteItem& item) { return actionOf(item)->isEnabled(); });
    auto next = commands.begin();
    for (PaletteItem& item : m_hits.items) {
        if (actionOf(item) != nullptr)
            item = *next++;
    }
}

QAction* PaletteModel::actionOf(const PaletteItem& item) const
{
    return item.kind == PaletteKind::Command ? m_commands[item.index].action.data() : nullptr;
}

bool PaletteModel::isGone(const PaletteItem& item) const
{
    return item.kind == PaletteKind::Command && actionOf(item) == nullptr;
}

Selection PaletteModel::selectionOf(const PaletteItem& item) const
{
    switch (item.kind) {
    case PaletteKind::ExecutionScope:
    case PaletteKind::StorageScope:
        return selectScope(*m_snapshot->scopes, treeKindOf(item), ScopeId{item.index});
    case PaletteKind::Node:
        return selectNode(NodeId{item.index});
    case PaletteKind::Type: {
        std::vector<NodeId> nodes;
        for (std::uint32_t i = 0; i < m_snapshot->model->nodes.size(); ++i) {
            if (m_snapshot->model->nodes[i].opType == m_types[item.index].name)
                nodes.push_back(NodeId{i});
        }
        return selectNodes(std::move(nodes));
    }
    case PaletteKind::Command:
    case PaletteKind::Rule:
        break;
    }
    return {};
}

const Scope& PaletteModel::scopeOf(const PaletteItem& item) const
{
    return treeOf(*m_snapshot->scopes, treeKindOf(item)).scope(ScopeId{item.index});
}

QString PaletteModel::nameOf(const PaletteItem& item) const
{
    switch (item.kind) {
    case PaletteKind::Command:
        return commandText(m_commands[item.index]);
    case PaletteKind::ExecutionScope:
    case PaletteKind::StorageScope:
        return scopeLabel(scopeOf(item).path);
    case PaletteKind::Type:
        return toQt(m_types[item.index].name);
    case PaletteKind::Rule:
        return toQt(ruleText(m_rules.rules[item.index]));
    case PaletteKind::Node:
        return toQt(m_snapshot->model->nodes[item.index].name);
    }
    return {};
}

QString PaletteModel::aboutOf(const PaletteItem& item) const
{
    switch (item.kind) {
    case PaletteKind::Command: {
        const QAction* action = m_commands[item.index].action;
        return action->isEnabled() ? action->shortcut().toString(QKeySequence::NativeText) : tr("not now");
    }
    case PaletteKind::ExecutionScope:
    case PaletteKind::StorageScope:
        return nodesText(scopeOf(item).totalNodes);
    case PaletteKind::Type:
        return nodesText(m_types[item.index].nodes);
    case PaletteKind::Rule:
        return m_rules.rules[item.index].enabled ? QString() : tr("off");
    case PaletteKind::Node: {
        const QString type = toQt(m_snapshot->model->nodes[item.index].opType);
        const auto& placement = m_snapshot->placement;
        return placement ? QStringLiteral("%1, %2").arg(type, stateLabel(placement->decisions[item.index])) : type;
    }
    }
    return {};
}

int PaletteModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_hits.items.size());
}

int PaletteModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant PaletteModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || (role != Qt::DisplayRole && role != Qt::ToolTipRole))
        return {};
    const PaletteItem item = itemAt(index.row());
    if (isGone(item))
        return {};
    if (role == Qt::ToolTipRole)
        return item.kind == PaletteKind::Command ? m_commands[item.index].action->statusTip() : nameOf(item);
    switch (static_cast<Column>(index.column())) {
    case NameColumn:
        return nameOf(item);
    case AboutColumn:
        return aboutOf(item);
    case KindColumn:
        return kindText(item.kind);
    case ColumnCount:
        break;
    }
    return {};
}

} // namespace duo::ui
