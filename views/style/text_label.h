// SPDX-License-Identifier: Apache-2.0
// A label of several lines that can be copied; what it says comes from files, so that nothing in it is markup.
#pragma once

#include <QLabel>
#include <QString>

namespace duo::ui {

/// @param name of the object; "": none
QLabel* textLabel(const QString& name, QWidget* parent, const QString& text = {});

} // namespace duo::ui
