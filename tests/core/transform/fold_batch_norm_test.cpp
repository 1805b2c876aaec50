// SPDX-License-Identifier: Apache-2.0
#include "core/transform/fold_batch_norm.h"

#include "tests/support/model_builder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using duo::test::ModelBuilder;

namespace duo {
namespace {

ModelBuilder convolutionWithNorm()
{
    ModelBuilder builder;
    builder.input("x", {1, 2, 4, 4}).weight("w", {3, 2, 1, 1});
    for (const char* name : {"gamma", "beta", "mean", "variance"})
        builder.weight(name, {3});
    builder.node("Conv", "conv", {"x", "w"}, {"a"});
    builder.node("BatchNormalization", "norm", {"a", "gamma", "beta", "mean", "variance"}, {"y"});
    return builder;
}

TEST(FoldBatchNorm, TakesTheNormOutAndGivesItsNameToTheConvolution)
{
    const auto model = convolutionWithNorm().output("y").build();
    const NodeId conv = model->findNode("conv");
    const PassResult result = foldBatchNorms(*model, {conv});
    ASSERT_TRUE(result.edits);
    EXPECT_THAT(result.edits->removedNodes, testing::ElementsAre(model->findNode("norm")));
    ASSERT_EQ(result.edits->outputs.size(), 1U);
    EXPECT_EQ(result.edits->outputs.front().node, conv);
    EXPECT_EQ(result.edits->outputs.front().value, "y");
}

TEST(FoldBatchNorm, LeavesConvolutionsAloneThatAreNotWritten)
{
    const auto model = convolutionWithNorm().output("y").build();
    EXPECT_FALSE(foldBatchNorms(*model, {}).edits);
}

TEST(FoldBatchNorm, LeavesANormThatGivesNothing)
{
    ModelBuilder builder;
    builder.input("x", {1, 2, 4, 4}).weight("w", {3, 2, 1, 1});
    for (const char* name : {"gamma", "beta", "mean", "variance"})
        builder.weight(name, {3});
    builder.node("Conv", "conv", {"x", "w"}, {"a"});
    builder.node("BatchNormalization", "norm", {"a", "gamma", "beta", "mean", "variance"}, {});
    const auto model = builder.build();
    EXPECT_FALSE(foldBatchNorms(*model, {model->findNode("conv")}).edits);
}

TEST(FoldBatchNorm, LeavesANormWhoseFactorsAreInfinite)
{
    ModelBuilder builder;
    builder.input("x", {1, 2, 4, 4}).weight("w", {3, 2, 1, 1});
    for (const char* name : {"gamma", "beta", "mean"})
        builder.weight(name, {3});
    builder.weight("variance", {3}, {1, 0, 1}).node("Conv", "conv", {"x", "w"}, {"a"});
    builder.node("BatchNormalization", "norm", {"a", "gamma", "beta", "mean", "variance"}, {"y"}, {{"epsilon", 0.0F}});
    const auto model = builder.output("y").build();
    EXPECT_FALSE(foldBatchNorms(*model, {model->findNode("conv")}).edits);
}

TEST(FoldBatchNorm, LeavesANormWhoseInputOthersRead)
{
    const auto model = convolutionWithNorm().node("Relu", "relu", {"a"}, {"z"}).output("y").output("z").build();
    EXPECT_FALSE(foldBatchNorms(*model, {model->findNode("conv")}).edits);
}

} // namespace
} // namespace duo
