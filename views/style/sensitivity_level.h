// SPDX-License-Identifier: Apache-2.0
// How much of the output error a part causes, as colour and as a mark for who does not see colours.
#pragma once

#include "views/style/theme.h"

#include <QString>

namespace duo::ui {

enum class SensitivityLevel { Low, Middle, High };

/// Of a share of the noise: up to 5 %, up to 20 %, more.
SensitivityLevel sensitivityLevel(double share);
const Shade& sensitivityShade(const Theme& theme, SensitivityLevel level);
QString sensitivityMark(SensitivityLevel level); // "●○○", "●●○", "●●●"
QString sensitivityText(double share); // "●●○ 12 %"

} // namespace duo::ui
