// SPDX-License-Identifier: Apache-2.0
#include "views/parameter/parameter_view.h"

#include "core/report/tensor_report.h"
#include "views/style/format.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QScopedValueRollback>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace duo::ui {
namespace {

constexpr int kMargin = 6; // px
constexpr int kWide = 620; // px from which the parts stand side by side
constexpr int kWantedLines = 18;

QString dimsText(const Tensor& tensor)
{
    QStringList dims;
    for (const std::int64_t dim : tensor.dims)
        dims += QString::number(dim);
    return QStringLiteral("%1 [%2]").arg(toQt(elementTypeName(tensor.type)), dims.join(QStringLiteral(", ")));
}

} // namespace

ParameterView::ParameterView(QWidget* parent)
    : QWidget(parent)
    , m_names(new QComboBox(this))
    , m_save(new QPushButton(tr("Save as .&npy…"), this))
    , m_about(new QLabel(this))
    , m_parts(new QSplitter(this))
    , m_plot(new SpreadPlot(this))
    , m_channelModel(new ChannelModel(this))
    , m_channels(new QTableView(this))
    , m_tensorModel(new TensorModel(this))
    , m_table(new QTableView(this))
{
    setObjectName(QStringLiteral("parameterView"));
    m_names->setObjectName(QStringLiteral("parameterNames"));
    m_names->setAccessibleName(tr("Parameters and constants of the selection"));
    m_names->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_names->setMinimumContentsLength(24);
    m_save->setObjectName(QStringLiteral("parameterSave"));
    m_save->setToolTip(tr("Write the values to a file that NumPy reads"));
    m_about->setObjectName(QStringLiteral("parameterAbout"));
    m_about->setWordWrap(true);
    m_about->setTextInteractionFlags(Qt::TextSelectableByMouse);
    makeTable(m_channels, m_channelModel, QStringLiteral("parameterChannels"), tr("Ranges of the channels"));
    makeTable(m_table, m_tensorModel, QStringLiteral("parameterValues"), tr("Values"));
    auto* bar = new QHBoxLayout;
    bar->addWidget(m_names, 1);
    bar->addWidget(m_save);
    m_parts->setObjectName(QStringLiteral("parameterParts"));
    m_parts->setChildrenCollapsible(false);
    for (QWidget* part : std::initializer_list<QWidget*>{m_plot, m_channels, m_table})
        m_parts->addWidget(part);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(kMargin, kMargin, kMargin, kMargin);
    layout->addLayout(bar);
    layout->addWidget(m_about);
    layout->addWidget(m_parts, 1);
    connect(m_names, &QComboBox::currentIndexChanged, this, &ParameterView::showParameter);
    connect(m_save, &QPushButton::clicked, this, [this] { Q_EMIT saveRequested(current()); });
    connect(
        m_tensorModel, &TensorModel::lost, this, [this] { Q_EMIT summaryWanted(m_shown); }, Qt::QueuedConnection);
    describe();
}

void ParameterView::makeTable(
    QTableView* table, QAbstractItemModel* model, const QString& name, const QString& accessibleName)
{
    table->setObjectName(name);
    table->setAccessibleName(accessibleName);
    table->setModel(model);
    table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table->setTabKeyNavigation(false);
    table->setWordWrap(false);
    table->setShowGrid(false);
    table->setAlternatingRowColors(true);
    table->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    table->verticalHeader()->setDefaultSectionSize(table->fontMetrics().height() + 4);
    table->horizontalHeader()->setDefaultSectionSize(11 * table->fontMetrics().horizontalAdvance(QLatin1Char('0')));
    table->setMinimumSize(100, 60);
}

void ParameterView::setSnapshot(std::shared_ptr<const Snapshot> snapshot)
{
    const bool isSame = snapshot && m_snapshot && snapshot->model == m_snapshot->model;
    m_snapshot = std::move(snapshot);
    if (isSame)
        return;
    m_selection = {};
    m_shown = {};
    listParameters();
}

void ParameterView::setSelection(const Selection& selection)
{
    if (selection == m_selection)
        return;
    m_selection = selection;
    listParameters();
}

void ParameterView::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    if (m_isOutdated)
        listParameters();
}

ValueId ParameterView::current() const
{
    const int row = m_names->currentIndex();
    return row < 0 ? ValueId() : m_values[static_cast<std::size_t>(row)];
}

/// What is looked at stays, where the selection has it, too.
void ParameterView::listParameters()
{
    m_isOutdated = !isVisible();
    if (m_isOutdated)
        return;
    m_values.clear();
    m_found = 0;
    if (m_snapshot) {
        const Model& model = *m_snapshot->model;
        std::vector<bool> seen(model.values.size());
        for (const NodeId node : m_selection.nodes) {
            for (const ValueId value : model.node(node).inputs) {
                if (!value.valid() || seen[value.index] || model.constant(value) == nullptr)
                    continue;
                seen[value.index] = true;
                if (++m_found <= kMostListed)
                    m_values.push_back(value);
            }
        }
    }
    {
        const QSignalBlocker blocker(m_names);
        m_names->clear();
        for (const ValueId value : m_values)
            m_names->addItem(QStringLiteral("%1   %2").arg(
                toQt(m_snapshot->model->value(value).name), dimsText(*m_snapshot->model->constant(value))));
        const auto kept = std::ranges::find(m_values, m_shown);
        if (!m_values.empty())
            m_names->setCurrentIndex(kept == m_values.end() ? 0 : static_cast<int>(kept - m_values.begin()));
    }
    showParameter();
}

void ParameterView::showParameter()
{
    const ValueId value = current();
    if (value.valid() && value == m_shown)
        return;
    m_shown = value;
    m_problem.clear();
    m_summary = nullptr;
    m_tensorModel->setTensor(nullptr, nullptr);
    m_plot->setSummary(nullptr);
    m_channelModel->setSummary(nullptr);
    describe();
    if (value.valid())
        Q_EMIT summaryWanted(value);
}

/// No number is cut.
void ParameterView::widenColumns()
{
    constexpr int kAround = 12; // px left and right of a text, and the grid
    m_table->horizontalHeader()->setDefaultSectionSize(
        m_table->fontMetrics().horizontalAdvance(m_tensorModel->widestText()) + kAround);
}

void ParameterView::setSummary(ValueId value, std::shared_ptr<const TensorSummary> summary, const QString& problem)
{
    if (!value.valid() || value != m_shown)
        return;
    m_summary = std::move(summary);
    m_problem = problem;
    if (m_summary) // else there is a problem with them
        m_tensorModel->setTensor(m_snapshot->model, m_snapshot->model->constant(value));
    else
        m_tensorModel->setTensor(nullptr, nullptr);
    widenColumns();
    m_plot->setSummary(m_summary);
    m_channelModel->setSummary(m_summary);
    describe();
}

void ParameterView::describe()
{
    const bool isShown = m_shown.valid();
    m_names->setVisible(isShown);
    m_save->setVisible(isShown);
    m_parts->setVisible(isShown && m_problem.isEmpty());
    m_channels->setVisible(m_summary && !m_summary->channels.empty());
    updateGeometry();
    if (!isShown) {
        m_about->setText(m_selection.nodes.empty() ? tr("Select a node or a scope to see the values of its parameters.")
                                                   : tr("What is selected reads no parameter and no constant."));
        return;
    }
    QString text = !m_problem.isEmpty() ? m_problem : m_summary ? toQt(spreadText(*m_summary)) : tr("Reading…");
    if (m_summary && m_summary->axis)
        text += tr("; channels along axis %1").arg(*m_summary->axis);
    if (m_tensorModel->isCut())
        text += tr("; the table shows the first %1 rows and %2 columns")
                    .arg(countText(m_tensorModel->rowCount()), countText(m_tensorModel->columnCount()));
    if (m_found > m_values.size())
        text += tr("; the list has the first %1 of %2")
                    .arg(countText(static_cast<std::int64_t>(m_values.size())),
                        countText(static_cast<std::int64_t>(m_found)));
    m_about->setText(text);
}

QSize ParameterView::sizeHint() const
{
    const int line = fontMetrics().lineSpacing();
    return {QWidget::sizeHint().width(), m_shown.valid() ? kWantedLines * line : 2 * line + 2 * kMargin};
}

void ParameterView::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    m_parts->setOrientation(width() >= kWide ? Qt::Horizontal : Qt::Vertical);
}

} // namespace duo::ui
