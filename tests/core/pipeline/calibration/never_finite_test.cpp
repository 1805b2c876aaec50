// SPDX-License-Identifier: Apache-2.0
#include "core/report/decision_sentences.h"
#include "tests/core/pipeline/quantized_case.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace duo {
namespace {

using test::ProtoBuilder;
using test::QuantizedCase;
using testing::StartsWith;

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr const char* kQnn = R"("profile": "qnn")";

/// Data-dependent scores: half of them are as in `far`.
std::vector<std::vector<float>> samplesWith(float far)
{
    std::vector<std::vector<float>> samples;
    for (int s = 0; s < 16; ++s) {
        std::vector<float> sample;
        for (int i = 0; i < 16; ++i)
            sample.push_back(i % 2 == 0 ? far : std::sin(static_cast<float>(s * 16 + i)) * 3);
        samples.push_back(std::move(sample));
    }
    return samples;
}

/// Weights of the unmasked, and a product with them.
void addMasked(ProtoBuilder& builder)
{
    builder.input("x", {1, 16}).output("y", {1, 4});
    builder.weight("one", {1}, {0.5F}).weight("w", {16, 4}, {0.5F, -0.25F, 0.125F, 1, 0.75F});
    builder.node("Add", "add", {"x", "one"}, {"a"});
    builder.node("Softmax", "weights", {"a"}, {"p"});
    builder.node("MatMul", "product", {"p", "w"}, {"y"});
}

double errorOf(const QuantizedCase& quantized)
{
    return test::sqnrDb(quantized.floatOutput(3), quantized.output(3));
}

TEST(NeverFinite, LeavesWhatReadsSomeInfinitiesInFloat)
{
    ProtoBuilder builder;
    addMasked(builder);
    QuantizedCase quantized(builder, {1, 16}, samplesWith(-kInf));
    const ExportReport report = quantized.quantize(kQnn);
    const Snapshot& placed = *quantized.compression().changed;
    const Decision& decision = placed.placement->decisions[placed.model->findNode("add").index];
    EXPECT_EQ(decision.state, NodeState::Preset);
    EXPECT_EQ(decision.kind(), ReasonKind::Range);
    EXPECT_EQ(whyText(*placed.model, *placed.placement, placed.model->findNode("add")),
        "value 'x' holds infinities (50 % of its numbers), which codes would make finite, so that it has no range");
    EXPECT_THAT(report.notes,
        testing::Contains(testing::Field(&Note::text,
            "it holds infinities (50 % of its numbers), which codes would make finite: what reads it stays in float")));
    EXPECT_GT(report.quantizers, 0);
    EXPECT_GT(errorOf(quantized), 30);
}

TEST(NeverFinite, LeavesScoresWithALargeMaskAmongThemInFloat)
{
    ProtoBuilder builder;
    addMasked(builder);
    QuantizedCase quantized(builder, {1, 16}, samplesWith(-10000));
    quantized.quantize(kQnn);
    const Snapshot& placed = *quantized.compression().changed;
    EXPECT_THAT(whyText(*placed.model, *placed.placement, placed.model->findNode("add")),
        StartsWith("value 'x' holds 50 % of its numbers near -10000 and the others within 3"));
    EXPECT_GT(errorOf(quantized), 30);
}

TEST(NeverFinite, QuantizesALargeRangeThatIsUsed)
{
    std::vector<std::vector<float>> samples = samplesWith(0);
    for (auto& sample : samples) {
        for (float& value : sample)
            value *= 1000;
    }
    ProtoBuilder builder;
    addMasked(builder);
    QuantizedCase quantized(builder, {1, 16}, samples);
    quantized.quantize(kQnn);
    EXPECT_FALSE(quantized.compression().changed);
}

TEST(NeverFinite, QuantizesInfinitiesThatAClampTakesAway)
{
    ProtoBuilder builder;
    builder.input("x", {1, 16}).output("y", {1, 4}).weight("w", {16, 4}, {0.5F, -0.25F, 0.125F, 1, 0.75F});
    builder.node("Relu", "relu", {"x"}, {"r"});
    builder.node("MatMul", "product", {"r", "w"}, {"y"});
    QuantizedCase quantized(builder, {1, 16}, samplesWith(-kInf));
    const ExportReport report = quantized.quantize("");
    EXPECT_FALSE(quantized.compression().changed);
    EXPECT_GT(report.quantizers, 0);
    EXPECT_GT(errorOf(quantized), 30);
}

/// As NNCF places it; without that no such weight is planned for.
TEST(NeverFinite, LeavesAWeightWithInfinitiesInFloatWhereNncfWouldQuantizeIt)
{
    ProtoBuilder builder;
    builder.input("x", {1, 16}).output("y", {1, 4}).weight("w", {16, 4}, {0.5F, -0.25F, 0.125F, 1, 0.75F});
    builder.weight("v", {4, 4}, {1, 2, -kInf});
    builder.node("MatMul", "product", {"x", "w"}, {"p"});
    builder.node("Tanh", "tanh", {"p"}, {"t"});
    builder.node("Relu", "relu", {"t"}, {"r"});
    builder.node("MatMul", "infinite", {"r", "v"}, {"i"});
    builder.node("Sigmoid", "squash", {"i"}, {"y"});
    QuantizedCase quantized(builder, {1, 16}, samplesWith(1));
    const ExportReport report = quantized.quantize(R"("nncf_compatible": true)");
    EXPECT_THAT(
        report.notes, testing::Contains(testing::Field(&Note::text, "it holds -inf: what reads it stays in float")));
    EXPECT_GT(report.quantizers, 0);
}

} // namespace
} // namespace duo
