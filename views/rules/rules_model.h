// SPDX-License-Identifier: Apache-2.0
// RulesModel: the rules as an editable table with live counts. An edit is only asked for; the owner of the rules
// answers with setRules.
#pragma once

#include "core/pipeline/snapshot/snapshot.h"
#include "views/style/theme.h"

#include <QAbstractTableModel>

#include <memory>
#include <vector>

namespace duo::ui {

class RulesModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum Column { ActionColumn, KindColumn, ValueColumn, MatchesColumn, EffectiveColumn, CommentColumn, ColumnCount };

    explicit RulesModel(QObject* parent = nullptr);

    /// The rules wanted; counts stay unknown until a snapshot made with them comes.
    void setRules(const RuleSet& rules);
    /// Null forgets the counts. A snapshot of other rules than the wanted ones is ignored.
    void setSnapshot(const std::shared_ptr<const Snapshot>& snapshot);
    void setTheme(const Theme& theme);

    [[nodiscard]] const RuleSet& rules() const { return m_rules; }
    /// How a rule fares, one sentence; empty if there is nothing to say.
    [[nodiscard]] QString findingOf(int row) const;
    [[nodiscard]] const std::vector<Suggestion>& suggestionsOf(int row) const;
    /// What a rule changes; null until that is known.
    [[nodiscard]] const RuleEffect* effectOf(int row) const;
    [[nodiscard]] std::vector<NodeId> nodesOf(int row) const;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;

Q_SIGNALS:
    void editRequested(const duo::RuleSet& rules, const QString& text);

private:
    [[nodiscard]] const Rule& ruleAt(int row) const { return m_rules.rules[static_cast<std::size_t>(row)]; }
    [[nodiscard]] const RuleHit* hitAt(int row) const;
    [[nodiscard]] QVariant inkOf(int row, int column) const;
    [[nodiscard]] QString textOf(int row, int column) const;

    RuleSet m_rules;
    const Theme* m_theme;
    std::shared_ptr<const Snapshot> m_counted; // of m_rules and with hits, or null
};

/// What a subgraph rule is about, "subgraph a, b → c"; other kinds: their value.
QString ruleValueText(const Rule& rule);
/// "execution scope": a kind as people read it.
QString ruleKindLabel(RuleKind kind);

} // namespace duo::ui
