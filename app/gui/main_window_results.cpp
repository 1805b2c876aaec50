// SPDX-License-Identifier: Apache-2.0
// MainWindow: what came of quantizing, exporting and measuring, to the panes and the status bar.
#include "app/gui/main_window.h"

#include "core/report/overlay_values.h"
#include "views/intent/pane.h"
#include "views/shell/outcome_text.h"
#include "views/style/format.h"
#include "views/style/window_words.h"

namespace duo::app {

/// What they are of, in all places at once.
void MainWindow::showResults()
{
    const bool isStale = m_session.isResultStale();
    m_status->setSnapshot(m_session.snapshot(), isStale);
    Q_EMIT m_board.reportShown(m_session.report(), m_session.exportedSnapshot(), !m_session.isReportCurrent());
    Q_EMIT m_board.nodeRunsShown(m_session.nodeRuns());
    Q_EMIT m_board.quantizedShown(m_session.unexported(), isStale);
    const auto earlier = m_session.earlierResults();
    Q_EMIT m_board.earlierShown(earlier, earlier.empty() ? ResultOrigin() : m_session.origin());
    showOutcome();
    tellResultAgain();
}

void MainWindow::showOutcome()
{
    const Session::Outcome outcome = m_session.outcome();
    m_status->setOutcome(!outcome.measured.empty() ? ui::windowWords(ui::toQt(outcome.measured))
            : outcome.foreseen                     ? ui::foreseenText(*outcome.foreseen)
            : outcome.size                         ? ui::foreseenText(*outcome.size)
            : m_session.isTakenInUse()             ? tr("nothing foreseen: quantizers are those of a file")
                                                   : QString());
}

void MainWindow::showHalves()
{
    const auto snapshot = m_session.snapshot();
    const HalvesResult& halves = m_session.halves();
    Q_EMIT m_board.halvesShown(snapshot && halves.isOf(*snapshot) ? halves.report : nullptr);
}

/// To the panes.
void MainWindow::tellSensitivity()
{
    const SensitivityResult& result = m_session.sensitivity();
    Q_EMIT m_board.sensitivityShown(result.report, result.snapshot);
    if (result.report)
        Q_EMIT m_board.sensitivityStaleShown(!m_session.isSensitivityCurrent());
}

void MainWindow::showSensitivity()
{
    tellSensitivity();
    if (!m_session.sensitivity().report)
        return;
    raisePane(ui::kSensitivityDock);
    tellResult([this, report = m_session.sensitivity().report] {
        const bool isThere = m_session.sensitivity().report == report;
        return isThere ? sensitivityMessage(*report, m_session.isSensitivityCurrent()) : Message();
    });
}

/// What an overlay takes.
void MainWindow::measureFor(OverlayKind kind)
{
    switch (overlayNeed(kind)) {
    case OverlayNeed::Nothing:
    case OverlayNeed::Placement:
        break;
    case OverlayNeed::Statistics:
        m_actions.measure->trigger();
        break;
    case OverlayNeed::Sensitivity:
        m_actions.measureSensitivity->trigger();
        break;
    case OverlayNeed::Times:
        m_actions.measureTimes->trigger();
        break;
    case OverlayNeed::Halving:
        m_banner->dismiss();
        if (m_session.lacksData(Activity::Halving))
            chooseData([this] { m_session.measureHalves(); });
        else
            m_session.measureHalves();
        break;
    case OverlayNeed::Comparison:
        findChild<QAction*>(QStringLiteral("actionCompareSetup"))->trigger();
        break;
    }
}

} // namespace duo::app
