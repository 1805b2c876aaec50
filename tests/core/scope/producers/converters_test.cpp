// SPDX-License-Identifier: Apache-2.0
// Real files of MXNet, Caffe, Core ML, Darknet, keras2onnx and scikit-learn: what their names tell, and nothing more.
#include "tests/core/scope/producers/producer_file.h"
#include "tests/support/model_builder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace duo::test {
namespace {

using testing::ElementsAre;

TEST(MxnetFiles, LayersOfGluonAreToldWithAndWithoutTensors)
{
    const auto found = producerFile("mxnet_residual");
    EXPECT_EQ(found.at("resnet_batchnorm0_fwd"), (Expected{"resnet_batchnorm0", {"resnet_batchnorm0"}, {}, false}));
    EXPECT_EQ(found.node("resnet_stage1_block1_relu0_fwd").execution, "resnet_stage1_block1_relu0");
    EXPECT_EQ(found.provenance("resnet_stage1_block1_relu0_fwd").substr(0, 4), "name");
}

TEST(MxnetFiles, AConvolutionWithoutANameIsFoundByItsTensorsAsAGuess)
{
    const auto found = producerFile("mxnet_residual");
    const std::string convolution = "Conv:resnet_stage1_block0_conv1_fwd";
    EXPECT_EQ(found.node(convolution).execution, "resnet_stage1_block0_conv1");
    EXPECT_THAT(found.node(convolution).storage, ElementsAre("resnet_stage1_block0_conv1"));
    EXPECT_EQ(found.provenance(convolution), "guess/name");
}

TEST(CaffeFiles, EveryNodeIsCalledAsItsLayer)
{
    const auto found = producerFile("caffe_residual");
    EXPECT_EQ(percentKnown(found), 100);
    EXPECT_EQ(found.node("res2a_branch2a_relu").execution, "res2a_branch2a_relu");
    EXPECT_EQ(found.node("res2a").execution, "res2a");
    EXPECT_EQ(found.node("fc5_Reshape").execution, "fc5"); // which the converter puts in front of it
    EXPECT_EQ(found.node("pool5_output").execution, "pool5");
}

TEST(CaffeFiles, ABatchNormKeepsTheTensorsOfTheScaleBehindIt)
{
    const auto found = producerFile("caffe_residual");
    EXPECT_THAT(
        found.node("bn2b_branch2a").storage, testing::UnorderedElementsAre("bn2b_branch2a", "scale2b_branch2a"));
}

TEST(CaffeFiles, ANameThatMayBeTheConvertersIsNotTold)
{
    const auto found = FoundScopes(ModelBuilder()
                                       .producer("caffe")
                                       .input("x", {1, 4})
                                       .weight("fc_W", {4, 4})
                                       .node("Gemm", "fc", {"x", "fc_W"}, {"y"})
                                       .node("Add", "fc_add", {"y", "x"}, {"z"})
                                       .output("z")
                                       .build());
    EXPECT_EQ(found.provenance("fc_add").substr(0, 5), "guess");
}

TEST(CaffeFiles, NodesThatCaffe2NumberedAreNoLayers)
{
    const auto found = FoundScopes(ModelBuilder()
                                       .producer("onnx-caffe2")
                                       .input("x", {1, 4})
                                       .weight("gpu_0/fc_w_0", {4, 4})
                                       .node("Gemm", "n0", {"x", "gpu_0/fc_w_0"}, {"y"})
                                       .node("Relu", "n1", {"y"}, {"z"})
                                       .output("z")
                                       .build());
    EXPECT_EQ(found.provenance("n0").substr(0, 5), "guess");
    EXPECT_EQ(found.provenance("n1").substr(0, 5), "guess");
}

TEST(CoreMlFiles, LayersThatLostTheirTensorsAreNotTold)
{
    const auto found = producerFile("coreml_net");
    EXPECT_EQ(found.provenance("convolution1"), "name/name");
    EXPECT_THAT(found.node("innerProduct").keys, ElementsAre("innerProduct.B", "innerProduct.C"));
    for (const std::string node : {"activation", "add1", "flatten", "softmax"}) // flatten: no work of innerProduct
        EXPECT_EQ(found.provenance(node).substr(0, 5), "guess") << node;
}

TEST(DarknetFiles, LayersAreNumberedModulesOfPyTorch)
{
    const auto found = producerFile("darknet_net");
    EXPECT_EQ(percentKnown(found), 100);
    EXPECT_EQ(found.at("/models.9/conv6/Conv"),
        (Expected{"models.9/conv6", {"models.9.conv6"}, {"container-skipped"}, false}));
}

TEST(Keras2OnnxFiles, ANodeIsCalledAsTheLayerWhoseTensorsItReads)
{
    const auto found = producerFile("keras2onnx_mos");
    EXPECT_EQ(found.at("conv2d_6"), (Expected{"conv2d_6", {"conv2d_6"}, {}, false}));
    EXPECT_THAT(found.node("conv2d_6").keys, ElementsAre("conv2d_6.kernel", "conv2d_6.bias"));
    EXPECT_EQ(found.provenance("conv2d_6"), "name/name");
    EXPECT_EQ(found.node("mos_estimator_small_1/dense_3/Relu").execution, "mos_estimator_small_1/dense_3");
}

TEST(Keras2OnnxFiles, NamesOfKindsAndOfValuesTellNothing)
{
    const auto found = producerFile("keras2onnx_mos");
    for (const std::string node : {"Relu4", "Transpose9", "mos_estimator_small_1/conv2d_5/Relu:0_pooling"})
        EXPECT_EQ(found.provenance(node).substr(0, 5), "guess") << node;
}

TEST(Keras2OnnxFiles, ALayerWithoutTensorsIsNoWorkOfTheOneBehindIt)
{
    const auto found = FoundScopes(ModelBuilder()
                                       .producer("keras2onnx")
                                       .input("x", {1, 2, 2})
                                       .weight("dense/kernel:0", {4, 4})
                                       .node("Flatten", "flatten", {"x"}, {"flatten/Reshape:0"})
                                       .node("MatMul", "dense", {"flatten/Reshape:0", "dense/kernel:0"}, {"y"})
                                       .output("y")
                                       .build());
    EXPECT_EQ(found.provenance("dense"), "name/name");
    EXPECT_EQ(found.provenance("flatten").substr(0, 5), "guess");
}

TEST(ScikitLearnFiles, NothingIsToldAndRepeatedBlocksAreGuessed)
{
    const auto found = producerFile("skl_mlp");
    EXPECT_EQ(percentKnown(found), 0);
    EXPECT_EQ(found.node("MatMul2").execution, "matmul-relu-1");
}

} // namespace
} // namespace duo::test
