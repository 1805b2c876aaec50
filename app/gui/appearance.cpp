// SPDX-License-Identifier: Apache-2.0
#include "app/gui/appearance.h"

#include "views/shell/indicator_style.h"
#include "views/style/theme.h"

#include <QApplication>

#include <array>

namespace duo::app {
namespace {

constexpr std::array<const char*, 3> kNames = {"system", "light", "dark"}; // by Appearance

QString key()
{
    return QStringLiteral("window/appearance");
}

} // namespace

Appearance readAppearance(const QSettings& settings)
{
    const QString name = settings.value(key()).toString();
    for (std::size_t i = 0; i < kNames.size(); ++i) {
        if (name == QLatin1String(kNames[i]))
            return static_cast<Appearance>(i);
    }
    return Appearance::System;
}

void writeAppearance(QSettings& settings, Appearance appearance)
{
    settings.setValue(key(), QLatin1String(kNames[static_cast<std::size_t>(appearance)]));
}

void applyAppearance(Appearance appearance, const QPalette& system)
{
    const bool isDark
        = appearance == Appearance::Dark || (appearance == Appearance::System && ui::themeFor(system).isDark);
    QApplication::setStyle(new ui::IndicatorStyle);
    QApplication::setPalette(isDark ? ui::darkPalette() : ui::lightPalette());
}

} // namespace duo::app
