// SPDX-License-Identifier: Apache-2.0
// Files, data and dialogs of the main window.
#include "app/gui/main_window.h"

#include "app/session/nearby_data.h"
#include "core/calibrate/generated/made_input.h"
#include "core/calibrate/model_input.h"
#include "core/engine/session.h"
#include "core/report/note_groups.h"
#include "core/support/version.h"
#include "views/bounds/bounds_dialog.h"
#include "views/data/data_dialog.h"
#include "views/results/export_text.h"
#include "views/style/format.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QMessageBox>

#include <algorithm>
#include <array>

namespace duo::app {
namespace {

QString modelFilter()
{
    return MainWindow::tr("Models (*.onnx *.pt2);;ONNX models (*.onnx);;PyTorch programs (*.pt2);;All files (*)");
}

QString exportFilter()
{
    return MainWindow::tr("ONNX models (*.onnx);;All files (*)");
}

/// Notes that ask for nothing.
bool isRemark(const Note& note)
{
    constexpr std::array<std::string_view, 8> kKinds{"cached-statistics", "channels-last", "convergence", "extremes",
        "front-end", "pair-saturation", "subset", "transformer"};
    return std::ranges::find(kKinds, note.kind) != kKinds.end();
}

/// Why nothing at all is quantized; null where something is.
const Note* nothingQuantized(const Snapshot& snapshot)
{
    return snapshot.placement ? noteOf(snapshot.placement->notes, "nothing-quantized") : nullptr;
}

/// What was chosen for the model, and what of it stays in float for its constants.
std::vector<Note> choices(const Snapshot& snapshot)
{
    constexpr std::array<std::string_view, 3> kKinds{"transformer", "front-end", "extremes"};
    std::vector<Note> found;
    for (const Note& note : snapshot.placement ? snapshot.placement->notes : std::vector<Note>()) {
        if (std::ranges::find(kKinds, note.kind) != kKinds.end())
            found.push_back(note);
    }
    return found;
}

QString linesOf(const std::vector<Note>& notes)
{
    QString text;
    for (const NoteGroup& group : groupNotes(notes))
        text += (text.isEmpty() ? QString() : QStringLiteral("\n")) + ui::noteText(group);
    return text;
}

/// m.onnx -> m.int8.onnx
std::filesystem::path defaultTarget(const std::filesystem::path& model, const QString& folder)
{
    const std::filesystem::path name = model.stem().string() + ".int8.onnx";
    return folder.isEmpty() ? model.parent_path() / name : ui::toPath(folder) / name;
}

/// Names of dimensions that random data may be given sizes for.
QStringList symbolicDims(const Model& model)
{
    QStringList symbols;
    for (const ModelInput& input : modelInputs(model)) {
        for (std::size_t axis = 0; input.shape && axis < input.shape->size(); ++axis) {
            const QString name = ui::toQt(dimName(input, axis));
            if (!(*input.shape)[axis].size && !symbols.contains(name))
                symbols += name;
        }
    }
    return symbols;
}

} // namespace

void MainWindow::openModel(const QString& path)
{
    m_opening = ui::toPath(path);
    m_session.open(m_opening);
}

void MainWindow::setDataSpec(const QString& spec)
{
    m_pendingData = spec;
}

void MainWindow::chooseModel()
{
    auto* dialog = new QFileDialog(this, tr("Open a model"));
    dialog->setObjectName(QStringLiteral("openDialog"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    dialog->setNameFilter(modelFilter());
    if (const auto snapshot = m_session.snapshot())
        dialog->setDirectory(ui::pathText(snapshot->model->path.parent_path()));
    else if (const QStringList recent = m_recentFiles.list(); !recent.isEmpty())
        dialog->setDirectory(QFileInfo(recent.front()).absolutePath());
    connect(dialog, &QFileDialog::fileSelected, this, &MainWindow::openModel);
    dialog->open();
}

void MainWindow::chooseData(std::function<void()> then)
{
    QStringList found;
    for (const auto& path : dataBeside(m_session.snapshot()->model->path))
        found += ui::pathText(path);
    auto* dialog = new ui::DataDialog(found, m_session.data(), symbolicDims(*m_session.snapshot()->model), this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setStopsWhenConverged(m_session.recipe().quantization.stopWhenConverged);
    connect(dialog, &ui::DataDialog::previewWanted, &m_session, &Session::previewData);
    connect(&m_session, &Session::dataPreviewed, dialog,
        [dialog](const DataSource& source, const auto& preview) { dialog->showPreview(source, *preview); });
    connect(&m_session, &Session::dataNotPreviewed, dialog, &ui::DataDialog::showProblem);
    connect(dialog, &QDialog::accepted, this, [this, dialog, then = std::move(then)] {
        m_session.setData(dialog->source());
        Recipe recipe = m_session.recipe();
        if (recipe.quantization.stopWhenConverged != dialog->stopsWhenConverged()) {
            recipe.quantization.stopWhenConverged = dialog->stopsWhenConverged();
            m_session.editRecipe(recipe, tr("stop when scales have converged"));
        }
        if (then)
            then();
    });
    dialog->open();
}

void MainWindow::chooseBounds()
{
    auto* dialog = new ui::BoundsDialog(m_session.demands(), this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::accepted, this, [this, dialog] { m_session.setDemands(dialog->demands()); });
    dialog->open();
}

bool MainWindow::isRefused()
{
    const auto snapshot = m_session.snapshot();
    if (!snapshot || !snapshot->refusal)
        return false;
    m_banner->showError(*snapshot->refusal);
    return true;
}

void MainWindow::quantize()
{
    m_banner->dismiss();
    if (isRefused())
        return;
    if (m_session.data().spec.empty() && !m_session.statistics().file)
        chooseData([this] { m_session.calibrate(); });
    else
        m_session.calibrate();
}

void MainWindow::chooseTarget()
{
    if (isRefused())
        return;
    if (m_session.data().spec.empty() && !m_session.statistics().file) {
        chooseData([this] { chooseTarget(); });
        return;
    }
    auto* dialog = new QFileDialog(this, tr("Export the quantized model"));
    dialog->setObjectName(QStringLiteral("exportDialog"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setFileMode(QFileDialog::AnyFile);
    dialog->setNameFilter(exportFilter());
    dialog->setDefaultSuffix(QStringLiteral("onnx"));
    const auto target = defaultTarget(
        m_session.snapshot()->model->path, m_settings.value(QStringLiteral("export/folder")).toString());
    dialog->setDirectory(ui::pathText(target.parent_path()));
    dialog->selectFile(ui::pathText(target.filename()));
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& path) {
        m_settings.setValue(QStringLiteral("export/folder"), QFileInfo(path).absolutePath());
        m_banner->dismiss();
        m_session.exportTo(ui::toPath(path));
    });
    dialog->open();
}

void MainWindow::showOpened()
{
    const bool isFirst = m_pages->currentWidget() != m_graph;
    m_banner->dismiss();
    m_results->setReport(nullptr);
    m_report.reset();
    m_properties->setReport(nullptr);
    m_runs.reset();
    m_graph->setRuns(nullptr);
    m_openedRecipe.clear();
    setSelection({});
    m_pages->setCurrentWidget(m_graph);
    m_pages->removeWidget(m_start); // or it keeps the window as high as itself
    if (isFirst)
        restoreLayout();
    m_recentFiles.add(ui::pathText(m_session.snapshot()->model->path));
    refreshRecent();
    updateTitle();
    if (!m_pendingData.isEmpty())
        m_session.setData({ui::toStd(std::exchange(m_pendingData, {})), {}});
    m_trees->tree(ui::TreeKind::Execution)->setFocus();
    if (const auto recipe = std::exchange(m_pendingRecipe, {}); !recipe.empty())
        openRecipe(recipe);
    if (const Note* none = nothingQuantized(*m_session.snapshot()))
        m_banner->showMessage(ui::Banner::Tone::Warning, ui::toQt(none->text));
    else if (const auto chosen = choices(*m_session.snapshot()); !chosen.empty())
        m_banner->showMessage(ui::Banner::Tone::Good, linesOf(chosen));
    addCheckpointBeside();
}

void MainWindow::showCalibrated()
{
    const CalibrationResult& result = *m_session.result();
    QString text = ui::quantizedSummary(*result.compression) + tr(". Export (Ctrl+E) writes the model.");
    std::vector<Note> notes = result.compression->notes;
    if (const Note* none = nothingQuantized(result.snapshot))
        notes.insert(notes.begin(), *none);
    const std::vector<Note> chosen = choices(result.snapshot);
    notes.insert(notes.begin(), chosen.begin(), chosen.end());
    if (!notes.empty())
        text += QLatin1Char('\n') + linesOf(notes);
    m_banner->showMessage(
        std::ranges::all_of(notes, isRemark) ? ui::Banner::Tone::Good : ui::Banner::Tone::Warning, text);
    showSnapshot();
    m_resultsDock->raise();
}

void MainWindow::showExported(const std::shared_ptr<const ExportReport>& report)
{
    m_exportedRecipe = m_session.result()->snapshot.recipe;
    m_exported = m_session.result()->compression;
    m_runs = std::make_shared<const ui::KernelRuns>(ui::kernelRuns(*report, m_session.result()->snapshot));
    m_report = report;
    m_results->setReport(report);
    m_resultsDock->show();
    m_resultsDock->raise();
    const bool isUseless = report->allChecksPassed() && report->verdict.kind == VerdictKind::NoBenefit;
    m_banner->showMessage(report->isGood() ? ui::Banner::Tone::Good
            : isUseless                    ? ui::Banner::Tone::Warning
                                           : ui::Banner::Tone::Bad,
        ui::exportSummary(*report));
    showSnapshot();
}

void MainWindow::showError(const Error& error)
{
    if (showPickedUpError(error))
        return;
    m_banner->showError(error);
    // Code is loaded only from files that the user names (resources/docs/promises.md, "Code").
    if (error.whatToDo.find("--custom-ops") != std::string::npos) {
        m_banner->offer(tr("Name the library…"), [this] {
            const QString library = QFileDialog::getOpenFileName(
                this, tr("Library with the operators of this model"), {}, tr("Libraries (*.so *.so.*);;All files (*)"));
            if (library.isEmpty())
                return;
            m_session.setCustomOps({ui::toPath(library)});
            m_banner->showMessage(ui::Banner::Tone::Good, tr("Operators come from %1 now.").arg(library));
        });
        return;
    }
    // Data elsewhere is refused unless the user says that it is meant (resources/docs/promises.md, "External data").
    if (error.whatToDo.find("--allow-external") == std::string::npos || m_opening.empty())
        return;
    m_banner->offer(tr("Allow a folder…"), [this] {
        const QString folder = QFileDialog::getExistingDirectory(
            this, tr("Folder that the model may read its data from"), ui::pathText(m_opening.parent_path()));
        if (!folder.isEmpty())
            m_session.open(m_opening, ReadOptions{ui::toPath(folder)});
    });
}

void MainWindow::refreshRecent()
{
    const QStringList recent = m_recentFiles.list();
    m_start->setRecent(recent);
    m_recentMenu->clear();
    for (const QString& path : recent) {
        QAction* action = m_recentMenu->addAction(QFileInfo(path).fileName());
        action->setStatusTip(path);
        action->setToolTip(path);
        connect(action, &QAction::triggered, this, [this, path] { openModel(path); });
    }
    m_recentMenu->setEnabled(!recent.isEmpty());
    if (recent.isEmpty())
        return;
    m_recentMenu->addSeparator();
    connect(m_recentMenu->addAction(tr("&Clear the list")), &QAction::triggered, this, [this] {
        m_recentFiles.clear();
        refreshRecent();
    });
}

void MainWindow::showKeys()
{
    QString rows;
    const auto row = [&rows](const QString& keys, const QString& text) {
        rows += QStringLiteral("<tr><td style='padding-right:16px'><b>%1</b></td><td>%2</td></tr>")
                    .arg(keys.toHtmlEscaped(), text.toHtmlEscaped());
    };
    for (const QAction* action : actions()) {
        if (!action->shortcut().isEmpty() && !action->statusTip().isEmpty())
            row(action->shortcut().toString(QKeySequence::NativeText), action->statusTip());
    }
    row(tr("Arrow keys"), tr("In the graph: go to producer, consumer and neighbours"));
    row(tr("Wheel"), tr("In the graph: zoom; with Shift sideways; drag to move"));
    row(tr("Ctrl+Drag"), tr("In the graph: select what the band touches; with Shift in addition; Ctrl+Click one box"));
    row(tr("I, T, Space"), tr("In the rules: ignore, target, disable or enable the selected rules"));
    row(tr("X, Delete"), tr("In the rules: remove the selected rules"));
    auto* box = new QMessageBox(
        QMessageBox::NoIcon, tr("Keyboard"), QStringLiteral("<table>%1</table>").arg(rows), QMessageBox::Close, this);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->open();
}

void MainWindow::showAbout()
{
    auto* box = new QMessageBox(QMessageBox::NoIcon, tr("About Duoscope"),
        tr("<h3>Duoscope %1</h3><p>See and choose what a compressed neural network keeps.</p>"
           "<p>Qt %2, ONNX Runtime %3.<br>Licensed under Apache-2.0.</p>")
            .arg(QLatin1String(kVersion), QLatin1String(qVersion()), ui::toQt(engineVersion())),
        QMessageBox::Close, this);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->open();
}

} // namespace duo::app
