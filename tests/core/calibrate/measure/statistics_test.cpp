// SPDX-License-Identifier: Apache-2.0
#include "core/calibrate/measure/statistics.h"

#include "core/calibrate/collect_statistics.h"
#include "core/onnx/reader.h"
#include "tests/core/calibrate/digits_test.h"
#include "tests/support/numpy_files.h"
#include "tests/support/proto_builder.h"
#include "tests/support/same_statistics.h"
#include "tests/support/temporary_folder.h"

#include <algorithm>
#include <array>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace duo {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

/// The digits network with its calibration set; `values` are in its main graph.
class StatisticsTest : public test::DigitsTest
{
protected:
    void SetUp() override
    {
        ASSERT_NO_FATAL_FAILURE(DigitsTest::SetUp());
        for (const NodeId id : m_model->mainGraph().nodes) {
            const Node& node = m_model->node(id);
            if (node.opType == "Conv" || node.opType == "Relu")
                m_values.push_back(m_model->value(node.outputs[0]).name);
        }
    }
    [[nodiscard]] Result<Statistics> collect(
        std::vector<std::string> values, SampleSpan span, int threads = 1, const JobContext& job = {}) const
    {
        return collectStatistics(*m_model, wanted(std::move(values)), *m_data, span, threads, job);
    }
    [[nodiscard]] static Measurement wanted(std::vector<std::string> values)
    {
        Measurement measurement;
        for (const std::string& name : values)
            measurement.channelAxes[name] = 1;
        measurement.values = std::move(values);
        return measurement;
    }

    std::vector<std::string> m_values;
};

TEST_F(StatisticsTest, HoldsTheExtremesOfInputsOutputsAndInnerValues)
{
    std::vector<std::string> values = m_values;
    values.insert(values.end(), {"image", "logits"});
    const auto statistics = collect(values, {0, 5});
    ASSERT_TRUE(statistics) << statistics.error().line();
    EXPECT_EQ(statistics->samples(), 5);
    EXPECT_EQ(statistics->values.size(), values.size());
    EXPECT_EQ(statistics->values.at("image").min, 0.0F);
    EXPECT_EQ(statistics->values.at("image").max, 1.0F);
    for (const auto& [name, value] : statistics->values) {
        ASSERT_EQ(value.samples.min.size(), 5U) << name;
        EXPECT_EQ(value.min, std::ranges::min(value.samples.min)) << name;
        EXPECT_EQ(value.max, std::ranges::max(value.samples.max)) << name;
        EXPECT_LT(value.min, value.max) << name;
        EXPECT_EQ(value.nonFinite(), 0) << name;
    }
}

TEST_F(StatisticsTest, DoesNotDependOnThreads)
{
    const auto one = collect(m_values, {0, 40}, 1);
    const auto four = collect(m_values, {0, 40}, 4);
    ASSERT_TRUE(one && four);
    EXPECT_TRUE(test::isSame(*one, *four));
}

TEST_F(StatisticsTest, AreTheSameTakenInsideTheEngineAndOutside)
{
    Measurement fetching = wanted(m_values);
    fetching.fetch = true;
    const auto inside = collect(m_values, {0, 7}, 2);
    const auto outside = collectStatistics(*m_model, fetching, *m_data, {0, 7}, 2, {});
    ASSERT_TRUE(inside && outside);
    EXPECT_TRUE(inside->remarks.empty());
    ASSERT_EQ(inside->values.size(), m_values.size());
    for (const auto& [name, value] : inside->values) {
        // Fetching keeps the engine from other fusions: the values may differ by rounding.
        const ValueStatistics& other = outside->values.at(name);
        EXPECT_NEAR(value.max, other.max, 1e-5) << name;
        EXPECT_EQ(value.elements, other.elements) << name;
        EXPECT_EQ(value.histogram.total(), static_cast<std::uint64_t>(value.elements)) << name;
    }
}

TEST_F(StatisticsTest, AreTheSameHoweverTheSamplesWereSplit)
{
    const auto whole = collect(m_values, {0, 23});
    ASSERT_TRUE(whole) << whole.error().line();
    for (const std::int64_t shards : {1, 2, 4, 7}) {
        std::vector<Statistics> parts;
        for (std::int64_t i = shards - 1; i >= 0; --i) {
            auto part = collect(m_values, shardOf(23, i, shards), 2);
            ASSERT_TRUE(part) << part.error().line();
            parts.push_back(*std::move(part));
        }
        const auto merged = mergedStatistics(std::move(parts));
        ASSERT_TRUE(merged) << merged.error().line();
        EXPECT_TRUE(test::isSame(*merged, *whole)) << shards;
    }
}

TEST_F(StatisticsTest, CannotBeMergedWithSamplesTwiceOrOtherValues)
{
    const auto first = collect(m_values, {0, 4});
    const auto second = collect(m_values, {3, 4});
    const auto other = collect({"logits"}, {4, 4});
    ASSERT_TRUE(first && second && other);
    EXPECT_EQ(mergedStatistics({*first, *second}).error().line(),
        "two parts hold the same samples: samples 3 to 6: merge the shards of one run, each once");
    EXPECT_EQ(mergedStatistics({*first, *other}).error().line(),
        "the parts hold statistics of different values: merge the shards of one run, each once");
    EXPECT_EQ(mergedStatistics({}).error().line(), "there is nothing to merge: merge the shards of one run, each once");
}

TEST_F(StatisticsTest, HoldMeansAndMomentsPerChannel)
{
    const auto statistics = collect({"image", m_values[0]}, {0, 20});
    ASSERT_TRUE(statistics) << statistics.error().line();
    const ValueStatistics& image = statistics->values.at("image");
    ASSERT_EQ(image.channels.sum.size(), 1U);
    EXPECT_DOUBLE_EQ(image.channels.sum[0].value(), image.sum.value());
    const ChannelStatistics& channels = statistics->values.at(m_values[0]).channels;
    EXPECT_EQ(std::ranges::min(channels.min), statistics->values.at(m_values[0]).min);
    EXPECT_EQ(std::ranges::max(channels.max), statistics->values.at(m_values[0]).max);
    double sum = 0;
    for (const ChannelSum& channel : channels.sum)
        sum += channel.value();
    EXPECT_NEAR(sum, statistics->values.at(m_values[0]).sum.value(), 1e-6 * std::abs(sum));
}

TEST_F(StatisticsTest, OfSomeSamplesAreTheBeginningOfThoseOfAll)
{
    const auto few = collect(m_values, {0, 3});
    const auto all = collect(m_values, {0, 1'000'000});
    ASSERT_TRUE(few && all);
    EXPECT_EQ(all->samples(), m_data->size());
    for (const auto& [name, value] : few->values)
        EXPECT_EQ(value.samples.max[2], all->values.at(name).samples.max[2]) << name;
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
    ASSERT_TRUE(collect(m_values, {0, 4}, 3, job));
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
    const auto statistics = collect(m_values, {0, 200}, 2, job);
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
    const auto statistics = collectStatistics(*m_model, wanted({"image", "logits"}), **data, {0, 3}, 2, {});
    ASSERT_TRUE(statistics) << statistics.error().line();
    EXPECT_EQ(statistics->values.at("image").nan, 1);
    EXPECT_EQ(statistics->values.at("image").firstNonFiniteSample, 1);
    EXPECT_EQ(statistics->values.at("logits").firstNonFiniteSample, 1);
    EXPECT_EQ(statistics->values.at("image").max, 0.5F);
}

/// Sequences of 3, 0, 7 and 1 steps of four numbers; one number of the third is NaN.
class Sequences : public Dataset
{
public:
    [[nodiscard]] std::int64_t size() const override { return 4; }
    [[nodiscard]] Result<std::vector<HostTensor>> sample(std::int64_t index) const override
    {
        constexpr std::array<std::int64_t, 4> kSteps{3, 0, 7, 1};
        const std::int64_t steps = kSteps.at(static_cast<std::size_t>(index));
        std::vector<float> values;
        for (std::int64_t i = 0; i < 4 * steps; ++i)
            values.push_back(static_cast<float>(i + index) - 8);
        if (index == 2)
            values[5] = kNan;
        HostTensor feed{"x", ElementType::Float32, {1, steps, 4}, {}};
        const auto bytes = std::as_bytes(std::span(values));
        feed.bytes.assign(bytes.begin(), bytes.end());
        return std::vector<HostTensor>{feed};
    }
    [[nodiscard]] Result<HostTensor> array(const std::string& name) const override
    {
        return Error{ErrorCode::BadData, "no array", name, {}};
    }
    [[nodiscard]] const std::vector<Note>& notes() const override { return m_notes; }

private:
    std::vector<Note> m_notes;
};

/// (resources/docs/oracles.md, "Odd samples")
TEST(SequencesOfAnyLength, SequencesOfAnyLengthAndOfNoneAreMeasuredAndTheOneWithNaNIsNamed)
{
    test::ProtoBuilder file;
    file.input("x", {1, -1, 4}).output("y", {1, -1, 2});
    file.weight("w", {4, 2}, {1, 0, 0, 1, 1, 0, 0, 1});
    file.node("MatMul", "product", {"x", "w"}, {"p"});
    file.node("Relu", "relu", {"p"}, {"y"});
    const auto model = readModelBytes(file.bytes(), "sequences");
    ASSERT_TRUE(model) << model.error().line();
    Measurement wanted;
    wanted.values = {"x", "p"};
    wanted.channelAxes = {{"x", -1}};
    for (const bool fetch : {false, true}) {
        wanted.fetch = fetch;
        const auto statistics = collectStatistics(**model, wanted, Sequences(), {0, 4}, 2, {});
        ASSERT_TRUE(statistics) << statistics.error().line();
        const ValueStatistics& x = statistics->values.at("x");
        EXPECT_EQ(x.elements, 44);
        EXPECT_EQ(x.nan, 1);
        EXPECT_EQ(x.firstNonFiniteSample, 2);
        EXPECT_EQ(x.min, -8);
        EXPECT_EQ(x.max, 21); // 27 + 2 - 8
        EXPECT_GT(x.samples.min[1], x.samples.max[1]); // nothing there
        EXPECT_EQ(x.channels.counts, (std::vector<std::int64_t>{11, 10, 11, 11}));
        EXPECT_EQ(x.histogram.total(), 43U);
        const ValueStatistics& product = statistics->values.at("p");
        EXPECT_EQ(product.elements, 22);
        EXPECT_EQ(product.nan, 2);
        EXPECT_EQ(product.firstNonFiniteSample, 2);
        EXPECT_EQ(product.max, 40); // 19 + 21 of the last step of seven
    }
}

TEST(CollectStatistics, NamesTheSampleTheEngineCannotRun)
{
    test::ProtoBuilder file;
    file.input("x", {1, -1, 4}).output("y", {1, 3, 4});
    file.weight("w", {3, 4}, {1});
    file.node("Add", "three steps", {"x", "w"}, {"y"});
    const auto model = readModelBytes(file.bytes(), "sequences");
    ASSERT_TRUE(model) << model.error().line();
    Measurement wanted;
    wanted.values = {"y"};
    for (const bool fetch : {false, true}) {
        wanted.fetch = fetch;
        const auto statistics = collectStatistics(**model, wanted, Sequences(), {0, 4}, 1, {});
        ASSERT_FALSE(statistics);
        EXPECT_EQ(statistics.error().what, "the engine cannot run the model");
        EXPECT_EQ(statistics.error().where, "sample 1, fed 'x' [1, 0, 4]"); // which has no step
    }
}

TEST_F(StatisticsTest, RefusesWhatIsNotMeasured)
{
    EXPECT_EQ(collect({"nothing"}, {0, 1}).error().line(), "no node computes this value: nothing");
    const std::string weight = m_model->tensor(m_model->initializers[0]).name;
    EXPECT_EQ(collect({weight}, {0, 1}).error().line(), "no node computes this value: " + weight);
    EXPECT_EQ(collect(m_values, {0, 0}).error().line(),
        "there are no samples to measure: give data with at least one sample");
}

} // namespace
} // namespace duo
