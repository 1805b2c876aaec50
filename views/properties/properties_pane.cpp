// SPDX-License-Identifier: Apache-2.0
// The dock of what is known about the selection.
#include "views/intent/pane.h"
#include "views/properties/properties_view.h"

namespace duo::ui {
namespace {

void shows(PropertiesView& view, Board& board)
{
    QObject::connect(&board, &Board::snapshotShown, &view, &PropertiesView::setSnapshot);
    QObject::connect(&board, &Board::typesShown, &view, &PropertiesView::setTypes);
    QObject::connect(&board, &Board::runShown, &view, &PropertiesView::setRun);
    QObject::connect(&board, &Board::selectionShown, &view, &PropertiesView::setSelection);
    QObject::connect(&board, &Board::nodeRunsShown, &view, &PropertiesView::setRuns);
}

void asks(PropertiesView& view, Board& board)
{
    QObject::connect(&view, &PropertiesView::selected, &board, &Board::selected);
    QObject::connect(&view, &PropertiesView::rulesIntended, &board, &Board::rulesIntended);
    QObject::connect(&view, &PropertiesView::ruleRequested, &board, &Board::ruleRequested);
}

} // namespace

Pane propertiesPane()
{
    return paneOf<PropertiesView>(
        {kPropertiesDock, PropertiesView::tr("Properties"), Qt::RightDockWidgetArea}, shows, asks);
}

} // namespace duo::ui
