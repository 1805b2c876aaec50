// SPDX-License-Identifier: Apache-2.0
// Pane: one of the window's docks as a value: where it stands, what it shows and what it asks for. The window makes all
// of its list (app/gui/panes.cpp) alike.
#pragma once

#include "views/intent/board.h"

#include <QString>
#include <QWidget>

#include <functional>
#include <memory>

namespace duo::ui {

// Names of docks, in saved layouts: never changed.
inline constexpr QLatin1String kConfigDock("dockConfig");
inline constexpr QLatin1String kParameterDock("dockParameter");
inline constexpr QLatin1String kPropertiesDock("dockProperties");
inline constexpr QLatin1String kResultsDock("dockResults");
inline constexpr QLatin1String kRulesDock("dockRules");
inline constexpr QLatin1String kScopesDock("dockScopes");
inline constexpr QLatin1String kSensitivityDock("dockSensitivity");
inline constexpr QLatin1String kStatisticsDock("dockStatistics");
inline constexpr QLatin1String kTransformsDock("dockTransforms");

struct PanePlace {
    QString name; // of the dock
    QString title; // also of the menu entry; the widget's window title takes its place where it has one
    Qt::DockWidgetArea area = Qt::BottomDockWidgetArea;
};

using MakesAhead = std::function<void(const std::shared_ptr<const Snapshot>&)>;

struct Pane {
    PanePlace place;
    std::function<QWidget*(QWidget* parent)> make;
    /// Connect the widget that was made with the board, which lives as long.
    std::function<void(QWidget& made, Board& board)> shows;
    std::function<void(QWidget& made, Board& board)> asks;
    /// What the widget lets another thread make of a model that was opened, before it is shown; may outlive the widget.
    std::function<MakesAhead(QWidget& made)> ahead = {}; // empty: nothing
};

/// Of a view that is made with nothing but a parent.
template <typename View> Pane paneOf(PanePlace place, void (*shows)(View&, Board&), void (*asks)(View&, Board&))
{
    return {std::move(place), [](QWidget* parent) { return new View(parent); },
        [shows](QWidget& made, Board& board) { shows(static_cast<View&>(made), board); },
        [asks](QWidget& made, Board& board) { asks(static_cast<View&>(made), board); }, {}};
}

} // namespace duo::ui
