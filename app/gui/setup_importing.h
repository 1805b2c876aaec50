// SPDX-License-Identifier: Apache-2.0
// SetupImporting: a state, or quantizers of another tool, are shown as a table of places and then used.
#pragma once

#include "app/gui/messages.h"
#include "app/session/session.h"
#include "views/intent/board.h"

#include <QAction>
#include <QObject>
#include <QWidget>

#include <memory>

namespace duo::app {

class SetupImporting : public QObject
{
    Q_OBJECT

public:
    SetupImporting(Session& session, ui::Board& board, QWidget* window);

    [[nodiscard]] QAction* action() const { return m_action; }
    [[nodiscard]] QAction* keepAction() const { return m_keep; } // what a changed rule leaves of what was taken

Q_SIGNALS:
    void told(const duo::app::Message& message);

private:
    void ask();
    void show(const std::filesystem::path& file, const std::shared_ptr<const ImportedSetup>& imported);
    void use(const std::filesystem::path& file, const ImportedSetup& imported);
    void follow();
    void showContinued(const QString& what);
    void updateKeep();

    Session& m_session;
    ui::Board& m_board;
    QWidget* m_window;
    QAction* m_action;
    QAction* m_keep;
    QString m_taken; // file whose quantizers were taken; "": none
    bool m_isInUse = false;
};

} // namespace duo::app
