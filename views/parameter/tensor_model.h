// SPDX-License-Identifier: Apache-2.0
// TensorModel: the values of a tensor as a table, each read where it lies as it is looked at.
#pragma once

#include "core/model/model.h"

#include <QAbstractTableModel>
#include <QElapsedTimer>

#include <memory>

namespace duo::ui {

/// The last axis runs along a row; rows are all others, in order. Of huge tensors the beginning is shown. Where files
/// that are read have lost what they held, no value is known.
class TensorModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    static constexpr std::int64_t kMostRows = 100'000;
    static constexpr std::int64_t kMostColumns = 1'000;

    using QAbstractTableModel::QAbstractTableModel;

    /// @param tensor of the model, which is kept; null: nothing is shown
    void setTensor(std::shared_ptr<const Model> model, const Tensor* tensor);
    [[nodiscard]] bool isCut() const; // not all values are shown
    [[nodiscard]] QString widestText() const; // no value of its type is wider

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    /// "[2, 0]": the indices before the last axis.
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

Q_SIGNALS:
    void lost() const; // what is shown may lie in a file that was cut off or written to

private:
    [[nodiscard]] bool areFilesWhole() const;
    [[nodiscard]] QString textAt(std::int64_t element) const;

    std::shared_ptr<const Model> m_model;
    const Tensor* m_tensor = nullptr;
    std::int64_t m_rows = 0; // of the tensor
    std::int64_t m_columns = 0;
    mutable QElapsedTimer m_sinceCheck;
    mutable bool m_isWhole = true;
};

} // namespace duo::ui
