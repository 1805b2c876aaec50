// SPDX-License-Identifier: Apache-2.0
#include "core/quantize/recipe/recipe.h"

#include <gtest/gtest.h>

namespace duo {
namespace {

Result<Recipe> parsed(const std::string& quantization)
{
    return parseRecipe(R"({"format": "duoscope-recipe", "version": 1, "quantization": {)" + quantization + "}}", "r");
}

TEST(RecipeEstimators, AreReadByNncfsNamesAndSurviveSaving)
{
    const auto recipe = parsed(R"("activations_range_estimator_params":
        {"min": {"statistics_type": "quantile", "aggregator_type": "mean", "quantile_outlier_prob": 0.01},
         "max": {"aggregator_type": "median_no_outliers", "clipping_value": null}},
        "range_estimator_rules": [{"kind": "type", "value": "Softmax", "activations_range_estimator_params": "MINMAX"}],
        "power_of_two_scales": true)");
    ASSERT_TRUE(recipe) << recipe.error().line();
    const QuantizationSettings& settings = recipe->quantization;
    ASSERT_TRUE(settings.activationsRangeEstimator);
    EXPECT_EQ(settings.activationsRangeEstimator->min.statisticsType, StatisticsType::Quantile);
    EXPECT_EQ(settings.activationsRangeEstimator->min.quantileOutlierProb, 0.01);
    EXPECT_EQ(settings.activationsRangeEstimator->max.aggregatorType, AggregatorType::MedianNoOutliers);
    EXPECT_EQ(settings.activationsRangeEstimator->max.quantileOutlierProb, 1e-4);
    ASSERT_EQ(settings.rangeEstimatorRules.size(), 1U);
    EXPECT_EQ(settings.rangeEstimatorRules[0].activations, *rangeEstimatorSet("MINMAX"));
    EXPECT_TRUE(settings.powerOfTwoScales);
    const auto again = parseRecipe(recipeText(*recipe), "again");
    ASSERT_TRUE(again) << again.error().line();
    EXPECT_EQ(*again, *recipe);
}

TEST(RecipeEstimators, RefusalsNameTheKey)
{
    EXPECT_EQ(parsed(R"("activations_range_estimator_params": {"max": {"aggregator_type": "best"}})").error().line(),
        "unknown value \"best\": r line 1 column 128 "
        "quantization.activations_range_estimator_params.max.aggregator_type: "
        "write one of "
        "mean, max, min, median, mean_no_outliers, median_no_outliers, histogram, moving_average, percentile, mse, "
        "entropy");
    EXPECT_EQ(parsed(R"("activations_range_estimator_params": {"max": {"quantile_outlier_prob": 0.5}})").error().line(),
        "not a share: r line 1 column 134 quantization.activations_range_estimator_params.max.quantile_outlier_prob: "
        "write a number from 0 to below 0.5");
    EXPECT_EQ(parsed(R"("range_estimator_rules": [{"kind": "type"}])").error().line(),
        "not an estimator rule: r line 1 column 88 quantization.range_estimator_rules[0]: write kind, value and "
        "activations_range_estimator_params");
    EXPECT_FALSE(parsed(R"("activations_range_estimator_params": "BEST")"));
    EXPECT_FALSE(parsed(R"("activations_range_estimator_params": 3)"));
}

} // namespace
} // namespace duo
