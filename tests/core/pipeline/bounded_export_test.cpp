// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/bounded_export.h"

#include "tests/core/pipeline/normal_samples.h"
#include "tests/core/pipeline/quantized_case.h"

#include <algorithm>

#include <gtest/gtest.h>

namespace duo {
namespace {

using namespace test;

/// Two products of the same input, of which one channel is three thousand times the others and counts as much.
std::vector<std::vector<float>> outlierSamples()
{
    auto samples = normalSamples(12, 64, 5);
    for (auto& sample : samples)
        sample[0] *= 3000;
    return samples;
}

std::vector<float> outlierWeights(unsigned seed)
{
    std::vector<float> weights = normal(64 * 16, seed);
    for (std::size_t column = 0; column < 16; ++column)
        weights[column] /= 3000;
    return weights;
}

TEST(BoundedExport, SuggestsScopesThatHelpOnlyTogether)
{
    ProtoBuilder model;
    model.input("x", {1, 64}).output("y", {1, 16});
    model.weight("a.W", {64, 16}, outlierWeights(1)).weight("b.W", {64, 16}, outlierWeights(2));
    model.node("MatMul", "/a/MatMul", {"x", "a.W"}, {"h"});
    model.node("MatMul", "/b/MatMul", {"x", "b.W"}, {"k"});
    model.node("Add", "/join/Add", {"h", "k"}, {"s"});
    model.node("Tanh", "/join/Tanh", {"s"}, {"t"});
    model.weight("c.W", {16, 16}, normal(256, 3, 0, 0.25F)).node("MatMul", "/c/MatMul", {"t", "c.W"}, {"y"});
    QuantizedCase outlier(model, {1, 64}, outlierSamples());
    ASSERT_EQ(outlier.quantize("").verdict.kind, VerdictKind::Regression);
    const MeasureOptions measuring;
    const JobContext job;
    const auto made = exportWithin({}, outlier.planned(), outlier.compression(), &outlier.data(), outlier.exported(),
        recalibration(outlier.compression(), {.dataset = &outlier.data(), .measuring = measuring}, 2, job), 2, job);
    ASSERT_TRUE(made) << made.error().line();
    std::vector<std::string> names;
    for (const SuggestedFloat& kept : made->report.verdict.suggested)
        names.push_back(kept.name);
    std::ranges::sort(names);
    ASSERT_EQ(names.size(), 2U);
    EXPECT_EQ(names[0].front(), 'a');
    EXPECT_EQ(names[1].front(), 'b');
}

} // namespace
} // namespace duo
