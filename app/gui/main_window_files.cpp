// SPDX-License-Identifier: Apache-2.0
// MainWindow: what it asks the user for: files, data, bounds; and what is dropped onto it.
#include "app/gui/main_window.h"

#include "app/gui/engine_limits.h"
#include "app/session/dropped_files.h"
#include "app/session/nearby_data.h"
#include "app/session/recipe_files.h"
#include "core/calibrate/samples/made_input.h"
#include "core/calibrate/samples/model_input.h"
#include "core/engine/run_limit.h"
#include "core/engine/session.h"
#include "core/formats/file_formats.h"
#include "core/onnx/absent_data.h"
#include "core/support/version.h"
#include "views/config/data_dialog.h"
#include "views/graph/box_sizes.h"
#include "views/results/bounds_dialog.h"
#include "views/style/format.h"

#include <QDialogButtonBox>
#include <QDropEvent>
#include <QFileInfo>
#include <QMessageBox>
#include <QMimeData>
#include <QScreen>
#include <QTextBrowser>
#include <QVBoxLayout>

#include <vector>

namespace duo::app {
namespace {

constexpr QSize kKeysSize(680, 640); // px
constexpr QSize kAroundKeys(20, 80); // px: frame and title bar

QString patterns(const FileFormat& format)
{
    return ui::toQt(patternsText(format));
}

/// All kinds together, then each on its own.
QString modelFilter()
{
    QStringList all;
    QStringList each;
    for (const FileFormat& format : fileFormats()) {
        if (format.asModel.empty())
            continue;
        all += patterns(format);
        each += QStringLiteral("%1 (%2)").arg(ui::toQt(format.title), patterns(format));
    }
    return MainWindow::tr("Models (%1);;%2;;All files (*)")
        .arg(all.join(QLatin1Char(' ')), each.join(QStringLiteral(";;")));
}

/// Patterns of all formats of a kind.
QString patternsOf(bool FileFormat::*isKind)
{
    QStringList all;
    for (const FileFormat& format : fileFormats()) {
        if (format.*isKind && !format.endings.empty())
            all += patterns(format);
    }
    return all.join(QLatin1Char(' '));
}

QString checkpointFilter()
{
    return MainWindow::tr("Checkpoints (%1);;All files (*)").arg(patternsOf(&FileFormat::isCheckpoint));
}

QString recipeFilter()
{
    return MainWindow::tr("Recipes and rules (%1);;All files (*)").arg(patternsOf(&FileFormat::isRecipe));
}

QString folderOf(const Snapshot& snapshot)
{
    return ui::pathText(snapshot.model->path.parent_path());
}

QString exportFolderKey()
{
    return QStringLiteral("export/folder");
}

/// The last one while there is one, else that of the model.
std::filesystem::path exportFolder(const QSettings& settings, const std::filesystem::path& model)
{
    const auto last = ui::toPath(settings.value(exportFolderKey()).toString());
    std::error_code unknown;
    return std::filesystem::is_directory(last, unknown) ? last : model.parent_path();
}

/// That of the last export of the model, also in an earlier session; else a usual one.
std::filesystem::path exportName(const Session& session)
{
    if (const auto report = session.report(); report && !report->files.empty())
        return report->files.front().filename();
    for (const KeptRun& run : session.runs()) {
        if (run.kind == ResultKind::Export && !run.target.empty())
            return std::filesystem::path(run.target).filename();
    }
    return session.snapshot()->model->path.stem().string() + ".int8.onnx";
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

void MainWindow::openModel(const QString& path, const Companions& companions)
{
    m_session.open(ui::toPath(path), companions);
}

void MainWindow::chooseModel()
{
    ui::FileQuestion question{"openDialog", tr("Open a model"), modelFilter()};
    if (const auto snapshot = m_session.snapshot())
        question.folder = folderOf(*snapshot);
    else if (const QStringList recent = m_recentFiles.list(); !recent.isEmpty())
        question.folder = QFileInfo(recent.front()).absolutePath();
    ui::askForFile(this, question, [this](const std::filesystem::path& path) { m_session.open(path); });
}

void MainWindow::chooseCheckpoint()
{
    ui::askForFile(this,
        {"checkpointDialog", tr("Add a checkpoint to the model"), checkpointFilter(), folderOf(*m_session.snapshot())},
        [this](const std::filesystem::path& path) { addCheckpoint(path); });
}

void MainWindow::addCheckpoint(const std::filesystem::path& path)
{
    if (!m_session.addCheckpoint(path))
        tell({ui::Banner::Tone::Warning,
            tr("Something else is running. Add %1 when it is done.").arg(ui::pathText(path.filename()))});
}

void MainWindow::chooseRecipe()
{
    ui::askForFile(this,
        {"recipeDialog", tr("Open a recipe or rules"), recipeFilter(), folderOf(*m_session.snapshot())},
        [this](const std::filesystem::path& path) { m_session.openRecipe(path); });
}

void MainWindow::chooseRecipeTarget()
{
    ui::askForTarget(this, {"saveRecipeDialog", tr("Save the recipe"), tr("Recipes (*.recipe.json);;All files (*)")},
        recipePathFor(m_session.snapshot()->model->path), QStringLiteral("recipe.json"),
        [this](const std::filesystem::path& path) {
            if (const Status saved = m_session.saveRecipeAs(path); !saved)
                showError(saved.error());
            else
                tell({ui::Banner::Tone::Good, tr("The recipe is saved as %1.").arg(ui::pathText(path))});
            updateTitle();
        });
}

void MainWindow::chooseStatistics()
{
    if (const auto refusal = m_session.refusal()) {
        showError(*refusal);
        return;
    }
    ui::askForFile(this, {"statisticsDialog", tr("Open statistics of this model"), {}, folderOf(*m_session.snapshot())},
        [this](const std::filesystem::path& path) {
            m_banner->dismiss();
            m_session.openStatistics(path);
        });
}

/// Named as the parameter, without what a file's name may not hold.
void MainWindow::chooseParameterTarget(ValueId value)
{
    const auto model = m_session.snapshot()->model;
    QString name = ui::toQt(model->value(value).name);
    for (QChar& letter : name) {
        if (!letter.isLetterOrNumber() && !QStringLiteral("._-").contains(letter))
            letter = QLatin1Char('_');
    }
    ui::askForTarget(this, {"saveParameterDialog", tr("Save the values"), tr("NumPy arrays (*.npy)")},
        model->path.parent_path() / ui::toPath(name + QStringLiteral(".npy")), QStringLiteral("npy"),
        [this, model, value](const std::filesystem::path& path) { m_parameters.save(model, value, path); });
}

void MainWindow::doWithData(Activity activity, std::function<void()> work)
{
    if (const auto refusal = m_session.refusal()) {
        showError(*refusal);
        return;
    }
    if (m_session.lacksData(activity))
        chooseData(std::move(work));
    else
        work();
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

void MainWindow::chooseLimits()
{
    auto* dialog = new ui::LimitsDialog(presentLimits(), usualLimits(), kMostSampleTime, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::accepted, this, [this, dialog] {
        setLimits(dialog->limits());
        writeLimits(m_settings, dialog->limits());
    });
    dialog->open();
}

void MainWindow::chooseTarget()
{
    const auto target = exportFolder(m_settings, m_session.snapshot()->model->path) / exportName(m_session);
    ui::askForTarget(this,
        {"exportDialog", tr("Export the quantized model"), tr("ONNX models (*.onnx);;All files (*)")}, target,
        QStringLiteral("onnx"), [this](const std::filesystem::path& path) {
            m_settings.setValue(exportFolderKey(), QFileInfo(ui::pathText(path)).absolutePath());
            m_banner->dismiss();
            m_session.exportTo(path);
        });
}

/// The folder is made in the one that is chosen, under a name that nothing has there.
void MainWindow::chooseDeployment()
{
    const auto& model = m_session.snapshot()->model->path;
    const std::string name = model.stem().string() + "-deployment";
    ui::askForFolder(this,
        {.name = "deployDialog",
            .title = tr("Where to make the folder %1").arg(ui::toQt(name)),
            .folder = ui::pathText(exportFolder(m_settings, model))},
        [this, name](const std::filesystem::path& folder) {
            m_settings.setValue(exportFolderKey(), ui::pathText(folder));
            m_banner->dismiss();
            std::filesystem::path target = folder / name;
            std::error_code unknown;
            for (int n = 2; std::filesystem::exists(target, unknown); ++n)
                target = folder / (name + "-" + std::to_string(n));
            m_session.deployTo(target);
        });
}

/// @param isWhole every scope is open; else those of the picture
void MainWindow::chooseGraphTarget(bool isWhole)
{
    const auto snapshot = m_session.snapshot();
    const ui::Picture* shown = m_graph.view()->picture();
    if (!isWhole && (!shown || shown->snapshot->model != snapshot->model)) {
        tell({ui::Banner::Tone::Warning, tr("No picture is shown yet.")});
        return;
    }
    GraphFile file{snapshot, {}, m_actions.quantizerBoxes->isChecked(), {}};
    if (shown && shown->snapshot->model == snapshot->model) {
        file.form = shown->form;
        file.run = shown->run;
    }
    if (const auto overlay = m_graph.view()->overlay(); overlay && overlay->scopes == snapshot->scopes)
        file.overlay = overlay;
    if (!isWhole) {
        file.open = shown->open;
        file.shape = shown->shape;
        file.sizes = ui::boxSizes(ui::measureText(m_graph.view()->font()));
        file.types = m_graph.view()->writtenTypes();
    }
    file.runs = m_graph.view()->writtenRuns();
    const std::filesystem::path& model = snapshot->model->path;
    ui::askForTarget(this,
        {"graphDialog", tr("Save the graph"), tr("Pictures and graphs (*.svg *.png *.pdf *.dot);;All files (*)")},
        model.parent_path() / (model.stem().string() + ".svg"), QStringLiteral("svg"),
        [this, file, isWhole](const std::filesystem::path& path) {
            GraphFile wanted = file;
            wanted.target = path;
            if (isWhole)
                wanted.open = wanted.run ? allOpen(*wanted.run->kernels, *wanted.run->scopes)
                                         : allOpen(*wanted.snapshot->model, *wanted.snapshot->scopes);
            Q_EMIT m_board.said(tr("Drawing %1…").arg(ui::pathText(path.filename())));
            m_graphFiles.write(wanted);
        });
}

/// Beside the message that those in use cannot be read.
void MainWindow::offerOtherData()
{
    m_banner->offerQuestion(tr("Choose data…"), [this] { chooseData([this] { m_banner->dismiss(); }); });
}

void MainWindow::offerLibrary()
{
    ui::askForFile(this,
        {"libraryDialog", tr("Library with the operators of this model"), tr("Libraries (*.so *.so.*);;All files (*)")},
        [this](const std::filesystem::path& library) {
            if (!m_session.setCustomOps({library}))
                tell({ui::Banner::Tone::Warning,
                    tr("Something else is running. Name %1 when it is done.").arg(ui::pathText(library.filename()))});
        });
}

void MainWindow::offerFolder()
{
    ui::askForFolder(this,
        {"folderDialog", tr("Folder that the model may read its data from"), {},
            ui::pathText(m_session.opening().parent_path())},
        [this](const std::filesystem::path& folder) { m_session.openAgain(folder); });
}

void MainWindow::tellAbsentData()
{
    tell(absentDataMessage(*m_session.snapshot()));
    m_banner->offerQuestion(tr("Locate…"), [this] { locateData(); });
}

void MainWindow::locateData()
{
    const auto absent = absentFiles(*m_session.snapshot()->model);
    if (absent.empty())
        return;
    const QString name = ui::pathText(absent.front().path.filename());
    ui::askForFile(this,
        {"locateDialog", tr("Where is %1, with the weights of the model?").arg(name),
            tr("%1 (%1);;All files (*)").arg(name), folderOf(*m_session.snapshot())},
        [this, isOnly = absent.size() == 1](const std::filesystem::path& path) {
            // Under another name it can only be meant for the one file that is absent.
            if (!m_session.locateData(isOnly ? path : path.parent_path()))
                tell({ui::Banner::Tone::Warning,
                    tr("Something else is running. Locate %1 when it is done.").arg(ui::pathText(path.filename()))});
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
    row(tr("Shift+Up, Shift+Down"), tr("In the graph: select what feeds the selection, or what it feeds"));
    row(tr("Shift+P"), tr("In the graph: select what lies between the selected boxes"));
    row(tr("Shift+E"), tr("In the graph: fold the scopes that are equal to the selected one, or unfold them"));
    row(tr("Wheel"), tr("In the graph: zoom; with Shift sideways; drag to move"));
    row(tr("Ctrl+Drag"), tr("In the graph: select what the band touches; with Shift in addition; Ctrl+Click one box"));
    row(tr("I, T, Space"), tr("In the rules: ignore, target, disable or enable the selected rules"));
    row(tr("X, Delete"), tr("In the rules: remove the selected rules"));
    auto* sheet = new QDialog(this);
    sheet->setObjectName(QStringLiteral("keysDialog"));
    sheet->setWindowTitle(tr("Keyboard"));
    sheet->setAttribute(Qt::WA_DeleteOnClose);
    auto* text = new QTextBrowser(sheet); // it scrolls: there are more keys than a screen has lines
    text->setObjectName(QStringLiteral("keysText"));
    text->setAccessibleName(tr("What the keys do"));
    text->setFrameShape(QFrame::NoFrame);
    text->setHtml(QStringLiteral("<table>%1</table>").arg(rows));
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, sheet);
    connect(buttons, &QDialogButtonBox::rejected, sheet, &QDialog::reject);
    auto* column = new QVBoxLayout(sheet);
    column->addWidget(text);
    column->addWidget(buttons);
    sheet->resize(kKeysSize.boundedTo(screen()->availableSize() - kAroundKeys));
    sheet->open();
}

void MainWindow::showAbout()
{
    auto* box = new QMessageBox(QMessageBox::NoIcon, tr("About Duoscope"),
        tr("<h3>Duoscope %1</h3><p>See and choose what a compressed neural network keeps.</p>"
           "<p>Qt %2, ONNX Runtime %3.<br>Licensed under Apache-2.0.</p>"
           "<p>What you do with a model is kept as you do it, in %4.</p>")
            .arg(QLatin1String(kVersion), QLatin1String(qVersion()), ui::toQt(engineVersion()),
                ui::pathText(m_session.keptFolder()).toHtmlEscaped()),
        QMessageBox::Close, this);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->open();
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event)
{
    if (event->mimeData()->hasUrls() && event->mimeData()->urls().first().isLocalFile())
        event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event)
{
    std::vector<std::filesystem::path> files;
    for (const QUrl& url : event->mimeData()->urls())
        files.push_back(ui::toPath(url.toLocalFile()));
    const auto snapshot = m_session.snapshot();
    if (snapshot && files.size() == 1 && looksLikeForeignSetup(files.front())) {
        m_session.importSetup(files.front());
        return;
    }
    const DroppedFiles dropped = droppedFiles(files, snapshot && snapshot->model->format->canRun());
    if (!dropped.model.empty()) {
        openModel(ui::pathText(dropped.model), {{}, dropped.checkpoint, dropped.recipe});
        return;
    }
    if (!dropped.recipe.empty())
        m_session.openRecipe(dropped.recipe);
    if (!dropped.checkpoint.empty())
        addCheckpoint(dropped.checkpoint);
}

} // namespace duo::app
