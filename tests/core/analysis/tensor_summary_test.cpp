// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/tensor_summary.h"

#include "core/report/tensor_report.h"
#include "tests/support/model_builder.h"

#include <limits>
#include <numeric>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace duo {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

std::shared_ptr<const Model> convolution(std::vector<std::int64_t> dims, std::vector<float> values)
{
    return test::ModelBuilder()
        .input("x", {1, dims[1], 4, 4})
        .weight("w", std::move(dims), std::move(values))
        .node("Conv", "conv", {"x", "w"}, {"y"})
        .output("y")
        .build();
}

TensorSummary summaryOf(const Model& model, const char* name)
{
    const ValueId value = model.findValue(name);
    const auto summary = summarize(*model.constant(value), channelAxisOf(model, value));
    EXPECT_TRUE(summary) << summary.error().line();
    return *summary;
}

TEST(TensorSummary, SaysHowValuesAreSpreadAndTheRangeOfEachChannel)
{
    const auto model = convolution({3, 1, 1, 2}, {-1, 3, 0, 0, 2, 2});
    const TensorSummary summary = summaryOf(*model, "w");
    EXPECT_EQ(summary.elements, 6);
    EXPECT_EQ(summary.zeros, 2);
    EXPECT_EQ(summary.min, -1);
    EXPECT_EQ(summary.max, 3);
    EXPECT_DOUBLE_EQ(summary.mean, 1);
    EXPECT_NEAR(summary.deviation, std::sqrt(2.0), 1e-12);
    EXPECT_EQ(std::accumulate(summary.bins.begin(), summary.bins.end(), std::int64_t{0}), 6);
    EXPECT_EQ(summary.bins.front(), 1);
    EXPECT_EQ(summary.bins.back(), 1);
    EXPECT_EQ(summary.axis, 0U);
    ASSERT_EQ(summary.channels.size(), 3U);
    EXPECT_EQ(summary.channels[0].min, -1);
    EXPECT_EQ(summary.channels[0].max, 3);
    EXPECT_EQ(summary.channels[1].max, 0);
    EXPECT_EQ(tensorText(*model->constant(model->findValue("w")), summary),
        "w float32[3,1,1,2], 6 values from -1 to 3, mean 1, deviation 1.414, 2 zeros\n"
        "channels along axis 0:\n  0: -1 to 3\n  1: 0 to 0\n  2: 2 to 2\n");
}

TEST(TensorSummary, WhatIsNotFiniteIsCountedAndLeftOut)
{
    const auto model = convolution({2, 1, 1, 2}, {kNan, kInfinity, 1, 1});
    const TensorSummary summary = summaryOf(*model, "w");
    EXPECT_EQ(summary.notFinite, 2);
    EXPECT_EQ(summary.min, 1);
    EXPECT_EQ(summary.max, 1);
    EXPECT_EQ(summary.bins.front(), 2); // all of one value
    EXPECT_GT(summary.channels[0].min, summary.channels[0].max);
    const auto none = convolution({1, 1, 1, 1}, {kNan});
    EXPECT_TRUE(summaryOf(*none, "w").bins.empty());
    EXPECT_TRUE(tensorJson(*none->constant(none->findValue("w")), summaryOf(*none, "w"))["min"].is_null());
}

TEST(TensorSummary, ALargeTensorIsReadInPieces)
{
    constexpr std::int64_t kMany = (std::int64_t{1} << 21) + 3; // two pieces and a bit
    std::vector<float> values(static_cast<std::size_t>(kMany), 0.5F);
    values.back() = -4;
    const auto model = convolution({kMany, 1, 1, 1}, std::move(values));
    const TensorSummary summary = summaryOf(*model, "w");
    EXPECT_EQ(summary.elements, kMany);
    EXPECT_EQ(summary.min, -4);
    EXPECT_EQ(summary.bins.back(), kMany - 1);
    EXPECT_TRUE(summary.channels.empty()); // too many
    EXPECT_EQ(summary.axis, std::nullopt);
}

TEST(TensorSummary, SaysWhatItCannotRead)
{
    Tensor tensor;
    tensor.name = "w";
    tensor.type = ElementType::Int4;
    tensor.dims = {4};
    EXPECT_EQ(summarize(tensor, {}).error().line(), "values of type int4 are not read: w");
    tensor.type = ElementType::Float32;
    EXPECT_EQ(summarize(tensor, {}).error().line(),
        "the values are not there: w: the file they lie in is missing: put it beside the model");
}

} // namespace
} // namespace duo
