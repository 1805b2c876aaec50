// SPDX-License-Identifier: Apache-2.0
// ChannelModel: the range of every channel of a parameter as a table.
#pragma once

#include "core/analysis/tensor_summary.h"

#include <QAbstractTableModel>

#include <memory>

namespace duo::ui {

class ChannelModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum Column { MinColumn, MaxColumn, WidthColumn, ColumnCount };

    using QAbstractTableModel::QAbstractTableModel;

    void setSummary(std::shared_ptr<const TensorSummary> summary); // null: nothing is known

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    std::shared_ptr<const TensorSummary> m_summary;
};

} // namespace duo::ui
