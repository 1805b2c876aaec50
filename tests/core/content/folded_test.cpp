// SPDX-License-Identifier: Apache-2.0
// Batch norms and weight norms folded into the weights and biases before them.
#include "tests/core/content/content_case.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace duo::test {
namespace {

constexpr std::size_t kOut = 20;
constexpr std::size_t kRest = 27; // 3 inputs, 3 x 3

/// Statistics as after training.
struct Norm {
    std::vector<float> gamma;
    std::vector<float> beta;
    std::vector<float> mean;
    std::vector<float> variance;

    explicit Norm(unsigned seed, std::size_t channels = kOut)
        : gamma(randomValues(channels, seed))
        , beta(randomValues(channels, seed + 1))
        , mean(randomValues(channels, seed + 2))
        , variance(randomValues(channels, seed + 3))
    {
        for (float& value : gamma)
            value = 1 + value / 8;
        for (float& value : variance)
            value = 0.5F + std::abs(value);
    }

    static Norm fresh()
    {
        Norm norm(0);
        norm.gamma.assign(kOut, 1);
        norm.beta.assign(kOut, 0);
        norm.mean.assign(kOut, 0);
        norm.variance.assign(kOut, 1);
        return norm;
    }

    [[nodiscard]] float factor(std::size_t c, float epsilon) const
    {
        return gamma[c] / std::sqrt(variance[c] + epsilon);
    }
    [[nodiscard]] std::vector<float> bias(float epsilon, const std::vector<float>& before = {}) const
    {
        std::vector<float> result;
        for (std::size_t c = 0; c < gamma.size(); ++c)
            result.push_back(beta[c] + ((before.empty() ? 0 : before[c]) - mean[c]) * factor(c, epsilon));
        return result;
    }
    void store(CheckpointBuilder& builder, const std::string& module) const
    {
        const auto channels = static_cast<std::int64_t>(gamma.size());
        builder.key(module + ".weight", {channels}, gamma).key(module + ".bias", {channels}, beta);
        builder.key(module + ".running_mean", {channels}, mean).key(module + ".running_var", {channels}, variance);
        builder.ints(module + ".num_batches_tracked", {}, {7});
    }
};

std::vector<float> scaledRows(std::vector<float> values, const Norm& norm, float epsilon)
{
    const std::size_t rest = values.size() / norm.gamma.size();
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] *= norm.factor(i / rest, epsilon);
    return values;
}

std::shared_ptr<const Model> convolution(const std::vector<float>& weight, const std::vector<float>& bias)
{
    ModelBuilder builder;
    builder.input("x", {1, 3, 8, 8});
    builder.weight("onnx::Conv_1", {kOut, 3, 3, 3}, weight).weight("onnx::Conv_2", {kOut}, bias);
    return builder.node("Conv", "/conv/Conv", {"x", "onnx::Conv_1", "onnx::Conv_2"}, {"y"}).output("y").build();
}

TEST(Folded, BatchNormIsProvenBitForBit)
{
    const auto weight = randomValues(kOut * kRest, 1);
    const Norm norm(10);
    CheckpointBuilder stored;
    stored.key("other.weight", {kOut, 3, 3, 3}, randomValues(kOut * kRest, 2));
    Norm(20).store(stored, "other_bn");
    stored.key("conv.weight", {kOut, 3, 3, 3}, weight);
    norm.store(stored, "bn");
    const ContentCase found(convolution(scaledRows(weight, norm, 1e-5F), norm.bias(1e-5F)), stored.build());
    EXPECT_EQ(found.at("onnx::Conv_1"), (Owners{{"conv.weight", "bn.weight", "bn.running_var"}, "folded", "proof"}));
    EXPECT_EQ(found.at("onnx::Conv_2"),
        (Owners{{"bn.weight", "bn.bias", "bn.running_mean", "bn.running_var"}, "folded", "proof"}));
    EXPECT_EQ(found.match("onnx::Conv_1").transform.epsilon, 1e-5);
    EXPECT_EQ(found.match("onnx::Conv_1").transform.ulps, 0);
    EXPECT_THAT(found.match("onnx::Conv_1").evidence,
        testing::ElementsAre("recomputed (epsilon 1e-05, bit for bit) from 'conv.weight', 'bn.weight', "
                             "'bn.running_var', 540 elements"));
}

TEST(Folded, BiasOfTheConvolutionGoesInToo)
{
    const auto weight = randomValues(kOut * kRest, 1);
    const auto bias = randomValues(kOut, 2);
    const Norm norm(10);
    CheckpointBuilder stored;
    stored.key("conv.weight", {kOut, 3, 3, 3}, weight).key("conv.bias", {kOut}, bias);
    norm.store(stored, "bn");
    const ContentCase found(convolution(scaledRows(weight, norm, 1e-3F), norm.bias(1e-3F, bias)), stored.build());
    EXPECT_EQ(found.match("onnx::Conv_1").transform.epsilon, 1e-3);
    EXPECT_EQ(found.at("onnx::Conv_2"),
        (Owners{{"conv.bias", "bn.weight", "bn.bias", "bn.running_mean", "bn.running_var"}, "folded", "proof"}));
}

TEST(Folded, RoundingOfAnotherOrderOfOperationsIsAllowed)
{
    auto weight = randomValues(kOut * kRest, 1);
    const Norm norm(10);
    CheckpointBuilder stored;
    stored.key("conv.weight", {kOut, 3, 3, 3}, weight);
    norm.store(stored, "bn");
    for (std::size_t i = 0; i < weight.size(); ++i) // w * gamma first, then / sqrt
        weight[i] = weight[i] * norm.gamma[i / kRest] / std::sqrt(norm.variance[i / kRest] + 1e-5F);
    const ContentCase found(convolution(weight, norm.bias(1e-5F)), stored.build());
    EXPECT_EQ(found.at("onnx::Conv_1"), (Owners{{"conv.weight", "bn.weight", "bn.running_var"}, "folded", "proof"}));
    EXPECT_GT(found.match("onnx::Conv_1").transform.ulps, 0);
    EXPECT_LE(found.match("onnx::Conv_1").transform.ulps, 3);
}

TEST(Folded, GroupsOfATransposedConvolutionHaveTheirOwnChannels)
{
    constexpr std::size_t kIn = 4;
    constexpr std::size_t kPerGroup = 10; // two groups
    const auto weight = randomValues(kIn * kPerGroup * 4, 1);
    const Norm norm(10);
    auto folded = weight;
    for (std::size_t i = 0; i < kIn; ++i) {
        for (std::size_t o = 0; o < kPerGroup * 4; ++o)
            folded[i * kPerGroup * 4 + o] *= norm.factor(i / 2 * kPerGroup + o / 4, 1e-5F);
    }
    CheckpointBuilder stored;
    stored.key("up.weight", {kIn, kPerGroup, 2, 2}, weight);
    norm.store(stored, "bn");
    ModelBuilder builder;
    builder.input("x", {1, kIn, 8, 8})
        .weight("w", {kIn, kPerGroup, 2, 2}, folded)
        .weight("b", {kOut}, norm.bias(1e-5F));
    builder.node("ConvTranspose", "up", {"x", "w", "b"}, {"y"}, {{"group", std::int64_t{2}}}).output("y");
    const ContentCase found(builder.build(), stored.build());
    EXPECT_EQ(found.at("w"), (Owners{{"up.weight", "bn.weight", "bn.running_var"}, "folded", "proof"}));
    EXPECT_EQ(found.at("b").certainty, "proof");
}

TEST(Folded, TransposedLinearIsFoundToo)
{
    const auto weight = randomValues(kOut * 16, 1);
    const Norm norm(10);
    CheckpointBuilder stored;
    stored.key("fc.weight", {kOut, 16}, weight);
    norm.store(stored, "bn");
    ModelBuilder builder;
    builder.input("x", {1, 16});
    builder.weight("w", {16, kOut}, transposedValues(scaledRows(weight, norm, 1e-5F), kOut, 16));
    const ContentCase found(builder.node("MatMul", "fc", {"x", "w"}, {"y"}).output("y").build(), stored.build());
    EXPECT_EQ(found.at("w"), (Owners{{"fc.weight", "bn.weight", "bn.running_var"}, "folded", "proof"}));
    EXPECT_EQ(found.match("w").transform.axes, (std::vector<int>{1, 0}));
}

/// Two convolutions, each with a fresh batch norm behind it: the norms are all equal.
CheckpointBuilder freshBlocks(const std::vector<std::string>& modules)
{
    CheckpointBuilder stored;
    unsigned seed = 0;
    for (const std::string& module : modules) {
        if (module.find("conv") != std::string::npos)
            stored.key(module + ".weight", {kOut, 3, 3, 3}, randomValues(kOut * kRest, ++seed));
        else
            Norm::fresh().store(stored, module);
    }
    return stored;
}

TEST(Folded, OneOfSeveralEqualNormsIsAGuessBesideAProvenWeight)
{
    const auto model
        = convolution(scaledRows(randomValues(kOut * kRest, 2), Norm::fresh(), 1e-5F), std::vector<float>(kOut, 0));
    const ContentCase found(model, freshBlocks({"conv1", "bn1", "conv2", "bn2", "conv3", "bn3"}).build());
    EXPECT_EQ(found.at("onnx::Conv_1"), (Owners{{"conv2.weight"}, "folded", "proof"}));
    EXPECT_THAT(
        found.names(found.match("onnx::Conv_1").guessed), testing::ElementsAre("bn2.weight", "bn2.running_var"));
    EXPECT_EQ(found.at("onnx::Conv_2"),
        (Owners{{"bn2.weight", "bn2.bias", "bn2.running_mean", "bn2.running_var"}, "folded", "guess"}));
}

TEST(Folded, OnlyNormBesideTheConvolutionIsAWitness)
{
    const auto model
        = convolution(scaledRows(randomValues(kOut * kRest, 2), Norm::fresh(), 1e-5F), std::vector<float>(kOut, 0));
    const ContentCase found(model, freshBlocks({"a.conv", "a.bn", "b.conv", "b.bn"}).build());
    EXPECT_EQ(found.at("onnx::Conv_1"),
        (Owners{{"b.conv.weight", "b.bn.weight", "b.bn.running_var"}, "folded", "witnessed"}));
    EXPECT_EQ(found.at("onnx::Conv_2").certainty, "witnessed");
}

TEST(Folded, FactorThatNothingExplainsIsSaidToBeOne)
{
    auto weight = randomValues(kOut * kRest, 1);
    CheckpointBuilder stored;
    stored.key("conv.weight", {kOut, 3, 3, 3}, weight);
    for (float& value : weight)
        value *= 0.125F;
    const ContentCase found(convolution(weight, {0.5F}), stored.build());
    EXPECT_EQ(found.at("onnx::Conv_1"), (Owners{{"conv.weight"}, "scaled", "proof"}));
    EXPECT_EQ(found.match("onnx::Conv_1").evidence.front(), "one factor times 'conv.weight', 540 elements");
}

TEST(Folded, OneForeignElementIsNoMatch)
{
    const auto weight = randomValues(kOut * kRest, 1);
    const Norm norm(10);
    CheckpointBuilder stored;
    stored.key("conv.weight", {kOut, 3, 3, 3}, weight);
    norm.store(stored, "bn");
    auto folded = scaledRows(weight, norm, 1e-5F);
    folded[333] *= 1.001F;
    const ContentCase found(convolution(folded, norm.bias(1e-5F)), stored.build());
    EXPECT_EQ(found.at("onnx::Conv_1"), (Owners{{}, "none", ""}));
}

/// v scaled to length g, row by row.
std::vector<float> normed(std::vector<float> v, const std::vector<float>& g)
{
    const std::size_t rest = v.size() / g.size();
    for (std::size_t c = 0; c < g.size(); ++c) {
        float square = 0;
        for (std::size_t i = 0; i < rest; ++i)
            square += v[c * rest + i] * v[c * rest + i];
        for (std::size_t i = 0; i < rest; ++i)
            v[c * rest + i] = v[c * rest + i] * (g[c] / std::sqrt(square));
    }
    return v;
}

TEST(Folded, WeightNormIsRecomputed)
{
    const auto v = randomValues(kOut * kRest, 1);
    const auto g = randomValues(kOut, 2);
    for (const auto& [gName, vName] : {std::pair("c.weight_g", "c.weight_v"),
             std::pair("c.parametrizations.weight.original0", "c.parametrizations.weight.original1")}) {
        CheckpointBuilder stored;
        stored.key("c.bias", {kOut}, randomValues(kOut, 3));
        stored.key(gName, {kOut, 1, 1, 1}, g).key(vName, {kOut, 3, 3, 3}, v);
        const ContentCase found(convolution(normed(v, g), randomValues(kOut, 3)), stored.build());
        EXPECT_EQ(found.at("onnx::Conv_1"), (Owners{{vName, gName}, "weight norm", "proof"}));
        EXPECT_EQ(found.at("onnx::Conv_2"), (Owners{{"c.bias"}, "exact", "proof"}));
    }
}

TEST(Folded, SmallWeightNeedsAWitness)
{
    const auto v = randomValues(8, 1);
    const auto g = randomValues(4, 2);
    ModelBuilder builder;
    builder.input("x", {1, 2, 8, 8}).weight("onnx::Conv_1", {4, 2, 1, 1}, normed(v, g));
    const auto model = builder.node("Conv", "/c/Conv", {"x", "onnx::Conv_1"}, {"y"}).output("y").build();
    CheckpointBuilder stored;
    stored.key("c.parametrizations.weight.original0", {4, 1, 1, 1}, g);
    stored.key("c.parametrizations.weight.original1", {4, 2, 1, 1}, v);
    EXPECT_EQ(ContentCase(model, stored.build()).at("onnx::Conv_1").certainty, "undecided");
    ContentPriors priors;
    priors.modules = {"c"};
    EXPECT_EQ(ContentCase(model, stored.build(), priors).at("onnx::Conv_1"),
        (Owners{{"c.parametrizations.weight.original1", "c.parametrizations.weight.original0"}, "weight norm",
            "witnessed"}));
}

} // namespace
} // namespace duo::test
