// SPDX-License-Identifier: Apache-2.0
// RulesView: the rules table with what is wrong with a rule, nearer spellings, and everything done to rules in it.
#pragma once

#include "views/intent/rule_intent.h"
#include "views/intent/selection.h"
#include "views/rules/rule_actions.h"
#include "views/rules/rules_model.h"

#include <QGridLayout>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QScrollArea>
#include <QTableView>
#include <QTimer>
#include <QWidget>

namespace duo::ui {

struct Pane;

class RulesView : public QWidget
{
    Q_OBJECT

public:
    explicit RulesView(QWidget* parent = nullptr);

    void setRules(const RuleSet& rules);
    void setSnapshot(const std::shared_ptr<const Snapshot>& snapshot);
    void selectRule(int row);
    void showRule(int row); // selects the row, but not what the rule catches
    [[nodiscard]] QTableView* table() const { return m_table; }
    /// High enough for all rules and what is said of them; a line where there are none.
    [[nodiscard]] QSize sizeHint() const override;

Q_SIGNALS:
    /// `mergeKey`: as Session::editRules; adding a rule and writing its value is one step.
    void editRequested(const duo::RuleSet& rules, const QString& text, const QString& mergeKey);
    void rulesIntended(const duo::ui::RuleIntent& intent); // something was dropped here
    /// What the value that is being typed would catch; none when typing ends.
    void previewed(const std::vector<duo::NodeId>& nodes);
    /// The nodes the rules selected in the table catch.
    void selected(const duo::ui::Selection& selection);

protected:
    void changeEvent(QEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override; // keys of the table
    void resizeEvent(QResizeEvent* event) override;

private:
    void makeTable();
    void requestEdit(RuleSet rules, const QString& text);
    bool handleKey(int key);
    void showMenu(const QPoint& position);
    void addPrecisionMenu(QMenu& menu, int row);
    void setAction(const RuleActionChoice& choice);
    void toggleEnabled();
    void addRule();
    void showTyped();
    void endTyping();
    void removeSelected();
    void describe();
    void showFindings(const QString& html); // "": none
    void fitFindings(); // as high as their text, but the table keeps most of the room
    void placeParts(); // without rules what is said takes the place of the table
    void useSuggestion(const QString& link);
    void reportSelection();
    [[nodiscard]] QString findingsText() const;
    [[nodiscard]] std::vector<int> selectedRows() const;

    RulesModel* m_model;
    QTableView* m_table;
    QLabel* m_findings;
    QScrollArea* m_findingsArea;
    QGridLayout* m_parts;
    QPushButton* m_add;
    QPushButton* m_remove;
    std::shared_ptr<const Snapshot> m_snapshot;
    QTimer m_typing; // until what is typed is looked at
    int m_typedRow = 0;
    QString m_typed;
    int m_newRow = -1; // a rule was asked for by "Add" and has no value yet
    int m_newRules = 0; // asked for so far
    bool m_isShowing = false;
    bool m_isNarrow = false;
    bool m_editsNewRule = false; // open its value for editing when it comes
};

/// How it stands in the window.
Pane rulesPane();

} // namespace duo::ui
