// SPDX-License-Identifier: Apache-2.0
#include "views/results/runs_dialog.h"

#include "views/results/runs_model.h"
#include "views/style/text_label.h"

#include <QDialogButtonBox>
#include <QHeaderView>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace duo::ui {
namespace {

constexpr int kRowRoom = 6; // pixels beside the text

} // namespace

RunsDialog::RunsDialog(QWidget* parent)
    : QDialog(parent)
    , m_model(new RunsModel(this))
    , m_sorted(new QSortFilterProxyModel(this))
    , m_summary(textLabel(QStringLiteral("summary"), this, {}))
    , m_table(new QTableView)
    , m_restore(new QPushButton(tr("&Restore")))
    , m_compare(new QPushButton(tr("&Compare")))
    , m_remove(new QPushButton(tr("Re&move")))
{
    setObjectName(QStringLiteral("runsDialog"));
    setWindowTitle(tr("Runs"));
    m_sorted->setSourceModel(m_model);
    m_sorted->setSortRole(RunsModel::kSortRole);
    m_table->setObjectName(QStringLiteral("runs"));
    m_table->setAccessibleName(tr("Quantizations of this model so far"));
    m_table->setModel(m_sorted);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_table->setSortingEnabled(true);
    m_table->sortByColumn(0, Qt::DescendingOrder);
    m_table->setWordWrap(false);
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + kRowRoom);
    layOut();
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this, &RunsDialog::refreshButtons);
    connect(m_restore, &QPushButton::clicked, this, [this] { Q_EMIT restoreWanted(chosen().front()); });
    connect(m_compare, &QPushButton::clicked, this, [this] {
        const auto runs = chosen();
        Q_EMIT compareWanted(runs.front(), runs.back());
    });
    connect(m_remove, &QPushButton::clicked, this, [this] {
        for (const KeptRun& run : chosen())
            Q_EMIT removeWanted(run);
    });
    refreshButtons();
}

void RunsDialog::layOut()
{
    m_restore->setObjectName(QStringLiteral("restoreRun"));
    m_restore->setToolTip(tr("Its rules and settings become those in use, which Undo takes back, and the next export "
                             "writes its quantizers, without data"));
    m_compare->setObjectName(QStringLiteral("compareRuns"));
    m_compare->setToolTip(tr("Says which rules, settings, quantizers and results of two selected runs differ"));
    m_remove->setObjectName(QStringLiteral("removeRuns"));
    m_remove->setToolTip(tr("Forgets the selected runs; exported files stay"));
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    buttons->addButton(m_restore, QDialogButtonBox::ActionRole);
    buttons->addButton(m_compare, QDialogButtonBox::ActionRole);
    buttons->addButton(m_remove, QDialogButtonBox::ActionRole);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(m_summary);
    layout->addWidget(m_table, 1);
    layout->addWidget(buttons);
    resize(1280, 360);
}

void RunsDialog::setRuns(std::vector<KeptRun> runs, const ResultOrigin& now)
{
    m_summary->setText(runs.empty()
            ? tr("This model was not quantized yet.")
            : tr("Each quantization of this model. Select one to restore it, or two to compare them."));
    m_model->setRuns(std::move(runs), now);
    m_table->setVisible(m_model->rowCount({}) > 0);
    m_table->resizeColumnsToContents();
    m_table->horizontalHeader()->setStretchLastSection(true);
    refreshButtons();
}

void RunsDialog::setReady(bool isReady)
{
    m_isReady = isReady;
    refreshButtons();
}

std::vector<KeptRun> RunsDialog::chosen() const
{
    std::vector<KeptRun> runs;
    for (const QModelIndex& row : m_table->selectionModel()->selectedRows())
        runs.push_back(m_model->run(m_sorted->mapToSource(row).row()));
    std::ranges::sort(runs, {}, &KeptRun::date);
    return runs;
}

void RunsDialog::refreshButtons()
{
    const auto count = m_table->selectionModel()->selectedRows().size();
    m_restore->setEnabled(m_isReady && count == 1);
    m_compare->setEnabled(m_isReady && count == 2);
    m_remove->setEnabled(count > 0);
}

} // namespace duo::ui
