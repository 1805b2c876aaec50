// SPDX-License-Identifier: Apache-2.0
// The rows of the engine (tests/core/analysis/product_rows.cpp) say the same.
#include "core/transform/gemm_fusion.h"

#include "core/transform/known_ranks.h"
#include "tests/support/model_builder.h"

#include <gtest/gtest.h>

namespace duo::test {
namespace {

using Dims = std::vector<std::int64_t>;

/// x [data] by a weight [8, 8], and a constant [added] behind it.
std::shared_ptr<const Model> sumOf(const Dims& data, const Dims& added)
{
    return ModelBuilder()
        .input("x", data)
        .weight("w", {8, 8})
        .weight("b", added)
        .node("MatMul", "product", {"x", "w"}, {"p"})
        .node("Add", "add", {"b", "p"}, {"y"})
        .output("y")
        .build();
}

GemmFusion fusionOf(const Model& model)
{
    const NodeId product = model.findNode("product");
    return gemmFusion(model, product, *addedBehind(model, product));
}

TEST(GemmFusion, OfAMatrixTakesWhatAGemmCanAdd)
{
    for (const Dims& added : {Dims{8}, Dims{1, 8}, Dims{4, 1}, Dims{4, 8}})
        EXPECT_EQ(fusionOf(*sumOf({4, 8}, added)), GemmFusion::Yes) << added.size() << " axes";
    for (const Dims& added : {Dims{1}, Dims{}, Dims{1, 1}, Dims{1, 4, 8}})
        EXPECT_EQ(fusionOf(*sumOf({4, 8}, added)), GemmFusion::No) << added.size() << " axes";
    EXPECT_EQ(fusionOf(*sumOf({-1, 8}, {8})), GemmFusion::Yes);
}

TEST(GemmFusion, OfOtherAxesWantsAllSizesAndAVector)
{
    EXPECT_EQ(fusionOf(*sumOf({1, 4, 8}, {8})), GemmFusion::Yes);
    EXPECT_EQ(fusionOf(*sumOf({8}, {8})), GemmFusion::Yes);
    EXPECT_EQ(fusionOf(*sumOf({-1, 4, 8}, {8})), GemmFusion::No);
    EXPECT_EQ(fusionOf(*sumOf({1, 4, 8}, {1, 8})), GemmFusion::No);
}

TEST(GemmFusion, IsNotToldWhereNothingTellsTheAxes)
{
    ModelBuilder builder;
    builder.input("x", {4, 8}).weight("w", {8, 8}).weight("b", {8});
    builder.node("Relu", "relu", {"x"}, {"r"}).node("MatMul", "product", {"r", "w"}, {"p"});
    const auto model = builder.node("Add", "add", {"p", "b"}, {"y"}).output("y").build();
    EXPECT_EQ(fusionOf(*model), GemmFusion::NotTold);
    const NodeId product = model->findNode("product");
    const KnownRanks ranks(*model);
    EXPECT_EQ(gemmFusion(*model, product, *addedBehind(*model, product), &ranks), GemmFusion::Yes);
}

TEST(AddedBehind, IsReadByTheAddAlone)
{
    const auto model = sumOf({4, 8}, {8});
    const auto added = addedBehind(*model, model->findNode("product"));
    ASSERT_TRUE(added);
    EXPECT_EQ(model->node(added->add).name, "add");
    EXPECT_EQ(added->port, 0U);
    EXPECT_FALSE(addedBehind(*model, added->add));
    ModelBuilder builder;
    builder.input("x", {4, 8}).weight("w", {8, 8}).weight("b", {8});
    builder.node("MatMul", "product", {"x", "w"}, {"p"}).node("Add", "add", {"p", "b"}, {"y"});
    const auto given = builder.output("y").output("p").build();
    EXPECT_FALSE(addedBehind(*given, given->findNode("product")));
}

} // namespace
} // namespace duo::test
