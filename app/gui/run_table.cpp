// SPDX-License-Identifier: Apache-2.0
#include "app/gui/run_table.h"

#include "app/gui/select_named.h"
#include "views/results/setup_dialog.h"
#include "views/style/format.h"

namespace duo::app {

namespace {

/// "m.int8.onnx, 22 Nov 2026 15:05"
QString titleOf(const KeptRun& run)
{
    const QString date = ui::dateText(run.date);
    return run.target.empty() ? date : ui::toQt(run.target) + QStringLiteral(", ") + date;
}

} // namespace

RunTable::RunTable(Session& session, ui::Board& board, QWidget* window)
    : QObject(window)
    , m_session(session)
    , m_board(board)
    , m_window(window)
    , m_action(new QAction(tr("R&uns…"), window))
{
    const QString tip = tr("Each quantization of this model so far: what came of it, to be compared and restored");
    m_action->setObjectName(QStringLiteral("actionRuns"));
    m_action->setStatusTip(tip);
    m_action->setToolTip(tip);
    m_action->setEnabled(false);
    window->addAction(m_action);
    connect(m_action, &QAction::triggered, this, &RunTable::show);
    connect(&board, &ui::Board::readyShown, this, [this](bool isReady) {
        m_isReady = isReady;
        m_action->setEnabled(m_session.snapshot() != nullptr);
        if (m_dialog)
            m_dialog->setReady(isReady);
    });
    connect(&session, &Session::opened, this, &RunTable::refresh);
    connect(&session, &Session::runsChanged, this, &RunTable::refresh);
    connect(&session, &Session::rulesChanged, this, &RunTable::refresh);
    connect(&session, &Session::dataChanged, this, &RunTable::refresh);
    connect(&session, &Session::runsCompared, this, &RunTable::showDifference);
    connect(&session, &Session::runRestored, this, &RunTable::tellRestored);
}

void RunTable::show()
{
    if (!m_dialog) {
        m_dialog = new ui::RunsDialog(m_window);
        m_dialog->setAttribute(Qt::WA_DeleteOnClose);
        connect(m_dialog, &ui::RunsDialog::restoreWanted, &m_session, &Session::restoreRun);
        connect(m_dialog, &ui::RunsDialog::compareWanted, &m_session, &Session::compareRuns);
        connect(m_dialog, &ui::RunsDialog::removeWanted, &m_session, &Session::removeRun);
    }
    m_dialog->setReady(m_isReady);
    refresh();
    m_dialog->show();
    m_dialog->raise();
}

void RunTable::refresh()
{
    if (m_dialog)
        m_dialog->setRuns(m_session.runs(), m_session.origin());
}

void RunTable::showDifference(
    const KeptRun& first, const KeptRun& second, const std::shared_ptr<const SetupDifference>& difference)
{
    auto* dialog = new ui::SetupDialog({titleOf(first), titleOf(second), titleOf(second), differencesOf(first, second)},
        *difference, m_dialog ? m_dialog : m_window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &ui::SetupDialog::nodeChosen, this,
        [this](const QString& node) { selectNamed(m_session, m_board, node); });
    dialog->show();
}

void RunTable::tellRestored(const KeptRun& run, bool hasQuantizers)
{
    const QString date = ui::dateText(run.date);
    Q_EMIT told({ui::Banner::Tone::Good,
        hasQuantizers ? tr("The run of %1 is restored: the next export writes its quantizers, without data.").arg(date)
                      : tr("Rules and settings of the run of %1 are restored. Its quantizers were not kept: quantize "
                           "again.")
                            .arg(date)});
}

} // namespace duo::app
