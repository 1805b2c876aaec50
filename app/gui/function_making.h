// SPDX-License-Identifier: Apache-2.0
// FunctionMaking: modules of the selection become functions of the recipe, each one step of undo, and the model is
// written with them.
#pragma once

#include "app/gui/messages.h"
#include "app/session/function_outlook.h"
#include "app/session/session.h"
#include "views/intent/board.h"
#include "views/transforms/function_dialog.h"

#include <QAction>
#include <QObject>
#include <QPointer>
#include <QWidget>

namespace duo::app {

class FunctionMaking : public QObject
{
    Q_OBJECT

public:
    FunctionMaking(Session& session, ui::Board& board, QWidget* window);

    [[nodiscard]] QAction* makeAction() const { return m_make; }
    [[nodiscard]] QAction* forgetAction() const { return m_forget; }
    [[nodiscard]] QAction* saveAction() const { return m_save; }
    [[nodiscard]] QAction* inlineAction() const { return m_inline; }

Q_SIGNALS:
    void told(const duo::app::Message& message);

private:
    void ask();
    void take(const ui::FunctionDialog& dialog);
    void showPlan(const OutlinePlan& plan);
    void forget();
    void save();
    void saveInlined();
    void update();

    Session& m_session;
    ui::Board& m_board;
    QWidget* m_window;
    FunctionOutlook m_outlook;
    ui::Selection m_selection;
    std::shared_ptr<const Snapshot> m_asked; // that the dialog is about
    QPointer<ui::FunctionDialog> m_dialog;
    QAction* m_make;
    QAction* m_forget;
    QAction* m_save;
    QAction* m_inline;
};

} // namespace duo::app
