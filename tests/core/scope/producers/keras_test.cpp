// SPDX-License-Identifier: Apache-2.0
// Keras through tf2onnx: name scopes are the calls of layers.
#include "tests/core/scope/producers/producer_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace duo::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

const std::string kCall = "StatefulPartitionedCall/";

TEST(KerasNames, LayersAreScopesAndOperationsAreNot)
{
    const auto found = producerFile("keras2_resnet");
    EXPECT_THAT(found.paths(found.scopes.execution),
        testing::IsSupersetOf(
            {"resnet_small", "resnet_small/stem_conv", "resnet_small/re_lu", "resnet_small/block0_conv1",
                "resnet_small/block0_add", "resnet_small/global_average_pooling2d", "resnet_small/dense_1"}));
    EXPECT_EQ(found.scopes.execution.scopes.size(), 15U);
    EXPECT_EQ(found.at(kCall + "resnet_small/dense/MatMul"),
        (Expected{"resnet_small/dense", {"resnet_small.dense"}, {}, false}));
    EXPECT_EQ(found.node(kCall + "resnet_small/dense/MatMul").keys.front(), "resnet_small.dense.MatMul/ReadVariableOp");
    EXPECT_EQ(found.provenance(kCall + "resnet_small/dense/MatMul"), "name/name");
}

TEST(KerasNames, HelpersOfTheConverterRunWithTheOperationTheyWereMadeFor)
{
    const auto found = producerFile("keras2_resnet");
    EXPECT_EQ(found.node(kCall + "resnet_small/stem_conv/Conv2D__6").execution, "resnet_small/stem_conv");
    EXPECT_EQ(found.node(kCall + "resnet_small/global_average_pooling2d/Mean_Squeeze__51").execution,
        "resnet_small/global_average_pooling2d");
}

TEST(KerasNames, EqualTensorsThatTheConverterKeptOnceAreNoSharedParameters)
{
    const auto found = producerFile("keras2_resnet"); // zeros: the biases of three convolutions
    for (const std::string layer : {"stem_conv", "block0_conv1", "block1_conv1"}) {
        const NodeScope& node = found.node(kCall + "resnet_small/" + layer + "/Conv2D");
        EXPECT_THAT(node.storage, ElementsAre("resnet_small." + layer));
        EXPECT_FALSE(node.differs);
    }
}

TEST(KerasNames, AConvolutionThatBearsTheNameOfItsBatchNormIsFoundByItsWeight)
{
    const auto found = producerFile("keras3_resnet");
    EXPECT_EQ(found.at("resnet_small_1/stem_bn_1/batchnorm/mul_1"),
        (Expected{"resnet_small_1/stem_conv_1", {"resnet_small_1.stem_conv_1"}, {}, false}));
    EXPECT_EQ(found.provenance("resnet_small_1/stem_bn_1/batchnorm/mul_1"), "dataflow/name");
}

TEST(KerasNames, AModelCalledTwiceUnderTwoNamesIsOneModule)
{
    const auto found = producerFile("keras3_nested");
    EXPECT_EQ(found.node(kCall + "nested_1/encoder_1/fc1_1/Tensordot/MatMul").execution, "nested_1/encoder_1/fc1_1");
    EXPECT_EQ(found.at(kCall + "nested_1/encoder_3/fc1_1/Tensordot/MatMul"),
        (Expected{"nested_1/encoder_1#1/fc1_1#1", {"nested_1.encoder_1.fc1_1"}, {"shared-module"}, true}));
    EXPECT_EQ(percentKnown(found), 100);
}

TEST(KerasNames, AModelCalledTwiceUnderOneNameIsTwoCalls)
{
    const auto found = producerFile("keras2_nested");
    EXPECT_EQ(found.node(kCall + "nested/encoder/fc1/Tensordot/MatMul").execution, "nested/encoder/fc1");
    EXPECT_EQ(found.node(kCall + "nested/encoder/fc1/Tensordot_1/MatMul").execution, "nested/encoder#1/fc1#1");
    EXPECT_EQ(found.node(kCall + "nested/encoder/norm/FusedBatchNormV3_1").execution, "nested/encoder#1/norm#1");
    EXPECT_EQ(found.node(kCall + "nested/encoder/norm/Reshape_1").execution,
        "nested/encoder/norm"); // between the calls' work
    EXPECT_EQ(percentKnown(found), 100);
}

TEST(KerasNames, AWeightUsedSeveralTimesWithinOneCallIsNoSecondCall)
{
    const auto found = producerFile("keras3_nested");
    EXPECT_EQ(found.node(kCall + "nested_1/time_distributed_1/MatMul_3").execution, "nested_1/time_distributed_1");
    EXPECT_EQ(found.scopes.storage.scope(found.scopes.storage.find("nested_1.time_distributed_1")).calls, 1);
}

TEST(KerasNames, ALayerOfASubclassedModelCalledTwiceIsOneModule)
{
    const auto found = producerFile("keras3_subclassed");
    EXPECT_EQ(found.node("sub_net_1/shared_3/Tensordot/MatMul").execution, "sub_net_1/shared_1#1");
    EXPECT_EQ(found.node("sub_net_1/block_0_1/layer_normalization_1_2/moments/mean").execution,
        "sub_net_1/block_0_1/layer_normalization_1_2"); // all ones: equal to the other norms', but another layer
    EXPECT_EQ(found.scopes.execution.scopes.size(), 26U);
    EXPECT_EQ(percentKnown(found), 100);
}

TEST(KerasNames, LoopsAndFunctionsAreNoScopes)
{
    const auto found = producerFile("keras3_rnn");
    EXPECT_EQ(found.node(kCall + "functional_2_1/gru_1/while_loop::body::functional_2_1/gru_1/while/gru_cell_1/MatMul")
                  .execution,
        "functional_2_1/gru_1/while_loop [body]/gru_cell_1");
    EXPECT_EQ(
        found.node("__inference_functional_2_1_gru_1_while_cond_23788_frozen_891_functional_2_1/gru_1/while/Less_1")
            .execution,
        "functional_2_1/gru_1");
}

TEST(KerasNames, JoinedNamesTellTheLayerThatFitsTheOperator)
{
    const auto found = producerFile("keras3_resnet_lite");
    EXPECT_EQ(found.node("resnet_small_1/re_lu_1/Relu;resnet_small_1/stem_conv_1/convolution").execution,
        "resnet_small_1/stem_conv_1");
    EXPECT_EQ(found.node("resnet_small_1/re_lu_1/Relu;resnet_small_1/stem_conv_1/convolution__15").execution,
        "resnet_small_1/stem_conv_1");
    EXPECT_EQ(found.node("Relu__5").execution, "resnet_small_1/re_lu_1");
    EXPECT_EQ(found.provenance("Identity").substr(0, 5), "guess"); // the softmax, named as the output
}

TEST(KerasNames, AConvolutionWithoutNameAndWeightIsAGuess)
{
    const auto found = producerFile("keras3_resnet_ort_all");
    EXPECT_EQ(found.provenance(kCall + "resnet_small_1/re_lu_1/Relu:0_nchwc").substr(0, 5), "guess");
    EXPECT_THAT(found.node(kCall + "resnet_small_1/re_lu_1/Relu:0_nchwc").keys, IsEmpty());
    EXPECT_EQ(found.provenance(kCall + "resnet_small_1/dense_1/MatMul"), "name/name");
}

TEST(KerasNames, ATrainedFileHasItsLayers)
{
    const auto found = producerFile("basic_pitch");
    EXPECT_EQ(found.scopes.execution.scopes.size(), 21U);
    EXPECT_GE(percentKnown(found), 98);
    const std::string name = "model_1/tf.expand_dims_1/ExpandDims;model_1/tf.expand_dims_1/ExpandDims";
    EXPECT_EQ(found.node(name).execution, "model_1/tf.expand_dims_1");
    EXPECT_FALSE(found.node(name).differs);
    EXPECT_EQ(
        found.node("model_1/cq_t2010v2_1/reflection_pad1d/MirrorPad;model_1/cq_t2010v2_1/reflection_pad1d/MirrorPad")
            .execution,
        "model_1/cq_t2010v2_1/reflection_pad1d");
    EXPECT_EQ(found.node("model_1/cq_t2010v2_1/conv1d/ExpandDims;model_1/cq_t2010v2_1/conv1d/ExpandDims").execution,
        "model_1/cq_t2010v2_1");
}

TEST(KerasNames, NamelessNodesOfAttentionAreToldWhereEveryProjectionHasABias)
{
    const auto found = producerFile("keras2_attention");
    EXPECT_GE(percentKnown(found), 97); // all but what the converter kept once for query, key and value
    const auto& rows = found.scopes.execution;
    for (const std::string projection : {"query", "key", "value"})
        EXPECT_TRUE(rows.find("encoder/block_0/multi_head_attention/" + projection).valid()) << projection;
}

} // namespace
} // namespace duo::test
