// SPDX-License-Identifier: Apache-2.0
#include "app/gui/appearance.h"

#include "core/support/enum_text.h"
#include "views/shell/indicator_style.h"
#include "views/style/format.h"
#include "views/style/theme.h"

#include <QApplication>

namespace duo::app {
namespace {

constexpr auto kNames = enumTexts<Appearance::Dark>({"system", "light", "dark"});

QString key()
{
    return QStringLiteral("window/appearance");
}

} // namespace

Appearance readAppearance(const QSettings& settings)
{
    return enumFromText<Appearance>(kNames, ui::toStd(settings.value(key()).toString())).value_or(Appearance::System);
}

void writeAppearance(QSettings& settings, Appearance appearance)
{
    settings.setValue(key(), ui::toQt(enumText(kNames, appearance)));
}

void applyAppearance(Appearance appearance, const QPalette& system)
{
    const bool isDark
        = appearance == Appearance::Dark || (appearance == Appearance::System && ui::themeFor(system).isDark);
    if (qobject_cast<const ui::IndicatorStyle*>(QApplication::style()) == nullptr)
        QApplication::setStyle(new ui::IndicatorStyle); // another one lays out all rows of all trees
    QApplication::setPalette(isDark ? ui::darkPalette() : ui::lightPalette());
}

} // namespace duo::app
