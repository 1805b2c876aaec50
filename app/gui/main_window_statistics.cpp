// SPDX-License-Identifier: Apache-2.0
// MainWindow: measuring without exporting, statistics from files, and the choice of range estimators.
#include "app/gui/main_window.h"

#include "views/style/format.h"

#include <QFileDialog>

#include <algorithm>

namespace duo::app {
namespace {

constexpr int kRoomPercent = 40; // of the window's height, for histograms

} // namespace

void MainWindow::connectStatistics()
{
    connect(m_actions.measure, &QAction::triggered, this, &MainWindow::measure);
    connect(m_actions.openStatistics, &QAction::triggered, this, &MainWindow::chooseStatistics);
    connect(m_statistics, &ui::StatisticsView::measureRequested, m_actions.measure, &QAction::trigger);
    connect(m_statistics, &ui::StatisticsView::openRequested, m_actions.openStatistics, &QAction::trigger);
    connect(m_statistics, &ui::StatisticsView::estimatorIntended, this, &MainWindow::applyEstimatorIntent);
    connect(&m_session, &Session::statisticsChanged, this, &MainWindow::showForesight);
    connect(&m_session, &Session::foresightChanged, this, &MainWindow::showForesight);
    connect(&m_session, &Session::measured, this, &MainWindow::showStatistics);
}

void MainWindow::measure()
{
    m_banner->dismiss();
    if (isRefused())
        return;
    if (m_session.data().spec.empty())
        chooseData([this] { m_session.measure(); });
    else
        m_session.measure();
}

void MainWindow::chooseStatistics()
{
    if (isRefused())
        return;
    auto* dialog = new QFileDialog(this, tr("Open statistics of this model"));
    dialog->setObjectName(QStringLiteral("statisticsDialog"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    dialog->setDirectory(ui::pathText(m_session.snapshot()->model->path.parent_path()));
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& path) {
        m_banner->dismiss();
        m_session.openStatistics(ui::toPath(path));
    });
    dialog->open();
}

/// After they were asked for: the pane comes to the front, with room to see something.
void MainWindow::showStatistics()
{
    m_statisticsDock->show();
    m_statisticsDock->raise();
    if (const int room = height() * kRoomPercent / 100; m_statisticsDock->height() < room)
        resizeDocks({m_statisticsDock}, {room}, Qt::Vertical);
    const auto& statistics = m_session.statistics().file->statistics;
    const auto odd
        = std::ranges::count_if(statistics.values, [](const auto& value) { return value.second.nonFinite() > 0; });
    QString text = tr("Measured %1 values over %2 samples.")
                       .arg(ui::countText(static_cast<std::int64_t>(statistics.values.size())),
                           ui::countText(statistics.samples()));
    if (m_session.statistics().fromCache)
        text += QLatin1Char(' ') + tr("They were measured before: no sample was run.");
    if (odd > 0)
        text += QLatin1Char(' ') + tr("%1 of them hold NaN or infinite elements, which were left out.").arg(odd);
    m_banner->showMessage(odd > 0 ? ui::Banner::Tone::Warning : ui::Banner::Tone::Good, text);
}

void MainWindow::showForesight()
{
    m_statistics->setForesight(m_session.foresight());
}

void MainWindow::applyEstimatorIntent(const ui::EstimatorIntent& intent)
{
    Recipe recipe = m_session.recipe();
    const QString text = ui::estimatorEditText(intent, recipe.quantization);
    recipe.quantization = ui::applyIntent(recipe.quantization, intent);
    m_session.editRecipe(recipe, text);
}

} // namespace duo::app
