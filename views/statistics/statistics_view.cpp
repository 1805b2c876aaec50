// SPDX-License-Identifier: Apache-2.0
// StatisticsView: what it shows and what is wanted of it.
#include "views/statistics/statistics_view.h"

#include "views/statistics/range_text.h"
#include "views/style/format.h"
#include "views/style/window_words.h"

#include <QScopedValueRollback>

#include <utility>

namespace duo::ui {

void StatisticsView::connectParts()
{
    connect(m_measure, &QPushButton::clicked, this, &StatisticsView::measureRequested);
    connect(m_measureAgain, &QPushButton::clicked, this, &StatisticsView::measureRequested);
    connect(m_open, &QPushButton::clicked, this, &StatisticsView::openRequested);
    connect(m_parts, &QSplitter::splitterMoved, this, &StatisticsView::fitColumns);
    connect(m_logarithmic, &QCheckBox::toggled, m_plot, &HistogramPlot::setLogarithmic);
    connect(m_zoomed, &QCheckBox::toggled, m_plot, &HistogramPlot::setZoomed);
    connect(m_values->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this] {
        if (m_isFilling)
            return;
        m_value = currentValue() ? currentValue()->spot.value : ValueId();
        showValue();
    });
    connect(m_estimators->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &StatisticsView::lookAt);
    connect(m_estimators, &QTableView::activated, this, &StatisticsView::useHere);
    connect(m_estimators, &QTableView::customContextMenuRequested, this, &StatisticsView::showMenu);
    connect(m_plot, &HistogramPlot::estimatorClicked, this, [this](const std::string& estimator) {
        m_estimators->setCurrentIndex(m_estimatorModel->index(m_estimatorModel->rowOf(estimator), 0));
    });
    connect(m_useHere, &QToolButton::clicked, this, &StatisticsView::useHere);
    connect(m_useForAll, &QPushButton::clicked, this, [this] { intend(EstimatorIntent::Verb::UseForAll); });
    connect(m_scopeMenu, &QMenu::aboutToShow, this, &StatisticsView::fillScopeMenu);
}

void StatisticsView::setMeasurable(bool isMeasurable)
{
    m_measure->setEnabled(isMeasurable);
    m_measureAgain->setEnabled(isMeasurable);
    m_open->setEnabled(isMeasurable);
}

void StatisticsView::setForesight(std::shared_ptr<const Foresight> foresight)
{
    const bool isSame = foresight && m_foresight && foresight->statistics == m_foresight->statistics;
    if (!isSame)
        m_before.reset();
    else if (const auto worst = m_foresight->forecast->worstSqnrDb())
        m_before = worst; // where it is being measured again, the last one known
    m_foresight = std::move(foresight);
    m_pages->setCurrentIndex(m_foresight ? 1 : 0);
    updateGeometry();
    showRows();
    showSummary();
}

void StatisticsView::setSelection(const Selection& selection)
{
    if (selection == m_selection)
        return;
    m_selection = selection;
    showRows();
}

void StatisticsView::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    if (m_isOutdated)
        showRows();
}

void StatisticsView::showRows()
{
    m_isOutdated = !isVisible(); // searching for ranges takes its time
    if (m_isOutdated)
        return;
    {
        const QScopedValueRollback guard(m_isFilling, true);
        m_valueModel->setRows(m_foresight ? valueRows(*m_foresight, m_selection) : std::vector<ValueRow>());
        int row = m_valueModel->rowOf(m_value);
        for (int i = 0; row < 0 && i < m_valueModel->rowCount(); ++i) { // the first that is quantized, at run time
            const ValueSpot& spot = m_valueModel->rows()[static_cast<std::size_t>(i)].spot;
            if (spot.point && !spot.isConstant)
                row = i;
        }
        if (row < 0 && m_valueModel->rowCount() > 0)
            row = 0;
        m_values->setCurrentIndex(m_valueModel->index(row, 0));
        m_value = currentValue() ? currentValue()->spot.value : ValueId();
    }
    showValue();
}

const ValueRow* StatisticsView::currentValue() const
{
    const int row = m_values->currentIndex().row();
    return row < 0 || row >= m_valueModel->rowCount() ? nullptr : &m_valueModel->rows()[static_cast<std::size_t>(row)];
}

void StatisticsView::showValue()
{
    std::shared_ptr<const ValueFacts> facts;
    QString problem;
    if (const ValueRow* row = currentValue(); row && m_foresight) {
        auto found
            = factsOf(*m_foresight->snapshot, m_foresight->statistics->statistics, *m_foresight->forecast, row->spot);
        if (found)
            facts = std::make_shared<const ValueFacts>(*std::move(found));
        else
            problem = windowWords(toQt(found.error().line()));
    }
    const std::string lookedAt = currentEstimator();
    m_estimatorModel->setFacts(facts);
    m_plot->setFacts(facts);
    fitColumns();
    int current = m_estimatorModel->rowOf(lookedAt);
    if (current < 0)
        current = m_estimatorModel->chosenRow();
    m_estimators->setCurrentIndex(m_estimatorModel->index(current, 0));
    if (!facts) {
        m_about->setText(problem.isEmpty() && m_foresight ? tr("Nothing was measured of what is selected.") : problem);
    } else {
        QString about = QStringLiteral("<b>%1</b> — %2")
                            .arg(toQt(facts->value).toHtmlEscaped(), quantizerText(*facts).toHtmlEscaped());
        if (facts->rule)
            about += tr(", estimator by rule %1").arg(*facts->rule + 1);
        if (const QString odd = nonFiniteText(*facts->statistics); !odd.isEmpty())
            about += QStringLiteral(", <b>%1</b>").arg(odd);
        m_about->setText(about);
    }
    lookAt();
}

void StatisticsView::showSummary()
{
    m_measureAgain->setVisible(m_foresight && m_foresight->problem);
    m_summary->setToolTip({});
    if (!m_foresight || m_foresight->problem) {
        m_summary->setText(m_foresight
                ? tr("<b>No forecast</b>: %1").arg(windowWords(toQt(m_foresight->problem->line())).toHtmlEscaped())
                : QString());
        return;
    }
    QString text = forecastSummary(*m_foresight->forecast, m_before);
    text += QLatin1Char(' ') + tr("(from %1 samples)").arg(countText(m_foresight->forecast->samples));
    QStringList notes;
    for (const Note& note : m_foresight->forecast->notes)
        notes += toQt(note.text);
    m_summary->setText(text);
    notes.prepend(
        tr("The error of the outputs is measured on up to 16 samples with every quantizer simulated. An export "
           "measures it on the written file."));
    m_summary->setToolTip(notes.join(QStringLiteral("\n\n")));
}

std::string StatisticsView::currentEstimator() const
{
    return m_estimatorModel->estimator(m_estimators->currentIndex().row());
}

void StatisticsView::lookAt()
{
    const int row = m_estimators->currentIndex().row();
    m_plot->setLookedAt(m_estimatorModel->isChosen(row) ? nullptr : m_estimatorModel->outcome(row));
    describeChoice();
}

void StatisticsView::describeChoice()
{
    const std::string estimator = currentEstimator();
    const auto& facts = m_estimatorModel->facts();
    const bool canUse = !estimator.empty() && facts && facts->point;
    m_useHere->setEnabled(canUse && !subjects().empty());
    m_useForAll->setEnabled(!estimator.empty());
    const auto where = canUse ? subjects() : std::vector<SubjectChoice>();
    m_useHere->setToolTip(where.empty() ? tr("Choose a value that is quantized, and an estimator")
                                        : tr("Use %1 for %2 and what it reads; the arrow offers its scopes")
                                              .arg(toQt(estimator), where.front().text));
}

std::vector<SubjectChoice> StatisticsView::subjects() const
{
    const auto& facts = m_estimatorModel->facts();
    if (!m_foresight || !facts || !facts->point || facts->isWeight)
        return {};
    const Snapshot& snapshot = *m_foresight->snapshot;
    const QuantizationPoint& point = snapshot.placement->setup.points.at(*facts->point);
    NodeId node = point.node;
    if (!node.valid() && !point.directlyQuantized.empty())
        node = point.directlyQuantized.front();
    std::vector<SubjectChoice> choices;
    if (node.valid())
        choices = subjectChoices(selectNode(node), *snapshot.model, *snapshot.scopes);
    if (m_selection.scope) {
        const auto ofScope = subjectChoices(m_selection, *snapshot.model, *snapshot.scopes);
        choices.insert(choices.end(), ofScope.begin(), ofScope.end());
    }
    return choices;
}

void StatisticsView::useHere()
{
    if (const auto choices = subjects(); !choices.empty() && !currentEstimator().empty())
        intend(EstimatorIntent::Verb::UseHere, choices.front().subjects.front());
}

void StatisticsView::intend(EstimatorIntent::Verb verb, const RuleSubject& subject)
{
    EstimatorIntent intent{verb, {}, subject, 0};
    const auto& facts = m_estimatorModel->facts();
    if (verb == EstimatorIntent::Verb::TakeRuleAway)
        intent.rule = facts && facts->rule ? *facts->rule : 0;
    else
        intent.estimator = currentEstimator();
    Q_EMIT estimatorIntended(intent);
}

void StatisticsView::fillScopeMenu()
{
    m_scopeMenu->clear();
    const QString estimator = toQt(currentEstimator());
    if (!estimator.isEmpty()) {
        for (const SubjectChoice& choice : subjects()) {
            connect(m_scopeMenu->addAction(tr("Use %1 for %2").arg(estimator, choice.text)), &QAction::triggered, this,
                [this, subject = choice.subjects.front()] { intend(EstimatorIntent::Verb::UseHere, subject); });
        }
    }
    if (const auto& facts = m_estimatorModel->facts(); facts && facts->rule) {
        m_scopeMenu->addSeparator();
        connect(m_scopeMenu->addAction(tr("Take rule %1 away").arg(*facts->rule + 1)), &QAction::triggered, this,
            [this] { intend(EstimatorIntent::Verb::TakeRuleAway); });
    }
}

void StatisticsView::showMenu(const QPoint& place)
{
    fillScopeMenu();
    if (!currentEstimator().empty()) {
        QAction* all = new QAction(tr("Use %1 for all").arg(toQt(currentEstimator())), m_scopeMenu);
        connect(all, &QAction::triggered, this, [this] { intend(EstimatorIntent::Verb::UseForAll); });
        m_scopeMenu->addSeparator();
        m_scopeMenu->addAction(all);
    }
    if (!m_scopeMenu->isEmpty()) {
        const QSignalBlocker blocker(m_scopeMenu); // it is filled
        m_scopeMenu->popup(m_estimators->viewport()->mapToGlobal(place));
    }
}

} // namespace duo::ui
