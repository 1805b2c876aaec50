// SPDX-License-Identifier: Apache-2.0
// ScopeTreesPanel: both trees side by side; selecting in one shows the counterpart in the other.
#pragma once

#include "views/intent/rule_intent.h"
#include "views/trees/counterparts.h"
#include "views/trees/link_gutter.h"
#include "views/trees/mark_bar.h"
#include "views/trees/scope_tree_view.h"
#include "views/trees/trees_ahead.h"

#include <QCheckBox>
#include <QLabel>
#include <QLineEdit>
#include <QTimer>
#include <QWidget>

namespace duo::ui {

struct Pane;

class ScopeTreesPanel : public QWidget
{
    Q_OBJECT

public:
    explicit ScopeTreesPanel(QWidget* parent = nullptr);

    void setTypes(const std::shared_ptr<const ValueTypes>& types); // for a filter by shapes
    void setSnapshot(std::shared_ptr<const Snapshot> snapshot); // another model ends the filter
    /// Who opens a model may make there what setSnapshot() takes then.
    [[nodiscard]] const std::shared_ptr<TreesAhead>& ahead() const { return m_ahead; }
    void setSelection(const Selection& selection);
    void setPreview(const std::vector<NodeId>& nodes); // marked in both trees; none: nothing is
    void setFound(const FoundMarks* marks); // by a search; null: nothing
    void setOverlay(const std::shared_ptr<const ShownOverlay>& overlay); // as a column of both trees; null: none
    void setMarks(const std::shared_ptr<const ShownMarks>& marks); // signs in both trees, and the bar that counts
    void focusFilter();
    /// From the row last used to its counterpart in the other tree; Counterparts::step.
    QString goToCounterpart(bool isForward);
    [[nodiscard]] ScopeTreeView* tree(TreeKind kind) const
    {
        return kind == TreeKind::Execution ? m_execution : m_storage;
    }

Q_SIGNALS:
    void selected(const duo::ui::Selection& selection);
    void rulesIntended(const duo::ui::RuleIntent& intent);
    void marksIntended(const duo::ui::MarkIntent& intent);

private:
    void select(const Selection& selection, ScopeTreeView* from);
    void showMenu(const Selection& selection, const QPoint& globalPos);
    void addMarkEntries(QMenu& menu);
    void toggleModule(std::uint32_t module);
    void toggleIgnored(const Selection& selection);
    void applyFilter();
    void filterOn();
    void clearFilter();
    void joinRows();
    [[nodiscard]] LinkGutter::Sight look() const;
    void describe();

    std::shared_ptr<const Snapshot> m_snapshot;
    std::shared_ptr<TreesAhead> m_ahead = std::make_shared<TreesAhead>();
    Selection m_selection;
    QLineEdit* m_filter;
    QCheckBox* m_onlyDifferences;
    QCheckBox* m_withConstants;
    QCheckBox* m_marking;
    ScopeTreeView* m_execution;
    ScopeTreeView* m_storage;
    LinkSplitter* m_splitter;
    QLabel* m_summary;
    MarkBar* m_markBar;
    std::shared_ptr<const ShownMarks> m_marks; // null: none
    ScopeTreeView* m_active; // used last
    Counterparts m_counterparts;
    QTimer m_filterDelay;
    QTimer m_filterStep; // on while the filter is being applied
    QString m_filterProblem; // "": none
};

/// How it stands in the window.
Pane scopesPane();

} // namespace duo::ui
