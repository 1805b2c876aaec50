// SPDX-License-Identifier: Apache-2.0
// The dock of the two scope trees.
#include "views/intent/pane.h"
#include "views/trees/scope_trees_panel.h"

namespace duo::ui {
namespace {

void shows(ScopeTreesPanel& panel, Board& board)
{
    QObject::connect(&board, &Board::snapshotShown, &panel, &ScopeTreesPanel::setSnapshot);
    QObject::connect(&board, &Board::typesShown, &panel, &ScopeTreesPanel::setTypes);
    QObject::connect(&board, &Board::selectionShown, &panel, &ScopeTreesPanel::setSelection);
    QObject::connect(&board, &Board::previewed, &panel, &ScopeTreesPanel::setPreview);
    QObject::connect(&board, &Board::overlayShown, &panel, &ScopeTreesPanel::setOverlay);
    QObject::connect(&board, &Board::marksShown, &panel, &ScopeTreesPanel::setMarks);
    QObject::connect(&board, &Board::foundShown, &panel,
        [&panel](const std::shared_ptr<const FoundMarks>& marks) { panel.setFound(marks.get()); });
    QObject::connect(&board, &Board::focusRequested, &panel, [&panel] { panel.tree(TreeKind::Execution)->setFocus(); });
}

void asks(ScopeTreesPanel& panel, Board& board)
{
    QObject::connect(&panel, &ScopeTreesPanel::selected, &board, &Board::selected);
    QObject::connect(&panel, &ScopeTreesPanel::rulesIntended, &board, &Board::rulesIntended);
    QObject::connect(&panel, &ScopeTreesPanel::marksIntended, &board, &Board::marksIntended);
    QObject::connect(&board, &Board::filterRequested, &panel, [&] {
        Q_EMIT board.paneRequested(kScopesDock);
        panel.focusFilter();
    });
    QObject::connect(&board, &Board::counterpartRequested, &panel, [&](bool isForward) {
        Q_EMIT board.paneRequested(kScopesDock);
        Q_EMIT board.said(panel.goToCounterpart(isForward));
    });
}

} // namespace

Pane scopesPane()
{
    Pane pane
        = paneOf<ScopeTreesPanel>({kScopesDock, ScopeTreesPanel::tr("Scopes"), Qt::LeftDockWidgetArea}, shows, asks);
    pane.ahead = [](QWidget& made) -> MakesAhead {
        return [ahead = static_cast<ScopeTreesPanel&>(made).ahead()](const auto& snapshot) { ahead->make(snapshot); };
    };
    return pane;
}

} // namespace duo::ui
