// SPDX-License-Identifier: Apache-2.0
#include "views/shell/focus_mark.h"

#include <QApplication>
#include <QFocusEvent>

namespace duo::ui {

FocusMark::FocusMark(QObject* parent)
    : QObject(parent)
{
    qApp->installEventFilter(this);
}

bool FocusMark::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() != QEvent::FocusIn || !watched->isWidgetType())
        return QObject::eventFilter(watched, event);
    auto* widget = static_cast<QWidget*>(watched);
    switch (static_cast<QFocusEvent*>(event)->reason()) {
    case Qt::TabFocusReason:
    case Qt::BacktabFocusReason:
    case Qt::ShortcutFocusReason:
        if (!m_frame)
            m_frame = new QFocusFrame(widget->window());
        m_frame->setWidget(widget);
        break;
    case Qt::ActiveWindowFocusReason: // it comes back to where it was
    case Qt::PopupFocusReason:
    case Qt::MenuBarFocusReason:
        break;
    default:
        if (m_frame)
            m_frame->setWidget(nullptr);
    }
    return QObject::eventFilter(watched, event);
}

} // namespace duo::ui
