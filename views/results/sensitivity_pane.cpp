// SPDX-License-Identifier: Apache-2.0
// The dock of where the output error comes from.
#include "views/intent/pane.h"
#include "views/results/sensitivity_view.h"

namespace duo::ui {
namespace {

void shows(SensitivityView& view, Board& board)
{
    QObject::connect(&board, &Board::sensitivityShown, &view, &SensitivityView::setReport);
    QObject::connect(&board, &Board::sensitivityStaleShown, &view, &SensitivityView::setStale);
    QObject::connect(&board, &Board::overlayShown, &view, [&view](const std::shared_ptr<const ShownOverlay>& overlay) {
        view.setColoured(overlay && overlay->kind == OverlayKind::Sensitivity);
    });
    QObject::connect(&board, &Board::readyShown, &view, &SensitivityView::setMeasurable);
}

void asks(SensitivityView& view, Board& board)
{
    QObject::connect(&view, &SensitivityView::measureRequested, &board, &Board::sensitivityRequested);
    QObject::connect(&view, &SensitivityView::depthChosen, &board, &Board::depthChosen);
    QObject::connect(&view, &SensitivityView::overlayToggled, &board,
        [&board](bool isOn) { Q_EMIT board.overlayChosen(isOn ? OverlayKind::Sensitivity : OverlayKind::Decision); });
    QObject::connect(&view, &SensitivityView::selected, &board, &Board::selected);
    QObject::connect(&view, &SensitivityView::keepRequested, &board, &Board::rulesAdded);
}

} // namespace

Pane sensitivityPane()
{
    return paneOf<SensitivityView>(
        {kSensitivityDock, SensitivityView::tr("Sensitivity"), Qt::BottomDockWidgetArea}, shows, asks);
}

} // namespace duo::ui
