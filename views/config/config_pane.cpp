// SPDX-License-Identifier: Apache-2.0
// The dock of the recipe, as a form and as text.
#include "views/config/config_view.h"
#include "views/intent/pane.h"

namespace duo::ui {
namespace {

void shows(ConfigView& view, Board& board)
{
    QObject::connect(&board, &Board::snapshotShown, &view, &ConfigView::setSnapshot);
    QObject::connect(&board, &Board::recipeShown, &view, &ConfigView::setRecipe);
    QObject::connect(&board, &Board::settingEffectsShown, &view,
        [&view](const Setting* setting, const auto& effects) { view.setEffects(*setting, effects); });
}

void asks(ConfigView& view, Board& board)
{
    QObject::connect(&view, &ConfigView::recipeEdited, &board, &Board::recipeEdited);
    QObject::connect(&view, &ConfigView::effectsWanted, &board, &Board::settingEffectsWanted);
}

} // namespace

Pane configPane()
{
    return paneOf<ConfigView>({kConfigDock, ConfigView::tr("Config"), Qt::BottomDockWidgetArea}, shows, asks);
}

} // namespace duo::ui
