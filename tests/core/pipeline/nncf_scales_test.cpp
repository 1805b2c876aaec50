// SPDX-License-Identifier: Apache-2.0
// Scales and ranges as NNCF computes them (tests/peers/calibration/make_nncf_scales.py).
#include "core/calibrate/estimate/estimate_range.h"
#include "core/quantize/points/parameters.h"
#include "core/support/file.h"
#include "core/support/json.h"
#include "tests/core/calibrate/measured_samples.h"

#include <cmath>

#include <gtest/gtest.h>

namespace duo {
namespace {

class NncfTable : public testing::Test
{
protected:
    void SetUp() override
    {
        const auto text = readTextFile(DUO_TEST_DATA "/calibration/nncf_scales.json", 1 << 20);
        ASSERT_TRUE(text) << text.error().line();
        auto json = parseJson(*text, "nncf_scales.json", ErrorCode::BadData);
        ASSERT_TRUE(json) << json.error().line();
        m_table = *std::move(json);
    }
    nlohmann::ordered_json m_table;
};

/// Within float rounding: a few last bits.
void expectNear(float ours, float theirs, const std::string& where)
{
    EXPECT_NEAR(ours, theirs, 4e-7F * std::abs(theirs)) << where;
}

TEST_F(NncfTable, SameRangesGiveTheSameScalesAndZeroPoints)
{
    int compared = 0;
    for (const auto& row : m_table["scales"]) {
        const bool isSymmetric = row["mode"] == "symmetric";
        // NNCF's narrow codes of activations without negative values begin at 1; no profile has such.
        if (row["narrow_range"] && !row["signed"])
            continue;
        QuantizerConfig config;
        config.mode = isSymmetric ? QuantizationMode::Symmetric : QuantizationMode::Asymmetric;
        config.narrowRange = row["narrow_range"];
        const float low = row["min"];
        const float high
            = isSymmetric ? std::max(std::abs(low), std::abs(row["max"].get<float>())) : row["max"].get<float>();
        const auto ours = activationParameters(config, {low, high}, ActivationCodes::SignDecides, RangeFloor::Nncf);
        ASSERT_TRUE(ours) << ours.error().line();
        const bool isSigned = ours->type == ElementType::Int8;
        const int lowestCode = ours->zeroPoint[0] + (isSigned ? 128 : 0);
        EXPECT_EQ(lowestCode, row["zero_point"].get<int>() + (row["signed"] ? 128 : 0)) << row.dump();
        expectNear(ours->scale[0], row["scale"], row.dump());
        EXPECT_EQ(isSigned, row["signed"]) << row.dump();
        ++compared;
    }
    EXPECT_GE(compared, 45);
}

TEST_F(NncfTable, SameWeightsGiveTheSameScalesPerChannelAndPerTensor)
{
    int compared = 0;
    for (const auto& row : m_table["weights"]) {
        // NNCF's half range without narrow codes has a zero point of 1, which no engine takes for weights.
        if (row["half_range"] && !row["narrow_range"])
            continue;
        const auto maxAbs = row["max_abs"].get<std::vector<float>>();
        QuantizerConfig config;
        config.narrowRange = row["narrow_range"];
        config.perChannel = maxAbs.size() > 1;
        const auto ours = weightParameters(config, maxAbs, row["half_range"], RangeFloor::Nncf);
        ASSERT_TRUE(ours) << ours.error().line();
        const auto theirs = row["scale"].get<std::vector<float>>();
        ASSERT_EQ(ours->scale.size(), theirs.size());
        for (std::size_t c = 0; c < theirs.size(); ++c)
            expectNear(ours->scale[c], theirs[c], row.dump());
        EXPECT_EQ(ours->zeroPoint, std::vector<std::int32_t>(theirs.size(), 0));
        EXPECT_EQ(ours->type, ElementType::Int8);
        ++compared;
    }
    EXPECT_EQ(compared, 27);
}

/// The samples of the script.
ValueStatistics scriptStatistics(std::int64_t samples, std::int64_t count)
{
    std::vector<std::vector<float>> all(static_cast<std::size_t>(samples));
    for (std::int64_t k = 0; k < samples; ++k) {
        for (std::int64_t i = 0; i < count; ++i) {
            const auto whole = (i * 7919 + k * 104729 + 13) % 1000 - 400;
            const auto value = static_cast<float>(whole * (k % 5 + 1)) / 64;
            all[static_cast<std::size_t>(k)].push_back(i % 997 == 0 ? value * 8 : value);
        }
    }
    return test::statisticsOf(all);
}

TEST_F(NncfTable, SameSamplesGiveTheSameEndsOfRanges)
{
    const ValueStatistics statistics = scriptStatistics(m_table["samples"], m_table["count"]);
    int compared = 0;
    for (const auto& row : m_table["ranges"]) {
        const bool isMin = row["side"] == "min";
        CollectorParameters side;
        side.statisticsType = statisticsTypeFromText(row["statistics_type"].get<std::string>());
        side.aggregatorType = aggregatorTypeFromText(row["aggregator_type"].get<std::string>());
        side.quantileOutlierProb = row["quantile_outlier_prob"];
        // The other end lies far outside, so that the ends never change places.
        RangeEstimatorParameters both = *rangeEstimatorSet("MINMAX");
        (isMin ? both.min : both.max) = side;
        const EstimatedRange range = estimateRange(statistics, both, false);
        EXPECT_FALSE(range.fromHistogram) << row.dump();
        expectNear(isMin ? range.min : range.max, row["value"], row.dump());
        ++compared;
    }
    EXPECT_GE(compared, 80);
}

} // namespace
} // namespace duo
