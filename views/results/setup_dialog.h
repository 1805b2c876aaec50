// SPDX-License-Identifier: Apache-2.0
// SetupDialog: where the setup of the open model and that of a file differ, a row each.
#pragma once

#include "core/state/setup_difference.h"

#include <QDialog>
#include <QTableView>

namespace duo::ui {

class SetupDialog : public QDialog
{
    Q_OBJECT

public:
    /// @param file what it is compared with, for people
    SetupDialog(const QString& file, const SetupDifference& difference, QWidget* parent = nullptr);

Q_SIGNALS:
    void nodeChosen(const QString& node); // by its name; it may be none of the open model's

private:
    QTableView* m_table;
};

} // namespace duo::ui
