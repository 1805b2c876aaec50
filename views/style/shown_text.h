// SPDX-License-Identifier: Apache-2.0
// Texts of files where a person reads them.
#pragma once

#include <QString>

namespace duo::ui {

/// With marks for controls and for what turns the direction of what follows (core/support/visible_text.h), so that no
/// name of a file looks like another. @param keepLines line breaks stay, as of a text of several lines
QString shownText(const QString& text, bool keepLines = false);

} // namespace duo::ui
