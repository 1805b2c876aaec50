// SPDX-License-Identifier: Apache-2.0
// SetupComparing: the setup of the open model beside that of a file, as a table whose quantizers are found in the
// panes.
#pragma once

#include "app/session/session.h"
#include "views/intent/board.h"

#include <QAction>
#include <QObject>
#include <QWidget>

#include <memory>

namespace duo::app {

class SetupComparing : public QObject
{
    Q_OBJECT

public:
    SetupComparing(Session& session, ui::Board& board, QWidget* window);

    [[nodiscard]] QAction* action() const { return m_action; }

private:
    void ask();
    void show(const std::filesystem::path& file, const std::shared_ptr<const SetupDifference>& difference);

    Session& m_session;
    ui::Board& m_board;
    QWidget* m_window;
    QAction* m_action;
};

} // namespace duo::app
