// SPDX-License-Identifier: Apache-2.0
// Values that a fresh network is full of: equal ones, zeros, ones, grids. They say nothing without a second witness.
#include "tests/core/content/content_case.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace duo::test {
namespace {

constexpr std::int64_t kWidth = 32;
const std::vector<float> kZeros(kWidth, 0);
const std::vector<float> kOnes(kWidth, 1);

bool isFact(const Owners& owners)
{
    return owners.certainty == "proof" || owners.certainty == "witnessed";
}

CheckpointBuilder& addNorm(CheckpointBuilder& builder, const std::string& module)
{
    builder.key(module + ".weight", {kWidth}, kOnes).key(module + ".bias", {kWidth}, kZeros);
    return builder.key(module + ".running_mean", {kWidth}, kZeros).key(module + ".running_var", {kWidth}, kOnes);
}

/// Two batch norms with all their tensors renamed; `first` and `second` are the nodes' names.
std::shared_ptr<const Model> twoNorms(const std::string& first, const std::string& second)
{
    ModelBuilder builder;
    builder.input("x", {1, kWidth, 4, 4});
    for (const std::string layer : {"a", "b"}) {
        builder.weight(layer + "_gamma", {kWidth}, {1}).weight(layer + "_beta", {kWidth}, {0});
        builder.weight(layer + "_mean", {kWidth}, {0}).weight(layer + "_var", {kWidth}, {1});
    }
    builder.node("BatchNormalization", first, {"x", "a_gamma", "a_beta", "a_mean", "a_var"}, {"h"});
    builder.node("BatchNormalization", second, {"h", "b_gamma", "b_beta", "b_mean", "b_var"}, {"y"});
    return builder.output("y").build();
}

TEST(Degenerate, TwoEqualNormsAreNoFactWithoutAWitness)
{
    CheckpointBuilder stored;
    addNorm(addNorm(stored, "stem.norm"), "head.norm");
    const ContentCase found(twoNorms("n1", "n2"), stored.build());
    for (const char* tensor : {"a_gamma", "a_beta", "a_mean", "a_var", "b_gamma", "b_beta", "b_mean", "b_var"})
        EXPECT_FALSE(isFact(found.at(tensor))) << tensor << " " << found.at(tensor);
}

TEST(Degenerate, TheOnlyNormIsNoFactEither)
{
    CheckpointBuilder stored;
    addNorm(stored, "norm");
    const ContentCase found(twoNorms("n1", "n2"), stored.build());
    for (const char* tensor : {"a_gamma", "a_beta", "b_mean", "b_var"})
        EXPECT_FALSE(isFact(found.at(tensor))) << tensor << " " << found.at(tensor);
}

TEST(Degenerate, TheRunningModuleTellsEqualNormsApart)
{
    CheckpointBuilder stored;
    addNorm(addNorm(stored, "stem.norm"), "head.norm");
    ContentPriors priors;
    priors.modules = {"head.norm", "stem.norm"};
    const ContentCase found(twoNorms("n1", "n2"), stored.build(), priors);
    EXPECT_EQ(found.at("a_gamma").keys, (std::vector<std::string>{"head.norm.weight"}));
    EXPECT_EQ(found.at("b_gamma").keys, (std::vector<std::string>{"stem.norm.weight"}));
    EXPECT_TRUE(isFact(found.at("a_gamma")));
}

/// A convolution of which only zeros are left: the norm behind it began with a gamma of zeros, and was folded.
TEST(Degenerate, ZeroGammaLeavesNothingToProve)
{
    ModelBuilder builder;
    builder.input("x", {1, 4, 8, 8}).weight("w", {kWidth, 4, 3, 3}, {0}).weight("b", {kWidth}, {0});
    builder.node("Conv", "conv", {"x", "w", "b"}, {"y"}).output("y");
    CheckpointBuilder stored;
    for (const std::string block : {"block1", "block2"}) {
        stored.key(block + ".conv.weight", {kWidth, 4, 3, 3}, randomValues(kWidth * 36, block == "block1" ? 1 : 2));
        stored.key(block + ".bn.weight", {kWidth}, kZeros).key(block + ".bn.bias", {kWidth}, kZeros);
        stored.key(block + ".bn.running_mean", {kWidth}, kZeros).key(block + ".bn.running_var", {kWidth}, kOnes);
    }
    const ContentCase found(builder.build(), stored.build());
    EXPECT_FALSE(isFact(found.at("w"))) << found.at("w");
    EXPECT_FALSE(isFact(found.at("b"))) << found.at("b");
}

/// Some channels of the gamma are zero: those that are left prove the weight.
TEST(Degenerate, ChannelsOfZerosDoNotHideTheOthers)
{
    const auto weight = randomValues(kWidth * 36, 1);
    std::vector<float> gamma = randomValues(kWidth, 2);
    std::fill(gamma.begin(), gamma.begin() + 5, 0.F);
    std::vector<float> folded = weight;
    for (std::size_t i = 0; i < folded.size(); ++i)
        folded[i] *= gamma[i / 36] / std::sqrt(1 + 1e-5F);
    ModelBuilder builder;
    builder.input("x", {1, 4, 8, 8}).weight("w", {kWidth, 4, 3, 3}, folded).weight("b", {kWidth}, {0});
    builder.node("Conv", "conv", {"x", "w", "b"}, {"y"}).output("y");
    CheckpointBuilder stored;
    stored.key("conv.weight", {kWidth, 4, 3, 3}, weight);
    stored.key("bn.weight", {kWidth}, gamma).key("bn.bias", {kWidth}, kZeros);
    stored.key("bn.running_mean", {kWidth}, kZeros).key("bn.running_var", {kWidth}, kOnes);
    const ContentCase found(builder.build(), stored.build());
    EXPECT_EQ(found.at("w"), (Owners{{"conv.weight", "bn.weight", "bn.running_var"}, "folded", "proof"}));
}

std::shared_ptr<const Model> tableReader(const std::vector<float>& table, std::vector<std::int64_t> dims)
{
    ModelBuilder builder;
    builder.input("x", dims).weight("c", dims, table);
    return builder.node("Add", "add", {"x", "c"}, {"y"}).output("y").build();
}

TEST(Degenerate, GridsAreMadeAnywhere)
{
    std::vector<float> arange;
    std::vector<float> grid;
    std::vector<float> spaced;
    for (int i = 0; i < 256; ++i) {
        arange.push_back(static_cast<float>(i));
        grid.push_back(static_cast<float>(i % 16) / 15);
        spaced.push_back(-1 + static_cast<float>(i) * 2 / 255);
    }
    for (const auto& table : {arange, grid, spaced}) {
        const ContentCase found(
            tableReader(table, {16, 16}), CheckpointBuilder().key("positions", {16, 16}, table).build());
        EXPECT_EQ(found.at("c"), (Owners{{}, "exact", "undecided"})) << table[1];
    }
}

TEST(Degenerate, AGridWithItsNameIsWitnessed)
{
    std::vector<float> arange(256);
    for (std::size_t i = 0; i < arange.size(); ++i)
        arange[i] = static_cast<float>(i);
    ContentPriors priors;
    priors.modules = {"table"};
    const ContentCase found(tableReader(arange, {16, 16}),
        CheckpointBuilder().key("table.positions", {16, 16}, arange).key("other", {16, 16}, arange).build(), priors);
    EXPECT_EQ(found.at("c"), (Owners{{"table.positions"}, "exact", "witnessed"}));
}

/// Two layers hold each other's former weights, which are equal: nothing in the values says which is which.
TEST(Degenerate, SwappedEqualWeightsGoByTheRunningModuleOnly)
{
    const auto weight = randomValues(1024, 1);
    ModelBuilder builder;
    builder.input("x", {4, 32}).weight("w2", {32, 32}, weight).weight("w1", {32, 32}, weight);
    builder.node("MatMul", "m1", {"x", "w2"}, {"h"}).node("MatMul", "m2", {"h", "w1"}, {"y"}).output("y");
    const auto model = builder.build();
    const CheckpointBuilder stored
        = CheckpointBuilder().key("one.weight", {32, 32}, weight).key("two.weight", {32, 32}, weight).recordsTies();
    const ContentCase alone(model, stored.build());
    EXPECT_FALSE(isFact(alone.at("w1")) || isFact(alone.at("w2")));
    ContentPriors priors;
    priors.modules = {"two", "one"};
    const ContentCase placed(model, stored.build(), priors);
    EXPECT_EQ(placed.at("w2"), (Owners{{"two.weight"}, "exact", "witnessed"}));
    EXPECT_EQ(placed.at("w1"), (Owners{{"one.weight"}, "exact", "witnessed"}));
}

/// Several layers of other weights share the values of their biases, and the exporter kept no name.
TEST(Degenerate, IdenticalBiasesGoWithTheWeightsBesideThem)
{
    const auto bias = randomValues(32, 9);
    ModelBuilder builder;
    builder.input("x", {4, 32}).weight("b", {32}, bias).weight("lone", {32}, bias);
    CheckpointBuilder stored;
    std::string before = "x";
    for (const std::string layer : {"p", "q"}) {
        const auto weight = randomValues(1024, layer == "p" ? 1 : 2);
        builder.weight("w_" + layer, {32, 32}, weight);
        builder.node("Gemm", "gemm_" + layer, {before, "w_" + layer, "b"}, {"h_" + layer});
        before = "h_" + layer;
        stored.key(layer + ".weight", {32, 32}, weight).key(layer + ".bias", {32}, bias);
    }
    builder.node("Max", "max", {before, "lone"}, {"y"}).output("y");
    const ContentCase found(builder.build(), stored.build());
    EXPECT_EQ(found.at("b", "gemm_p"), (Owners{{"p.bias"}, "exact", "witnessed"}));
    EXPECT_EQ(found.at("b", "gemm_q"), (Owners{{"q.bias"}, "exact", "witnessed"}));
    EXPECT_FALSE(isFact(found.at("lone"))) << found.at("lone");
}

} // namespace
} // namespace duo::test
