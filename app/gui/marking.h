// SPDX-License-Identifier: Apache-2.0
// Marking: mark mode, and what is done to the marks of the recipe; each edit is one step of undo.
#pragma once

#include "app/gui/messages.h"
#include "app/session/module_marks.h"
#include "app/session/session.h"
#include "views/intent/board.h"

#include <QAction>
#include <QMenu>
#include <QObject>
#include <QWidget>

namespace duo::app {

class Marking : public QObject
{
    Q_OBJECT

public:
    /// @param mode checked while a click marks
    Marking(Session& session, ui::Board& board, QAction* mode, QWidget* window);

    void fillMenu(QMenu& menu);

Q_SIGNALS:
    void told(const duo::app::Message& message);

private:
    void apply(const ui::MarkIntent& intent);
    void toggle(std::uint32_t module);
    void makeRules(RuleAction action);
    void takeIgnored();
    void takeOfModel();
    void expandIgnored();
    void askSettings(std::size_t mark);
    void set(std::size_t mark, const QString& lines);
    void copy(MarkForm form);
    void paste();
    void edit(std::vector<Mark> marks, const QString& text);
    void warn(const QString& text);
    void show();
    [[nodiscard]] const std::vector<Mark>& marks() const { return m_session.recipe().marks; }
    /// What the marks wanted come to; `modules` may be marked by earlier ones.
    [[nodiscard]] Marked marked(const MarkedModules& modules) const;

    Session& m_session;
    ui::Board& m_board;
    QAction* m_mode;
    QWidget* m_window;
    ModuleMarks m_modules;
};

} // namespace duo::app
