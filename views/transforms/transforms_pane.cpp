// SPDX-License-Identifier: Apache-2.0
// The dock of what simplifies the model before anything is placed.
#include "views/intent/pane.h"
#include "views/transforms/transforms_view.h"

namespace duo::ui {
namespace {

void shows(TransformsView& view, Board& board)
{
    QObject::connect(&board, &Board::snapshotShown, &view, &TransformsView::setSnapshot);
    QObject::connect(&board, &Board::recipeShown, &view, &TransformsView::setRecipe);
    QObject::connect(&board, &Board::selectionShown, &view, &TransformsView::setSelection);
    QObject::connect(&board, &Board::transformsForeseen, &view, &TransformsView::setPreview);
    QObject::connect(&board, &Board::halvesShown, &view, &TransformsView::setHalves);
}

void asks(TransformsView& view, Board& board)
{
    QObject::connect(&view, &TransformsView::recipeEdited, &board,
        [&board](const Recipe& recipe, const QString& text) { Q_EMIT board.recipeEdited(recipe, text, {}); });
    QObject::connect(&view, &TransformsView::previewRequested, &board, &Board::transformsWanted);
    QObject::connect(&view, &TransformsView::selected, &board, &Board::selected);
    QObject::connect(&view, &TransformsView::told, &board, &Board::said);
}

} // namespace

Pane transformsPane()
{
    return paneOf<TransformsView>(
        {kTransformsDock, TransformsView::tr("Transforms"), Qt::BottomDockWidgetArea}, shows, asks);
}

} // namespace duo::ui
