// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/outputs_apart.h"

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

TEST(OutputsApart, LeaveOutSamplesWhoseOwnResultIsNaN)
{
    const OutputsApart apart = samples({{0.25F, 0.75F}, {NAN, 1.0F}});
    EXPECT_TRUE(apart.outputs.front().isCompared);
    EXPECT_EQ(apart.outputs.front().elements, 2);
    EXPECT_EQ(agreementOf(apart), 1.0);
    EXPECT_FALSE(samples({{NAN, 1.0F}}).outputs.front().isCompared);
}

} // namespace
} // namespace duo
