// SPDX-License-Identifier: Apache-2.0
// SetupDialog: where two setups differ, of the open model and a file or of two runs, in two panes beside one another.
#pragma once

#include "core/state/setup_difference.h"

#include <QDialog>

#include <vector>

class QSplitter;
class QStandardItemModel;
class QTreeView;

namespace duo::ui {

/// What is compared, for people.
struct ComparedSetups {
    QString first; // title of its pane
    QString second;
    QString subject; // whose setup is the same or another one, "m.state.json"
    std::vector<TextDifference> results = {}; // what came of the two
};

/// Both panes have the same rows, quantizers by scope, and go together: what is opened, selected or scrolled to in one
/// is so in the other.
class SetupDialog : public QDialog
{
    Q_OBJECT

public:
    SetupDialog(const ComparedSetups& of, const SetupDifference& difference, QWidget* parent = nullptr);

Q_SIGNALS:
    void nodeChosen(const QString& node); // by its name; it may be none of the open model's

private:
    /// Of the model's names and what one of the two has there. @param widest of these
    QTreeView* addPane(QSplitter& panes, const QString& name, const QString& title, int column, const QString& widest);

    QStandardItemModel* m_model;
};

} // namespace duo::ui
