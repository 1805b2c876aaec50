// SPDX-License-Identifier: Apache-2.0
// IndicatorStyle: Fusion, with check boxes and radio buttons that are seen before they are checked: Fusion outlines
// them in a shade of the window, which a dark window swallows.
#pragma once

#include <QProxyStyle>

namespace duo::ui {

class IndicatorStyle : public QProxyStyle
{
    Q_OBJECT

public:
    IndicatorStyle();

    void drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
        const QWidget* widget = nullptr) const override;
    int styleHint(StyleHint hint, const QStyleOption* option = nullptr, const QWidget* widget = nullptr,
        QStyleHintReturn* result = nullptr) const override;
    void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
        const QWidget* widget = nullptr) const override;
};

} // namespace duo::ui
