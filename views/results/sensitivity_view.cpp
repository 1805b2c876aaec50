// SPDX-License-Identifier: Apache-2.0
#include "views/results/sensitivity_view.h"

#include "views/style/format.h"
#include "views/style/sensitivity_level.h"
#include "views/style/window_words.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QVBoxLayout>

#include <algorithm>

namespace duo::ui {
namespace {

constexpr int kMargin = 6;
constexpr int kRowsWanted = 6; // of a ranking: those behind may be scrolled to

QString suggestionText(const FloatSuggestion& suggestion)
{
    const auto count = suggestion.groups.size();
    const QString what
        = count == 1 ? toQt(suggestion.groups.front()) : SensitivityView::tr("the %1 most sensitive").arg(count);
    QString text
        = SensitivityView::tr("%1: %2, %3").arg(what, errorText(suggestion.error), bytesText(suggestion.bytes));
    if (suggestion.speed)
        text += SensitivityView::tr(", %1 × as fast as float").arg(*suggestion.speed, 0, 'f', 2);
    if (suggestion.agreement)
        text += SensitivityView::tr(", %1 % agree").arg(100 * *suggestion.agreement, 0, 'f', 1);
    return suggestion.isRecommended ? SensitivityView::tr("★ %1").arg(text) : text;
}

QString swatch(const Theme& theme, SensitivityLevel level, const QString& text)
{
    const Shade& shade = sensitivityShade(theme, level);
    return QStringLiteral("<span style='background-color:%1; color:%2'>&nbsp;%3 %4&nbsp;</span>&nbsp; ")
        .arg(shade.fill.name(), shade.text.name(), sensitivityMark(level), text.toHtmlEscaped());
}

} // namespace

SensitivityView::SensitivityView(QWidget* parent)
    : QWidget(parent)
    , m_model(new SensitivityModel(this))
    , m_summary(new QLabel(this))
    , m_legend(new QLabel(this))
    , m_table(new QTableView(this))
    , m_measure(new QPushButton(tr("Measure &sensitivity"), this))
    , m_depth(new QComboBox(this))
    , m_suggestions(new QComboBox(this))
    , m_keep(new QPushButton(tr("&Keep these in float"), this))
    , m_overlay(new QCheckBox(tr("&Colour trees and graph"), this))
{
    setObjectName(QStringLiteral("sensitivityView"));
    m_summary->setObjectName(QStringLiteral("sensitivitySummary"));
    m_summary->setWordWrap(true);
    m_legend->setObjectName(QStringLiteral("sensitivityLegend"));
    m_table->setObjectName(QStringLiteral("sensitivityTable"));
    m_table->setAccessibleName(tr("Scopes and nodes by their share of the output noise"));
    m_table->setModel(m_model);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_table->setShowGrid(false);
    m_table->setTabKeyNavigation(false);
    m_table->setWordWrap(false);
    m_table->setTextElideMode(Qt::ElideMiddle);
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setDefaultSectionSize(m_table->fontMetrics().height() + 6);
    m_table->horizontalHeader()->setHighlightSections(false);
    m_table->horizontalHeader()->setSectionResizeMode(SensitivityModel::NameColumn, QHeaderView::Stretch);
    m_table->setMinimumSize(100, 60);
    m_measure->setObjectName(QStringLiteral("sensitivityMeasure"));
    m_measure->setToolTip(tr("Run a few samples with single scopes quantized, and with all but single scopes"));
    m_depth->setObjectName(QStringLiteral("sensitivityDepth"));
    m_depth->setAccessibleName(tr("What is measured alone"));
    m_depth->setToolTip(tr("Scopes, of which the most sensitive are split further, or every node: more runs"));
    m_depth->addItem(tr("by scope"), QVariant::fromValue(static_cast<int>(SensitivityDepth::Scopes)));
    m_depth->addItem(tr("every node"), QVariant::fromValue(static_cast<int>(SensitivityDepth::Nodes)));
    m_suggestions->setObjectName(QStringLiteral("sensitivitySuggestions"));
    m_suggestions->setToolTip(tr("What was measured with the most sensitive ones in float; choosing selects them"));
    m_suggestions->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_suggestions->setMinimumContentsLength(16);
    m_keep->setObjectName(QStringLiteral("sensitivityKeep"));
    m_keep->setToolTip(tr("Add rules that keep the selected rows in float; undo takes them back"));
    m_overlay->setObjectName(QStringLiteral("sensitivityOverlay"));
    m_overlay->setChecked(true);
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(m_measure);
    buttons->addWidget(m_depth);
    buttons->addWidget(m_suggestions, 1);
    buttons->addWidget(m_keep);
    buttons->addStretch();
    auto* last = new QHBoxLayout;
    last->addWidget(m_legend, 1);
    last->addWidget(m_overlay);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(kMargin, kMargin, kMargin, kMargin);
    layout->addWidget(m_summary);
    layout->addWidget(m_table, 1);
    layout->addLayout(buttons);
    layout->addLayout(last);
    layout->addStretch(); // below the button where there is no table
    connectParts();
    setMeasurable(false);
    setReport(nullptr, nullptr);
}

void SensitivityView::connectParts()
{
    connect(m_measure, &QPushButton::clicked, this, &SensitivityView::measureRequested);
    connect(m_depth, &QComboBox::currentIndexChanged, this,
        [this] { Q_EMIT depthChosen(static_cast<SensitivityDepth>(m_depth->currentData().toInt())); });
    connect(m_keep, &QPushButton::clicked, this, &SensitivityView::keep);
    connect(m_overlay, &QCheckBox::toggled, this, &SensitivityView::overlayToggled);
    connect(m_suggestions, &QComboBox::activated, this, &SensitivityView::chooseSuggestion);
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this, &SensitivityView::reportSelection);
}

void SensitivityView::setMeasurable(bool isMeasurable)
{
    m_measure->setEnabled(isMeasurable);
}

void SensitivityView::setReport(
    std::shared_ptr<const SensitivityReport> report, std::shared_ptr<const Snapshot> snapshot)
{
    m_snapshot = std::move(snapshot);
    m_model->setTheme(themeFor(palette()));
    m_model->setReport(std::move(report));
    m_isStale = false;
    m_suggestions->clear();
    int recommended = -1;
    if (m_model->report() != nullptr) {
        for (const FloatSuggestion& suggestion : m_model->report()->suggestions) {
            if (suggestion.isRecommended)
                recommended = m_suggestions->count();
            m_suggestions->addItem(suggestionText(suggestion));
        }
        for (int column = SensitivityModel::ShareColumn; column < SensitivityModel::kColumns; ++column)
            m_table->resizeColumnToContents(column);
    }
    m_suggestions->setEnabled(m_suggestions->count() > 0);
    m_suggestions->setCurrentIndex(recommended);
    if (recommended >= 0)
        chooseSuggestion(recommended);
    describe();
    reportSelection();
}

void SensitivityView::setStale(bool isStale)
{
    m_isStale = isStale;
    describe();
}

void SensitivityView::setColoured(bool isOn)
{
    const QSignalBlocker silence(m_overlay);
    m_overlay->setChecked(isOn);
}

void SensitivityView::describe()
{
    const Theme& theme = themeFor(palette());
    const SensitivityReport* report = m_model->report();
    for (QWidget* part : std::initializer_list<QWidget*>{m_legend, m_overlay, m_table, m_suggestions, m_keep})
        part->setVisible(report != nullptr);
    updateGeometry();
    m_legend->setText(tr("Share of the noise: ") + swatch(theme, SensitivityLevel::Low, tr("up to 5 %"))
        + swatch(theme, SensitivityLevel::Middle, tr("up to 20 %"))
        + swatch(theme, SensitivityLevel::High, tr("more")));
    if (report == nullptr) {
        m_summary->setText(tr("Not measured yet. Measuring runs a few samples with single scopes quantized, and with "
                              "all but single scopes, to say where the output error comes from."));
        m_summary->setToolTip({});
        return;
    }
    QString text = tr("Everything quantized: %1%2, %3.")
                       .arg(errorText(report->all), overSamples(report->samples), bytesText(report->bytes));
    if (report->speed)
        text += QLatin1Char(' ') + tr("It runs %1 × as fast as float.").arg(*report->speed, 0, 'f', 2);
    for (const Note& note : report->notes)
        text += QLatin1Char(' ') + windowWords(toQt(note.text)) + QLatin1Char('.');
    m_summary->setText(m_isStale ? tr("! Of earlier rules: they have been changed since. ") + text : text);
    m_summary->setToolTip(m_summary->text()); // a low pane cuts it
}

QSize SensitivityView::sizeHint() const
{
    const QSize parts = QWidget::sizeHint();
    const int height = layout()->totalHeightForWidth(std::max(width(), layout()->totalMinimumSize().width()));
    if (m_table->isHidden())
        return {parts.width(), height};
    const int rows = std::min(m_model->rowCount(), kRowsWanted) * m_table->verticalHeader()->defaultSectionSize();
    const int table = m_table->horizontalHeader()->sizeHint().height() + rows + 2 * m_table->frameWidth();
    return {parts.width(), height - m_table->sizeHint().height() + table};
}

/// Selects the rows of what a suggestion keeps.
void SensitivityView::chooseSuggestion(int index)
{
    const SensitivityReport* report = m_model->report();
    if (report == nullptr || index < 0 || static_cast<std::size_t>(index) >= report->suggestions.size())
        return;
    const auto& kept = report->suggestions[static_cast<std::size_t>(index)].groups;
    m_isChoosing = true;
    m_table->clearSelection();
    for (std::size_t row = 0; row < report->groups.size(); ++row) {
        if (std::ranges::find(kept, report->groups[row].name) != kept.end())
            m_table->selectionModel()->select(
                m_model->index(static_cast<int>(row), 0), QItemSelectionModel::Select | QItemSelectionModel::Rows);
    }
    m_isChoosing = false;
    reportSelection();
}

std::vector<std::size_t> SensitivityView::chosenRows() const
{
    std::vector<std::size_t> rows;
    for (const QModelIndex& index : m_table->selectionModel()->selectedRows())
        rows.push_back(static_cast<std::size_t>(index.row()));
    std::ranges::sort(rows);
    return rows;
}

void SensitivityView::keep()
{
    std::vector<Rule> rules;
    QStringList names;
    for (const std::size_t row : chosenRows()) {
        const GroupSensitivity& group = m_model->report()->groups[row];
        rules.insert(rules.end(), group.rules.begin(), group.rules.end());
        names += toQt(group.name);
    }
    if (!rules.empty())
        Q_EMIT keepRequested(rules,
            names.size() == 1 ? tr("Keep %1 in float").arg(names.front())
                              : tr("Keep %1 sensitive parts in float").arg(names.size()));
}

void SensitivityView::reportSelection()
{
    if (m_isChoosing)
        return;
    const auto rows = chosenRows();
    m_keep->setEnabled(!rows.empty());
    if (rows.empty() || !m_snapshot)
        return;
    std::vector<NodeId> nodes;
    for (const std::size_t row : rows) {
        for (const std::string& name : m_model->report()->groups[row].nodes) {
            if (const NodeId node = m_snapshot->model->findNode(name); node.valid())
                nodes.push_back(node);
        }
    }
    Q_EMIT selected(selectNodes(std::move(nodes)));
}

void SensitivityView::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() != QEvent::PaletteChange)
        return;
    m_model->setTheme(themeFor(palette()));
    describe();
}

} // namespace duo::ui
