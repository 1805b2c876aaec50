// SPDX-License-Identifier: Apache-2.0
// Text of tool tips whose lines are broken.
#pragma once

#include <QFontMetrics>
#include <QString>

namespace duo::ui {

/// The text itself if it is short, else rich text of the same lines, which Qt breaks where they are too long to be
/// read. What Qt would take for rich text is shown as it stands: names come from files, and all tips are plain text.
QString wrappedTip(const QString& text, const QFontMetrics& metrics);

} // namespace duo::ui
