// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/calibration/measure.h"
#include "core/pipeline/sensitivity/make_forecast.h"
#include "core/report/forecast_report.h"
#include "tests/core/pipeline/quantized_case.h"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace duo {
namespace {

using test::ProtoBuilder;
using test::QuantizedCase;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

/// One product with two columns; the samples hold -1, 0, 0.5 and once 2.
class FactsOfProduct : public testing::Test
{
protected:
    FactsOfProduct()
        : m_case(
            [this]() -> const ProtoBuilder& {
                m_model.input("x", {1, 4}).output("y", {1, 2});
                m_model.weight("c.weight", {4, 2}, {0.5F, -2, 0.5F, -2, 0.5F, -2, 0.5F, -2});
                m_model.weight("c.bias", {2}, {0.25F, 1});
                m_model.node("Gemm", "c", {"x", "c.weight", "c.bias"}, {"y"});
                return m_model;
            }(),
            {1, 4}, {{-1, 0, 0.5F, 0.5F}, {-1, 0, 0.5F, 2}})
    {
        auto measured = measureStatistics(m_case.opened(), m_case.data(), {}, 1, {});
        EXPECT_TRUE(measured) << measured.error().line();
        m_statistics = std::move(measured->file.statistics);
    }

    [[nodiscard]] ValueFacts facts(std::string_view value, const QuantizationSettings& settings = {}) const
    {
        Recipe recipe;
        recipe.quantization = settings;
        const auto snapshot = withRecipe(m_case.opened(), recipe);
        const auto made = makeForecast(*snapshot, m_statistics, nullptr, 1, {});
        EXPECT_TRUE(made) << made.error().line();
        const auto spot = spotOf(*snapshot, value);
        EXPECT_TRUE(spot);
        auto facts = factsOf(*snapshot, m_statistics, *made->forecast, *spot);
        EXPECT_TRUE(facts) << facts.error().line();
        return *std::move(facts);
    }

    ProtoBuilder m_model;
    QuantizedCase m_case;
    Statistics m_statistics;
};

TEST_F(FactsOfProduct, NameEveryEstimatorAndTheOneInUse)
{
    const ValueFacts x = facts("x");
    ASSERT_THAT(x.choices, SizeIs(11));
    ASSERT_LT(chosenRow(x), x.choices.size());
    EXPECT_EQ(x.choices[chosenRow(x)].estimator, "MINMAX");
    EXPECT_EQ(x.used->range.min, -1);
    EXPECT_EQ(x.used->range.max, 2);
    EXPECT_NEAR(x.used->parameters.scale.front(), 3.0F / 255, 1e-6);
    EXPECT_EQ(x.used->parameters.zeroPoint, std::vector<std::int32_t>{85});
    EXPECT_EQ(x.used->fit.clippedShare, 0);
    EXPECT_FALSE(x.rule);
    EXPECT_EQ(x.statistics->elements, 8);
}

TEST_F(FactsOfProduct, FollowARuleAboutTheNode)
{
    QuantizationSettings settings;
    Rule rule;
    rule.action = RuleAction::Target;
    rule.value = "c";
    settings.rangeEstimatorRules.push_back({rule, *rangeEstimatorSet("MEAN_MINMAX")});
    const ValueFacts x = facts("x", settings);
    EXPECT_EQ(x.used->estimator, "MEAN_MINMAX");
    EXPECT_EQ(x.used->range.max, 1.25F);
    EXPECT_EQ(x.rule, std::optional<std::size_t>(0));
    EXPECT_GT(x.used->fit.clippedShare, 0.1);
    EXPECT_EQ(x.choices[chosenRow(x)].estimator, "MEAN_MINMAX");
}

TEST_F(FactsOfProduct, OfAWeightHaveItsChannels)
{
    const ValueFacts weight = facts("c.weight");
    EXPECT_TRUE(weight.isWeight);
    EXPECT_THAT(weight.choices, SizeIs(0));
    EXPECT_THAT(weight.statistics->channels.min, ElementsAre(0.5F, -2));
    ASSERT_TRUE(weight.used);
    EXPECT_THAT(weight.used->parameters.scale, ElementsAre(0.5F / 127, 2.0F / 127));
    const ValueFacts bias = facts("c.bias");
    EXPECT_EQ(bias.statistics->max, 1);
    EXPECT_FALSE(bias.used);
}

TEST_F(FactsOfProduct, StandForWhatTheNodeReadsAndGives)
{
    const Snapshot& snapshot = m_case.opened();
    std::vector<std::string> names;
    for (const ValueSpot& spot : spotsOf(snapshot, m_statistics, snapshot.model->findNode("c")))
        names.push_back(snapshot.model->value(spot.value).name);
    EXPECT_THAT(names, ElementsAre("x", "c.weight", "c.bias", "y"));
    EXPECT_FALSE(spotOf(snapshot, "nothing of this name"));
}

TEST_F(FactsOfProduct, AreSaidAlikeInTextAndJson)
{
    const ValueFacts x = facts("x");
    const auto json = valueFactsJson(x);
    EXPECT_EQ(json["choices"].size(), 11U);
    EXPECT_EQ(json["choices"][0]["chosen"], true);
    EXPECT_EQ(json["used"]["zero_point"], 85);
    EXPECT_EQ(json["histogram"]["counts"].size(), 64U);
    EXPECT_THAT(valueFactsText(x), HasSubstr("* MINMAX                    -1 to 2 "));
    EXPECT_THAT(valueFactsText(facts("c.bias")), HasSubstr("no quantizer stands here"));
}

TEST_F(FactsOfProduct, OfPowersOfTwoHaveThemInEveryRow)
{
    QuantizationSettings settings;
    settings.powerOfTwoScales = true;
    std::vector<float> fractions;
    for (const RangeOutcome& choice : facts("x", settings).choices) {
        int exponent = 0;
        fractions.push_back(std::frexp(choice.parameters.scale.front(), &exponent));
    }
    EXPECT_THAT(fractions, Each(0.5F));
}

} // namespace
} // namespace duo
