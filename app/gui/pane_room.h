// SPDX-License-Identifier: Apache-2.0
// PaneRoom: the panes below the graph get the height that the one in front needs, and leave the rest to trees and
// graph.
#pragma once

#include <QDockWidget>
#include <QHash>
#include <QMainWindow>
#include <QSettings>
#include <QTimer>

#include <vector>

namespace duo::app {

/// What a pane needs is its size hint, but never more than a share of what panes and graph have together. A height that
/// the user drags a pane to is that pane's from then on, kept in the settings. Panes behind others need nothing. A side
/// of the window has the width that an arrangement or the user gave it; where the window has no room for that, as much
/// of it as there is.
class PaneRoom : public QObject
{
public:
    static constexpr int kMostPercent = 45; // of the height below tools and messages; a pane may ask for more

    /// @param window and `settings` must outlive it
    PaneRoom(QMainWindow& window, QSettings& settings);

    void add(QDockWidget* dock);
    /// Heights are given by what panes need again.
    void forgetChosen();
    /// The widths that sides have by now are those they are to have.
    void takeWidths();
    /// Now, by the panes that are known to be in front.
    void fit();
    /// Once what happens now has happened.
    void fitSoon();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    struct Row {
        QDockWidget* dock;
        bool isInFront = false;
    };
    void notePressed();
    void noteReleased();
    [[nodiscard]] bool isBelow(const Row& row) const; // in front there
    [[nodiscard]] int wantedHeight(const QDockWidget& dock) const;
    [[nodiscard]] int shared() const; // height of all panes and the graph together
    void fitHeight();
    void fitWidths();
    using Widths = QHash<Qt::DockWidgetArea, int>;
    [[nodiscard]] QDockWidget* besideGraph(Qt::DockWidgetArea side) const; // in front there; null: none
    [[nodiscard]] Widths widths() const;

    QMainWindow& m_window;
    QSettings& m_settings;
    const QObject* m_head = nullptr; // tools and messages; the window, which may be half gone, is not asked for it
    std::vector<Row> m_rows;
    QHash<QString, int> m_pressed; // heights as a drag began; empty: there is none
    Widths m_pressedWidths; // likewise
    Widths m_widths; // that sides are to have
    bool m_takesWidths = true; // as soon as panes stand
    bool m_wasResized = false; // the window, since widths were fitted
    QTimer m_later;
};

} // namespace duo::app
