// SPDX-License-Identifier: Apache-2.0
// Networks whose quantization theory foretells (resources/docs/oracles.md, "Oracles"); heavy tails and mean shift are
// in estimate_test.cpp and corrections_test.cpp.
#include "core/engine/session.h"
#include "core/pipeline/calibration/calibrate.h"
#include "core/pipeline/export.h"
#include "core/quantize/points/weights.h"
#include "tests/core/pipeline/normal_samples.h"
#include "tests/core/pipeline/quantized_case.h"
#include "tests/support/half_range.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace duo {
namespace {

using test::normal;
using test::ProtoBuilder;
using test::QuantizedCase;
using test::sqnrDb;

std::vector<std::vector<float>> samples(std::size_t count, std::size_t size)
{
    return test::normalSamples(count, size, 10);
}

/// Signal to noise of the weights of channels 1 and up, int8, with one scale or one per channel.
double otherChannelsDb(const std::vector<float>& values, bool perChannel)
{
    Weight weight;
    weight.dims = {4, 8, 3, 3};
    weight.values = values;
    const auto axis = perChannel ? std::optional<std::int64_t>(0) : std::nullopt;
    auto parameters = weightParameters({.perChannel = perChannel}, maxAbsByChannel(weight, axis), false);
    EXPECT_TRUE(parameters);
    parameters->axis = axis;
    const auto codes = quantizedCodes(weight, *parameters);
    std::vector<float> wanted;
    std::vector<float> got;
    for (std::size_t i = 72; i < values.size(); ++i) {
        wanted.push_back(values[i]);
        got.push_back(
            static_cast<float>(std::to_integer<std::int8_t>(codes[i])) * parameters->scale[perChannel ? i / 72 : 0]);
    }
    return sqnrDb(wanted, got);
}

TEST(ScalesPerChannel, AnOutlierChannelCostsTheOthersFortyDecibelsWithOneScaleAndNothingWithOnePerChannel)
{
    const std::vector<float> plain = normal(std::size_t{4} * 72, 1);
    std::vector<float> planted = plain;
    for (std::size_t i = 0; i < 72; ++i)
        planted[i] *= 100;
    EXPECT_NEAR(otherChannelsDb(plain, false) - otherChannelsDb(planted, false), 40, 4);
    EXPECT_NEAR(otherChannelsDb(plain, true), otherChannelsDb(planted, true), 1e-9);
}

TEST(DeadChannels, ADeadChannelGivesItsBias)
{
    std::vector<float> weights = normal(std::size_t{2} * 3 * 9, 2);
    std::fill(weights.begin() + 27, weights.end(), 0.0F);
    ProtoBuilder model;
    model.input("x", {1, 3, 8, 8}).output("y", {1, 2, 6, 6});
    model.weight("w", {2, 3, 3, 3}, weights).weight("b", {2}, {1, 5});
    model.node("Conv", "c", {"x", "w", "b"}, {"y"});
    QuantizedCase dead(model, {1, 3, 8, 8}, samples(4, 192));
    dead.quantize(R"("quantize_outputs": true)");
    ASSERT_FALSE(dead.compression().setup.points.empty());
    float step = 0;
    for (const auto& [id, parameters] : dead.compression().parameters) {
        for (const float scale : parameters.scale) {
            EXPECT_TRUE(std::isfinite(scale) && scale > 0);
            step = parameters.axis ? step : std::max(step, scale);
        }
    }
    const auto got = dead.output(0);
    for (std::size_t i = 36; i < 72; ++i)
        EXPECT_NEAR(got[i], 5, step / 2 + 1e-5F);
}

TEST(LargeBiases, ABiasThatWouldOverflowRaisesTheWeightScale)
{
    ProtoBuilder model;
    model.input("x", {1, 2, 8, 8}).output("y", {1, 1, 6, 6});
    model.weight("w", {1, 2, 3, 3}, {1e-9F, -1e-9F, 5e-10F}).weight("b", {1}, {5});
    model.node("Conv", "c", {"x", "w", "b"}, {"y"});
    QuantizedCase overflow(model, {1, 2, 8, 8}, samples(4, 128));
    const ExportReport report = overflow.quantize(R"("quantize_outputs": true)");
    EXPECT_TRUE(report.allChecksPassed());
    EXPECT_GT(report.quantizers, 1);
    const auto got = overflow.output(0);
    const auto wanted = overflow.floatOutput(0);
    for (std::size_t i = 0; i < got.size(); ++i)
        EXPECT_LT(std::abs(got[i] - wanted[i]), 5.0F / 255); // an output step
}

TEST(SamplesWithNaN, ASampleWithNaNIsNamedAndLeftOut)
{
    auto data = samples(5, 128);
    data[3][7] = std::numeric_limits<float>::quiet_NaN();
    ProtoBuilder model;
    model.input("x", {1, 2, 8, 8}).output("y", {1, 1, 6, 6});
    model.weight("w", {1, 2, 3, 3}, normal(18, 4)).weight("b", {1}, {1});
    model.node("Conv", "c", {"x", "w", "b"}, {"y"});
    QuantizedCase broken(model, {1, 2, 8, 8}, data);
    const ExportReport report = broken.quantize(R"("quantize_outputs": true)");
    ASSERT_FALSE(broken.compression().notes.empty());
    EXPECT_EQ(broken.compression().notes[0].kind, "non-finite");
    EXPECT_EQ(
        broken.compression().notes[0].text, "1 element is NaN or infinite, first in sample 3; left out of the range");
    EXPECT_EQ(broken.compression().notes[0].where, "x");
    EXPECT_FALSE(report.allChecksPassed());
    EXPECT_EQ(report.checks.back().id, "finite-data");
    EXPECT_EQ(report.checks.back().message,
        "values are NaN, in the data or computed of infinities in them, first in sample 3; they were left out of the "
        "ranges");
    ASSERT_EQ(report.outputs.size(), 1U);
    ASSERT_TRUE(report.outputs[0].sqnrDb); // of the other samples
    EXPECT_GT(*report.outputs[0].sqnrDb, 30);
}

/// Channel 0 is ten times as large; every output channel reads one input channel.
TEST(PlantedOutliers, AChannelCostsTheOthersTwentyDecibelsUnlessAPercentileCutsIt)
{
    constexpr std::size_t kChannels = 64;
    constexpr std::size_t kPlane = 256;
    auto data = samples(4, kChannels * kPlane);
    ProtoBuilder model;
    model.input("x", {1, kChannels, 16, 16}).output("y", {1, kChannels, 16, 16});
    model.weight("w", {kChannels, 1, 1, 1}, {1}).weight("b", {kChannels}, {0.1F});
    test::addInt(model.node("Conv", "c", {"x", "w", "b"}, {"y"}), "group", kChannels);
    const auto decibels = [&](const QuantizedCase& quantized, std::size_t first, std::size_t last) {
        const auto wanted = quantized.floatOutput(0);
        const auto got = quantized.output(0);
        const auto part = [&](const std::vector<float>& all) {
            return std::vector<float>(all.begin() + static_cast<std::ptrdiff_t>(first * kPlane),
                all.begin() + static_cast<std::ptrdiff_t>(last * kPlane));
        };
        return sqnrDb(part(wanted), part(got));
    };
    QuantizedCase plain(model, {1, kChannels, 16, 16}, data);
    plain.quantize(R"("quantize_outputs": true)");
    const double before = decibels(plain, 1, kChannels);
    for (auto& sample : data) {
        for (std::size_t i = 0; i < kPlane; ++i)
            sample[i] *= 10;
    }
    QuantizedCase planted(model, {1, kChannels, 16, 16}, data);
    planted.quantize(R"("quantize_outputs": true)");
    EXPECT_NEAR(before - decibels(planted, 1, kChannels), 20, 4);
    EXPECT_GT(decibels(planted, 0, 1), 30);
    // Half of the channel's values, one in 128 of all, lie beyond either end of the others: a percentile cuts them off.
    planted.quantize(R"("quantize_outputs": true, "activations_range_estimator_params": {
        "min": {"statistics_type": "raw", "aggregator_type": "percentile", "quantile_outlier_prob": 0.009},
        "max": {"statistics_type": "raw", "aggregator_type": "percentile", "quantile_outlier_prob": 0.009}})");
    EXPECT_GT(decibels(planted, 1, kChannels), before - 14);
    EXPECT_LT(decibels(planted, 0, 1), 6);
}

/// One value in a thousand is a hundred times as large.
TEST(PlantedOutliers, PercentileKeepsTheResolutionThatMinMaxLoses)
{
    auto data = samples(4, 8192);
    for (auto& sample : data) {
        for (std::size_t i = 17; i < sample.size(); i += 1000)
            sample[i] *= 100;
    }
    ProtoBuilder model;
    model.input("x", {1, 2, 64, 64}).output("y", {1, 4, 64, 64});
    model.weight("w", {4, 2, 1, 1}, {1, -0.5F, 0.25F, 2, 0.5F, 1, -1, 0.75F}).weight("b", {4}, {0.1F});
    model.node("Conv", "c", {"x", "w", "b"}, {"y"});
    QuantizedCase planted(model, {1, 2, 64, 64}, data);
    const auto medianError = [&](const char* settings) {
        planted.quantize(settings);
        const auto wanted = planted.floatOutput(0);
        const auto got = planted.output(0);
        std::vector<float> errors(wanted.size());
        for (std::size_t i = 0; i < errors.size(); ++i)
            errors[i] = std::abs(wanted[i] - got[i]);
        std::ranges::nth_element(errors, errors.begin() + static_cast<std::ptrdiff_t>(errors.size() / 2));
        return errors[errors.size() / 2];
    };
    const float whole = medianError(R"("quantize_outputs": true)");
    const float cut = medianError(R"("quantize_outputs": true, "activations_range_estimator_params": {
        "min": {"statistics_type": "raw", "aggregator_type": "percentile", "quantile_outlier_prob": 0.002},
        "max": {"statistics_type": "raw", "aggregator_type": "percentile", "quantile_outlier_prob": 0.002}})");
    EXPECT_LT(cut * 10, whole);
}

/// Top-1 of a digits model, float or exported, on the test set, in percent.
double accuracy(const std::filesystem::path& file, const Dataset& data)
{
    const auto session = Session::openFile(file, {});
    EXPECT_TRUE(session) << session.error().line();
    const auto labels = data.array("labels");
    EXPECT_TRUE(labels) << labels.error().line();
    std::int64_t right = 0;
    for (std::int64_t i = 0; i < data.size(); ++i) {
        const auto results = session->run(*data.sample(i), {});
        const auto scores = results->front().floats();
        std::int64_t label = 0;
        std::memcpy(&label, labels->bytes.data() + static_cast<std::size_t>(i) * sizeof(label), sizeof(label));
        right += std::ranges::max_element(scores) - scores.begin() == label ? 1 : 0;
    }
    return 100 * static_cast<double>(right) / static_cast<double>(data.size());
}

struct Loss {
    const char* settings;
    double most; // points
};

const Loss kLosses[] = {
    {"", 0.5},
    {R"("activations_range_estimator_params": "MEAN_MINMAX")", 1},
    {R"("activations_range_estimator_params": "MEDIAN_MINMAX")", 1},
    {R"("activations_range_estimator_params": "MEAN_NO_OUTLIERS_MINMAX")", 1},
    {R"("activations_range_estimator_params": "MEDIAN_NO_OUTLIERS_MINMAX")", 1},
    {R"("activations_range_estimator_params": "MEAN_QUANTILE")", 1},
    {R"("activations_range_estimator_params": "HISTOGRAM")", 1},
    {R"("activations_range_estimator_params": "MOVING_AVERAGE_MINMAX")", 1},
    {R"("activations_range_estimator_params": "PERCENTILE")", 1},
    {R"("activations_range_estimator_params": "MSE")", 1},
    {R"("activations_range_estimator_params": "ENTROPY")", 1},
    {R"("nncf_compatible": true)", 1},
    {R"("fast_bias_correction": true)", 1},
    {R"("cross_layer_equalization": true)", 1},
    {R"("smooth_quant_alphas": {"matmul": 0.5})", 1},
    {R"("power_of_two_scales": true)", 2},
};

class DigitsAccuracy : public testing::TestWithParam<const char*>
{
};

TEST_P(DigitsAccuracy, StaysWithinWhatEachEstimatorMayLose)
{
    const std::filesystem::path folder(DUO_SAMPLES);
    const auto opened = openSnapshot(folder / GetParam());
    ASSERT_TRUE(opened) << opened.error().line();
    const auto data = *openDataset((folder / "digits_calibration.npz").string(), *opened->model);
    DatasetOptions options;
    options.arrays = {"labels"};
    const auto test = *openDataset((folder / "digits_test.npz").string(), *opened->model, options);
    const double before = accuracy(folder / GetParam(), *test);
    const test::TemporaryFolder output;
    for (const Loss& loss : kLosses) {
        const auto recipe = parseRecipe(std::string(R"({"format": "duoscope-recipe", "version": 1, "quantization": {)")
                + test::kHalfRange + (*loss.settings == 0 ? "" : ", ") + loss.settings + "}}",
            "recipe");
        ASSERT_TRUE(recipe) << recipe.error().line();
        const auto snapshot = *withRecipe(*opened, *recipe);
        const auto compression = calibrate(snapshot, *data, 2, {});
        ASSERT_TRUE(compression) << loss.settings << ": " << compression.error().line();
        const auto report = exportModel(snapshot, *compression, nullptr, output / "q.onnx", 2, {});
        ASSERT_TRUE(report) << loss.settings << ": " << report.error().line();
        EXPECT_GE(accuracy(output / "q.onnx", *test), before - loss.most) << loss.settings;
    }
}

INSTANTIATE_TEST_SUITE_P(Samples, DigitsAccuracy, testing::Values("digits_conv.onnx", "digits_transformer.onnx"));

} // namespace
} // namespace duo
