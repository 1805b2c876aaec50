// SPDX-License-Identifier: Apache-2.0
// Tensors whose elements are those of one stored tensor, moved or not.
#include "tests/core/content/content_case.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace duo::test {
namespace {

/// A model of one product per weight: y_i = x MatMul weight_i.
std::shared_ptr<const Model> products(
    const std::vector<std::pair<std::string, std::vector<float>>>& weights, std::vector<std::int64_t> dims)
{
    ModelBuilder builder;
    builder.input("x", {4, dims.front()});
    for (const auto& [name, values] : weights) {
        builder.weight(name, dims, values);
        builder.node("MatMul", "/" + name + "/MatMul", {"x", name}, {name + "_out"}).output(name + "_out");
    }
    return builder.build();
}

TEST(EqualValues, SameNameAndBytesAreAProof)
{
    const auto values = randomValues(48, 1);
    const ContentCase found(
        products({{"fc.weight", values}}, {8, 6}), CheckpointBuilder().key("fc.weight", {8, 6}, values).build());
    EXPECT_EQ(found.at("fc.weight"), (Owners{{"fc.weight"}, "name", "proof"}));
    EXPECT_THAT(found.match("fc.weight").evidence,
        testing::ElementsAre("equal to 'fc.weight', 48 elements", "the file names it 'fc.weight'"));
}

TEST(EqualValues, AnotherNameIsFound)
{
    const auto values = randomValues(48, 1);
    const ContentCase found(products({{"onnx::MatMul_7", values}}, {8, 6}),
        CheckpointBuilder().key("a.weight", {8, 6}, randomValues(48, 2)).key("b.weight", {8, 6}, values).build());
    EXPECT_EQ(found.at("onnx::MatMul_7"), (Owners{{"b.weight"}, "exact", "proof"}));
}

TEST(EqualValues, TransposedMatrixIsFound)
{
    const auto values = randomValues(48, 1);
    const ContentCase found(products({{"onnx::MatMul_7", transposedValues(values, 6, 8)}}, {8, 6}),
        CheckpointBuilder().key("fc.weight", {6, 8}, values).build());
    EXPECT_EQ(found.at("onnx::MatMul_7"), (Owners{{"fc.weight"}, "transposed", "proof"}));
    EXPECT_EQ(found.match("onnx::MatMul_7").transform.axes, (std::vector<int>{1, 0}));
    EXPECT_EQ(
        found.match("onnx::MatMul_7").evidence.front(), "equal to 'fc.weight', axes in the order 1, 0, 48 elements");
}

TEST(EqualValues, SquareMatrixIsTransposedOnlyIfItIs)
{
    const auto values = randomValues(64, 1);
    const ContentCase found(products({{"a", values}, {"b", transposedValues(values, 8, 8)}}, {8, 8}),
        CheckpointBuilder().key("fc.weight", {8, 8}, values).build());
    EXPECT_EQ(found.at("a"), (Owners{{"fc.weight"}, "exact", "proof"}));
    EXPECT_EQ(found.at("b"), (Owners{{"fc.weight"}, "transposed", "proof"}));
}

TEST(EqualValues, AxesOfAConvolutionMayHaveMoved)
{
    const auto values = randomValues(2 * 3 * 4 * 5, 1); // [2, 3, 4, 5] -> [4, 5, 3, 2]
    std::vector<float> moved;
    for (std::size_t h = 0; h < 4; ++h) {
        for (std::size_t w = 0; w < 5; ++w) {
            for (std::size_t i = 0; i < 3; ++i) {
                for (std::size_t o = 0; o < 2; ++o)
                    moved.push_back(values[((o * 3 + i) * 4 + h) * 5 + w]);
            }
        }
    }
    const ContentCase found(
        products({{"k", moved}}, {4, 5, 3, 2}), CheckpointBuilder().key("conv.weight", {2, 3, 4, 5}, values).build());
    EXPECT_EQ(found.at("k"), (Owners{{"conv.weight"}, "permuted", "proof"}));
    EXPECT_EQ(found.match("k").transform.axes, (std::vector<int>{2, 3, 1, 0}));
}

TEST(EqualValues, ReshapedBeforeTransposedIsFound)
{
    const auto values = randomValues(48, 1); // [6, 8] seen as [2, 3, 8], then [8, 2, 3] with the heads in front
    std::vector<float> moved;
    for (std::size_t head = 0; head < 2; ++head) {
        for (std::size_t c = 0; c < 8; ++c) {
            for (std::size_t d = 0; d < 3; ++d)
                moved.push_back(values[(head * 3 + d) * 8 + c]);
        }
    }
    const ContentCase found(
        products({{"k", moved}}, {2, 8, 3}), CheckpointBuilder().key("q.weight", {6, 8}, values).build());
    EXPECT_EQ(found.at("k"), (Owners{{"q.weight"}, "permuted", "proof"}));
}

TEST(EqualValues, AnotherShapeOfTheSameBytesIsReshaped)
{
    const auto values = randomValues(48, 1);
    const ContentCase found(products({{"k", values}}, {2, 24}), CheckpointBuilder().key("w", {6, 8}, values).build());
    EXPECT_EQ(found.at("k"), (Owners{{"w"}, "reshaped", "proof"}));
}

TEST(EqualValues, SameElementsInNoOrderOfTheAxesAreNoMatch)
{
    auto values = randomValues(48, 1);
    const auto stored = values;
    std::swap(values[5], values[17]);
    const ContentCase found(products({{"k", values}}, {8, 6}), CheckpointBuilder().key("w", {8, 6}, stored).build());
    EXPECT_EQ(found.at("k"), (Owners{{}, "none", ""}));
    EXPECT_EQ(found.found.coverage.found, 0);
}

TEST(EqualValues, UnequalValuesUnderOneNameAreReported)
{
    const ContentCase found(products({{"fc.weight", randomValues(48, 1)}}, {8, 6}),
        CheckpointBuilder().key("fc.weight", {8, 6}, randomValues(48, 2)).build());
    EXPECT_EQ(found.at("fc.weight"), (Owners{{}, "none", ""}));
    ASSERT_EQ(found.found.unequalNames.size(), 1U);
    EXPECT_EQ(found.found.unequalNames[0].key, 0U);
}

TEST(EqualValues, RecordedTieHasOneOwnerAndAliases)
{
    const auto values = randomValues(48, 1);
    const ContentCase found(products({{"onnx::MatMul_7", transposedValues(values, 6, 8)}}, {8, 6}),
        CheckpointBuilder().key("emb.weight", {6, 8}, values).tie("head.weight", "emb.weight").recordsTies().build());
    EXPECT_EQ(found.at("onnx::MatMul_7"), (Owners{{"emb.weight"}, "transposed", "proof"}));
    EXPECT_THAT(found.names(found.match("onnx::MatMul_7").aliases), testing::ElementsAre("head.weight"));
    EXPECT_EQ(found.found.coverage.found, 2);
}

TEST(EqualValues, CoverageCountsKeysByHowTheyWereFound)
{
    const auto a = randomValues(48, 1);
    const auto b = randomValues(48, 2);
    const ContentCase found(products({{"a.weight", a}, {"onnx::MatMul_9", transposedValues(b, 6, 8)}}, {8, 6}),
        CheckpointBuilder()
            .key("a.weight", {8, 6}, a)
            .key("b.weight", {6, 8}, b)
            .key("never.weight", {6, 8}, randomValues(48, 3))
            .build());
    EXPECT_EQ(found.found.coverage.keys, 3);
    EXPECT_EQ(found.found.coverage.found, 2);
    EXPECT_THAT(found.found.coverage.foundBy,
        testing::ElementsAre(testing::Pair(MatchKind::Name, 1), testing::Pair(MatchKind::Transposed, 1)));
    EXPECT_EQ(found.found.coverage.tensors, 2);
    EXPECT_EQ(found.found.coverage.matched, 2);
}

} // namespace
} // namespace duo::test
