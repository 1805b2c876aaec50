// SPDX-License-Identifier: Apache-2.0
// Appearance: light, dark, or as the system has it; kept in the settings.
#pragma once

#include <QPalette>
#include <QSettings>

namespace duo::app {

enum class Appearance { System, Light, Dark };

Appearance readAppearance(const QSettings& settings);
void writeAppearance(QSettings& settings, Appearance appearance);

/// Gives the application its style and palette. `system`: the palette it had at the start.
void applyAppearance(Appearance appearance, const QPalette& system);

} // namespace duo::app
