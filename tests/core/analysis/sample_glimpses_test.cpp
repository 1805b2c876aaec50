// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/sample_glimpses.h"

#include "core/support/bytes_of.h"

#include <gtest/gtest.h>

#include <cmath>

namespace duo {
namespace {

HostTensor floats(const std::vector<float>& values)
{
    return {"y", ElementType::Float32, {1, static_cast<std::int64_t>(values.size())}, bytesOf(values)};
}

Glimpse glimpse(const std::vector<float>& a, const std::vector<float>& b)
{
    const HostTensor first = floats(a);
    const HostTensor second = floats(b);
    return glimpseOf(viewOf(first), viewOf(second), signalError(viewOf(first), viewOf(second)));
}

TEST(SampleGlimpses, VariationLeavesOutWhatAllSamplesShare)
{
    std::vector<Glimpse> samples;
    for (const float own : {-1.0F, 1.0F, -1.0F, 1.0F})
        samples.push_back(glimpse({1000 + own, 5}, {1000, 5})); // says the mean
    ASSERT_TRUE(variationOf(samples));
    EXPECT_NEAR(variationOf(samples)->db, 0, 1e-9);
    EXPECT_NEAR(variationOf(samples)->size, std::sqrt(0.5), 1e-6) << "of two elements one differs by 1";
    samples.pop_back();
    EXPECT_FALSE(variationOf(samples)) << "three samples are too few";
}

TEST(SampleGlimpses, OfSamplesThatDoNotDifferThereIsNoVariation)
{
    const std::vector<Glimpse> same(5, glimpse({1000, 5}, {1000.5F, 5}));
    EXPECT_FALSE(variationOf(same));
    std::vector<Glimpse> sizes = same;
    sizes.push_back(glimpse({1}, {1}));
    EXPECT_FALSE(variationOf(sizes));
}

TEST(SampleGlimpses, TheMedianDoesNotSeeOneLargeSample)
{
    std::vector<Glimpse> samples(4, glimpse({1, 2}, {0, 0}));
    samples.push_back(glimpse({1000, 2000}, {1000, 2001}));
    ASSERT_TRUE(medianDb(samples));
    EXPECT_NEAR(*medianDb(samples), 0, 1e-9);
    samples.resize(2);
    EXPECT_FALSE(medianDb(samples));
}

TEST(SampleGlimpses, OfLargeOutputsTheSameElementsAreKeptOfBoth)
{
    std::vector<float> many(100000);
    for (std::size_t i = 0; i < many.size(); ++i)
        many[i] = static_cast<float>(i);
    const Glimpse large = glimpse(many, many);
    EXPECT_LE(large.a.size(), 2048U);
    EXPECT_EQ(large.a, large.b);
    EXPECT_EQ(large.elements, 100000);
}

} // namespace
} // namespace duo
