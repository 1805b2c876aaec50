// SPDX-License-Identifier: Apache-2.0
// tr: text to be translated, outside of classes that have a tr of their own.
#pragma once

#include <QCoreApplication>
#include <QString>

namespace duo::ui {

inline QString tr(const char* text)
{
    return QCoreApplication::translate("duo", text);
}

} // namespace duo::ui
