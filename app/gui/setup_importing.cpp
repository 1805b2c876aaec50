// SPDX-License-Identifier: Apache-2.0
#include "app/gui/setup_importing.h"

#include "app/gui/select_named.h"
#include "views/results/import_dialog.h"
#include "views/style/file_dialog.h"
#include "views/style/format.h"

#include <tuple>

namespace duo::app {

SetupImporting::SetupImporting(Session& session, ui::Board& board, QWidget* window)
    : QObject(window)
    , m_session(session)
    , m_board(board)
    , m_window(window)
    , m_action(new QAction(tr("Tak&e quantizers from…"), window))
    , m_keep(new QAction(tr("&Keep the others of those taken"), window))
{
    const QString tip = tr("Resume from a compression state, or take quantizers that another tool wrote down: first "
                           "shows where each stands in the open model");
    m_action->setObjectName(QStringLiteral("actionImportSetup"));
    m_action->setStatusTip(tip);
    m_action->setToolTip(tip);
    m_action->setEnabled(false);
    window->addAction(m_action);
    const QString keepTip = tr("Of quantizers that were taken from a file, keep those that the rules changed since "
                               "leave alone, and make the rest anew");
    m_keep->setObjectName(QStringLiteral("actionKeepTaken"));
    m_keep->setStatusTip(keepTip);
    m_keep->setToolTip(keepTip);
    m_keep->setEnabled(false);
    window->addAction(m_keep);
    connect(m_keep, &QAction::triggered, &session, &Session::continueTaken);
    for (const auto changed : {&Session::snapshotChanged, &Session::rulesChanged, &Session::setupUsed,
             &Session::activityChanged, &Session::opened})
        connect(&session, changed, this, &SetupImporting::updateKeep);
    connect(m_action, &QAction::triggered, this, &SetupImporting::ask);
    connect(&board, &ui::Board::readyShown, m_action, &QAction::setEnabled);
    connect(&session, &Session::setupImported, this, &SetupImporting::show);
    connect(&session, &Session::setupContinued, this, &SetupImporting::showContinued);
    connect(&session, &Session::opened, this, [this] { m_taken.clear(); });
    connect(&session, &Session::calibrated, this, [this] { m_taken.clear(); });
    connect(&session, &Session::rulesChanged, this, &SetupImporting::follow);
}

void SetupImporting::ask()
{
    ui::askForFile(m_window,
        {"importFileDialog", tr("Take quantizers from a file"),
            tr("States, encodings, calibrations and quantized models (*.json *.encodings *.cache *.flatbuffers "
               "*.onnx);;All files "
               "(*)"),
            ui::pathText(m_session.snapshot()->model->path.parent_path())},
        [this](const std::filesystem::path& file) { m_session.importSetup(file); });
}

void SetupImporting::show(const std::filesystem::path& file, const std::shared_ptr<const ImportedSetup>& imported)
{
    auto* dialog = new ui::ImportDialog(ui::pathText(file.filename()), *imported, m_window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &ui::ImportDialog::nodeChosen, this,
        [this](const QString& node) { selectNamed(m_session, m_board, node); });
    connect(dialog, &QDialog::accepted, this, [this, file, imported] { use(file, *imported); });
    dialog->show();
}

void SetupImporting::use(const std::filesystem::path& file, const ImportedSetup& imported)
{
    const QString name = ui::pathText(file.filename());
    if (!m_session.useSetup(imported, tr("Take quantizers"))) {
        Q_EMIT told({ui::Banner::Tone::Warning,
            tr("The quantizers of %1 were not taken: another model is open, or something runs.").arg(name)});
        return;
    }
    m_taken = name;
    m_isInUse = true;
    QString text = tr("The next export writes the quantizers of %1, without data.").arg(name);
    const auto& [leftOut, notes] = std::tie(imported.resumed.leftOut, imported.resumed.notes);
    if (!leftOut.empty())
        text += tr(" Not all was taken: %1.").arg(ui::toQt(leftOut.front()));
    else if (!notes.empty())
        text += tr(" What differs: %1.").arg(ui::toQt(notes.front()));
    Q_EMIT told({notes.empty() ? ui::Banner::Tone::Good : ui::Banner::Tone::Warning, text});
}

/// Quantizers that were taken are those of the rules they were taken under.
void SetupImporting::follow()
{
    if (m_taken.isEmpty() || m_isInUse == m_session.isTakenInUse())
        return;
    m_isInUse = !m_isInUse;
    if (m_isInUse)
        Q_EMIT told({ui::Banner::Tone::Good,
            tr("The next export writes the quantizers of %1 again, without data.").arg(m_taken)});
    else
        Q_EMIT told({ui::Banner::Tone::Warning,
            tr("The recipe changed: the quantizers of %1 are not in use any more, and the next export measures all of "
               "them anew, unless those that the change leaves alone are kept.")
                .arg(m_taken),
            Offer::KeepTheRest});
}

void SetupImporting::updateKeep()
{
    m_keep->setEnabled(m_session.mayContinueTaken() && m_session.activity() == Activity::Idle);
}

void SetupImporting::showContinued(const QString& what)
{
    m_isInUse = m_session.isTakenInUse();
    Q_EMIT told({ui::Banner::Tone::Good, tr("Of %1 %2. The next export writes them.").arg(m_taken, what)});
}

} // namespace duo::app
