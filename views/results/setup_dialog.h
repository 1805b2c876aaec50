// SPDX-License-Identifier: Apache-2.0
// SetupDialog: where two setups differ, of the open model and a file or of two runs, a row each.
#pragma once

#include "core/state/setup_difference.h"

#include <QDialog>
#include <QTableView>

#include <vector>

namespace duo::ui {

/// What is compared, for people.
struct ComparedSetups {
    QString first; // title of its column
    QString second;
    QString subject; // whose setup is the same or another one, "m.state.json"
    std::vector<TextDifference> results = {}; // what came of the two
};

class SetupDialog : public QDialog
{
    Q_OBJECT

public:
    SetupDialog(const ComparedSetups& of, const SetupDifference& difference, QWidget* parent = nullptr);

Q_SIGNALS:
    void nodeChosen(const QString& node); // by its name; it may be none of the open model's

private:
    QTableView* m_table;
};

} // namespace duo::ui
