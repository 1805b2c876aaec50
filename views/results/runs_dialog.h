// SPDX-License-Identifier: Apache-2.0
// RunsDialog: all runs of the open model as a table: what came of each, which to restore, which two to compare.
#pragma once

#include "core/pipeline/kept_run.h"

#include <QDialog>
#include <QLabel>
#include <QPushButton>
#include <QSortFilterProxyModel>
#include <QTableView>

#include <vector>

namespace duo::ui {

class RunsModel;

class RunsDialog : public QDialog
{
    Q_OBJECT

public:
    explicit RunsDialog(QWidget* parent = nullptr);
    /// @param runs the newest first; @param now what one made now would be of
    void setRuns(std::vector<KeptRun> runs, const ResultOrigin& now);
    void setReady(bool isReady); // nothing else runs: restoring and comparing can be asked for

Q_SIGNALS:
    void restoreWanted(const duo::KeptRun& run);
    void compareWanted(const duo::KeptRun& first, const duo::KeptRun& second); // the older one first
    void removeWanted(const duo::KeptRun& run);

private:
    void layOut();
    void refreshButtons();
    [[nodiscard]] std::vector<KeptRun> chosen() const; // the oldest first

    RunsModel* m_model;
    QSortFilterProxyModel* m_sorted;
    QLabel* m_summary;
    QTableView* m_table;
    QPushButton* m_restore;
    QPushButton* m_compare;
    QPushButton* m_remove;
    bool m_isReady = true;
};

} // namespace duo::ui
