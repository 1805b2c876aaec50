// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/sensitivity/foreseen_speed.h"

#include "tests/core/pipeline/normal_samples.h"
#include "tests/core/pipeline/quantized_case.h"

#include <gtest/gtest.h>

namespace duo {
namespace {

using test::ProtoBuilder;
using test::QuantizedCase;

/// One product of `rows` rows.
const ProtoBuilder& addProduct(ProtoBuilder& model, std::int64_t rows)
{
    constexpr std::int64_t kSize = 256;
    model.input("x", {rows, kSize}).output("y", {rows, kSize});
    model.weight("w", {kSize, kSize}, test::normal(std::size_t{kSize} * kSize, 1, 0, 0.1F));
    model.node("MatMul", "a", {"x", "w"}, {"y"});
    return model;
}

std::optional<double> speedOf(std::int64_t rows, const std::string& settings)
{
    ProtoBuilder proto;
    QuantizedCase model(
        addProduct(proto, rows), {rows, 256}, test::normalSamples(2, static_cast<std::size_t>(rows) * 256, 7));
    model.quantize(settings);
    const JobContext job;
    const auto speed = ForeseenSpeed::open(model.planned(), model.data(), job);
    EXPECT_TRUE(speed) << speed.error().line();
    const auto measured = speed->of(model.planned(), model.compression());
    EXPECT_TRUE(measured) << measured.error().line();
    return *measured;
}

TEST(ForeseenSpeed, IsTimeOfFloatByTimeOfInt8)
{
    const auto speed = speedOf(2048, "");
    ASSERT_TRUE(speed);
    EXPECT_GT(*speed, 0);
}

TEST(ForeseenSpeed, IsNotKnownWhereARunIsTooShortToTell)
{
    EXPECT_EQ(speedOf(1, ""), std::nullopt);
}

TEST(ForeseenSpeed, IsNotKnownForOtherTargets)
{
    EXPECT_EQ(speedOf(2048, R"("profile": "tensorrt")"), std::nullopt);
}

} // namespace
} // namespace duo
