// SPDX-License-Identifier: Apache-2.0
#include "views/parameter/tensor_model.h"

#include "core/support/file.h"

#include <algorithm>
#include <utility>

namespace duo::ui {

void TensorModel::setTensor(std::shared_ptr<const Model> model, const Tensor* tensor)
{
    beginResetModel();
    m_model = std::move(model);
    m_tensor = tensor;
    m_sinceCheck.invalidate();
    m_columns = m_tensor && !m_tensor->dims.empty() ? m_tensor->dims.back() : 1;
    m_rows = m_tensor && m_columns > 0 ? m_tensor->elements() / m_columns : 0;
    if (m_tensor && m_tensor->dims.size() == 1) // a vector stands upright
        std::swap(m_rows, m_columns);
    endResetModel();
}

/// As it was within a tenth of a second: a table is painted cell by cell.
bool TensorModel::areFilesWhole() const
{
    constexpr qint64 kPause = 100; // ms
    if (m_sinceCheck.isValid() && !m_sinceCheck.hasExpired(kPause))
        return m_isWhole;
    m_isWhole = checkMappedFiles().hasValue();
    m_sinceCheck.start();
    if (!m_isWhole)
        Q_EMIT lost();
    return m_isWhole;
}

bool TensorModel::isCut() const
{
    return m_rows > kMostRows || m_columns > kMostColumns;
}

int TensorModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() || !m_tensor ? 0 : static_cast<int>(std::min(m_rows, kMostRows));
}

int TensorModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() || !m_tensor ? 0 : static_cast<int>(std::min(m_columns, kMostColumns));
}

QString TensorModel::textAt(std::int64_t element) const
{
    const auto width = static_cast<std::size_t>(elementBits(m_tensor->type) / 8);
    const auto all = m_tensor->bytes();
    if (width == 0 || (static_cast<std::size_t>(element) + 1) * width > all.size())
        return QStringLiteral("?");
    Tensor one;
    one.type = m_tensor->type;
    one.dims = {1};
    one.data = {m_tensor->data.owner, all.subspan(static_cast<std::size_t>(element) * width, width)};
    if (const auto whole = toInts(one); !whole.empty())
        return QString::number(whole.front());
    const auto values = toFloats(one);
    return values.empty() ? QStringLiteral("?") : QString::number(static_cast<double>(values.front()), 'g', 6);
}

QString TensorModel::widestText() const
{
    if (!m_tensor || isFloating(m_tensor->type))
        return QStringLiteral("-0.000888888");
    constexpr int kInt32 = 32;
    return elementBits(m_tensor->type) <= kInt32 ? QStringLiteral("-8888888888")
                                                 : QStringLiteral("-8888888888888888888");
}

QVariant TensorModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || !m_tensor)
        return {};
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue(Qt::Alignment(Qt::AlignRight | Qt::AlignVCenter));
    if (role != Qt::DisplayRole)
        return {};
    const QString text = textAt(index.row() * m_columns + index.column());
    return areFilesWhole() ? text : QStringLiteral("?"); // asked after it was read
}

QVariant TensorModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (role != Qt::DisplayRole || !m_tensor)
        return {};
    if (orientation == Qt::Horizontal)
        return m_columns == 1 ? QString() : QString::number(section);
    const auto& dims = m_tensor->dims;
    if (dims.size() <= 2)
        return section;
    QStringList indices;
    std::int64_t rest = section;
    for (std::size_t axis = dims.size() - 1; axis-- > 0; rest /= dims[axis])
        indices.prepend(QString::number(rest % dims[axis]));
    return QStringLiteral("[%1]").arg(indices.join(QStringLiteral(", ")));
}

} // namespace duo::ui
