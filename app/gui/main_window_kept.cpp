// SPDX-License-Identifier: Apache-2.0
// MainWindow: what is kept of a model from one use to the next, and its file as it changes on disk.
#include "app/gui/main_window.h"

#include "views/style/format.h"

namespace duo::app {

void MainWindow::connectKept()
{
    m_view = new ViewMemory(m_session, m_graph, m_forms, m_overlays, *findChild<ui::ScopeTreesPanel*>(), m_board);
    m_view->setParent(this);
    connect(m_view, &ViewMemory::looked, this, &MainWindow::saveLayout);
    connect(&m_session, &Session::sessionNotKept, this, [this](const Error& error) { tell(notKeptMessage(error)); });
    connect(&m_session, &Session::notTakenUp, this,
        [this](const std::filesystem::path& path, const Error& error) { tell(notTakenUpMessage(path, error)); });
    connect(&m_session, &Session::sessionTakenUp, this, [this] {
        m_view->goBack();
        updateTitle();
        showResults();
        tell(withTakenUp({}, m_session));
    });
    connect(&m_session, &Session::reloaded, this, &MainWindow::showReloaded);
    connect(&m_watch, &ModelWatch::changed, this, &MainWindow::showChanged);
    connect(m_actions.reload, &QAction::triggered, this, &MainWindow::reload);
    connect(m_actions.otherSession, &QAction::triggered, this, &MainWindow::goOnWithOther);
    m_actions.quit->setStatusTip(
        tr("Leave Duoscope; all that was done with the model is kept in %1").arg(ui::pathText(m_session.keptFolder())));
}

/// Behind what is to be said of the model just opened.
void MainWindow::showTakenUp(Message message)
{
    tell(withTakenUp(std::move(message), m_session));
    if (m_session.takenUp().unfinished)
        m_banner->offer(tr("Start it again"), [this, run = *m_session.takenUp().unfinished] { startAgain(run); });
    else if (isDataAbsent(m_session))
        offerOtherData();
    else if (m_session.isRecipeTakenUp())
        m_banner->offer(tr("Start without"), [this] {
            m_session.startWithoutKept();
            updateTitle();
        });
}

/// What was not finished as the window was closed or killed.
void MainWindow::startAgain(const UnfinishedRun& run)
{
    if (m_session.activity() != Activity::Idle) {
        Q_EMIT m_board.said(tr("Something else is running. Start it again when that is done."));
        return;
    }
    switch (run.kind) {
    case UnfinishedKind::Export:
        doWithData(Activity::Exporting, [this, run] { m_session.exportTo(run.target); });
        break;
    case UnfinishedKind::Deployment:
        doWithData(Activity::Exporting, [this, run] { m_session.deployTo(run.target); });
        break;
    case UnfinishedKind::Quantization:
        m_actions.quantize->trigger();
        break;
    case UnfinishedKind::Statistics:
        m_actions.measure->trigger();
        break;
    case UnfinishedKind::Sensitivity:
        m_actions.measureSensitivity->trigger();
        break;
    }
}

void MainWindow::showReloaded()
{
    m_view->goBack();
    m_watch.watch(m_session.snapshot()->model->path, m_session.modelStamp());
    showResults();
    tell(reloadedMessage(*m_session.snapshot()));
}

void MainWindow::showChanged(const FileStamp& stamp)
{
    const auto snapshot = m_session.snapshot();
    if (!snapshot)
        return;
    if (stamp == m_session.modelStamp()) { // as it was read
        m_banner->dismiss();
        return;
    }
    tell(changedMessage(*snapshot, stamp));
    if (stamp.exists())
        m_banner->offer(tr("Reload"), [this] { reload(); });
}

void MainWindow::reload()
{
    if (!m_session.reload())
        Q_EMIT m_board.said(tr("Something else is running. Reload the model when it is done."));
}

void MainWindow::goOnWithOther()
{
    if (!m_session.goOnWithOther())
        Q_EMIT m_board.said(tr("Something else is running. Go on with the other session when it is done."));
}

} // namespace duo::app
