// SPDX-License-Identifier: Apache-2.0
#include "views/results/runs_model.h"

#include "views/style/format.h"
#include "views/style/window_words.h"

#include <QStringList>

#include <array>
#include <utility>

namespace duo::ui {
namespace {

/// "as now", or what is another one now.
QString madeWith(const KeptRun& run, const ResultOrigin& now)
{
    QStringList changes;
    for (const std::string& change : changesSince(run.of, now))
        changes += toQt(change);
    const QString with = changes.isEmpty() ? RunsModel::tr("as now")
                                           : RunsModel::tr("other now: %1").arg(changes.join(QStringLiteral(", ")));
    return run.samples > 0 ? with : with + RunsModel::tr(", scales of a file");
}

QString whatText(const KeptRun& run)
{
    if (run.kind != ResultKind::Export)
        return RunsModel::tr("quantized");
    return RunsModel::tr("exported %1").arg(toQt(run.target));
}

QString textOf(const KeptRun& run, int column, const ResultOrigin& now)
{
    switch (column) {
    case RunsModel::When:
        return dateText(run.date);
    case RunsModel::What:
        return whatText(run);
    case RunsModel::VerdictOf:
        return toQt(run.verdict);
    case RunsModel::Quantizers:
        return countText(run.quantizers);
    case RunsModel::Size:
        return toQt(sizeText(run));
    case RunsModel::WorstOutput:
        return windowWords(toQt(run.worst));
    case RunsModel::TimeOfRun:
        return toQt(timeText(run));
    case RunsModel::Checks:
        return toQt(checksText(run));
    case RunsModel::Took:
        return RunsModel::tr("%1 s").arg(run.seconds, 0, 'f', 1);
    default:
        return madeWith(run, now);
    }
}

QVariant sortKey(const KeptRun& run, int column, const ResultOrigin& now)
{
    switch (column) {
    case RunsModel::When:
        return toQt(run.date);
    case RunsModel::Quantizers:
        return QVariant::fromValue<qlonglong>(run.quantizers);
    case RunsModel::Size:
        return QVariant::fromValue<qlonglong>(run.bytesAfter);
    case RunsModel::WorstOutput: // "31.8 dB at 'y'"
        return run.worst.empty() ? 0.0 : QString::fromStdString(run.worst).section(QLatin1Char(' '), 0, 0).toDouble();
    case RunsModel::TimeOfRun:
        return run.quantizedMs.value_or(0);
    case RunsModel::Took:
        return run.seconds;
    default:
        return textOf(run, column, now);
    }
}

/// What a cell has no room for.
QString tipOf(const KeptRun& run, int column, const ResultOrigin& now)
{
    if (column == RunsModel::VerdictOf)
        return windowWords(toQt(run.why));
    if (column != RunsModel::Checks)
        return textOf(run, column, now);
    QStringList lines;
    for (const KeptCheck& check : run.checks)
        lines += (check.ok ? QStringLiteral("✓ ") : QStringLiteral("✗ ")) + windowWords(toQt(check.message));
    return lines.join(QLatin1Char('\n'));
}

} // namespace

void RunsModel::setRuns(std::vector<KeptRun> runs, const ResultOrigin& now)
{
    beginResetModel();
    m_runs = std::move(runs);
    m_now = now;
    endResetModel();
}

int RunsModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_runs.size());
}

int RunsModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : kColumns;
}

QVariant RunsModel::data(const QModelIndex& index, int role) const
{
    const KeptRun& of = run(index.row());
    switch (role) {
    case Qt::DisplayRole:
        return textOf(of, index.column(), m_now);
    case Qt::ToolTipRole:
        return tipOf(of, index.column(), m_now);
    case kSortRole:
        return sortKey(of, index.column(), m_now);
    default:
        return {};
    }
}

QVariant RunsModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    const std::array<QString, kColumns> titles{tr("When"), tr("What"), tr("Verdict"), tr("Quantizers"), tr("Size"),
        tr("Worst output"), tr("Time"), tr("Checks"), tr("Took"), tr("Rules, data, model")};
    return titles[static_cast<std::size_t>(section)];
}

} // namespace duo::ui
