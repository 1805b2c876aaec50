// SPDX-License-Identifier: Apache-2.0
#include "views/rules/rules_model.h"

#include "core/pipeline/rule_findings.h"
#include "views/rules/rule_actions.h"
#include "views/style/format.h"

#include <QFont>

#include <algorithm>

namespace duo::ui {
namespace {

QString joined(const std::vector<std::string>& names)
{
    QStringList texts;
    for (const auto& name : names)
        texts += toQt(name);
    return texts.join(QStringLiteral(", "));
}

} // namespace

QString ruleValueText(const Rule& rule)
{
    if (rule.kind == RuleKind::Subgraph)
        return joined(rule.inputs) + QStringLiteral(" → ") + joined(rule.outputs);
    const bool isScope = rule.kind == RuleKind::ExecutionScope || rule.kind == RuleKind::StorageScope;
    return rule.value.empty() && isScope ? QStringLiteral("(whole model)") : toQt(rule.value);
}

QString ruleKindLabel(RuleKind kind)
{
    return toQt(ruleKindText(kind)).replace(QLatin1Char('-'), QLatin1Char(' '));
}

RulesModel::RulesModel(QObject* parent)
    : QAbstractTableModel(parent)
    , m_theme(&lightTheme())
{
}

void RulesModel::setTheme(const Theme& theme)
{
    m_theme = &theme;
}

void RulesModel::setRules(const RuleSet& rules)
{
    if (rules == m_rules)
        return;
    m_counted.reset();
    // Rows that stay keep their selection and editors: only the differing middle is taken out and put in.
    const auto& before = m_rules.rules;
    const auto& after = rules.rules;
    const std::size_t shorter = std::min(before.size(), after.size());
    std::size_t head = 0;
    while (head < shorter && before[head] == after[head])
        ++head;
    std::size_t tail = 0;
    while (before.size() != after.size() && tail < shorter - head
        && before[before.size() - 1 - tail] == after[after.size() - 1 - tail])
        ++tail;
    const auto at = [](auto& list, std::size_t index) { return list.begin() + static_cast<std::ptrdiff_t>(index); };
    if (before.size() > after.size()) {
        const std::size_t removed = before.size() - after.size();
        const std::size_t first = before.size() - tail - removed;
        beginRemoveRows({}, static_cast<int>(first), static_cast<int>(first + removed - 1));
        m_rules.rules.erase(at(m_rules.rules, first), at(m_rules.rules, first + removed));
        endRemoveRows();
    } else if (before.size() < after.size()) {
        const std::size_t added = after.size() - before.size();
        const std::size_t first = before.size() - tail;
        beginInsertRows({}, static_cast<int>(first), static_cast<int>(first + added - 1));
        m_rules.rules.insert(at(m_rules.rules, first), at(after, first), at(after, first + added));
        endInsertRows();
    }
    m_rules = rules;
    if (!m_rules.rules.empty())
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
}

void RulesModel::setSnapshot(const std::shared_ptr<const Snapshot>& snapshot)
{
    m_counted = snapshot && snapshot->hits && snapshot->recipe.rules == m_rules ? snapshot : nullptr;
    if (!m_rules.rules.empty())
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
}

const RuleHit* RulesModel::hitAt(int row) const
{
    return m_counted ? &m_counted->hits->hits[static_cast<std::size_t>(row)] : nullptr;
}

std::vector<NodeId> RulesModel::nodesOf(int row) const
{
    const RuleHit* hit = hitAt(row);
    return hit ? hit->nodes : std::vector<NodeId>();
}

const RuleEffect* RulesModel::effectOf(int row) const
{
    return m_counted && m_counted->effects ? &(*m_counted->effects)[static_cast<std::size_t>(row)] : nullptr;
}

const std::vector<Suggestion>& RulesModel::suggestionsOf(int row) const
{
    static const std::vector<Suggestion> kNone;
    const RuleEffect* effect = effectOf(row);
    return effect ? effect->suggestions : kNone;
}

QString RulesModel::findingOf(int row) const
{
    if (effectOf(row) == nullptr)
        return {};
    return toQt(ruleFinding(matchedRules(*m_counted), static_cast<std::size_t>(row)));
}

int RulesModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rules.rules.size());
}

int RulesModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QString RulesModel::textOf(int row, int column) const
{
    const Rule& rule = ruleAt(row);
    const RuleHit* hit = hitAt(row);
    const QString unknown = rule.enabled ? QStringLiteral("…") : QStringLiteral("off");
    switch (column) {
    case ActionColumn:
        return ruleActionLabel({rule.action, rule.precision});
    case KindColumn:
        return ruleKindLabel(rule.kind);
    case ValueColumn:
        return ruleValueText(rule);
    case MatchesColumn:
        return hit && rule.enabled ? countText(static_cast<std::int64_t>(hit->nodes.size())) : unknown;
    case EffectiveColumn:
        return effectOf(row) && rule.enabled ? countText(static_cast<std::int64_t>(effectOf(row)->effective.size()))
                                             : unknown;
    case CommentColumn:
        return toQt(rule.comment);
    default:
        return {};
    }
}

QVariant RulesModel::inkOf(int row, int column) const
{
    if (!ruleAt(row).enabled)
        return m_theme->muted;
    const RuleEffect* effect = effectOf(row);
    if (!effect || (column != MatchesColumn && column != EffectiveColumn && column != ValueColumn))
        return {};
    switch (effect->verdict) {
    case RuleVerdict::Invalid:
    case RuleVerdict::MatchesNothing:
        return m_theme->bad.ink;
    case RuleVerdict::NoEffect:
        return m_theme->warning.ink;
    case RuleVerdict::Shadowed:
    case RuleVerdict::Disabled:
        return m_theme->muted;
    case RuleVerdict::Works:
        return {};
    }
    return {};
}

QVariant RulesModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid())
        return {};
    const Rule& rule = ruleAt(index.row());
    switch (role) {
    case Qt::DisplayRole:
        return textOf(index.row(), index.column());
    case Qt::EditRole:
        switch (index.column()) {
        case ActionColumn:
            return chosenAction(rule);
        case KindColumn:
            return static_cast<int>(rule.kind);
        case ValueColumn:
            return toQt(rule.value);
        default:
            return textOf(index.row(), index.column());
        }
    case Qt::CheckStateRole:
        return index.column() == ActionColumn ? QVariant(rule.enabled ? Qt::Checked : Qt::Unchecked) : QVariant();
    case Qt::ToolTipRole:
        return index.column() == ActionColumn && rule.action == RuleAction::Precision
            ? textOf(index.row(), ActionColumn)
            : findingOf(index.row());
    case Qt::ForegroundRole:
        return inkOf(index.row(), index.column());
    case Qt::TextAlignmentRole:
        return index.column() == MatchesColumn || index.column() == EffectiveColumn
            ? QVariant(Qt::AlignRight | Qt::AlignVCenter)
            : QVariant();
    default:
        return {};
    }
}

QVariant RulesModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (role == Qt::ToolTipRole && section == EffectiveColumn)
        return tr("Nodes the rule catches whose outcome would be another without any rule. "
                  "What no target rule catches stays in float besides.");
    if (role != Qt::DisplayRole)
        return {};
    if (orientation == Qt::Vertical)
        return section + 1;
    switch (section) {
    case ActionColumn:
        return tr("Action");
    case KindColumn:
        return tr("Kind");
    case ValueColumn:
        return tr("Value");
    case MatchesColumn:
        return tr("Matches");
    case EffectiveColumn:
        return tr("Effective");
    case CommentColumn:
        return tr("Comment");
    default:
        return {};
    }
}

Qt::ItemFlags RulesModel::flags(const QModelIndex& index) const
{
    if (!index.isValid())
        return Qt::NoItemFlags;
    Qt::ItemFlags flags = Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemNeverHasChildren;
    const bool isSubgraph = ruleAt(index.row()).kind == RuleKind::Subgraph;
    if (index.column() == ActionColumn)
        flags |= Qt::ItemIsUserCheckable | Qt::ItemIsEditable;
    if (index.column() == CommentColumn
        || (!isSubgraph && (index.column() == KindColumn || index.column() == ValueColumn)))
        flags |= Qt::ItemIsEditable;
    return flags;
}

bool RulesModel::setData(const QModelIndex& index, const QVariant& value, int role)
{
    if (!index.isValid() || (role != Qt::EditRole && role != Qt::CheckStateRole))
        return false;
    RuleSet wanted = m_rules;
    Rule& rule = wanted.rules[static_cast<std::size_t>(index.row())];
    QString text = tr("Change rule %1").arg(index.row() + 1);
    if (role == Qt::CheckStateRole) {
        rule.enabled = value.toInt() == Qt::Checked;
        text = (rule.enabled ? tr("Enable rule %1") : tr("Disable rule %1")).arg(index.row() + 1);
    } else if (index.column() == ActionColumn) {
        const auto choices = ruleActionChoices(rule);
        if (value.toInt() < 0 || value.toInt() >= static_cast<int>(choices.size()))
            return false;
        rule = withAction(rule, choices[static_cast<std::size_t>(value.toInt())]);
    } else if (index.column() == KindColumn) {
        rule.kind = static_cast<RuleKind>(value.toInt());
    } else if (index.column() == ValueColumn) {
        rule.value = toStd(value.toString().trimmed());
    } else if (index.column() == CommentColumn) {
        rule.comment = toStd(value.toString());
    } else {
        return false;
    }
    if (wanted == m_rules)
        return false;
    Q_EMIT editRequested(wanted, text);
    return true;
}

} // namespace duo::ui
