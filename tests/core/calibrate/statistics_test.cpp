// SPDX-License-Identifier: Apache-2.0
#include "core/calibrate/statistics.h"

#include "core/calibrate/extremes.h"
#include "core/onnx/reader.h"
#include "tests/support/numpy_files.h"
#include "tests/support/temporary_folder.h"

#include <algorithm>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace duo {
namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

TEST(Extremes, AreExactWhateverTheLength)
{
    for (const std::size_t count : {1U, 15U, 16U, 17U, 100U}) {
        std::vector<float> values(count, 1.0F);
        values.back() = -3.0F;
        values[count / 2] = 7.0F;
        values.back() = std::min(values.back(), -3.0F);
        const Extremes extremes = extremesOf(values);
        EXPECT_EQ(extremes.max, count == 1 ? -3.0F : 7.0F) << count;
        EXPECT_EQ(extremes.min, -3.0F) << count;
        EXPECT_EQ(extremes.nonFinite, 0);
    }
}

TEST(Extremes, LeaveOutAndCountWhatIsNotFinite)
{
    std::vector<float> values(40, 2.0F);
    values[0] = kNan;
    values[17] = kInf;
    values[39] = -kInf;
    values[20] = -1.0F;
    EXPECT_EQ(extremesOf(values), (Extremes{-1, 2, 3}));
}

TEST(Extremes, OfNothingHaveMinAboveMax)
{
    EXPECT_GT(extremesOf({}).min, extremesOf({}).max);
    const std::vector<float> values{kNan};
    EXPECT_GT(extremesOf(values).min, extremesOf(values).max);
}

/// The digits network with its calibration set; `values` are in its main graph.
class StatisticsTest : public testing::Test
{
protected:
    void SetUp() override
    {
        const std::filesystem::path samples(DUO_SAMPLES);
        auto model = readModel(samples / "digits_conv.onnx");
        ASSERT_TRUE(model) << model.error().line();
        m_model = *model;
        auto data = openDataset((samples / "digits_calibration.npz").string(), *m_model);
        ASSERT_TRUE(data) << data.error().line();
        m_data = *data;
        for (const NodeId id : m_model->mainGraph().nodes) {
            const Node& node = m_model->node(id);
            if (node.opType == "Conv" || node.opType == "Relu")
                m_values.push_back(m_model->value(node.outputs[0]).name);
        }
    }
    [[nodiscard]] Result<Statistics> collect(
        std::vector<std::string> values, std::int64_t samples, int threads = 1, const JobContext& job = {}) const
    {
        return collectStatistics(*m_model, values, *m_data, samples, threads, job);
    }

    std::shared_ptr<const Model> m_model;
    std::shared_ptr<const Dataset> m_data;
    std::vector<std::string> m_values;
};

TEST_F(StatisticsTest, HoldsTheExtremesOfInputsOutputsAndInnerValues)
{
    std::vector<std::string> values = m_values;
    values.insert(values.end(), {"image", "logits"});
    const auto statistics = collect(values, 5);
    ASSERT_TRUE(statistics) << statistics.error().line();
    EXPECT_EQ(statistics->samples, 5);
    EXPECT_EQ(statistics->values.size(), values.size());
    EXPECT_EQ(statistics->values.at("image").min, 0.0F);
    EXPECT_EQ(statistics->values.at("image").max, 1.0F);
    for (const auto& [name, value] : statistics->values) {
        ASSERT_EQ(value.sampleMin.size(), 5U) << name;
        EXPECT_EQ(value.min, std::ranges::min(value.sampleMin)) << name;
        EXPECT_EQ(value.max, std::ranges::max(value.sampleMax)) << name;
        EXPECT_LT(value.min, value.max) << name;
        EXPECT_EQ(value.nonFinite, 0) << name;
    }
}

TEST_F(StatisticsTest, DoesNotDependOnThreads)
{
    const auto one = collect(m_values, 40, 1);
    const auto four = collect(m_values, 40, 4);
    ASSERT_TRUE(one && four);
    EXPECT_EQ(*one, *four);
}

TEST_F(StatisticsTest, OfSomeSamplesAreTheBeginningOfThoseOfAll)
{
    const auto few = collect(m_values, 3);
    const auto all = collect(m_values, 1'000'000);
    ASSERT_TRUE(few && all);
    EXPECT_EQ(all->samples, m_data->size());
    for (const auto& [name, value] : few->values)
        EXPECT_EQ(value.sampleMax[2], all->values.at(name).sampleMax[2]) << name;
}

TEST_F(StatisticsTest, TellsEverySampleOnce)
{
    std::vector<std::int64_t> told;
    JobContext job;
    job.report = [&](const Progress& progress) {
        EXPECT_EQ(progress.stage, "calibrate");
        EXPECT_EQ(progress.total, 4);
        told.push_back(progress.done);
    };
    ASSERT_TRUE(collect(m_values, 4, 3, job));
    EXPECT_THAT(told, testing::ElementsAre(0, 1, 2, 3, 4));
}

TEST_F(StatisticsTest, AStopFromTheProgressEndsTheWork)
{
    std::stop_source stop;
    std::int64_t done = 0;
    JobContext job{stop.get_token(), [&](const Progress& progress) {
                       done = progress.done;
                       if (done == 2)
                           stop.request_stop();
                   }};
    const auto statistics = collect(m_values, 200, 2, job);
    ASSERT_FALSE(statistics);
    EXPECT_EQ(statistics.error(), cancelledError());
    EXPECT_LT(done, 10);
}

TEST_F(StatisticsTest, ReportsTheFirstSampleThatIsNotFinite)
{
    const test::TemporaryFolder folder;
    std::vector<float> pixels(3 * 64, 0.5F);
    pixels[64 + 7] = kNan;
    test::writeNpz(folder / "d.npz", {{"image.npy", test::npy<float>({3, 1, 8, 8}, pixels)}});
    const auto data = openDataset((folder / "d.npz").string(), *m_model);
    ASSERT_TRUE(data) << data.error().line();
    const auto statistics = collectStatistics(*m_model, {"image", "logits"}, **data, 3, 2, {});
    ASSERT_TRUE(statistics) << statistics.error().line();
    EXPECT_EQ(statistics->values.at("image").nonFinite, 1);
    EXPECT_EQ(statistics->values.at("image").firstNonFiniteSample, 1);
    EXPECT_EQ(statistics->values.at("logits").firstNonFiniteSample, 1);
    EXPECT_EQ(statistics->values.at("image").max, 0.5F);
}

TEST_F(StatisticsTest, RefusesWhatIsNotMeasured)
{
    EXPECT_EQ(collect({"nothing"}, 1).error().line(), "no node of the main graph computes this value: nothing");
    const std::string weight = m_model->tensor(m_model->initializers[0]).name;
    EXPECT_EQ(collect({weight}, 1).error().line(), "no node of the main graph computes this value: " + weight);
    EXPECT_EQ(
        collect(m_values, 0).error().line(), "there are no samples to measure: give data with at least one sample");
}

} // namespace
} // namespace duo
