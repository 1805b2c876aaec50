// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/calibration/known_statistics.h"

#include "tests/support/temporary_folder.h"

#include <gtest/gtest.h>

namespace duo {
namespace {

class CalibrateFrom : public testing::Test
{
protected:
    void SetUp() override { open("digits_conv.onnx"); }

    void open(const char* sample)
    {
        auto opened = openSnapshot(std::filesystem::path(DUO_SAMPLES) / sample);
        ASSERT_TRUE(opened) << opened.error().line();
        m_snapshot = *std::move(opened);
        m_source.data.spec = "random:2";
        auto data = openDataset(m_source.data.spec, *m_snapshot.model);
        ASSERT_TRUE(data) << data.error().line();
        m_data = *std::move(data);
        m_source.dataset = m_data.get();
    }

    [[nodiscard]] Result<Calibration> calibrated() const { return calibrateFrom(m_snapshot, m_source, 2, {}); }

    /// Calibrates once; what was measured is known then.
    void measure()
    {
        auto made = calibrated();
        ASSERT_TRUE(made) << made.error().line();
        EXPECT_TRUE(made->compression.isMeasured);
        m_source.known = std::move(made->statistics);
    }

    /// Another recipe with these settings.
    void set(const std::function<void(QuantizationSettings&)>& change)
    {
        Recipe recipe = m_snapshot.recipe;
        change(recipe.quantization);
        m_snapshot = *withRecipe(m_snapshot, recipe);
    }

    Snapshot m_snapshot;
    std::shared_ptr<const Dataset> m_data;
    CalibrationSource m_source;
};

TEST_F(CalibrateFrom, StatisticsOfTheSameDataServeAgain)
{
    measure();
    EXPECT_EQ(m_source.known.data, m_source.data);
    const auto again = calibrated();
    ASSERT_TRUE(again) << again.error().line();
    EXPECT_FALSE(again->compression.isMeasured);
    EXPECT_EQ(again->compression.statistics, m_source.known.file);
    EXPECT_EQ(again->statistics.file, m_source.known.file);
}

TEST_F(CalibrateFrom, OtherDataAndOtherSamplesAreMeasured)
{
    measure();
    EXPECT_TRUE(needsNoData(m_snapshot, m_source.known, m_source.data));
    EXPECT_FALSE(needsNoData(m_snapshot, m_source.known, {"random:3", {}}));
    set([](QuantizationSettings& settings) { settings.subsetSize = 1; });
    EXPECT_FALSE(needsNoData(m_snapshot, m_source.known, m_source.data));
}

TEST_F(CalibrateFrom, WhatStoppedEarlyServesOnlyWhereThatIsAskedFor)
{
    measure();
    m_source.known.stopsEarly = true;
    EXPECT_FALSE(needsNoData(m_snapshot, m_source.known, m_source.data));
    set([](QuantizationSettings& settings) { settings.stopWhenConverged = true; });
    EXPECT_TRUE(needsNoData(m_snapshot, m_source.known, m_source.data));
}

TEST_F(CalibrateFrom, ACorrectionThatRunsTheModelNeedsData)
{
    measure();
    set([](QuantizationSettings& settings) { settings.corrections.fastBiasCorrection = false; });
    EXPECT_FALSE(needsNoData(m_snapshot, m_source.known, m_source.data));
    m_source.known.path = "s.stats"; // as if read from a file
    EXPECT_TRUE(needsNoData(m_snapshot, m_source.known, m_source.data));
    const auto refused = calibrated();
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().line(),
        "sequential bias correction runs the quantized model: s.stats: give --data, or set fast_bias_correction");
}

TEST_F(CalibrateFrom, DataThatAreGoneAreMissedOnlyUntilTheyWereMeasured)
{
    CalibrationSource gone;
    gone.data = m_source.data;
    gone.gone = Error{ErrorCode::FileNotReadable, "cannot read file", "d.npz", {}};
    const auto missed = calibrateFrom(m_snapshot, gone, 2, {});
    ASSERT_FALSE(missed);
    EXPECT_EQ(missed.error().line(), "cannot read file: d.npz");
    measure();
    gone.known = m_source.known;
    const auto made = calibrateFrom(m_snapshot, gone, 2, {});
    ASSERT_TRUE(made) << made.error().line();
    ASSERT_FALSE(made->compression.notes.empty());
    EXPECT_EQ(made->compression.notes.front().text,
        "made from what was measured before; outputs cannot be compared: cannot read file: d.npz");
}

TEST_F(CalibrateFrom, OfAModelThatIsRescaledThoseBeforeAreKnown)
{
    const test::TemporaryFolder folder;
    open("digits_transformer.onnx"); // SmoothQuant is chosen for it
    m_source.measuring = measureOptions(m_snapshot, m_source.data, StatisticsCache(folder / "cache"));
    const auto measured = measureStatistics(m_snapshot, *m_data, measureOptions(m_snapshot, m_source.data), 2, {});
    ASSERT_TRUE(measured) << measured.error().line();
    const auto made = calibrated();
    ASSERT_TRUE(made) << made.error().line();
    EXPECT_FALSE(made->compression.floatChanges.empty());
    ASSERT_NE(made->statistics.file, nullptr);
    EXPECT_NE(made->statistics.file, made->compression.statistics) << "those are of the model that was rescaled";
    EXPECT_EQ(made->statistics.data, m_source.data);
    const auto& known = made->statistics.file->statistics.values;
    ASSERT_EQ(known.size(), measured->file.statistics.values.size());
    for (const auto& [name, value] : measured->file.statistics.values) {
        EXPECT_EQ(known.at(name).min, value.min) << name;
        EXPECT_EQ(known.at(name).max, value.max) << name;
    }
}

TEST_F(CalibrateFrom, NothingIsRefused)
{
    const auto refused = calibrateFrom(m_snapshot, {}, 2, {});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().line(), "there is nothing to calibrate with: give calibration data");
}

TEST(MeasureOptionsOfData, AreOfTheRecipesSamplesAndOfTheData)
{
    auto snapshot = openSnapshot(std::filesystem::path(DUO_SAMPLES) / "digits_conv.onnx");
    ASSERT_TRUE(snapshot) << snapshot.error().line();
    snapshot->recipe.quantization.subsetSize = 7;
    const MeasureOptions options = measureOptions(*snapshot, {"random:2", {}});
    EXPECT_EQ(options.samples, 7);
    EXPECT_EQ(options.data, dataDigest("random:2", {}, false));
    EXPECT_FALSE(options.cache);
}

} // namespace
} // namespace duo
