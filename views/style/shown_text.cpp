// SPDX-License-Identifier: Apache-2.0
#include "views/style/shown_text.h"

#include "core/support/visible_text.h"
#include "views/style/format.h"

namespace duo::ui {

QString shownText(const QString& text, bool keepLines)
{
    return toQt(visibleText(toStd(text), keepLines));
}

} // namespace duo::ui
