// SPDX-License-Identifier: Apache-2.0
// HalfSaving: the open model is written in floats of 16 bits.
#pragma once

#include "app/gui/messages.h"
#include "app/session/session.h"

#include <QAction>
#include <QObject>
#include <QWidget>

namespace duo::app {

class HalfSaving : public QObject
{
    Q_OBJECT

public:
    HalfSaving(Session& session, QWidget* window);

    [[nodiscard]] QAction* action() const { return m_save; }

Q_SIGNALS:
    void told(const duo::app::Message& message);

private:
    void save();
    void update();

    Session& m_session;
    QWidget* m_window;
    QAction* m_save;
};

} // namespace duo::app
