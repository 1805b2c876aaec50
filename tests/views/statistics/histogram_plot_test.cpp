// SPDX-License-Identifier: Apache-2.0
#include "views/statistics/histogram_plot.h"

#include "tests/views/support/foresight_builder.h"

#include <QSignalSpy>
#include <QTest>

#include <gtest/gtest.h>

namespace duo::ui {
namespace {

std::shared_ptr<const ValueFacts> factsOfInput(const QuantizationSettings& settings = {})
{
    const auto foresight = test::makeForesight(settings);
    const auto spot = spotOf(*foresight->snapshot, "x");
    return std::make_shared<const ValueFacts>(
        *factsOf(*foresight->snapshot, foresight->statistics->statistics, *foresight->forecast, *spot));
}

int pixelsOf(const QImage& image, const QColor& color, const QRect& area)
{
    int count = 0;
    for (int y = area.top(); y <= area.bottom(); ++y) {
        for (int x = area.left(); x <= area.right(); ++x)
            count += image.pixelColor(x, y) == color ? 1 : 0;
    }
    return count;
}

class HistogramPlotTest : public testing::Test
{
protected:
    HistogramPlotTest()
    {
        m_plot.setPalette(lightPalette());
        m_plot.resize(500, 300);
        m_plot.setFacts(factsOfInput());
    }
    [[nodiscard]] QImage image() { return m_plot.grab().toImage(); }

    HistogramPlot m_plot;
};

TEST_F(HistogramPlotTest, ShowsEverythingMeasuredOrTheRangeInUse)
{
    EXPECT_LT(m_plot.axis().low, -1);
    EXPECT_GT(m_plot.axis().high, 4);
    QuantizationSettings narrow;
    narrow.activationsRangeEstimator = rangeEstimatorSet("MEAN_MINMAX");
    m_plot.setFacts(factsOfInput(narrow)); // -1 to 2.5
    EXPECT_GT(m_plot.axis().high, 4);
    m_plot.setZoomed(true);
    EXPECT_LT(m_plot.axis().high, 3);
}

TEST_F(HistogramPlotTest, TheLogarithmLiftsRareValues)
{
    const QColor bar = lightTheme().states[0].border;
    const QRect right(440, 20, 50, 185); // where the one value of 4 is
    const int plain = pixelsOf(image(), bar, right);
    EXPECT_GT(plain, 0); // a rare value is seen at all
    m_plot.setLogarithmic(true);
    EXPECT_GT(pixelsOf(image(), bar, right), plain);
}

TEST_F(HistogramPlotTest, AClickOnABarOfAnEstimatorNamesIt)
{
    QSignalSpy clicked(&m_plot, &HistogramPlot::estimatorClicked);
    QTest::mouseClick(&m_plot, Qt::LeftButton, {}, {250, 292});
    ASSERT_EQ(clicked.count(), 1);
    EXPECT_EQ(m_plot.estimatorAt({250, 292}), "ENTROPY"); // the last one
    EXPECT_EQ(m_plot.estimatorAt({250, 100}), "");
}

TEST_F(HistogramPlotTest, TheEstimatorLookedAtIsDrawnInItsColour)
{
    const QColor color = lightTheme().selection;
    EXPECT_EQ(pixelsOf(image(), color, m_plot.rect()), 0);
    const auto facts = factsOfInput();
    m_plot.setLookedAt(&facts->choices.back());
    EXPECT_GT(pixelsOf(image(), color, m_plot.rect()), 50);
}

TEST_F(HistogramPlotTest, SaysWhatItShows)
{
    EXPECT_EQ(m_plot.accessibleDescription(),
        QStringLiteral("402 values from -1 to 4, mean 0.007463. The codes reach from -1 to 4, 0 are clipped."));
    auto empty = std::make_shared<ValueFacts>(*factsOfInput());
    empty->statistics = std::make_shared<ValueStatistics>();
    m_plot.setFacts(empty);
    EXPECT_EQ(m_plot.accessibleDescription(), QStringLiteral("It has no elements."));
    (void)image();
    m_plot.setFacts(nullptr);
    EXPECT_EQ(m_plot.accessibleDescription(), QString());
    (void)image(); // and draws without facts
}

} // namespace
} // namespace duo::ui
