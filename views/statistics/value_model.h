// SPDX-License-Identifier: Apache-2.0
// ValueModel: the values of a selection that have a histogram, with the error each quantizer makes; sorted as asked.
#pragma once

#include "core/pipeline/sensitivity/foresight.h"
#include "views/intent/selection.h"

#include <QAbstractTableModel>

#include <memory>
#include <optional>
#include <vector>

namespace duo::ui {

struct ValueRow {
    ValueSpot spot;
    QString name;
    QString role; // "input 0", "const 1", "output" of a node; else "act", "weight"
    std::optional<double> sqnrDb;
    double clippedShare = 0;
};

/// Of one node everything it reads and gives; of several, of a scope or of the whole model their quantizers. Most noise
/// first where there are several nodes, else in the order of the node's ports.
std::vector<ValueRow> valueRows(const Foresight& foresight, const Selection& selection);

class ValueModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum Column { NameColumn, RoleColumn, SqnrColumn, kColumns };

    using QAbstractTableModel::QAbstractTableModel;
    void setRows(std::vector<ValueRow> rows);
    [[nodiscard]] const std::vector<ValueRow>& rows() const { return m_rows; }
    [[nodiscard]] int rowOf(ValueId value) const; // -1: none

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    std::vector<ValueRow> m_rows;
};

} // namespace duo::ui
