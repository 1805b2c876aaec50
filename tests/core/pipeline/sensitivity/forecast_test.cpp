// SPDX-License-Identifier: Apache-2.0
// What is foreseen from statistics and a few samples, against what an export gives.
#include "core/pipeline/calibration/measure.h"
#include "core/pipeline/calibration/usable_statistics.h"
#include "core/pipeline/foreseen_error.h"
#include "core/pipeline/sensitivity/foreseen_size.h"
#include "core/report/forecast_report.h"
#include "tests/core/pipeline/normal_samples.h"
#include "tests/core/pipeline/quantized_case.h"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace duo {
namespace {

using test::normal;
using test::ProtoBuilder;
using test::QuantizedCase;
using testing::HasSubstr;
using testing::SizeIs;

/// Two products with a Relu between them.
void fillPerceptron(ProtoBuilder& model)
{
    model.input("x", {8, 64}).output("y", {8, 32});
    model.weight("a.weight", {64, 128}, normal(std::size_t{64} * 128, 1, 0, 0.1F));
    model.weight("b.weight", {128, 32}, normal(std::size_t{128} * 32, 2, 0, 0.1F));
    model.node("MatMul", "a", {"x", "a.weight"}, {"h"});
    model.node("Relu", "r", {"h"}, {"p"});
    model.node("MatMul", "b", {"p", "b.weight"}, {"y"});
}

class ForecastOfPerceptron : public testing::Test
{
protected:
    ForecastOfPerceptron()
        : m_case(
            [this]() -> const ProtoBuilder& {
                fillPerceptron(m_model);
                return m_model;
            }(),
            {8, 64}, test::normalSamples(6, std::size_t{8} * 64, 100))
    {
        auto measured = measureStatistics(m_case.opened(), m_case.data(), {}, 1, {});
        EXPECT_TRUE(measured) << measured.error().line();
        m_file = std::make_shared<StatisticsFile>(std::move(measured->file));
    }

    [[nodiscard]] Snapshot under(const std::string& settings) const
    {
        const auto recipe = parseRecipe(
            R"({"format": "duoscope-recipe", "version": 1, "quantization": {)" + settings + "}}", "recipe");
        EXPECT_TRUE(recipe) << recipe.error().line();
        auto snapshot = withRecipe(m_case.opened(), *recipe);
        EXPECT_TRUE(snapshot) << snapshot.error().line();
        return *std::move(snapshot);
    }

    [[nodiscard]] MadeForecast forecast(const std::string& settings, const WeightErrors* known = nullptr) const
    {
        auto made = makeForecast(under(settings), m_file->statistics, known, 2, {});
        EXPECT_TRUE(made) << made.error().line();
        return *std::move(made);
    }

    /// With the error, on the samples of the case.
    [[nodiscard]] std::shared_ptr<const Forecast> foreseen(const std::string& settings) const
    {
        const Snapshot snapshot = under(settings);
        auto foresight = foresee(std::make_shared<const Snapshot>(snapshot), m_file, nullptr, 2, {});
        EXPECT_TRUE(foresight) << foresight.error().line();
        auto made = withErrors(*foresight, snapshot, m_case.data(), 2, {});
        EXPECT_TRUE(made) << made.error().line();
        return (*made)->forecast;
    }

    ProtoBuilder m_model;
    QuantizedCase m_case;
    std::shared_ptr<const StatisticsFile> m_file;
};

TEST_F(ForecastOfPerceptron, HasTheParametersOfARunWithData)
{
    const ExportReport report = m_case.quantize(R"("activations_range_estimator_params": "PERCENTILE")");
    const auto made = forecast(R"("activations_range_estimator_params": "PERCENTILE")");
    ASSERT_THAT(made.forecast->quantizers, SizeIs(static_cast<std::size_t>(report.quantizers)));
    for (const auto& [point, parameters] : m_case.compression().parameters) {
        const QuantizerForecast* quantizer = made.forecast->at(point);
        ASSERT_NE(quantizer, nullptr);
        EXPECT_EQ(quantizer->outcome.parameters, parameters) << quantizer->value;
        EXPECT_EQ(quantizer->outcome.estimator, quantizer->isWeight ? "" : "PERCENTILE");
    }
    EXPECT_EQ(made.forecast->at(999), nullptr);
}

TEST_F(ForecastOfPerceptron, ForeseesTheSizeOfAnExport)
{
    const ExportReport report = m_case.quantize("");
    const auto made = forecast("");
    EXPECT_EQ(made.forecast->size.before, report.bytesBefore);
    EXPECT_NEAR(static_cast<double>(made.forecast->size.after), static_cast<double>(report.bytesAfter),
        0.15 * static_cast<double>(report.bytesAfter));
}

TEST_F(ForecastOfPerceptron, ForeseesTheSizeWithoutStatistics)
{
    EXPECT_EQ(foreseenSize(under("")), forecast("").forecast->size);
    const auto ignored = parseRecipe(
        R"({"format": "duoscope-recipe", "version": 1, "rules": [{"action": "ignore", "kind": "type", "value": "MatMul"}]})",
        "recipe");
    ASSERT_TRUE(ignored) << ignored.error().line();
    const auto float32 = withRecipe(m_case.opened(), *ignored);
    ASSERT_TRUE(float32) << float32.error().line();
    EXPECT_EQ(foreseenSize(*float32), std::nullopt);
}

TEST_F(ForecastOfPerceptron, StatisticsAloneDoNotTellTheError)
{
    const auto made = forecast("");
    EXPECT_TRUE(made.forecast->outputs.empty());
    EXPECT_EQ(made.forecast->whyNoError, "it takes samples");
    EXPECT_THAT(forecastText(*made.forecast), HasSubstr("error of the outputs: not known, it takes samples"));
}

TEST_F(ForecastOfPerceptron, BeingStoppedIsNoReasonForAnUnknownError)
{
    const auto foresight = foresee(std::make_shared<const Snapshot>(under("")), m_file, nullptr, 2, {});
    ASSERT_TRUE(foresight);
    EXPECT_EQ(withoutErrors(*foresight, cancelledError()), *foresight);
    const Error gone{ErrorCode::FileNotReadable, "cannot read file", "d.npz", {}};
    EXPECT_EQ(withoutErrors(*foresight, gone)->forecast->whyNoError, "cannot read file: d.npz");
}

TEST_F(ForecastOfPerceptron, TheErrorIsWhatAnExportSaysItIs)
{
    const std::string narrow
        = R"("activations_range_estimator_params": {"min": {"statistics_type": "raw", "aggregator_type": "percentile",
            "quantile_outlier_prob": 0.05}, "max": {"statistics_type": "raw", "aggregator_type": "percentile",
            "quantile_outlier_prob": 0.05}})";
    const ExportReport report = m_case.quantize(narrow);
    const auto made = foreseen(narrow);
    ASSERT_TRUE(made->worstSqnrDb() && report.outputs[0].sqnrDb);
    EXPECT_LT(*made->worstSqnrDb(), *foreseen("")->worstSqnrDb() - 10);
    EXPECT_NEAR(*made->worstSqnrDb(), *report.outputs[0].sqnrDb, 0.5);
    EXPECT_EQ(made->whyNoError, "");
    for (const QuantizerForecast& quantizer : made->quantizers)
        EXPECT_EQ(quantizer.outcome.estimator, "");
}

TEST_F(ForecastOfPerceptron, OfAModelThatIsRescaledTheErrorIsNotKnown)
{
    EXPECT_EQ(foreseen(R"("smooth_quant_alphas": {"matmul": 0.5})")->whyNoError,
        "the model is rescaled when it is quantized (SmoothQuant, cross-layer equalization); an export measures it");
}

TEST_F(ForecastOfPerceptron, AnotherEstimatorReadsNoWeightAgain)
{
    const auto first = forecast("");
    const auto second = forecast(R"("activations_range_estimator_params": "MSE")", first.weights.get());
    for (const auto& [point, error] : first.weights->errors) {
        EXPECT_EQ(second.weights->errors.at(point).error, error.error);
        EXPECT_GT(error.error.noise, 0);
    }
    EXPECT_EQ(second.forecast->quantizers.size(), first.forecast->quantizers.size());
}

TEST_F(ForecastOfPerceptron, AnotherEstimatorLeavesThePlacementAsItIs)
{
    const Snapshot before = under("");
    Recipe recipe = before.recipe;
    recipe.quantization.activationsRangeEstimator = rangeEstimatorSet("MSE");
    const auto after = withRecipe(before, recipe);
    ASSERT_TRUE(after);
    EXPECT_EQ(after->placement, before.placement);
    EXPECT_EQ(after->base, before.base);
}

TEST_F(ForecastOfPerceptron, OfStatisticsWithoutAValueSaysWhatIsMissing)
{
    auto poor = std::make_shared<StatisticsFile>(*m_file);
    poor->statistics.values.erase("x");
    const auto foresight = foresee(std::make_shared<Snapshot>(under("")), poor, nullptr, 1, {});
    ASSERT_TRUE(foresight);
    EXPECT_TRUE((*foresight)->forecast->quantizers.empty());
    EXPECT_EQ((*foresight)->forecast->samples, poor->statistics.samples());
    ASSERT_TRUE((*foresight)->problem);
    EXPECT_EQ(
        (*foresight)->problem->line(), "the statistics do not hold this value: x: measure again, with this recipe");
}

TEST(UsableStatistics, DoNotSufficeForCorrectionsThatRunTheModel)
{
    QuantizationSettings settings;
    EXPECT_TRUE(checkStatisticsSuffice(settings, "f"));
    settings.corrections.fastBiasCorrection = false;
    const Status sequential = checkStatisticsSuffice(settings, "f");
    ASSERT_FALSE(sequential);
    EXPECT_EQ(sequential.error().line(),
        "sequential bias correction runs the quantized model: f: give --data, or set fast_bias_correction");
    settings.corrections.crossLayerEqualization = true;
    EXPECT_EQ(checkStatisticsSuffice(settings, "f").error().what, "a rescaled model has statistics of its own");
}

} // namespace
} // namespace duo
