// SPDX-License-Identifier: Apache-2.0
// ScopeTreeView: one scope tree with its filter; says what the user selects and asks for menus.
#pragma once

#include "views/trees/scope_filter.h"
#include "views/trees/scope_tree_model.h"

#include <QTreeView>

namespace duo::ui {

class ScopeTreeView : public QTreeView
{
    Q_OBJECT

public:
    explicit ScopeTreeView(TreeKind kind, QWidget* parent = nullptr);

    void setSnapshot(std::shared_ptr<const Snapshot> snapshot);
    /// Shows a selection made elsewhere without reporting it.
    void showSelection(const Selection& selection);
    void setFilter(const QString& words, bool onlyDifferences);
    [[nodiscard]] Selection currentSelection() const;

Q_SIGNALS:
    void selected(const duo::ui::Selection& selection);
    void menuRequested(const duo::ui::Selection& selection, const QPoint& globalPos);

protected:
    void changeEvent(QEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void reportSelection();
    void expandFirstLevels();

    ScopeTreeModel* m_model;
    ScopeFilter* m_filter;
    bool m_isNameWidthChosen = false; // by the user
    bool m_isFitting = false;
    bool m_isShowing = false; // a selection made elsewhere is being shown
};

} // namespace duo::ui
