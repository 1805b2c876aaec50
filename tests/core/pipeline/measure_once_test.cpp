// SPDX-License-Identifier: Apache-2.0
// What was measured once serves every later choice: no sample is read again.
#include "core/pipeline/calibration/calibrate.h"
#include "core/pipeline/snapshot/compression.h"
#include "tests/support/temporary_folder.h"

#include <atomic>

#include <gtest/gtest.h>

namespace duo {
namespace {

/// Counts the samples asked for.
class CountedDataset : public Dataset
{
public:
    explicit CountedDataset(std::shared_ptr<const Dataset> data)
        : m_data(std::move(data))
    {
    }
    [[nodiscard]] std::int64_t size() const override { return m_data->size(); }
    [[nodiscard]] Result<std::vector<HostTensor>> sample(std::int64_t index) const override
    {
        ++m_read;
        return m_data->sample(index);
    }
    [[nodiscard]] Result<HostTensor> array(const std::string& name) const override { return m_data->array(name); }
    [[nodiscard]] const std::vector<Note>& notes() const override { return m_data->notes(); }
    [[nodiscard]] int takeRead() const { return m_read.exchange(0); }

private:
    std::shared_ptr<const Dataset> m_data;
    mutable std::atomic<int> m_read{0};
};

class MeasureOnce : public testing::TestWithParam<const char*>
{
protected:
    void SetUp() override
    {
        const std::filesystem::path samples(DUO_SAMPLES);
        auto opened = openSnapshot(samples / GetParam());
        ASSERT_TRUE(opened) << opened.error().line();
        m_opened = *std::move(opened);
        auto data = openDataset((samples / "digits_calibration.npz").string(), *m_opened.model);
        ASSERT_TRUE(data) << data.error().line();
        m_data = std::make_unique<CountedDataset>(*data);
        m_options.data = m_options.freshData = "the digits";
        m_options.cache.emplace(m_folder / "cache");
    }

    [[nodiscard]] Snapshot under(const std::string& recipe) const
    {
        const auto parsed = parseRecipe(R"({"format": "duoscope-recipe", "version": 1, )" + recipe + "}", "recipe");
        EXPECT_TRUE(parsed) << parsed.error().line();
        Recipe wanted = *parsed;
        wanted.transforms.reset(); // which not all of these recipes ask for, and which make another model
        if (!wanted.quantization.modelType) // of a recognised transformer both forms are measured, see below
            wanted.quantization.modelType = ModelType::None;
        return *withRecipe(m_opened, wanted);
    }

    /// Samples read to calibrate under a recipe.
    int read(const std::string& recipe)
    {
        const auto compression = calibrate(under(recipe), *m_data, 2, {}, m_options);
        EXPECT_TRUE(compression) << compression.error().line();
        return m_data->takeRead();
    }

    test::TemporaryFolder m_folder;
    Snapshot m_opened;
    std::unique_ptr<CountedDataset> m_data;
    MeasureOptions m_options;
};

TEST_P(MeasureOnce, AChangedRulePresetProfileOrEstimatorReadsNoSample)
{
    EXPECT_EQ(read(R"("quantization": {})"), m_data->size());
    for (const char* recipe : {
             R"("rules": [{"action": "ignore", "kind": "type", "value": "Conv"}])",
             R"("rules": [{"action": "target", "kind": "type", "value": "MatMul"},
                          {"action": "target", "kind": "type", "value": "Conv"}])",
             R"("quantization": {"preset": "performance"})",
             R"("quantization": {"preset": "mixed"})",
             R"("quantization": {"profile": "tensorrt"})",
             R"("quantization": {"profile": "openvino"})",
             R"("quantization": {"profile": "qnn"})",
             R"("quantization": {"profile": "qnn", "preset": "performance"})",
             R"("rules": [{"action": "ignore", "kind": "type", "value": "Add"}], "quantization": {"profile": "qnn"})",
             R"("quantization": {"nncf_compatible": true})",
             R"("quantization": {"model_type": "transformer"})",
             R"("quantization": {"quantize_outputs": true})",
             R"("quantization": {"fast_bias_correction": true})",
             R"("quantization": {"power_of_two_scales": true})",
             R"("quantization": {"activations_range_estimator_params": "MEAN_QUANTILE"})",
             R"("quantization": {"activations_range_estimator_params": "PERCENTILE"})",
             R"("quantization": {"activations_range_estimator_params": "ENTROPY"})",
         })
        EXPECT_EQ(read(recipe), 0) << recipe;
}

TEST_P(MeasureOnce, ARecognisedTransformerIsMeasuredBeforeAndAfterItIsSmoothed)
{
    const bool isTransformer = m_opened.settings.modelType == ModelType::Transformer;
    EXPECT_EQ(isTransformer, std::string(GetParam()).find("transformer") != std::string::npos);
    ASSERT_TRUE(calibrate(m_opened, *m_data, 2, {}, m_options));
    EXPECT_EQ(m_data->takeRead(), (isTransformer ? 2 : 1) * m_data->size());
    ASSERT_TRUE(calibrate(m_opened, *m_data, 2, {}, m_options));
    EXPECT_EQ(m_data->takeRead(), 0);
}

TEST_P(MeasureOnce, WhatIsNotRememberedGivesTheSameScales)
{
    const auto remembered = calibrate(m_opened, *m_data, 2, {}, m_options);
    const auto measured = calibrate(m_opened, *m_data, 2, {}, {});
    ASSERT_TRUE(remembered && measured);
    EXPECT_EQ(remembered->parameters, measured->parameters);
    EXPECT_EQ(remembered->statistics->statistics.values.size(), measured->statistics->statistics.values.size());
}

TEST_P(MeasureOnce, OtherSamplesAreMeasured)
{
    EXPECT_EQ(read(R"("quantization": {"subset_size": 40})"), 40);
    EXPECT_EQ(read(R"("quantization": {"subset_size": 40})"), 0);
    EXPECT_EQ(read(R"("quantization": {"subset_size": 41})"), 41);
    m_options.freshData = "the digits, changed";
    EXPECT_EQ(read(R"("quantization": {"subset_size": 40})"), 40);
}

TEST_P(MeasureOnce, StoppingWhenScalesHaveConvergedIsAMeasurementOfItsOwn)
{
    const std::string recipe = R"("quantization": {"stop_when_converged": true})";
    const int taken = read(recipe);
    EXPECT_LT(taken, m_data->size());
    EXPECT_EQ(read(recipe), 0);
    EXPECT_EQ(read(R"("quantization": {"stop_when_converged": true, "activations_range_estimator_params": "MSE"})"), 0);
    EXPECT_EQ(read(R"("quantization": {})"), m_data->size());
    EXPECT_EQ(calibrate(under(recipe), *m_data, 1, {}, m_options)->samples, taken);
    m_options.cache.reset(); // where it stops does not depend on what is remembered
    EXPECT_EQ(read(recipe), taken);
}

TEST_P(MeasureOnce, SaysAfterHowManySamplesItStopped)
{
    const auto compression
        = calibrate(under(R"("quantization": {"stop_when_converged": true})"), *m_data, 1, {}, m_options);
    ASSERT_TRUE(compression);
    const auto note = std::ranges::find(compression->notes, "convergence", &Note::kind);
    ASSERT_NE(note, compression->notes.end());
    EXPECT_EQ(note->text,
        "stopped after " + std::to_string(compression->samples)
            + " of 200 samples: in 3 rounds of 4 no scale changed by more than 0.5 %");
}

TEST_P(MeasureOnce, SaysWhenTheDataHoldFewerSamplesThanAskedFor)
{
    const auto compression = calibrate(under(R"("quantization": {"subset_size": 500})"), *m_data, 1, {}, m_options);
    ASSERT_TRUE(compression);
    const auto note = std::ranges::find(compression->notes, "few-samples", &Note::kind);
    ASSERT_NE(note, compression->notes.end());
    EXPECT_EQ(note->text, "the data hold 200 samples, 500 were asked for");
}

TEST(FewSamples, AreNamedWhereRangesOfThemSayLittle)
{
    EXPECT_EQ(fewSamples(1, std::nullopt)->text,
        "the data hold 1 sample: ranges of so few may be too narrow, a hundred or more are usual");
    EXPECT_FALSE(fewSamples(10, std::nullopt));
    EXPECT_EQ(fewSamples(10, 11)->text, "the data hold 10 samples, 11 were asked for");
}

TEST_P(MeasureOnce, AShardCannotTellWhetherScalesHaveConverged)
{
    m_options.shards = 2;
    const auto measured
        = measureStatistics(under(R"("quantization": {"stop_when_converged": true})"), *m_data, m_options, 1, {});
    ASSERT_FALSE(measured);
    EXPECT_EQ(measured.error().line(),
        "a shard cannot tell when all samples together have converged: stop_when_converged: measure without shards, "
        "or leave it out");
}

INSTANTIATE_TEST_SUITE_P(Samples, MeasureOnce, testing::Values("digits_conv.onnx", "digits_transformer.onnx"),
    [](const auto& name) { return std::string(name.param).substr(0, std::string(name.param).find('.')); });

} // namespace
} // namespace duo
