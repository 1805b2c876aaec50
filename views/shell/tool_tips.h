// SPDX-License-Identifier: Apache-2.0
// ToolTips: breaks long lines of all tool tips of widgets and item views; Qt breaks those of rich text only.
#pragma once

#include <QObject>

namespace duo::ui {

class ToolTips : public QObject
{
    Q_OBJECT

public:
    explicit ToolTips(QObject* parent = nullptr);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
};

} // namespace duo::ui
