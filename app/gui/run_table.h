// SPDX-License-Identifier: Apache-2.0
// RunTable: the runs of the open model, to be compared and restored, in a window that stays open beside the others.
#pragma once

#include "app/gui/messages.h"
#include "app/session/session.h"
#include "views/intent/board.h"
#include "views/results/runs_dialog.h"

#include <QAction>
#include <QObject>
#include <QPointer>
#include <QWidget>

#include <memory>

namespace duo::app {

class RunTable : public QObject
{
    Q_OBJECT

public:
    RunTable(Session& session, ui::Board& board, QWidget* window);

    [[nodiscard]] QAction* action() const { return m_action; }

Q_SIGNALS:
    void told(const duo::app::Message& message);

private:
    void show();
    void refresh();
    void showDifference(
        const KeptRun& first, const KeptRun& second, const std::shared_ptr<const SetupDifference>& difference);
    void tellRestored(const KeptRun& run, bool hasQuantizers);

    Session& m_session;
    ui::Board& m_board;
    QWidget* m_window;
    QAction* m_action;
    QPointer<ui::RunsDialog> m_dialog; // null: not open
    bool m_isReady = false;
};

} // namespace duo::app
