// SPDX-License-Identifier: Apache-2.0
#include "app/session/session.h"

#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <fstream>

#include <gtest/gtest.h>

namespace duo::app {
namespace {

std::filesystem::path sample(const std::string& name)
{
    return std::filesystem::path(DUO_SAMPLES) / name;
}

bool waitUntil(const std::function<bool()>& condition)
{
    return QTest::qWaitFor(condition, 60000);
}

class StatisticsOfSession : public testing::Test
{
protected:
    void open(const std::string& model)
    {
        QSignalSpy opened(&m_session, &Session::opened);
        m_session.open(sample(model));
        ASSERT_TRUE(waitUntil([&] { return opened.count() == 1; }));
    }

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
    bool settled()
    {
        return waitUntil([this] {
            const auto foresight = m_session.foresight();
            return foresight && foresight->snapshot->recipe == m_session.recipe()
                && (foresight->problem || foresight->forecast->whyNoError != "it takes samples");
        });
    }

    Session m_session;
    QTemporaryDir m_folder;
};

TEST_F(StatisticsOfSession, AnotherEstimatorChangesWhatIsForeseenAndUndoBringsItBack)
{
    open("digits_conv.onnx");
    measure();
    ASSERT_TRUE(settled());
    const auto before = m_session.foresight();
    useForAll("MEAN_MINMAX");
    ASSERT_TRUE(settled());
    const auto after = m_session.foresight();
    EXPECT_NE(after->forecast->quantizers.front().outcome.parameters,
        before->forecast->quantizers.front().outcome.parameters);
    EXPECT_LT(*after->forecast->worstSqnrDb(), *before->forecast->worstSqnrDb());
    EXPECT_EQ(after->statistics, before->statistics);
    m_session.undoStack()->undo();
    ASSERT_TRUE(settled());
    EXPECT_EQ(*m_session.foresight()->forecast->worstSqnrDb(), *before->forecast->worstSqnrDb());
}

TEST_F(StatisticsOfSession, QuantizingAfterMeasuringUsesWhatWasMeasured)
{
    open("digits_conv.onnx");
    measure();
    const auto file = m_session.statistics().file;
    QSignalSpy calibrated(&m_session, &Session::calibrated);
    m_session.calibrate();
    ASSERT_TRUE(waitUntil([&] { return calibrated.count() == 1; }));
    EXPECT_EQ(m_session.statistics().file, file);
    EXPECT_FALSE(m_session.result()->compression->isMeasured); // by this run
    EXPECT_EQ(m_session.result()->compression->samples, 200);
    for (const QuantizerForecast& quantizer : m_session.foresight()->forecast->quantizers)
        EXPECT_EQ(m_session.result()->compression->parameters.at(quantizer.point), quantizer.outcome.parameters);
}

TEST_F(StatisticsOfSession, OfFewerSamplesThanTheDataHoldIsSaidEitherWay)
{
    open("digits_conv.onnx");
    Recipe recipe = m_session.recipe();
    recipe.quantization.subsetSize = 40;
    m_session.editRecipe(recipe, QStringLiteral("subset size"));
    m_session.setData({sample("digits_calibration.npz").string(), {}});
    QSignalSpy calibrated(&m_session, &Session::calibrated);
    for (const int times : {1, 2}) { // measured, then from what is known
        m_session.calibrate();
        ASSERT_TRUE(waitUntil([&] { return calibrated.count() == times; }));
        const Compression& compression = *m_session.result()->compression;
        EXPECT_EQ(compression.isMeasured, times != 2);
        ASSERT_FALSE(compression.notes.empty());
        EXPECT_EQ(compression.notes.back().text, "the first 40 of 200 samples were used (subset_size)");
    }
}

TEST_F(StatisticsOfSession, QuantizingMeasuresForTheHistogramsToo)
{
    open("digits_conv.onnx");
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
    open("digits_conv.onnx");
    measure();
    const std::filesystem::path file = m_folder.filePath(QStringLiteral("s")).toStdString();
    ASSERT_TRUE(writeStatistics(*m_session.statistics().file, file));
    open("digits_conv.onnx");
    EXPECT_EQ(m_session.foresight(), nullptr);
    m_session.openStatistics(file);
    ASSERT_TRUE(waitUntil([this] { return m_session.foresight() != nullptr; }));
    QSignalSpy exported(&m_session, &Session::exported);
    m_session.exportTo(m_folder.filePath(QStringLiteral("q.onnx")).toStdString());
    ASSERT_TRUE(waitUntil([&] { return exported.count() == 1; }));
    EXPECT_EQ(m_session.result()->dataset, nullptr);
}

TEST_F(StatisticsOfSession, DataThatIsGoneIsNotMissedOnceItIsMeasured)
{
    open("digits_conv.onnx");
    const std::filesystem::path data = m_folder.filePath(QStringLiteral("d.npz")).toStdString();
    std::filesystem::copy_file(sample("digits_calibration.npz"), data);
    measure(data);
    std::filesystem::remove(data);
    useForAll("PERCENTILE");
    ASSERT_TRUE(settled());
    QSignalSpy calibrated(&m_session, &Session::calibrated);
    m_session.calibrate();
    ASSERT_TRUE(waitUntil([&] { return calibrated.count() == 1; }));
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
    ASSERT_TRUE(waitUntil([&] { return failed.count() == 1; }));
    EXPECT_EQ(failed.front().front().value<Error>().where, data.string());
}

TEST_F(StatisticsOfSession, OfAnotherModelAreRefusedInOneLine)
{
    open("digits_conv.onnx");
    measure();
    const std::filesystem::path file = m_folder.filePath(QStringLiteral("s")).toStdString();
    ASSERT_TRUE(writeStatistics(*m_session.statistics().file, file));
    open("digits_transformer.onnx");
    QSignalSpy failed(&m_session, &Session::failed);
    m_session.openStatistics(file);
    ASSERT_TRUE(waitUntil([&] { return failed.count() == 1; }));
    EXPECT_EQ(failed.front().front().value<Error>().what, "statistics of another model");
    EXPECT_EQ(m_session.statistics().file, nullptr);
}

} // namespace
} // namespace duo::app
