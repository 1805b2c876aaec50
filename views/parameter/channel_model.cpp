// SPDX-License-Identifier: Apache-2.0
#include "views/parameter/channel_model.h"

#include "core/report/inspect_report.h"
#include "views/style/format.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace duo::ui {

void ChannelModel::setSummary(std::shared_ptr<const TensorSummary> summary)
{
    beginResetModel();
    m_summary = std::move(summary);
    endResetModel();
}

int ChannelModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() || !m_summary ? 0 : static_cast<int>(m_summary->channels.size());
}

int ChannelModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant ChannelModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || !m_summary)
        return {};
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue(Qt::Alignment(Qt::AlignRight | Qt::AlignVCenter));
    if (role != Qt::DisplayRole)
        return {};
    const Range& range = m_summary->channels[static_cast<std::size_t>(index.row())];
    if (range.min > range.max)
        return tr("not finite");
    switch (static_cast<Column>(index.column())) {
    case MinColumn:
        return toQt(shortText(range.min));
    case MaxColumn:
        return toQt(shortText(range.max));
    case WidthColumn: {
        const double most = std::max(std::abs(m_summary->min), std::abs(m_summary->max));
        const double own = std::max(std::abs(range.min), std::abs(range.max));
        return most > 0 ? QStringLiteral("%1 %").arg(100 * own / most, 0, 'f', 0) : QString();
    }
    case ColumnCount:
        break;
    }
    return {};
}

QVariant ChannelModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation == Qt::Vertical)
        return role == Qt::DisplayRole ? QVariant(section) : QVariant();
    if (role == Qt::ToolTipRole && section == WidthColumn)
        return tr("The channel's largest magnitude, of that of all channels: what one scale for all would leave of its "
                  "codes");
    if (role != Qt::DisplayRole)
        return {};
    switch (static_cast<Column>(section)) {
    case MinColumn:
        return tr("Smallest");
    case MaxColumn:
        return tr("Largest");
    case WidthColumn:
        return tr("Of all");
    case ColumnCount:
        break;
    }
    return {};
}

} // namespace duo::ui
