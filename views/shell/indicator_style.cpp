// SPDX-License-Identifier: Apache-2.0
#include "views/shell/indicator_style.h"

#include "views/style/theme.h"

#include <QPainter>
#include <QStyleFactory>
#include <QStyleOption>

namespace duo::ui {
namespace {

constexpr int kFusionDarkens = 140; // percent, from the window's color to the outline

} // namespace

IndicatorStyle::IndicatorStyle()
    : QProxyStyle(QStyleFactory::create(QStringLiteral("Fusion")))
{
}

void IndicatorStyle::drawControl(
    ControlElement element, const QStyleOption* option, QPainter* painter, const QWidget* widget) const
{
    if (element == CE_FocusFrame) // masked to a frame
        painter->fillRect(option->rect, option->palette.highlight());
    else
        QProxyStyle::drawControl(element, option, painter, widget);
}

int IndicatorStyle::styleHint(
    StyleHint hint, const QStyleOption* option, const QWidget* widget, QStyleHintReturn* result) const
{
    return hint == SH_FocusFrame_AboveWidget ? 1 : QProxyStyle::styleHint(hint, option, widget, result);
}

void IndicatorStyle::drawPrimitive(
    PrimitiveElement element, const QStyleOption* option, QPainter* painter, const QWidget* widget) const
{
    const auto* button = qstyleoption_cast<const QStyleOptionButton*>(option);
    if (!button || (element != PE_IndicatorCheckBox && element != PE_IndicatorRadioButton)) {
        QProxyStyle::drawPrimitive(element, option, painter, widget);
        return;
    }
    QStyleOptionButton outlined = *button;
    outlined.palette.setColor(QPalette::Window, themeFor(option->palette).muted.lighter(kFusionDarkens));
    QProxyStyle::drawPrimitive(element, &outlined, painter, widget);
}

} // namespace duo::ui
