// SPDX-License-Identifier: Apache-2.0
// PaddlePaddle: nodes have no names, tensors begin with the name of their layer.
#include "tests/core/scope/producers/producer_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace duo::test {
namespace {

TEST(PaddleNames, LayersOwnTheTensorsThatBeginWithTheirNames)
{
    const auto found = producerFile("paddle_cls");
    const Scope& se = found.scopes.storage.scope(found.scopes.storage.find("conv5_se_2"));
    EXPECT_THAT(se.keys, testing::UnorderedElementsAre("conv5_se_2.weights", "conv5_se_2.offset"));
    const Scope& norm = found.scopes.storage.scope(found.scopes.storage.find("conv12_depthwise_bn"));
    EXPECT_THAT(norm.keys,
        testing::UnorderedElementsAre("conv12_depthwise_bn.scale", "conv12_depthwise_bn.offset",
            "conv12_depthwise_bn.mean", "conv12_depthwise_bn.variance"));
}

TEST(PaddleNames, WhereANodeRunsIsAGuess)
{
    const auto found = producerFile("paddle_rec");
    EXPECT_EQ(percentKnown(found), 0);
    EXPECT_THAT(found.node("p2o.MatMul.6").storage, testing::ElementsAre("linear_78"));
    EXPECT_EQ(found.provenance("p2o.MatMul.6"), "guess/name");
}

TEST(PaddleNames, NamesOfTheConverterAreNoLayers)
{
    const auto found = producerFile("paddle_net");
    EXPECT_THAT(found.paths(found.scopes.storage),
        testing::UnorderedElementsAre(
            "conv2d_0", "batch_norm2d_0", "conv2d_1", "batch_norm2d_1", "conv2d_2", "batch_norm2d_2", "linear_0"));
}

} // namespace
} // namespace duo::test
