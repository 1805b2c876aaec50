// SPDX-License-Identifier: Apache-2.0
// Arrangements: which panes stand where: built in for what one is about, and the user's own, kept in the settings.
#pragma once

#include "app/gui/pane_room.h"

#include <QAction>
#include <QByteArray>
#include <QDockWidget>
#include <QMainWindow>
#include <QMenu>
#include <QSettings>
#include <QStringList>

#include <utility>
#include <vector>

namespace duo::app {

/// Else the file of the settings is written each time.
void setIfChanged(QSettings& settings, const QString& key, const QByteArray& value);

class Arrangements : public QObject
{
    Q_OBJECT

public:
    /// @param docks all of `window`, where they stand by themselves; it and `settings` must outlive this
    Arrangements(QMainWindow& window, const std::vector<QDockWidget*>& docks, QSettings& settings);

    /// Where panes stood when the window was closed last; the first one built in, if it never was.
    void restore();
    void save();
    /// @return false: there is none of that name
    bool use(const QString& name);
    /// As panes stand now. An own one of that name is replaced; names of those built in are not taken. @return false
    /// then
    bool keep(const QString& name);
    void forget(const QString& name);
    [[nodiscard]] QStringList own() const; // in the order they were made in
    void setEnabled(bool isEnabled);

    /// Entries for all of them, to keep the present one, to forget one; keys Ctrl+Alt+1 to 9.
    void fillMenu(QMenu& menu);
    /// For each pane a menu of the places it can stand in.
    void fillPlaces(QMenu& menu);

Q_SIGNALS:
    void said(const QString& text); // what was done

private:
    void askName();
    void refreshOwn();
    QAction* makeAction(const QString& name, const QString& tip);
    void putPane(QDockWidget* dock, Qt::DockWidgetArea area);
    [[nodiscard]] QDockWidget* dock(const QString& name) const;
    void arrange(std::size_t builtIn);

    QMainWindow& m_window;
    const std::vector<QDockWidget*> m_docks;
    QSettings& m_settings;
    PaneRoom m_room;
    std::vector<std::pair<QDockWidget*, Qt::DockWidgetArea>> m_home; // where panes say that they stand
    QMenu* m_menu = nullptr;
    QMenu* m_forgetMenu = nullptr;
    std::vector<QAction*> m_builtIn;
    std::vector<QAction*> m_own;
    QAction* m_keep = nullptr;
};

} // namespace duo::app
