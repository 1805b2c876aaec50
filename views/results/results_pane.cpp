// SPDX-License-Identifier: Apache-2.0
// The dock of what the last quantization and export did.
#include "views/intent/pane.h"
#include "views/results/results_view.h"

namespace duo::ui {
namespace {

void shows(ResultsView& view, Board& board)
{
    QObject::connect(&board, &Board::reportShown, &view,
        [&view](const std::shared_ptr<const ExportReport>& report, const auto& /*of*/, bool isStale) {
            view.setReport(report, isStale);
        });
    QObject::connect(&board, &Board::quantizedShown, &view, &ResultsView::setQuantized);
    QObject::connect(&board, &Board::earlierShown, &view, &ResultsView::setEarlier);
}

void asks(ResultsView& view, Board& board)
{
    QObject::connect(&view, &ResultsView::rulesIntended, &board, &Board::rulesIntended);
}

} // namespace

Pane resultsPane()
{
    return paneOf<ResultsView>({kResultsDock, ResultsView::tr("Results"), Qt::RightDockWidgetArea}, shows, asks);
}

} // namespace duo::ui
