// SPDX-License-Identifier: Apache-2.0
#include "views/style/sensitivity_level.h"

#include <cmath>

namespace duo::ui {
namespace {

constexpr double kMiddle = 0.05;
constexpr double kHigh = 0.2;

} // namespace

SensitivityLevel sensitivityLevel(double share)
{
    return share > kHigh ? SensitivityLevel::High : share > kMiddle ? SensitivityLevel::Middle : SensitivityLevel::Low;
}

const Shade& sensitivityShade(const Theme& theme, SensitivityLevel level)
{
    switch (level) {
    case SensitivityLevel::Low:
        return theme.good;
    case SensitivityLevel::Middle:
        return theme.warning;
    case SensitivityLevel::High:
        return theme.bad;
    }
    return theme.good;
}

QString sensitivityMark(SensitivityLevel level)
{
    switch (level) {
    case SensitivityLevel::Low:
        return QStringLiteral("●○○");
    case SensitivityLevel::Middle:
        return QStringLiteral("●●○");
    case SensitivityLevel::High:
        return QStringLiteral("●●●");
    }
    return {};
}

QString sensitivityText(double share)
{
    return sensitivityMark(sensitivityLevel(share)) + QLatin1Char(' ') + QString::number(std::lround(100 * share))
        + QStringLiteral(" %");
}

} // namespace duo::ui
