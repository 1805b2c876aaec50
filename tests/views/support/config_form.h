// SPDX-License-Identifier: Apache-2.0
// chooseForm: the form of the configuration, chosen as the user does.
#pragma once

#include "views/config/config_text.h"

#include <QComboBox>

namespace duo::test {

/// In the list of forms below a widget, which has to be there.
inline void chooseForm(const QWidget& above, ui::ConfigForm form)
{
    auto* forms = above.findChild<QComboBox*>(QStringLiteral("configForm"));
    forms->setCurrentIndex(forms->findData(static_cast<int>(form)));
}

} // namespace duo::test
