// SPDX-License-Identifier: Apache-2.0
// Icons of resources/icons, drawn in the text colour of a palette so that they are readable on light and dark.
#pragma once

#include <QIcon>
#include <QPalette>
#include <QString>

namespace duo::ui {

/// @param name file name without extension; a missing file gives an empty icon
QIcon themedIcon(const QString& name, const QPalette& palette);

} // namespace duo::ui
