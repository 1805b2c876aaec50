// SPDX-License-Identifier: Apache-2.0
// RunsModel: runs as rows, what came of them as columns.
#pragma once

#include "core/pipeline/kept_run.h"

#include <QAbstractTableModel>

#include <vector>

namespace duo::ui {

class RunsModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    static constexpr int kSortRole = Qt::UserRole; // numbers where the text is one
    enum Column { When, What, VerdictOf, Quantizers, Size, WorstOutput, TimeOfRun, Checks, Took, MadeWith };
    static constexpr int kColumns = MadeWith + 1;

    using QAbstractTableModel::QAbstractTableModel;
    void setRuns(std::vector<KeptRun> runs, const ResultOrigin& now);
    [[nodiscard]] const KeptRun& run(int row) const { return m_runs[static_cast<std::size_t>(row)]; }

    [[nodiscard]] int rowCount(const QModelIndex& parent) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    std::vector<KeptRun> m_runs;
    ResultOrigin m_now;
};

} // namespace duo::ui
