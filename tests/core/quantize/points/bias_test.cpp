// SPDX-License-Identifier: Apache-2.0
#include "core/quantize/points/weights.h"

#include "core/quantize/points/setup_parameters.h"
#include "tests/core/quantize/placed.h"
#include "tests/support/model_builder.h"

#include <gtest/gtest.h>

using duo::test::ModelBuilder;
using duo::test::placed;

namespace duo {
namespace {

ModelBuilder productWithAdd(std::vector<std::int64_t> biasDims)
{
    ModelBuilder builder;
    builder.input("x", {1, 4}).weight("w", {4, 4}).weight("b", std::move(biasDims));
    builder.node("MatMul", "product", {"x", "w"}, {"p"}).node("Add", "add", {"b", "p"}, {"y"});
    return builder;
}

TEST(BiasOf, FindsTheVectorAddedToAProduct)
{
    const auto model = productWithAdd({4}).output("y").build();
    const auto bias = biasOf(*model, model->findNode("product"));
    ASSERT_TRUE(bias);
    EXPECT_EQ(model->node(bias->node).name, "add");
    EXPECT_EQ(bias->port, 0U);
}

TEST(BiasOf, LooksBehindTheIdentitiesOfEqualValues)
{
    const auto model = ModelBuilder()
                           .input("x", {1, 2, 4, 4})
                           .weight("w", {2, 2, 1, 1})
                           .weight("a.bias", {2})
                           .node("Identity", "Identity_0", {"a.bias"}, {"b.bias"})
                           .node("Conv", "conv", {"x", "w", "b.bias"}, {"y"})
                           .output("y")
                           .build();
    EXPECT_TRUE(biasOf(*model, model->findNode("conv")));
    EXPECT_EQ(effectiveBias(*model, model->findNode("conv")).size(), 2U);
}

TEST(BiasOf, IsNothingWhereTheProductIsReadElsewhereOrTheConstantIsNoVector)
{
    const auto matrix = productWithAdd({4, 4}).output("y").build();
    EXPECT_FALSE(biasOf(*matrix, matrix->findNode("product")));
    const auto read = productWithAdd({4}).node("Tanh", "tanh", {"p"}, {"z"}).output("y").output("z").build();
    EXPECT_FALSE(biasOf(*read, read->findNode("product")));
}

TEST(BiasOf, OneNumberForAllChannelsIsNone)
{
    const auto model = productWithAdd({1}).output("y").build();
    EXPECT_FALSE(biasOf(*model, model->findNode("product"))) << "no Gemm of ONNX Runtime adds it";
    EXPECT_TRUE(addedBiasOf(*model, model->findNode("product")));
}

TEST(BiasOf, ARowIsABiasOfAProductOfMatrices)
{
    const auto matrix = productWithAdd({1, 4}).output("y").build();
    ASSERT_TRUE(biasOf(*matrix, matrix->findNode("product")));
    EXPECT_EQ(effectiveBias(*matrix, matrix->findNode("product")).size(), 4U);
    const auto stack = ModelBuilder()
                           .input("x", {1, 2, 4})
                           .weight("w", {4, 4})
                           .weight("b", {1, 4})
                           .node("MatMul", "product", {"x", "w"}, {"p"})
                           .node("Add", "add", {"p", "b"}, {"y"})
                           .output("y")
                           .build();
    EXPECT_FALSE(biasOf(*stack, stack->findNode("product"))) << "the engine adds it by itself";
}

TEST(BiasOf, OfAProductOfMoreThanAMatrixIsWhereAllSizesAreKnown)
{
    for (const std::int64_t steps : {3, -1}) {
        const auto model = ModelBuilder()
                               .input("x", {1, steps, 4})
                               .weight("w", {4, 4})
                               .weight("b", {4})
                               .node("MatMul", "product", {"x", "w"}, {"p"})
                               .node("Add", "add", {"b", "p"}, {"y"})
                               .output("y")
                               .build();
        EXPECT_EQ(biasOf(*model, model->findNode("product")).has_value(), steps > 0);
        const auto added = addedBiasOf(*model, model->findNode("product"));
        ASSERT_TRUE(added);
        EXPECT_EQ(model->node(added->node).name, "add");
    }
}

TEST(SetupParameters, GiveATableAndItsRowsTheRangeOfTheTable)
{
    const auto model = ModelBuilder()
                           .input("ids", {1, 8}, ElementType::Int64)
                           .weight("table", {100, 4}, {-1.0F, 3.0F})
                           .node("Gather", "lookup", {"table", "ids"}, {"rows"})
                           .node("Tanh", "tanh", {"rows"}, {"y"})
                           .output("y")
                           .build();
    const Placement placement = placed(*model);
    const auto parameters
        = setupParameters(*model, placement.setup, {{"rows", {{-0.5F, 0.5F}}}}, QuantizationSettings{}, 1, {});
    ASSERT_TRUE(parameters);
    ASSERT_EQ(parameters->size(), 2U);
    EXPECT_EQ(parameters->at(0), parameters->at(1));
    EXPECT_NEAR(parameters->at(0).scale.front(), 4.0F / 255.0F, 1e-4F);
}

} // namespace
} // namespace duo
