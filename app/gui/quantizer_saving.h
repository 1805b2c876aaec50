// SPDX-License-Identifier: Apache-2.0
// QuantizerSaving: a model that is quantized already is written in float, and its quantizers for other tools.
#pragma once

#include "app/gui/messages.h"
#include "app/session/session.h"
#include "views/intent/board.h"

#include <QAction>
#include <QMenu>
#include <QObject>
#include <QWidget>

#include <memory>

namespace duo::app {

class QuantizerSaving : public QObject
{
    Q_OBJECT

public:
    QuantizerSaving(Session& session, ui::Board& board, QWidget* window);

    [[nodiscard]] QAction* floatAction() const { return m_float; }
    [[nodiscard]] QMenu* encodingsMenu() const { return m_encodings; } // an action for each form

Q_SIGNALS:
    void told(const duo::app::Message& message);

private:
    void addForm(const std::string& form);
    void saveFloat();
    void saveEncodings(const std::string& form);
    [[nodiscard]] bool hasWhatItTakes(const std::string& form) const;
    void update();

    Session& m_session;
    QWidget* m_window;
    std::shared_ptr<const Model> m_model; // that was looked at last
    bool m_isQuantized = false;
    QAction* m_float;
    QMenu* m_encodings;
};

} // namespace duo::app
