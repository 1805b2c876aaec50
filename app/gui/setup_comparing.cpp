// SPDX-License-Identifier: Apache-2.0
#include "app/gui/setup_comparing.h"

#include "app/gui/select_named.h"
#include "views/results/setup_dialog.h"
#include "views/style/file_dialog.h"
#include "views/style/format.h"

namespace duo::app {

SetupComparing::SetupComparing(Session& session, ui::Board& board, QWidget* window)
    : QObject(window)
    , m_session(session)
    , m_board(board)
    , m_window(window)
    , m_action(new QAction(tr("Co&mpare setup…"), window))
{
    const QString tip = tr("Say which rules, settings and quantizers a compression state, a recipe or a quantized "
                           "model has otherwise");
    m_action->setObjectName(QStringLiteral("actionCompareSetup"));
    m_action->setStatusTip(tip);
    m_action->setToolTip(tip);
    m_action->setEnabled(false);
    window->addAction(m_action);
    connect(m_action, &QAction::triggered, this, &SetupComparing::ask);
    connect(&board, &ui::Board::readyShown, m_action, &QAction::setEnabled);
    connect(&session, &Session::setupCompared, this, &SetupComparing::show);
}

void SetupComparing::ask()
{
    ui::askForFile(m_window,
        {"setupFileDialog", tr("Compare the setup with a file"),
            tr("States, recipes and models (*.json *.onnx);;All files (*)"),
            ui::pathText(m_session.snapshot()->model->path.parent_path())},
        [this](const std::filesystem::path& file) { m_session.compareSetup(file); });
}

void SetupComparing::show(const std::filesystem::path& file, const std::shared_ptr<const SetupDifference>& difference)
{
    auto* dialog
        = new ui::SetupDialog({tr("Open model"), tr("File"), ui::pathText(file.filename())}, *difference, m_window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &ui::SetupDialog::nodeChosen, this,
        [this](const QString& node) { selectNamed(m_session, m_board, node); });
    dialog->show();
}

} // namespace duo::app
