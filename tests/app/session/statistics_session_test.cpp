// SPDX-License-Identifier: Apache-2.0
#include "tests/app/session/session_fixture.h"

#include <gtest/gtest.h>

namespace duo::app {
namespace {

class StatisticsOfSession : public SessionFixture
{
protected:
    void measure(const std::filesystem::path& data = sample("digits_calibration.npz"))
    {
        m_session.setData({data.string(), {}});
        m_session.measure();
        ASSERT_TRUE(waitUntil([this] { return m_session.foresight() != nullptr; }));
    }

    void useForAll(const std::string& estimator)
    {
        Recipe recipe = m_session.recipe();
        recipe.quantization.activationsRangeEstimator = rangeEstimatorSet(estimator);
        m_session.editRecipe(recipe, QStringLiteral("use"));
    }

    /// The foresight is of the recipe wanted, its error measured, or it says why not.
    bool foreseen()
    {
        return waitUntil([this] {
            const auto foresight = m_session.foresight();
            return foresight && foresight->snapshot->recipe == m_session.recipe()
                && (foresight->problem || foresight->forecast->whyNoError != "it takes samples");
        });
    }
};

TEST_F(StatisticsOfSession, AnotherEstimatorChangesWhatIsForeseenAndUndoBringsItBack)
{
    open();
    measure();
    ASSERT_TRUE(foreseen());
    const auto before = m_session.foresight();
    useForAll("MEAN_MINMAX");
    ASSERT_TRUE(foreseen());
    const auto after = m_session.foresight();
    EXPECT_NE(after->forecast->quantizers.front().outcome.parameters,
        before->forecast->quantizers.front().outcome.parameters);
    EXPECT_LT(*after->forecast->worstSqnrDb(), *before->forecast->worstSqnrDb());
    EXPECT_EQ(after->statistics, before->statistics);
    m_session.undoStack()->undo();
    ASSERT_TRUE(foreseen());
    EXPECT_EQ(*m_session.foresight()->forecast->worstSqnrDb(), *before->forecast->worstSqnrDb());
}

TEST_F(StatisticsOfSession, QuantizingAfterMeasuringUsesWhatWasMeasured)
{
    open();
    measure();
    const auto file = m_session.statistics().file;
    QSignalSpy calibrated(&m_session, &Session::calibrated);
    m_session.calibrate();
    ASSERT_TRUE(wait(calibrated));
    EXPECT_EQ(m_session.statistics().file, file);
    EXPECT_FALSE(m_session.result()->compression->isMeasured); // by this run
    EXPECT_EQ(m_session.result()->compression->samples, 200);
    for (const QuantizerForecast& quantizer : m_session.foresight()->forecast->quantizers)
        EXPECT_EQ(m_session.result()->compression->parameters.at(quantizer.point), quantizer.outcome.parameters);
}

TEST_F(StatisticsOfSession, OfFewerSamplesThanTheDataHoldIsSaidEitherWay)
{
    open();
    Recipe recipe = m_session.recipe();
    recipe.quantization.subsetSize = 40;
    m_session.editRecipe(recipe, QStringLiteral("subset size"));
    m_session.setData({sample("digits_calibration.npz").string(), {}});
    QSignalSpy calibrated(&m_session, &Session::calibrated);
    for (const int times : {1, 2}) { // measured, then from what is known
        m_session.calibrate();
        ASSERT_TRUE(wait(calibrated, times));
        const Compression& compression = *m_session.result()->compression;
        EXPECT_EQ(compression.isMeasured, times != 2);
        ASSERT_FALSE(compression.notes.empty());
        EXPECT_EQ(compression.notes.back().text, "the first 40 of 200 samples were used (subset_size)");
    }
}

TEST_F(StatisticsOfSession, QuantizingMeasuresForTheHistogramsToo)
{
    open();
    m_session.setData({"random:2", {}});
    m_session.calibrate();
    ASSERT_TRUE(waitUntil([this] { return m_session.foresight() != nullptr; }));
    EXPECT_GT(m_session.statistics().file->statistics.values.size(), 10U);
    EXPECT_TRUE(m_session.statistics().file->statistics.kinds.histogram);
    m_session.setData({"random:3", {}});
    EXPECT_EQ(m_session.statistics().file, nullptr);
    EXPECT_EQ(m_session.foresight(), nullptr);
}

TEST_F(StatisticsOfSession, AFileOfStatisticsStandsForData)
{
    open();
    measure();
    const auto file = m_folder / "s";
    ASSERT_TRUE(writeStatistics(*m_session.statistics().file, file));
    open();
    EXPECT_EQ(m_session.foresight(), nullptr);
    m_session.openStatistics(file);
    ASSERT_TRUE(waitUntil([this] { return m_session.foresight() != nullptr; }));
    QSignalSpy exported(&m_session, &Session::exported);
    m_session.exportTo(m_folder / "q.onnx");
    ASSERT_TRUE(wait(exported));
    EXPECT_EQ(m_session.result()->dataset, nullptr);
}

TEST_F(StatisticsOfSession, DataThatIsGoneIsNotMissedOnceItIsMeasured)
{
    open();
    const auto data = m_folder / "d.npz";
    std::filesystem::copy_file(sample("digits_calibration.npz"), data);
    measure(data);
    std::filesystem::remove(data);
    useForAll("PERCENTILE");
    ASSERT_TRUE(foreseen());
    QSignalSpy calibrated(&m_session, &Session::calibrated);
    m_session.calibrate();
    ASSERT_TRUE(wait(calibrated));
    const Compression& compression = *m_session.result()->compression;
    EXPECT_EQ(compression.samples, 200);
    ASSERT_FALSE(compression.notes.empty());
    EXPECT_EQ(compression.notes.front().text,
        "made from what was measured before; outputs cannot be compared: cannot read file: " + data.string()
            + ": No such file or directory");

    Recipe recipe = m_session.recipe(); // other samples, which were not measured
    recipe.quantization.subsetSize = 40;
    m_session.editRecipe(recipe, QStringLiteral("subset size"));
    QSignalSpy failed(&m_session, &Session::failed);
    m_session.calibrate();
    ASSERT_TRUE(wait(failed));
    EXPECT_EQ(failed.front().front().value<Error>().where, data.string());
}

TEST_F(StatisticsOfSession, OfAnotherModelAreRefusedInOneLine)
{
    open();
    measure();
    const auto file = m_folder / "s";
    ASSERT_TRUE(writeStatistics(*m_session.statistics().file, file));
    open(sample("digits_transformer.onnx"));
    QSignalSpy failed(&m_session, &Session::failed);
    m_session.openStatistics(file);
    ASSERT_TRUE(wait(failed));
    EXPECT_EQ(failed.front().front().value<Error>().what, "statistics of another model");
    EXPECT_EQ(m_session.statistics().file, nullptr);
}

} // namespace
} // namespace duo::app
