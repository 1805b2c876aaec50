// SPDX-License-Identifier: Apache-2.0
#include "views/statistics/statistics_view.h"

#include "tests/views/support/foresight_builder.h"
#include "views/statistics/range_text.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace duo::ui {
namespace {

using test::makeForesight;
using testing::ElementsAre;

std::vector<std::string> column(const QAbstractItemModel& model, int column)
{
    std::vector<std::string> texts;
    for (int row = 0; row < model.rowCount(); ++row)
        texts.push_back(model.index(row, column).data().toString().toStdString());
    return texts;
}

QuantizationSettings with(const EstimatorIntent& intent, const QuantizationSettings& settings = {})
{
    return applyIntent(settings, intent);
}

class StatisticsViewTest : public testing::Test
{
protected:
    StatisticsViewTest()
    {
        qRegisterMetaType<EstimatorIntent>();
        m_view.resize(1000, 300);
        m_view.show();
        m_view.setForesight(m_foresight);
    }

    void selectNode(const std::string& name)
    {
        m_view.setSelection(ui::selectNode(m_foresight->snapshot->model->findNode(name)));
    }

    /// Puts the cursor on an estimator.
    void lookAt(const std::string& estimator)
    {
        auto* model = dynamic_cast<EstimatorModel*>(m_view.estimators()->model());
        m_view.estimators()->setCurrentIndex(model->index(model->rowOf(estimator), 0));
    }

    [[nodiscard]] std::string chosen()
    {
        const auto* model = dynamic_cast<EstimatorModel*>(m_view.estimators()->model());
        return model->chosenRow() < 0 ? "" : model->estimator(model->chosenRow());
    }

    std::shared_ptr<const Foresight> m_foresight = makeForesight();
    StatisticsView m_view;
};

TEST_F(StatisticsViewTest, WithoutStatisticsItSaysWhatToDoAndOffersIt)
{
    m_view.setForesight(nullptr);
    EXPECT_TRUE(m_view.findChild<QLabel*>(QStringLiteral("statisticsEmpty"))->isVisible());
    auto* measure = m_view.findChild<QPushButton*>(QStringLiteral("statisticsMeasure"));
    EXPECT_FALSE(measure->isEnabled()); // no model
    m_view.setMeasurable(true);
    QSignalSpy measured(&m_view, &StatisticsView::measureRequested);
    QSignalSpy opened(&m_view, &StatisticsView::openRequested);
    measure->click();
    m_view.findChild<QPushButton*>(QStringLiteral("statisticsOpen"))->click();
    EXPECT_EQ(measured.count(), 1);
    EXPECT_EQ(opened.count(), 1);
}

TEST_F(StatisticsViewTest, ListsEveryQuantizerAndOfANodeWhatItReadsAndGives)
{
    EXPECT_EQ(m_view.values()->model()->rowCount(), static_cast<int>(m_foresight->forecast->quantizers.size()));
    selectNode("a");
    EXPECT_THAT(column(*m_view.values()->model(), ValueModel::NameColumn), ElementsAre("x", "a.weight", "h"));
    EXPECT_THAT(column(*m_view.values()->model(), ValueModel::RoleColumn), ElementsAre("input 0", "const 1", "output"));
}

TEST_F(StatisticsViewTest, MarksTheEstimatorInUse)
{
    selectNode("a");
    EXPECT_EQ(chosen(), "MINMAX");
    const auto names = column(*m_view.estimators()->model(), EstimatorModel::NameColumn);
    ASSERT_EQ(names.size(), 11U);
    EXPECT_EQ(names.front(), "● MINMAX");
    EXPECT_EQ(m_view.estimators()->model()->index(0, EstimatorModel::MaxColumn).data().toString(), QStringLiteral("4"));
    EXPECT_EQ(m_view.estimators()->model()->index(0, 0).data(Qt::AccessibleTextRole).toString(),
        QStringLiteral("MINMAX, in use"));
}

TEST_F(StatisticsViewTest, EnterOnAnEstimatorWantsItForTheNode)
{
    selectNode("a");
    lookAt("MSE");
    QSignalSpy intended(&m_view, &StatisticsView::estimatorIntended);
    QTest::keyClick(m_view.estimators(), Qt::Key_Return);
    ASSERT_EQ(intended.count(), 1);
    const auto intent = intended.front().front().value<EstimatorIntent>();
    EXPECT_EQ(intent.estimator, "MSE");
    EXPECT_EQ(intent.subject.kind, RuleKind::Name);
    EXPECT_EQ(intent.subject.value, "a");
    m_foresight = makeForesight(with(intent), m_foresight.get());
    m_view.setForesight(m_foresight);
    EXPECT_EQ(chosen(), "MSE");
    EXPECT_TRUE(m_view.findChild<QLabel*>(QStringLiteral("statisticsAbout"))
                    ->text()
                    .contains(QStringLiteral("estimator by rule 1")));
}

TEST_F(StatisticsViewTest, ForAllChangesEveryQuantizerAndTheSummaryTellsTheDifference)
{
    selectNode("a");
    lookAt("MEAN_MINMAX");
    QSignalSpy intended(&m_view, &StatisticsView::estimatorIntended);
    m_view.findChild<QPushButton*>(QStringLiteral("estimatorUseForAll"))->click();
    ASSERT_EQ(intended.count(), 1);
    m_foresight = makeForesight(with(intended.front().front().value<EstimatorIntent>()), m_foresight.get());
    m_view.setForesight(m_foresight);
    for (const QuantizerForecast& quantizer : m_foresight->forecast->quantizers)
        EXPECT_EQ(quantizer.outcome.estimator, quantizer.isWeight ? "" : "MEAN_MINMAX");
    EXPECT_EQ(chosen(), "MEAN_MINMAX");
    const QString summary = m_view.findChild<QLabel*>(QStringLiteral("statisticsSummary"))->text();
    EXPECT_TRUE(summary.contains(QStringLiteral("(was "))) << summary.toStdString();
    EXPECT_TRUE(summary.contains(QStringLiteral("(from 2 samples)"))) << summary.toStdString();
}

TEST_F(StatisticsViewTest, OfAWeightShowsItsScaleAndOffersNoEstimator)
{
    selectNode("a");
    m_view.values()->setCurrentIndex(m_view.values()->model()->index(1, 0));
    EXPECT_EQ(m_view.estimators()->model()->rowCount(), 1);
    EXPECT_FALSE(m_view.findChild<QToolButton*>(QStringLiteral("estimatorUseHere"))->isEnabled());
    EXPECT_FALSE(m_view.findChild<QPushButton*>(QStringLiteral("estimatorUseForAll"))->isEnabled());
}

TEST_F(StatisticsViewTest, KeepsTheValueLookedAtWhenTheForecastIsNew)
{
    selectNode("b");
    m_view.values()->setCurrentIndex(m_view.values()->model()->index(2, 0));
    m_view.setForesight(makeForesight({}, m_foresight.get()));
    EXPECT_EQ(m_view.values()->currentIndex().row(), 2);
}

TEST_F(StatisticsViewTest, WhereAValueHasNoRangeWhatWasMeasuredIsShownAllTheSame)
{
    StatisticsFile file = *m_foresight->statistics;
    ValueStatistics nothing;
    nothing.elements = nothing.nan = 8;
    nothing.firstNonFiniteSample = 1;
    file.statistics.values["p"] = nothing;
    file.statistics.values.erase("x");
    const auto foresight
        = foresee(m_foresight->snapshot, std::make_shared<StatisticsFile>(std::move(file)), nullptr, 1, {});
    ASSERT_TRUE(foresight);
    m_view.setForesight(*foresight);
    EXPECT_EQ(m_view.findChild<QLabel*>(QStringLiteral("statisticsSummary"))->text(),
        QStringLiteral(
            "<b>No forecast</b>: the statistics do not hold this value: x: measure again, with this recipe"));
    EXPECT_TRUE(m_view.findChild<QPushButton*>(QStringLiteral("statisticsMeasureAgain"))->isVisible());
    EXPECT_THAT(column(*m_view.values()->model(), ValueModel::NameColumn), ElementsAre("p", "h", "y"));
    m_view.values()->setCurrentIndex(m_view.values()->model()->index(0, 0));
    const auto* about = m_view.findChild<QLabel*>(QStringLiteral("statisticsAbout"));
    EXPECT_TRUE(about->text().contains(QStringLiteral("8 of 8 are NaN or infinite, first in sample 1")));
    EXPECT_EQ(m_view.findChild<HistogramPlot*>()->accessibleDescription(),
        QStringLiteral("Nothing finite was measured of it."));
    m_view.values()->setCurrentIndex(m_view.values()->model()->index(2, 0));
    EXPECT_EQ(m_view.estimators()->model()->rowCount(), 11);
    selectNode("b");
    EXPECT_THAT(column(*m_view.values()->model(), ValueModel::NameColumn), ElementsAre("p", "b.weight", "y"));
    m_view.setForesight(m_foresight);
    EXPECT_FALSE(m_view.findChild<QPushButton*>(QStringLiteral("statisticsMeasureAgain"))->isVisible());
}

TEST_F(StatisticsViewTest, StandsBelowEachOtherInANarrowPane)
{
    auto* parts = m_view.findChild<QSplitter*>(QStringLiteral("statisticsParts"));
    EXPECT_EQ(parts->orientation(), Qt::Horizontal);
    m_view.resize(320, 700);
    QTest::qWait(0);
    EXPECT_EQ(parts->orientation(), Qt::Vertical);
}

TEST(ValueModelTest, ShowsNamesWithoutTheEndingTheyAllShare)
{
    ValueModel model;
    model.setRows(
        {{{}, QStringLiteral("/layer1/conv1/Conv_output_0"), {}, {}, 0}, {{}, QStringLiteral("x"), {}, {}, 0}});
    EXPECT_THAT(column(model, ValueModel::NameColumn), ElementsAre("/layer1/conv1/Conv", "x"));
    const QModelIndex first = model.index(0, ValueModel::NameColumn);
    EXPECT_EQ(first.data(Qt::AccessibleTextRole).toString(), QStringLiteral("/layer1/conv1/Conv_output_0"));
    EXPECT_TRUE(first.data(Qt::ToolTipRole).toString().contains(QStringLiteral("Conv_output_0")));
}

TEST_F(StatisticsViewTest, ItsModelsAreSound)
{
    ValueModel values;
    const QAbstractItemModelTester valuesTester(&values, QAbstractItemModelTester::FailureReportingMode::Fatal);
    values.setRows(valueRows(*m_foresight, {}));
    values.setRows({});
    EstimatorModel estimators;
    const QAbstractItemModelTester tester(&estimators, QAbstractItemModelTester::FailureReportingMode::Fatal);
    const auto spot = spotOf(*m_foresight->snapshot, "x");
    estimators.setFacts(std::make_shared<ValueFacts>(
        *factsOf(*m_foresight->snapshot, m_foresight->statistics->statistics, *m_foresight->forecast, *spot)));
    EXPECT_EQ(estimators.rowCount(), 11);
    estimators.setFacts(nullptr);
}

TEST(EstimatorIntentTest, ARuleGoesBehindTheOthersInPlaceOfItsLike)
{
    using Verb = EstimatorIntent::Verb;
    auto settings = with({Verb::UseHere, "MSE", {RuleKind::Name, "a"}, 0});
    settings = with({Verb::UseHere, "ENTROPY", {RuleKind::ExecutionScope, "s"}, 0}, settings);
    settings = with({Verb::UseHere, "PERCENTILE", {RuleKind::Name, "a"}, 0}, settings);
    ASSERT_EQ(settings.rangeEstimatorRules.size(), 2U);
    EXPECT_EQ(settings.rangeEstimatorRules[0].rule.value, "s");
    EXPECT_EQ(settings.rangeEstimatorRules[1].activations, *rangeEstimatorSet("PERCENTILE"));
    EXPECT_EQ(with({Verb::TakeRuleAway, {}, {}, 0}, settings).rangeEstimatorRules.size(), 1U);
    EXPECT_EQ(with({Verb::TakeRuleAway, {}, {}, 7}, settings), settings);
    EXPECT_EQ(with({Verb::UseHere, "NO_SUCH", {RuleKind::Name, "a"}, 0}, settings), settings);
    const auto all = with({Verb::UseForAll, "MSE", {}, 0}, settings);
    EXPECT_TRUE(all.rangeEstimatorRules.empty());
    EXPECT_EQ(all.activationsRangeEstimator, rangeEstimatorSet("MSE"));
    EXPECT_EQ(
        estimatorEditText({Verb::UseHere, "MSE", {RuleKind::Name, "a"}, 0}, {}), QStringLiteral("Use MSE for node a"));
}

TEST(RangeText, SaysNumbersAsTheCommandLineDoes)
{
    EXPECT_EQ(numberText(0.0283112), QStringLiteral("0.02831"));
    EXPECT_EQ(shareText(0), QStringLiteral("0"));
    EXPECT_EQ(shareText(0.00012), QStringLiteral("0.012 %"));
    EXPECT_EQ(decibelText(std::nullopt), QStringLiteral("–"));
    EXPECT_EQ(scaleText({ElementType::Int8, {0.5F, 0.25F}, {0, 0}, 0}), QStringLiteral("0.25 … 0.5"));
}

} // namespace
} // namespace duo::ui
