// SPDX-License-Identifier: Apache-2.0
// FocusMark: a frame around whatever the Tab key has gone to, in all windows; views and labels show little of it
// themselves. The mouse takes it away.
#pragma once

#include <QFocusFrame>
#include <QObject>
#include <QPointer>

namespace duo::ui {

class FocusMark : public QObject
{
    Q_OBJECT

public:
    explicit FocusMark(QObject* parent = nullptr);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QPointer<QFocusFrame> m_frame; // goes with the window it was in
};

} // namespace duo::ui
