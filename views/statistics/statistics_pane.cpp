// SPDX-License-Identifier: Apache-2.0
// The dock of what was measured of values.
#include "views/intent/pane.h"
#include "views/statistics/statistics_view.h"

namespace duo::ui {
namespace {

void shows(StatisticsView& view, Board& board)
{
    QObject::connect(&board, &Board::foresightShown, &view, &StatisticsView::setForesight);
    QObject::connect(&board, &Board::selectionShown, &view, &StatisticsView::setSelection);
    QObject::connect(&board, &Board::readyShown, &view, &StatisticsView::setMeasurable);
}

void asks(StatisticsView& view, Board& board)
{
    QObject::connect(&view, &StatisticsView::measureRequested, &board, &Board::measureRequested);
    QObject::connect(&view, &StatisticsView::openRequested, &board, &Board::statisticsRequested);
    QObject::connect(&view, &StatisticsView::estimatorIntended, &board, &Board::estimatorIntended);
}

} // namespace

Pane statisticsPane()
{
    return paneOf<StatisticsView>(
        {kStatisticsDock, StatisticsView::tr("Statistics"), Qt::BottomDockWidgetArea}, shows, asks);
}

} // namespace duo::ui
