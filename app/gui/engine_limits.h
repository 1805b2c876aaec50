// SPDX-License-Identifier: Apache-2.0
// Limits of the engine as the window keeps them in its settings.
#pragma once

#include "views/shell/limits_dialog.h"

#include <QSettings>

namespace duo::app {

/// What holds where nothing was chosen.
ui::EngineLimits usualLimits();
/// What holds now, whoever has set it.
ui::EngineLimits presentLimits();
/// From now on.
void setLimits(const ui::EngineLimits& limits);

/// What cannot be is as usual.
ui::EngineLimits readLimits(const QSettings& settings);
void writeLimits(QSettings& settings, const ui::EngineLimits& limits);

} // namespace duo::app
