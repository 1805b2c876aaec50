// SPDX-License-Identifier: Apache-2.0
#include "views/style/text_label.h"

namespace duo::ui {

QLabel* textLabel(const QString& name, QWidget* parent, const QString& text)
{
    auto* label = new QLabel(parent);
    label->setObjectName(name);
    label->setTextFormat(Qt::PlainText); // before the text
    label->setText(text);
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return label;
}

} // namespace duo::ui
