// SPDX-License-Identifier: Apache-2.0
#include "views/shell/tool_tips.h"

#include "views/style/wrapped_tip.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QHeaderView>
#include <QHelpEvent>
#include <QToolTip>

namespace duo::ui {
namespace {

struct Tip {
    QString text;
    QRect area = {}; // that it is about; empty: the widget
};

/// Of the cell or section under the pointer.
Tip itemTip(const QAbstractItemView& view, const QPoint& at)
{
    const auto* header = qobject_cast<const QHeaderView*>(&view);
    if (!header) {
        const QModelIndex index = view.indexAt(at);
        return {index.data(Qt::ToolTipRole).toString(), view.visualRect(index)};
    }
    const int section = header->logicalIndexAt(at);
    if (!header->model() || section < 0)
        return {};
    return {header->model()->headerData(section, header->orientation(), Qt::ToolTipRole).toString()};
}

/// What Qt would show for the widget itself.
Tip tipOf(const QWidget& widget, const QPoint& at)
{
    const auto* view = qobject_cast<const QAbstractItemView*>(widget.parentWidget());
    return view && view->viewport() == &widget ? itemTip(*view, at) : Tip{widget.toolTip()};
}

} // namespace

ToolTips::ToolTips(QObject* parent)
    : QObject(parent)
{
    qApp->installEventFilter(this);
}

bool ToolTips::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() != QEvent::ToolTip || !watched->isWidgetType())
        return QObject::eventFilter(watched, event);
    auto* widget = static_cast<QWidget*>(watched);
    const auto* help = static_cast<QHelpEvent*>(event);
    const Tip tip = tipOf(*widget, help->pos());
    const QString wrapped = wrappedTip(tip.text, widget->fontMetrics());
    if (wrapped == tip.text) // Qt shows it as it should be
        return QObject::eventFilter(watched, event);
    QToolTip::showText(help->globalPos(), wrapped, widget, tip.area);
    return true;
}

} // namespace duo::ui
