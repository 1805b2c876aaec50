// SPDX-License-Identifier: Apache-2.0
// StatisticsView: its parts and how they stand together.
#include "views/statistics/statistics_view.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QVBoxLayout>

#include <algorithm>
#include <array>

namespace duo::ui {
namespace {

constexpr int kMargin = 6;
constexpr std::array kShares{27, 23, 50}; // of values, histogram and estimators, in percent
constexpr int kLeastForRoles = 280; // pixels of the list of values
constexpr int kMostOfName = 42; // percent of the table
constexpr int kLeastWidth = 200;
constexpr int kLeastHeight = 80;
constexpr int kWantedHeight = 380; // all estimators, and a histogram that can be read
constexpr int kWide = 620; // pixels from which the parts stand side by side

void makeTable(QTableView* table, QAbstractItemModel* model, const QString& name, const QString& accessibleName)
{
    table->setObjectName(name);
    table->setAccessibleName(accessibleName);
    table->setModel(model);
    table->setSelectionBehavior(QAbstractItemView::SelectRows);
    table->setSelectionMode(QAbstractItemView::SingleSelection);
    table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table->setAlternatingRowColors(true);
    table->setShowGrid(false);
    table->setTabKeyNavigation(false);
    table->setWordWrap(false);
    table->setTextElideMode(Qt::ElideMiddle);
    table->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    table->verticalHeader()->hide();
    table->verticalHeader()->setDefaultSectionSize(table->fontMetrics().height() + 6);
    table->horizontalHeader()->setHighlightSections(false);
    table->setMinimumSize(100, 60);
}

} // namespace

StatisticsView::StatisticsView(QWidget* parent)
    : QWidget(parent)
    , m_valueModel(new ValueModel(this))
    , m_estimatorModel(new EstimatorModel(this))
    , m_pages(new QStackedWidget(this))
    , m_emptyText(new QLabel(this))
    , m_measure(new QPushButton(tr("&Measure"), this))
    , m_open(new QPushButton(tr("&Open statistics…"), this))
    , m_measureAgain(new QPushButton(tr("&Measure again"), this))
    , m_scroll(new QScrollArea(this))
    , m_parts(new QSplitter(Qt::Horizontal, this))
    , m_values(new QTableView(this))
    , m_plot(new HistogramPlot(this))
    , m_logarithmic(new QCheckBox(tr("&Log counts"), this))
    , m_zoomed(new QCheckBox(tr("&Zoom to the range"), this))
    , m_about(new QLabel(this))
    , m_estimators(new QTableView(this))
    , m_useHere(new QToolButton(this))
    , m_scopeMenu(new QMenu(this))
    , m_useForAll(new QPushButton(tr("Use for &all"), this))
    , m_summary(new QLabel(this))
{
    setObjectName(QStringLiteral("statisticsView"));
    makeValues();
    makeEstimators();
    m_pages->addWidget(makeEmptyPage());
    m_pages->addWidget(makePage());
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(kMargin, kMargin, kMargin, kMargin);
    layout->addWidget(m_pages);
    connectParts();
    setMeasurable(false);
    setForesight(nullptr);
}

QWidget* StatisticsView::makeEmptyPage()
{
    auto* page = new QWidget(this);
    m_emptyText->setObjectName(QStringLiteral("statisticsEmpty"));
    m_emptyText->setText(tr("No statistics yet. Measure the calibration data to see how values are spread, what each "
                            "range estimator makes of them, and what the result will be worth. Quantizing measures, "
                            "too."));
    m_emptyText->setWordWrap(true);
    m_emptyText->setAlignment(Qt::AlignCenter);
    m_measure->setObjectName(QStringLiteral("statisticsMeasure"));
    m_measure->setToolTip(tr("Run the calibration data through the model, without exporting anything"));
    m_open->setObjectName(QStringLiteral("statisticsOpen"));
    m_open->setToolTip(tr("Use what `duoscope-cli statistics` has measured"));
    auto* buttons = new QHBoxLayout;
    buttons->addStretch(1);
    buttons->addWidget(m_measure);
    buttons->addWidget(m_open);
    buttons->addStretch(1);
    auto* layout = new QVBoxLayout(page);
    layout->setContentsMargins(
        layout->contentsMargins().left(), 0, layout->contentsMargins().right(), 0); // in low panes
    layout->addStretch(1);
    layout->addWidget(m_emptyText);
    layout->addLayout(buttons);
    layout->addStretch(1);
    return page;
}

void StatisticsView::makeValues()
{
    makeTable(m_values, m_valueModel, QStringLiteral("statisticsValues"), tr("Values of the selection"));
    m_values->setTextElideMode(Qt::ElideLeft); // names begin alike
    m_values->horizontalHeader()->setSectionResizeMode(ValueModel::NameColumn, QHeaderView::Stretch);
    const int letter = fontMetrics().horizontalAdvance(QLatin1Char('n'));
    m_values->horizontalHeader()->setMinimumSectionSize(4 * letter);
    m_values->setColumnWidth(ValueModel::RoleColumn, 8 * letter);
    m_values->setColumnWidth(ValueModel::SqnrColumn, 7 * letter);
}

void StatisticsView::makeEstimators()
{
    makeTable(m_estimators, m_estimatorModel, QStringLiteral("statisticsEstimators"), tr("Range estimators"));
    m_estimators->setContextMenuPolicy(Qt::CustomContextMenu);
    m_estimators->setToolTip(tr("Enter or double click: use this estimator here"));
    m_useHere->setObjectName(QStringLiteral("estimatorUseHere"));
    m_useHere->setText(tr("Use here"));
    m_useHere->setPopupMode(QToolButton::MenuButtonPopup);
    m_useHere->setMenu(m_scopeMenu);
    m_useForAll->setObjectName(QStringLiteral("estimatorUseForAll"));
    m_useForAll->setToolTip(tr("Make it the estimator of every quantizer, and take away the rules about single ones"));
}

QWidget* StatisticsView::makePage()
{
    auto* page = new QWidget(this);
    auto* picture = new QWidget(page);
    auto* pictureLayout = new QVBoxLayout(picture);
    pictureLayout->setContentsMargins(0, 0, 0, 0);
    auto* switches = new QHBoxLayout;
    m_logarithmic->setObjectName(QStringLiteral("histogramLog"));
    m_logarithmic->setToolTip(tr("Draw counts by their logarithm, so that rare values are seen"));
    m_zoomed->setObjectName(QStringLiteral("histogramZoom"));
    m_zoomed->setToolTip(tr("Show what lies inside the range in use, not everything that was measured"));
    switches->addWidget(m_logarithmic);
    switches->addWidget(m_zoomed);
    switches->addStretch(1);
    pictureLayout->addWidget(m_plot, 1);
    pictureLayout->addLayout(switches);

    auto* choice = new QWidget(page);
    auto* choiceLayout = new QVBoxLayout(choice);
    choiceLayout->setContentsMargins(0, 0, 0, 0);
    m_about->setObjectName(QStringLiteral("statisticsAbout"));
    m_about->setWordWrap(true);
    m_about->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(m_useHere);
    buttons->addWidget(m_useForAll);
    buttons->addStretch(1);
    choiceLayout->addWidget(m_about);
    choiceLayout->addWidget(m_estimators, 1);
    choiceLayout->addLayout(buttons);

    m_parts->setObjectName(QStringLiteral("statisticsParts"));
    m_parts->setChildrenCollapsible(false);
    m_parts->addWidget(m_values);
    m_parts->addWidget(picture);
    m_parts->addWidget(choice);
    for (int i = 0; i < m_parts->count(); ++i)
        m_parts->setStretchFactor(i, kShares[static_cast<std::size_t>(i)]);
    m_scroll->setObjectName(QStringLiteral("statisticsScroll"));
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setWidgetResizable(true);
    m_scroll->setWidget(m_parts);
    m_summary->setObjectName(QStringLiteral("statisticsSummary"));
    m_summary->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_summary->setWordWrap(true);
    m_measureAgain->setObjectName(QStringLiteral("statisticsMeasureAgain"));
    auto* last = new QHBoxLayout;
    last->addWidget(m_summary, 1);
    last->addWidget(m_measureAgain);
    auto* layout = new QVBoxLayout(page);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_scroll, 1);
    layout->addLayout(last);
    return page;
}

void StatisticsView::fitColumns()
{
    m_values->setColumnHidden(ValueModel::RoleColumn, m_values->width() < kLeastForRoles);
    m_estimators->resizeColumnsToContents();
    const int most = m_estimators->viewport()->width() * kMostOfName / 100; // the numbers count
    if (m_estimators->columnWidth(EstimatorModel::NameColumn) > most)
        m_estimators->setColumnWidth(EstimatorModel::NameColumn, most);
}

QSize StatisticsView::minimumSizeHint() const
{
    return {kLeastWidth, kLeastHeight}; // what does not fit is scrolled
}

QSize StatisticsView::sizeHint() const
{
    const QMargins around = layout()->contentsMargins();
    const QLayout* page = m_pages->currentWidget()->layout();
    const int empty = page->totalHeightForWidth(std::max(width(), kLeastWidth) - around.left() - around.right());
    return {QWidget::sizeHint().width(), m_foresight ? kWantedHeight : empty + around.top() + around.bottom()};
}

void StatisticsView::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    fitColumns();
    const auto orientation = width() >= kWide ? Qt::Horizontal : Qt::Vertical;
    if (m_isArranged && m_parts->orientation() == orientation)
        return;
    m_isArranged = true;
    m_parts->setOrientation(orientation);
    const int room = orientation == Qt::Horizontal ? width() : height();
    QList<int> sizes;
    for (const int share : kShares)
        sizes += room * share / 100;
    m_parts->setSizes(sizes);
    fitColumns();
}

} // namespace duo::ui
