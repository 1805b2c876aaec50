// SPDX-License-Identifier: Apache-2.0
// Histograms and range estimators in the real window: measured without exporting, chosen, taken back.
#include "tests/app/gui/window_driver.h"

#include "views/statistics/range_text.h"

#include <QTableView>

#include <gtest/gtest.h>

namespace duo::test {
namespace {

class StatisticsPane : public testing::Test
{
protected:
    void SetUp() override
    {
        m_model = m_driver.copySample("digits_conv.onnx");
        (void)m_driver.copySample("digits_calibration.npz");
        ASSERT_TRUE(m_driver.open(m_model));
    }

    app::Session& session() { return m_driver.window().session(); }

    void measure()
    {
        session().setData({(m_driver.folder() / "digits_calibration.npz").string(), {}});
        m_driver.key(&m_driver.window(), Qt::Key_M, Qt::ControlModifier);
        ASSERT_TRUE(WindowDriver::waitFor([this] { return session().foresight() != nullptr; }))
            << m_driver.find<ui::Banner>("banner")->text().toStdString();
    }

    /// What is shown is of the recipe wanted, its error measured.
    bool settled()
    {
        return m_driver.settled() && WindowDriver::waitFor([this] {
            const Foresight& foresight = *session().foresight();
            return foresight.snapshot->recipe == session().recipe() && foresight.forecast->whyNoError.empty();
        });
    }

    QTableView* estimators() { return m_driver.find<QTableView>("statisticsEstimators"); }
    ui::EstimatorModel* model() { return dynamic_cast<ui::EstimatorModel*>(estimators()->model()); }

    WindowDriver m_driver;
    std::filesystem::path m_model;
};

TEST_F(StatisticsPane, MeasureChooseAnEstimatorForANodeAndUndo)
{
    auto* dock = m_driver.find<QDockWidget>("dockStatistics");
    EXPECT_TRUE(m_driver.find<QPushButton>("statisticsMeasure")->isEnabled());
    measure();
    ASSERT_TRUE(WindowDriver::waitFor([&] { return dock->widget()->isVisible(); }));
    ASSERT_TRUE(m_driver.clickScope(ui::TreeKind::Execution, "encoder/layer1/0"));
    auto* values = m_driver.find<QTableView>("statisticsValues");
    EXPECT_GT(values->model()->rowCount(), 3);
    ASSERT_GE(model()->chosenRow(), 0);
    EXPECT_EQ(model()->estimator(model()->chosenRow()), "MINMAX");
    const float scale = model()->outcome(model()->chosenRow())->parameters.scale.front();
    ASSERT_TRUE(settled());
    const QString summary = m_driver.find<QLabel>("statisticsSummary")->text();

    estimators()->setCurrentIndex(model()->index(model()->rowOf("PERCENTILE"), 0));
    m_driver.key(estimators(), Qt::Key_Return);
    ASSERT_EQ(session().recipe().quantization.rangeEstimatorRules.size(), 1U);
    ASSERT_TRUE(settled());
    EXPECT_EQ(model()->estimator(model()->chosenRow()), "PERCENTILE");
    EXPECT_LT(model()->outcome(model()->chosenRow())->parameters.scale.front(), scale);
    EXPECT_NE(m_driver.find<QLabel>("statisticsSummary")->text(), summary);

    m_driver.action("actionUndo")->trigger();
    ASSERT_TRUE(settled());
    EXPECT_TRUE(session().recipe().quantization.rangeEstimatorRules.empty());
    EXPECT_EQ(model()->estimator(model()->chosenRow()), "MINMAX");
    EXPECT_EQ(model()->outcome(model()->chosenRow())->parameters.scale.front(), scale);
}

TEST_F(StatisticsPane, StatisticsOfAnotherModelAreRefusedInTheBanner)
{
    measure();
    const auto file = m_driver.folder() / "s";
    ASSERT_TRUE(writeStatistics(*session().statistics().file, file));
    ASSERT_TRUE(m_driver.open(m_driver.copySample("digits_transformer.onnx")));
    EXPECT_TRUE(m_driver.find<QLabel>("statisticsEmpty")->text().contains(QStringLiteral("No statistics yet")));
    session().openStatistics(file);
    ASSERT_TRUE(WindowDriver::waitFor([&] {
        return m_driver.find<ui::Banner>("banner")->text().contains(QStringLiteral("statistics of another model"));
    }));
    EXPECT_EQ(session().foresight(), nullptr);
}

} // namespace
} // namespace duo::test
