// SPDX-License-Identifier: Apache-2.0
// The dock of what a parameter holds.
#include "views/intent/pane.h"
#include "views/parameter/parameter_view.h"

namespace duo::ui {
namespace {

void shows(ParameterView& view, Board& board)
{
    QObject::connect(&board, &Board::snapshotShown, &view, &ParameterView::setSnapshot);
    QObject::connect(&board, &Board::selectionShown, &view, &ParameterView::setSelection);
    QObject::connect(&board, &Board::parameterShown, &view, &ParameterView::setSummary);
}

void asks(ParameterView& view, Board& board)
{
    QObject::connect(&view, &ParameterView::summaryWanted, &board, &Board::parameterWanted);
    QObject::connect(&view, &ParameterView::saveRequested, &board, &Board::parameterSaveRequested);
}

} // namespace

Pane parameterPane()
{
    return paneOf<ParameterView>(
        {kParameterDock, ParameterView::tr("Parameter"), Qt::BottomDockWidgetArea}, shows, asks);
}

} // namespace duo::ui
