// SPDX-License-Identifier: Apache-2.0
#include "views/shell/focus_mark.h"

#include <QApplication>
#include <QFocusEvent>
#include <QScrollArea>

namespace duo::ui {
namespace {

/// A frame around what fills a scroll area would lie outside what can be seen of it.
QWidget* framed(QWidget* widget)
{
    QWidget* viewport = widget->parentWidget();
    auto* area = viewport == nullptr ? nullptr : qobject_cast<QScrollArea*>(viewport->parentWidget());
    return area != nullptr && area->widget() == widget ? area : widget;
}

} // namespace

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
        m_frame->setWidget(framed(widget));
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
