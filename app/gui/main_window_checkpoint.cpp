// SPDX-License-Identifier: Apache-2.0
// MainWindow: checkpoints beside the model, and files dropped onto the window.
#include "app/gui/main_window.h"

#include "app/session/nearby_checkpoint.h"
#include "app/session/recipe/recipe_files.h"
#include "views/style/format.h"

#include <QDropEvent>
#include <QFileDialog>
#include <QMimeData>
#include <QStatusBar>

#include <algorithm>
#include <numeric>

namespace duo::app {
namespace {

constexpr int kMessageMs = 10000;
constexpr int kRemembered = 50; // models whose checkpoint was left out

QString leftOutKey()
{
    return QStringLiteral("checkpoint/leftOut");
}

QString nameOf(const std::filesystem::path& path)
{
    return ui::pathText(path.filename());
}

/// "118 of 122 keys are read by a node (20 name, 98 content)".
QString coverageText(const Scopes& scopes)
{
    std::int64_t found = 0;
    QStringList parts;
    for (const auto& [how, count] : scopes.matchedBy) {
        found += count;
        if (count > 0)
            parts += QStringLiteral("%1 by %2").arg(ui::countText(count), ui::toQt(how));
    }
    const QString text
        = MainWindow::tr("%1 of %2 keys found in the model").arg(ui::countText(found), ui::countText(scopes.keys));
    return parts.isEmpty() ? text : QStringLiteral("%1 (%2)").arg(text, parts.join(QStringLiteral(", ")));
}

} // namespace

void MainWindow::setCheckpoint(const QString& path)
{
    m_pendingCheckpoint = ui::toPath(path);
}

void MainWindow::chooseCheckpoint()
{
    auto* dialog = new QFileDialog(this, tr("Add a checkpoint to the model"));
    dialog->setObjectName(QStringLiteral("checkpointDialog"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    dialog->setNameFilter(tr("Checkpoints (*.safetensors *.index.json *.pth *.pt *.bin *.ckpt *.pt2);;All files (*)"));
    dialog->setDirectory(ui::pathText(m_session.snapshot()->model->path.parent_path()));
    connect(dialog, &QFileDialog::fileSelected, this,
        [this](const QString& path) { addCheckpoint(ui::toPath(path), false); });
    dialog->open();
}

void MainWindow::addCheckpoint(const std::filesystem::path& path, bool isPickedUp)
{
    if (!m_session.snapshot()) {
        m_banner->showError({ErrorCode::Usage, "a checkpoint needs the model that it belongs to", path.string(),
            "open the model first, then add the checkpoint"});
        return;
    }
    if (m_session.activity() != Activity::Idle) {
        m_banner->showMessage(
            ui::Banner::Tone::Warning, tr("Something else is running. Add %1 when it is done.").arg(nameOf(path)));
        return;
    }
    if (!isPickedUp)
        rememberLeftOut(false);
    m_comparing = path;
    m_isPickedUp = isPickedUp;
    m_session.setCheckpoint(path);
}

void MainWindow::addCheckpointBeside()
{
    const auto model = m_session.snapshot()->model->path;
    const bool isLeftOut = m_settings.value(leftOutKey()).toStringList().contains(ui::pathText(model));
    if (const auto given = std::exchange(m_pendingCheckpoint, {}); !given.empty())
        addCheckpoint(given, false);
    else if (const auto found = checkpointBeside(model); !found.empty() && !isLeftOut)
        addCheckpoint(found, true);
}

void MainWindow::leaveCheckpointOut()
{
    rememberLeftOut(true);
    m_session.setCheckpoint({});
}

void MainWindow::rememberLeftOut(bool isLeftOut)
{
    const QString model = ui::pathText(m_session.snapshot()->model->path);
    QStringList models = m_settings.value(leftOutKey()).toStringList();
    models.removeAll(model);
    if (isLeftOut)
        models.prepend(model);
    m_settings.setValue(leftOutKey(), QStringList(models.mid(0, kRemembered)));
}

void MainWindow::showCheckpoint()
{
    m_comparing.clear();
    const Snapshot& snapshot = *m_session.snapshot();
    if (!snapshot.checkpoint) {
        m_banner->dismiss();
        statusBar()->showMessage(
            tr("The checkpoint is left out; scopes are as the model alone tells them"), kMessageMs);
        return;
    }
    const QString name = nameOf(snapshot.checkpoint->path);
    const QString start = m_isPickedUp ? tr("Checkpoint %1, found beside the model, is in use: %2.")
                                       : tr("Checkpoint %1 is in use: %2.");
    QString text = start.arg(name, coverageText(*snapshot.scopes));
    for (const NoteGroup& group : groupNotes(snapshot.checkpoint->notes))
        text += QLatin1Char('\n') + ui::noteText(group);
    m_banner->showMessage(ui::Banner::Tone::Good, text);
    m_banner->offer(tr("Leave it out"), [this] { leaveCheckpointOut(); });
}

/// @return whether the error was about a checkpoint that nobody asked for, and is said
bool MainWindow::showPickedUpError(const Error& error)
{
    const auto path = std::exchange(m_comparing, {});
    if (path.empty() || !m_isPickedUp)
        return false;
    m_banner->showMessage(ui::Banner::Tone::Warning,
        tr("%1, found beside the model, is not used as its checkpoint: %2.").arg(nameOf(path), ui::toQt(error.what)));
    return true;
}

void MainWindow::showStopped()
{
    const bool isCheckpoint = !std::exchange(m_comparing, {}).empty();
    m_banner->showMessage(ui::Banner::Tone::Warning,
        isCheckpoint ? tr("Stopped. The checkpoint is not in use.") : tr("Stopped. The last result is unchanged."));
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event)
{
    if (event->mimeData()->hasUrls() && event->mimeData()->urls().first().isLocalFile())
        event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event)
{
    std::filesystem::path model;
    std::filesystem::path checkpoint;
    std::filesystem::path recipe;
    const auto snapshot = m_session.snapshot();
    const QList<QUrl> urls = event->mimeData()->urls();
    // A .pt2 is a model of its own, but beside an ONNX model it says where that one's parameters lie.
    const bool hasOnnx = (snapshot && snapshot->model->format == ModelFormat::Onnx)
        || std::any_of(urls.begin(), urls.end(), [](const QUrl& url) {
               const auto path = ui::toPath(url.toLocalFile());
               return isModelName(path) && !isCheckpointName(path);
           });
    for (const QUrl& url : urls) {
        const auto path = ui::toPath(url.toLocalFile());
        if (isModelName(path) && !(hasOnnx && isCheckpointName(path)) && model.empty())
            model = path;
        else if (isCheckpointName(path) && checkpoint.empty())
            checkpoint = path;
        else if (isRecipeName(path) && recipe.empty())
            recipe = path;
        else if (model.empty() && !isCheckpointName(path) && !isRecipeName(path))
            model = path;
    }
    if (!model.empty()) {
        m_pendingCheckpoint = checkpoint;
        m_pendingRecipe = recipe;
        openModel(ui::pathText(model));
        return;
    }
    if (!recipe.empty())
        openRecipe(recipe);
    if (!checkpoint.empty())
        addCheckpoint(checkpoint, false);
}

} // namespace duo::app
