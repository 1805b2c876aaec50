// SPDX-License-Identifier: Apache-2.0
// MainWindow: measuring sensitivity, colouring by it, and keeping what it names in float.
#include "app/gui/main_window.h"

#include "core/pipeline/sensitivity/suggest_floats.h"
#include "views/style/format.h"

#include <algorithm>

namespace duo::app {
namespace {

constexpr int kRoomPercent = 40; // of the window's height, for the ranking

/// "In float would help most: model.1, model.0 (32.3 -> 38.4 dB)".
QString adviceText(const SensitivityReport& report)
{
    const auto recommended
        = std::ranges::find_if(report.suggestions, [](const FloatSuggestion& made) { return made.isRecommended; });
    const QString all = MainWindow::tr("Everything quantized: %1.").arg(ui::errorText(report.all));
    if (recommended == report.suggestions.end())
        return all + QLatin1Char(' ') + MainWindow::tr("Keeping single scopes in float would not be worth it.");
    QStringList names;
    for (const std::string& name : recommended->groups)
        names += ui::toQt(name);
    return all + QLatin1Char(' ')
        + MainWindow::tr("With %1 in float: %2, %3.")
              .arg(names.join(QStringLiteral(", ")), ui::errorText(recommended->error),
                  ui::bytesText(recommended->bytes));
}

} // namespace

void MainWindow::connectSensitivity()
{
    connect(m_actions.measureSensitivity, &QAction::triggered, this, &MainWindow::measureSensitivity);
    connect(m_sensitivity, &ui::SensitivityView::measureRequested, m_actions.measureSensitivity, &QAction::trigger);
    connect(m_sensitivity, &ui::SensitivityView::selected, this, &MainWindow::setSelection);
    connect(m_sensitivity, &ui::SensitivityView::keepRequested, this, &MainWindow::keepInFloat);
    connect(m_sensitivity, &ui::SensitivityView::overlayToggled, this, [this](bool isOn) {
        m_isColoured = isOn;
        colourBySensitivity();
    });
    connect(&m_session, &Session::sensitivityChanged, this, &MainWindow::showSensitivity);
}

void MainWindow::measureSensitivity()
{
    m_banner->dismiss();
    if (isRefused())
        return;
    if (m_session.data().spec.empty())
        chooseData([this] { m_session.measureSensitivity(m_sensitivity->depth()); });
    else
        m_session.measureSensitivity(m_sensitivity->depth());
}

void MainWindow::showSensitivity()
{
    const SensitivityResult& result = m_session.sensitivity();
    m_sensitivity->setReport(result.report, result.snapshot);
    colourBySensitivity();
    if (!result.report)
        return;
    m_sensitivityDock->show();
    m_sensitivityDock->raise();
    if (const int room = height() * kRoomPercent / 100; m_sensitivityDock->height() < room)
        resizeDocks({m_sensitivityDock}, {room}, Qt::Vertical);
    m_banner->showMessage(ui::Banner::Tone::Good, adviceText(*result.report));
}

/// Also where scopes were found anew. Shares of earlier rules still say where the error was.
void MainWindow::colourBySensitivity()
{
    const SensitivityResult& result = m_session.sensitivity();
    const auto snapshot = m_session.snapshot();
    m_marks.reset();
    if (result.report && snapshot && m_isColoured)
        m_marks = std::make_shared<const ui::SensitivityMarks>(ui::sensitivityMarks(*result.report, *snapshot));
    m_trees->setSensitivity(m_marks.get());
    m_graph->setSensitivity(m_marks);
    if (result.report)
        m_sensitivity->setStale(result.snapshot->recipe != m_session.recipe());
}

void MainWindow::keepInFloat(const std::vector<Rule>& rules, const QString& text)
{
    m_session.editRecipe(withRules(m_session.recipe(), rules), text);
}

} // namespace duo::app
