// SPDX-License-Identifier: Apache-2.0
// RulesView: the rules table with what is wrong with a rule, nearer spellings, and adding and removing.
#pragma once

#include "views/intent/selection.h"
#include "views/rules/rules_model.h"

#include <QLabel>
#include <QPushButton>
#include <QTableView>
#include <QWidget>

namespace duo::ui {

class RulesView : public QWidget
{
    Q_OBJECT

public:
    explicit RulesView(QWidget* parent = nullptr);

    void setRules(const RuleSet& rules);
    void setSnapshot(const std::shared_ptr<const Snapshot>& snapshot);
    void selectRule(int row);
    [[nodiscard]] QTableView* table() const { return m_table; }

Q_SIGNALS:
    void editRequested(const duo::RuleSet& rules, const QString& text);
    /// The nodes the rules selected in the table catch.
    void selected(const duo::ui::Selection& selection);

protected:
    void changeEvent(QEvent* event) override;

private:
    void addRule();
    void removeSelected();
    void describe();
    void useSuggestion(const QString& link);
    void reportSelection();
    [[nodiscard]] QString findingsText() const;
    [[nodiscard]] std::vector<int> selectedRows() const;

    RulesModel* m_model;
    QTableView* m_table;
    QLabel* m_findings;
    QPushButton* m_add;
    QPushButton* m_remove;
    bool m_editsNewRule = false; // a rule was asked for by "Add": open its value for editing when it comes
};

} // namespace duo::ui
