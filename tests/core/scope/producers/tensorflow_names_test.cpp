// SPDX-License-Identifier: Apache-2.0
#include "core/scope/producers/tensorflow_names.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace duo::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string_view> scopesOf(std::string_view name, const OperationNames& operations = {})
{
    const auto apart = takenApart(plainOperationName(name).text, operations);
    return apart ? apart->scopes : std::vector<std::string_view>{"not taken apart"};
}

TEST(TensorFlowNames, OperationsAreNoScopes)
{
    EXPECT_THAT(scopesOf("model_1/block1/conv/Conv2D"), ElementsAre("model_1", "block1", "conv"));
    EXPECT_THAT(scopesOf("model/dense/MatMul/ReadVariableOp:0"), ElementsAre("model", "dense"));
    EXPECT_THAT(scopesOf("model/norm/moments/SquaredDifference__12"), ElementsAre("model", "norm"));
    EXPECT_THAT(scopesOf("model/cell/split/ReadVariableOp/resource:0"), ElementsAre("model", "cell"));
    EXPECT_THAT(scopesOf("MatMul"), IsEmpty());
}

TEST(TensorFlowNames, AScopeThatIsAnOperationItselfBelongsToIt)
{
    EXPECT_THAT(scopesOf("model/cq/conv1d/ExpandDims", {"model/cq/conv1d"}), ElementsAre("model", "cq"));
    EXPECT_THAT(scopesOf("model/conv1d/ExpandDims"), ElementsAre("model", "conv1d"));
}

TEST(TensorFlowNames, ALayerMayBeCalledAsItsOperation)
{
    EXPECT_THAT(scopesOf("model/Relu/Relu"), ElementsAre("model", "Relu"));
    EXPECT_THAT(scopesOf("model/add/add"), ElementsAre("model", "add"));
}

TEST(TensorFlowNames, FunctionsAndControlFlowAreNoScopes)
{
    EXPECT_THAT(scopesOf("StatefulPartitionedCall/model/gru/PartitionedCall_1/while/cell/MatMul"),
        ElementsAre("model", "gru", "cell"));
    EXPECT_THAT(scopesOf("jax2tf_f_/pjit_g_/Net/Dense_0/einsum/Einsum"), ElementsAre("Net", "Dense_0"));
    EXPECT_THAT(
        scopesOf("ConstantFolding/jax2tf_f_/Net/LayerNorm_1/truediv_recip:0"), ElementsAre("Net", "LayerNorm_1"));
    EXPECT_THAT(scopesOf("cond___net/gru/while/Less__52"), ElementsAre("net", "gru"));
}

TEST(TensorFlowNames, HostileNamesAreNotTakenApart)
{
    EXPECT_FALSE(takenApart("", {}));
    EXPECT_FALSE(takenApart("a//b", {}));
    EXPECT_FALSE(takenApart(std::string(1001, 'a'), {}));
    std::string deep = "a";
    for (int i = 0; i < 70; ++i)
        deep += "/a";
    EXPECT_FALSE(takenApart(deep, {}));
}

TEST(TensorFlowNames, NamesOfTheConverterTellNothing)
{
    for (const char* name : {"Relu__38", "const_fold_opt__664", "Identity", "Identity_1", "StatefulPartitionedCall:0",
             "Func/StatefulPartitionedCall/input/_7:0", "arith.constant", "jax2tf_f_/Const_24:0", "Const:0", "W__117",
             "model/conv/Relu:0_pooling", "input_1:01_cropping"})
        EXPECT_TRUE(isMadeByConverter(name)) << name;
    for (const char* name : {"model/dense/MatMul", "model/norm/Const:0", "MatMul", "model/dense/MatMul__12"})
        EXPECT_FALSE(isMadeByConverter(name)) << name;
}

TEST(TensorFlowNames, OperationsFitTheOperatorsTheyBecome)
{
    EXPECT_TRUE(fitsOpType("Conv2D", "Conv"));
    EXPECT_TRUE(fitsOpType("separable_conv2d/depthwise", "Conv"));
    EXPECT_TRUE(fitsOpType("Tensordot/MatMul", "MatMul"));
    EXPECT_TRUE(fitsOpType("MatMul1", "Gemm"));
    EXPECT_TRUE(fitsOpType("Conv2D", "FusedConv"));
    EXPECT_FALSE(fitsOpType("batchnorm/mul_1", "Conv"));
    EXPECT_FALSE(fitsOpType("Relu", "Conv"));
}

} // namespace
} // namespace duo::test
