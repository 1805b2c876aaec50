// SPDX-License-Identifier: Apache-2.0
// Icons of resources/icons in the colours of a palette, so that they can be read on light and dark.
#pragma once

#include <QIcon>
#include <QPalette>
#include <QString>

namespace duo::ui {

/// @param name file name without extension; a missing file gives an empty icon
QIcon themedIcon(const QString& name, const QPalette& palette);

} // namespace duo::ui
