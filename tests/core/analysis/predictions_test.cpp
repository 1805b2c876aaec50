// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/predictions.h"

#include "core/analysis/signal_error.h"

#include <cmath>
#include <cstring>

#include <gtest/gtest.h>

namespace duo {
namespace {

HostTensor floats(const std::vector<std::int64_t>& dims, const std::vector<float>& values)
{
    HostTensor tensor{"y", ElementType::Float32, dims, {}};
    tensor.bytes.resize(values.size() * sizeof(float));
    std::memcpy(tensor.bytes.data(), values.data(), tensor.bytes.size());
    return tensor;
}

TEST(Predictions, AreRowsOfAMatrix)
{
    const HostTensor a = floats({3, 2}, {1, 5, 4, 2, 0, 3});
    const HostTensor b = floats({3, 2}, {1, 4, 2, 4, 0, 9});
    const auto found = predictionsOf(viewOf(a), viewOf(b));
    ASSERT_TRUE(found);
    EXPECT_EQ(found->all, 3);
    EXPECT_EQ(found->agreeing, 2);
}

TEST(Predictions, ATieIsNoDecision)
{
    const HostTensor a = floats({1, 3}, {9.99F, 10, 0});
    const HostTensor b = floats({1, 3}, {10, 9, 0});
    EXPECT_EQ(predictionsOf(viewOf(a), viewOf(b))->agreeing, 1);
}

TEST(Predictions, OfMoreAxesOnlyDistributionsCount)
{
    const HostTensor shares = floats({1, 2, 2}, {0.25F, 0.75F, 0.5F, 0.5F});
    EXPECT_EQ(predictionsOf(viewOf(shares), viewOf(shares))->all, 2);
    const HostTensor map = floats({1, 2, 2}, {1, 2, 3, 4});
    EXPECT_FALSE(predictionsOf(viewOf(map), viewOf(map)));
}

TEST(Predictions, AreKnownOfDistributionsTheirLogarithmsAndLogits)
{
    const HostTensor numbers = floats({2, 2}, {1, 5, 4, 2});
    EXPECT_FALSE(predictionsOf(viewOf(numbers), viewOf(numbers))->areKnown) << "an embedding has this shape too";
    const HostTensor shares = floats({2, 2}, {0.25F, 0.75F, 1, 0});
    EXPECT_TRUE(predictionsOf(viewOf(shares), viewOf(shares))->areKnown);
    const HostTensor logarithms = floats({1, 2}, {std::log(0.25F), std::log(0.75F)});
    EXPECT_TRUE(predictionsOf(viewOf(logarithms), viewOf(logarithms))->areKnown);
    HostTensor logits = numbers;
    logits.name = "logits";
    EXPECT_TRUE(predictionsOf(viewOf(logits), viewOf(logits))->areKnown);
    logits.dims = {1, 2, 1, 2}; // of a picture: classes lie along the second axis
    EXPECT_FALSE(predictionsOf(viewOf(logits), viewOf(logits)));
}

TEST(Predictions, CountWhatIsSaidMostOften)
{
    const HostTensor a = floats({4, 2}, {0, 5, 0, 5, 0, 5, 5, 0});
    EXPECT_EQ(uncommon(*predictionsOf(viewOf(a), viewOf(a))), 1);
}

TEST(Predictions, OneColumnOrOneAxisHoldsNoClasses)
{
    const HostTensor column = floats({4, 1}, {1, 2, 3, 4});
    EXPECT_FALSE(predictionsOf(viewOf(column), viewOf(column)));
    const HostTensor vector = floats({4}, {1, 2, 3, 4});
    EXPECT_FALSE(predictionsOf(viewOf(vector), viewOf(vector)));
}

} // namespace
} // namespace duo
