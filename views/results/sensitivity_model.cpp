// SPDX-License-Identifier: Apache-2.0
#include "views/results/sensitivity_model.h"

#include "views/style/format.h"
#include "views/style/sensitivity_level.h"

#include <algorithm>

namespace duo::ui {
namespace {

QString nameText(const GroupSensitivity& group)
{
    return group.name.empty() ? SensitivityModel::tr("(whole model)") : toQt(group.name);
}

QString toolTip(const GroupSensitivity& group)
{
    QString text = nameText(group) + QLatin1Char('\n')
        + SensitivityModel::tr(
            "%1 quantized; with only it quantized it makes %2 % of the noise, without it %3 % is gone")
              .arg(nodesText(static_cast<std::int64_t>(group.nodes.size())),
                  QString::number(100 * group.shareAlone, 'f', 1), QString::number(100 * group.shareTaken, 'f', 1));
    if (group.disagrees)
        text += QLatin1Char('\n') + SensitivityModel::tr("Both ways disagree: its error depends on that of others");
    return text;
}

QString cellText(const GroupSensitivity& group, int column)
{
    switch (column) {
    case SensitivityModel::NameColumn:
        return nameText(group);
    case SensitivityModel::ShareColumn:
        return sensitivityText(std::max(0.0, group.score())) + (group.disagrees ? QStringLiteral(" ≠") : QString());
    case SensitivityModel::AloneColumn:
        return errorText(group.only);
    case SensitivityModel::WithoutColumn:
        return errorText(group.allBut);
    case SensitivityModel::BytesColumn:
        return QStringLiteral("+") + bytesText(group.bytes);
    default:
        return {};
    }
}

} // namespace

QString errorText(const MeasuredError& error)
{
    return toQt(measuredErrorText(error));
}

void SensitivityModel::setReport(std::shared_ptr<const SensitivityReport> report)
{
    beginResetModel();
    m_report = std::move(report);
    endResetModel();
}

int SensitivityModel::rowCount(const QModelIndex& parent) const
{
    return m_report && !parent.isValid() ? static_cast<int>(m_report->groups.size()) : 0;
}

int SensitivityModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : kColumns;
}

QVariant SensitivityModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || !m_report)
        return {};
    const GroupSensitivity& group = m_report->groups[static_cast<std::size_t>(index.row())];
    const Shade& shade = sensitivityShade(*m_theme, sensitivityLevel(group.score()));
    switch (role) {
    case Qt::DisplayRole:
        return cellText(group, index.column());
    case Qt::ToolTipRole:
        return toolTip(group);
    case Qt::BackgroundRole:
        return index.column() == ShareColumn ? QVariant(shade.fill) : QVariant();
    case Qt::ForegroundRole:
        return index.column() == ShareColumn ? QVariant(shade.text) : QVariant();
    case Qt::TextAlignmentRole:
        return index.column() > ShareColumn ? QVariant(Qt::AlignRight | Qt::AlignVCenter) : QVariant();
    default:
        return {};
    }
}

QVariant SensitivityModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole && section > ShareColumn)
        return QVariant(Qt::AlignRight | Qt::AlignVCenter);
    if (role != Qt::DisplayRole && role != Qt::ToolTipRole)
        return {};
    const bool isTip = role == Qt::ToolTipRole;
    switch (section) {
    case NameColumn:
        return isTip ? tr("Execution scopes first; the most sensitive ones were split further") : tr("Scope or node");
    case ShareColumn:
        return isTip ? tr("Share of the output noise that is its own: the mean of both ways of measuring")
                     : tr("Noise");
    case AloneColumn:
        return isTip ? tr("Output error with only it quantized") : tr("Only it");
    case WithoutColumn:
        return isTip ? tr("Output error with everything else quantized") : tr("All but it");
    case BytesColumn:
        return isTip ? tr("What the model grows by where it stays in float, about") : tr("In float");
    default:
        return {};
    }
}

} // namespace duo::ui
