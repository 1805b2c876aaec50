// SPDX-License-Identifier: Apache-2.0
// EstimatorModel: a row per range estimator with the range, scale and error it gives a value; the one in use is marked.
#pragma once

#include "core/report/forecast.h"

#include <QAbstractTableModel>

#include <memory>
#include <optional>

namespace duo::ui {

class EstimatorModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum Column { NameColumn, SqnrColumn, ClippedColumn, MinColumn, MaxColumn, ScaleColumn, ZeroPointColumn, kColumns };

    using QAbstractTableModel::QAbstractTableModel;
    void setFacts(std::shared_ptr<const ValueFacts> facts); // null: no rows
    [[nodiscard]] const std::shared_ptr<const ValueFacts>& facts() const { return m_facts; }

    /// What a row holds. A row for what is in use stands before the others where no estimator alone gives it.
    [[nodiscard]] const RangeOutcome* outcome(int row) const;
    /// The estimator of a row, "" where it is none that could be chosen.
    [[nodiscard]] std::string estimator(int row) const;
    [[nodiscard]] bool isChosen(int row) const;
    [[nodiscard]] int chosenRow() const; // -1: none
    [[nodiscard]] int rowOf(const std::string& estimator) const; // -1: none

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    [[nodiscard]] QString text(int row, int column) const;
    [[nodiscard]] QString tip(int row) const;

    std::shared_ptr<const ValueFacts> m_facts;
    int m_own = 0; // 1: the first row is what is in use and no estimator's
};

} // namespace duo::ui
