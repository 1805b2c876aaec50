// SPDX-License-Identifier: Apache-2.0
#include "views/statistics/estimator_model.h"

#include "core/report/forecast_report.h"
#include "views/statistics/range_text.h"
#include "views/style/format.h"

#include <QFont>

#include <utility>

namespace duo::ui {
namespace {

/// What an estimator does, in words.
QString meaning(const std::string& estimator)
{
    const std::vector<std::pair<std::string_view, QString>> meanings{
        {"MINMAX", EstimatorModel::tr("least and largest value of all samples: nothing is clipped")},
        {"MEAN_MINMAX", EstimatorModel::tr("mean of the samples' least and largest values: NNCF's default")},
        {"MEDIAN_MINMAX", EstimatorModel::tr("median of the samples' least and largest values")},
        {"MEAN_NO_OUTLIERS_MINMAX", EstimatorModel::tr("mean of the samples' extremes without outlying samples")},
        {"MEDIAN_NO_OUTLIERS_MINMAX", EstimatorModel::tr("median of the samples' extremes without outlying samples")},
        {"MEAN_QUANTILE",
            EstimatorModel::tr("mean of the samples' quantiles: 0.01 % of the values on each side count "
                               "as outliers")},
        {"HISTOGRAM", EstimatorModel::tr("ends moved inwards in steps while the squared error falls")},
        {"MOVING_AVERAGE_MINMAX", EstimatorModel::tr("moving average of the samples' extremes, in sample order")},
        {"PERCENTILE", EstimatorModel::tr("quantile over all values of all samples")},
        {"MSE", EstimatorModel::tr("the range with the least squared error")},
        {"ENTROPY", EstimatorModel::tr("the range with the least Kullback-Leibler divergence")}};
    for (const auto& [name, text] : meanings) {
        if (name == estimator)
            return text;
    }
    return {};
}

} // namespace

void EstimatorModel::setFacts(std::shared_ptr<const ValueFacts> facts)
{
    beginResetModel();
    m_facts = std::move(facts);
    m_own = m_facts && m_facts->used && duo::chosenRow(*m_facts) == m_facts->choices.size() ? 1 : 0;
    endResetModel();
}

const RangeOutcome* EstimatorModel::outcome(int row) const
{
    if (!m_facts || row < 0 || row >= rowCount())
        return nullptr;
    return row < m_own ? &*m_facts->used : &m_facts->choices[static_cast<std::size_t>(row - m_own)];
}

std::string EstimatorModel::estimator(int row) const
{
    return row < m_own || !outcome(row) ? std::string() : outcome(row)->estimator;
}

bool EstimatorModel::isChosen(int row) const
{
    return row >= 0 && row == chosenRow();
}

int EstimatorModel::chosenRow() const
{
    if (!m_facts || !m_facts->used)
        return -1;
    return m_own == 1 ? 0 : static_cast<int>(duo::chosenRow(*m_facts));
}

int EstimatorModel::rowOf(const std::string& name) const
{
    for (int row = m_own; row < rowCount(); ++row) {
        if (estimator(row) == name)
            return row;
    }
    return -1;
}

int EstimatorModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() || !m_facts ? 0 : static_cast<int>(m_facts->choices.size()) + m_own;
}

int EstimatorModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : kColumns;
}

QString EstimatorModel::text(int row, int column) const
{
    const RangeOutcome& range = *outcome(row);
    switch (column) {
    case NameColumn: {
        QString name = toQt(range.estimator);
        if (row < m_own)
            name = m_facts->isWeight      ? tr("largest magnitude")
                : range.parameters.axis   ? tr("extremes of channels")
                : m_facts->sharedWith > 0 ? tr("scale shared by %1").arg(m_facts->sharedWith + 1)
                : range.estimator.empty() ? tr("own parameters")
                                          : name;
        return (isChosen(row) ? QStringLiteral("● ") : QStringLiteral("   ")) + name;
    }
    case MinColumn:
        return numberText(range.range.min);
    case MaxColumn:
        return numberText(range.range.max);
    case ScaleColumn:
        return scaleText(range.parameters);
    case ZeroPointColumn:
        return zeroPointText(range.parameters);
    case ClippedColumn:
        return shareText(range.fit.clippedShare);
    case SqnrColumn:
        return decibelText(range.fit.sqnrDb);
    default:
        return {};
    }
}

QString EstimatorModel::tip(int row) const
{
    const RangeOutcome& range = *outcome(row);
    QString tip = meaning(range.estimator);
    if (row < m_own && m_facts->sharedWith > 0)
        tip = tr("The quantizers that share this scale have the union of their ranges.");
    if (row < m_own && m_facts->isWeight)
        tip = tr(
            "The scale of a weight follows from its largest magnitude, of every output channel where per channel.");
    if (range.fromHistogram)
        tip += QLatin1Char('\n')
            + tr("Quantiles of samples are recorded for one probability; this one is of all samples' histogram.");
    return tip + QLatin1Char('\n')
        + tr("Codes from %1 to %2").arg(numberText(range.ends.min), numberText(range.ends.max));
}

QVariant EstimatorModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || !outcome(index.row()))
        return {};
    switch (role) {
    case Qt::DisplayRole:
        return text(index.row(), index.column());
    case Qt::ToolTipRole:
        return tip(index.row());
    case Qt::AccessibleTextRole:
        return index.column() == NameColumn && isChosen(index.row())
            ? tr("%1, in use").arg(text(index.row(), NameColumn).mid(2))
            : text(index.row(), index.column()).trimmed();
    case Qt::TextAlignmentRole:
        return QVariant::fromValue(Qt::AlignVCenter | (index.column() == NameColumn ? Qt::AlignLeft : Qt::AlignRight));
    case Qt::FontRole: {
        QFont font;
        font.setBold(isChosen(index.row()));
        return isChosen(index.row()) ? QVariant(font) : QVariant();
    }
    default:
        return {};
    }
}

QVariant EstimatorModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    const std::array<std::pair<QString, QString>, kColumns> headers{
        std::pair(tr("Estimator"), tr("How the range follows from what was measured")),
        {tr("SQNR"), tr("Signal to quantization noise of this value alone")},
        {tr("Clipped"), tr("Share of the values outside the codes' ends")},
        {tr("Min"), tr("Lower end of the range, before zero is put on a code")},
        {tr("Max"), tr("Upper end of the range, before zero is put on a code")}, {tr("Scale"), tr("Width of one code")},
        {tr("Zero"), tr("Zero point: the code of the number 0")}};
    const auto& [text, tip] = headers[static_cast<std::size_t>(section)];
    if (role == Qt::DisplayRole)
        return text;
    if (role == Qt::ToolTipRole)
        return tip;
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue((section == NameColumn ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    return {};
}

} // namespace duo::ui
