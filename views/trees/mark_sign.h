// SPDX-License-Identifier: Apache-2.0
// The sign of a row that says how its module stands to the marks: a shape, never colour alone.
#pragma once

#include "core/marks/marked_modules.h"

#include <QColor>
#include <QPainter>
#include <QRect>
#include <QString>
#include <QStringList>

#include <cstdint>

namespace duo::ui {

/// Solid for a marked module, hatched for another path to it, crossed for one that is left out, else empty.
/// @param place square, in device-independent pixels
void paintMarkSign(QPainter& painter, const QRect& place, MarkSign sign, const QColor& ink);

/// "marked", "marked under another path", "left out of the marks"; "" for none.
QString markSignText(MarkSign sign);

/// What the sign of a module means, and what is set for it; a line each. Empty where the marks do not reach it and
/// nothing is doubtful.
QStringList markLines(const MarkedModules& modules, std::uint32_t module, MarkSign sign);

} // namespace duo::ui
