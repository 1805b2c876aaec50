// SPDX-License-Identifier: Apache-2.0
// PaletteModel: what a query in the palette found, as rows; and what can be found in a model.
#pragma once

#include "core/pipeline/snapshot/snapshot.h"
#include "views/find/palette_index.h"
#include "views/intent/selection.h"

#include <QAbstractTableModel>
#include <QAction>
#include <QPointer>

#include <memory>
#include <vector>

namespace duo::ui {

struct PaletteCommand {
    QPointer<QAction> action; // null once it is gone, as an opened model's may be while the palette is open
    QString menu; // it stands in
};

class PaletteModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum Column { NameColumn, AboutColumn, KindColumn, ColumnCount };
    static constexpr std::size_t kMostRows = 100;

    using QAbstractTableModel::QAbstractTableModel;

    /// Null: nothing but commands can be found. Looks at its names once they are searched.
    /// @return what was found is of other scopes, or other rules, and therefore forgotten
    bool setSnapshot(const std::shared_ptr<const Snapshot>& snapshot);
    bool setRules(const RuleSet& rules);
    void setCommands(const std::vector<PaletteCommand>& commands);
    void find(const QString& query);

    [[nodiscard]] std::size_t found() const { return m_hits.total; } // also those that are no rows
    [[nodiscard]] PaletteItem itemAt(int row) const { return m_hits.items[static_cast<std::size_t>(row)]; }
    [[nodiscard]] QAction* actionOf(const PaletteItem& item) const; // of a command, unless it is gone
    [[nodiscard]] bool isGone(const PaletteItem& item) const; // a command whose action is
    /// What going to an item selects; nothing of commands and rules.
    [[nodiscard]] Selection selectionOf(const PaletteItem& item) const;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;

private:
    struct Type {
        std::string name;
        std::int64_t nodes = 0;
    };
    void indexModel();
    void putOffDisabled();
    void forgetHits();
    [[nodiscard]] QString nameOf(const PaletteItem& item) const;
    [[nodiscard]] QString aboutOf(const PaletteItem& item) const;
    [[nodiscard]] const Scope& scopeOf(const PaletteItem& item) const;

    std::shared_ptr<const Snapshot> m_snapshot;
    RuleSet m_rules;
    std::vector<PaletteCommand> m_commands;
    std::vector<Type> m_types; // of the model
    PaletteIndex m_ofModel;
    PaletteIndex m_ofWindow; // commands and rules
    bool m_isModelIndexed = false;
    PaletteHits m_hits;
};

} // namespace duo::ui
