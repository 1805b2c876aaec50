// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/outputs_apart.h"
#include "core/support/bytes_of.h"

#include <cmath>
#include <cstring>

#include <gtest/gtest.h>

namespace duo {
namespace {

HostTensor row(const std::vector<float>& values)
{
    HostTensor tensor{"y", ElementType::Float32, {1, 1, static_cast<std::int64_t>(values.size())}, {}};
    tensor.bytes.resize(values.size() * sizeof(float));
    std::memcpy(tensor.bytes.data(), values.data(), tensor.bytes.size());
    return tensor;
}

OutputsApart samples(const std::vector<std::vector<float>>& values)
{
    OutputsApart all;
    for (const auto& sample : values) {
        const HostTensor tensor = row(sample);
        addInPlace(all, {{apartIn(viewOf(tensor), viewOf(tensor))}});
    }
    return all;
}

TEST(OutputsApart, CountPredictionsOfOutputsThatAreScoresInEverySample)
{
    EXPECT_EQ(agreementOf(samples({{0.25F, 0.75F}, {0.5F, 0.5F}})), 1.0);
    EXPECT_EQ(agreementOf(samples({{0.25F, 0.75F}, {3.0F, 4.0F}})), std::nullopt); // the second is no distribution
}

TEST(OutputsApart, LeaveOutElementsThatAreNaNInTheFloatModel)
{
    const OutputsApart apart = samples({{0.25F, 0.75F}, {NAN, 1.0F}});
    EXPECT_EQ(apart.outputs.front().elements, 3);
    EXPECT_EQ(apart.outputs.front().nans, 1);
    EXPECT_EQ(agreementOf(apart), 1.0);
    EXPECT_FALSE(samples({{NAN, NAN}}).outputs.front().isCompared);
    const OutputApart ruined = apartIn(viewOf(row({NAN, 1, 2})), viewOf(row({NAN, 1, NAN})));
    EXPECT_TRUE(ruined.isCompared);
    EXPECT_EQ(ruined.error.nonFiniteApart, 1);
}

TEST(OutputsApart, CountEqualElementsOfWholeNumbers)
{
    HostTensor a{"ids", ElementType::Int32, {4}, bytesOf(std::vector<std::int32_t>{6001, 6002, 6003, 6004})};
    HostTensor b = a;
    b.bytes = bytesOf(std::vector<std::int32_t>{6001, 6002, 6005, 6009});
    const OutputApart apart = apartIn(viewOf(a), viewOf(b));
    EXPECT_TRUE(apart.isDiscrete);
    EXPECT_EQ(apart.predictions.all, 4);
    EXPECT_EQ(apart.predictions.agreeing, 2);
}

TEST(OutputsApart, AgreeAsMuchAsTheWorstOutputThatIsKnownToHoldAnswers)
{
    const auto output = [](bool isDiscrete, bool areKnown, std::int64_t agreeing) {
        OutputApart apart;
        apart.isCompared = true;
        apart.isDiscrete = isDiscrete;
        apart.predictions.all = 10;
        apart.predictions.agreeing = agreeing;
        apart.predictions.areKnown = areKnown;
        return apart;
    };
    EXPECT_EQ(agreementOf({{output(false, true, 9), output(true, false, 8), output(false, false, 2)}}), 0.8);
    EXPECT_EQ(agreementOf({{output(false, false, 2)}}), 0.2);
    EXPECT_EQ(agreementOf({}), std::nullopt);
}

TEST(OutputsApart, WholeNumbersAreNotInDecibels)
{
    HostTensor ids{"ids", ElementType::Int32, {1}, bytesOf(std::vector<std::int32_t>{6001})};
    EXPECT_FALSE(apartIn(viewOf(ids), viewOf(ids)).isInDecibels());
    EXPECT_TRUE(apartIn(viewOf(row({1, 2})), viewOf(row({1, 2}))).isInDecibels());
}

TEST(OutputsApart, DoNotCompareResultsOfTwoShapes)
{
    const OutputApart apart = apartIn(viewOf(row({1, 2})), viewOf(row({1, 2, 3})));
    EXPECT_FALSE(apart.isCompared);
    EXPECT_EQ(apart.otherShapes, 1);
}

TEST(Predictions, AreNoneOfRowsNormalizedAsEmbeddingsAre)
{
    HostTensor tensor = row({0.6F, -0.8F});
    tensor.dims = {1, 2};
    EXPECT_FALSE(predictionsOf(viewOf(tensor), viewOf(tensor)));
}

} // namespace
} // namespace duo
