// SPDX-License-Identifier: Apache-2.0
#include "core/model/code_operators.h"

#include <gtest/gtest.h>

namespace duo::test {
namespace {

Node nodeOf(const char* opType, std::size_t inputs, const char* domain = "")
{
    Node node;
    node.opType = opType;
    node.domain = domain;
    node.outputs.emplace_back(1000U);
    for (std::uint32_t i = 0; i < inputs; ++i)
        node.inputs.emplace_back(i);
    return node;
}

TEST(CodeOperator, SaysWhereCodesScalesAndBiasStand)
{
    const auto conv = codeOperator(nodeOf("QLinearConv", 9));
    ASSERT_TRUE(conv);
    EXPECT_EQ(conv->floatType, "Conv");
    ASSERT_EQ(conv->inputs.size(), 2U);
    EXPECT_EQ(conv->inputs[1].value, 3U);
    EXPECT_EQ(conv->inputs[1].scale, 4U);
    EXPECT_EQ(conv->resultScale, 6U);
    EXPECT_EQ(conv->bias, 8U);
}

TEST(CodeOperator, ReadsAsManyAsAConcatJoins)
{
    const auto concat = codeOperator(nodeOf("QLinearConcat", 11, "com.microsoft"));
    ASSERT_TRUE(concat);
    EXPECT_EQ(concat->inputs.size(), 3U);
    EXPECT_EQ(concat->resultScale, 0U);
}

TEST(CodeOperator, GivesFloatsWithoutAScaleForItsResult)
{
    EXPECT_FALSE(codeOperator(nodeOf("QGemm", 7, "com.microsoft"))->resultScale);
}

TEST(CodeOperator, IsNoneWithoutAResult)
{
    Node conv = nodeOf("QLinearConv", 9);
    conv.outputs.clear();
    EXPECT_FALSE(codeOperator(conv));
}

TEST(CodeOperator, IsNoneOfAnotherDomainOrWithChannelsAtTheEnd)
{
    EXPECT_FALSE(codeOperator(nodeOf("QGemm", 9)));
    Node pool = nodeOf("QLinearAveragePool", 5, "com.microsoft");
    EXPECT_TRUE(codeOperator(pool));
    pool.attributes.push_back({"channels_last", std::int64_t{1}});
    EXPECT_FALSE(codeOperator(pool));
}

TEST(CodeFactsAt, NameTheScaleOfTheDataForABias)
{
    const auto bias = codeFactsAt(nodeOf("QLinearConv", 9), 8);
    ASSERT_TRUE(bias);
    EXPECT_EQ(bias->scale, 4U);
    EXPECT_EQ(bias->otherScale, 1U);
    EXPECT_FALSE(bias->zeroPoint);
}

TEST(CodeFactsAt, LieAlongTheRowsOfATransposedGemm)
{
    Node gemm = nodeOf("QGemm", 9, "com.microsoft");
    EXPECT_EQ(codeFactsAt(gemm, 3)->axis, -1);
    gemm.attributes.push_back({"transB", std::int64_t{1}});
    EXPECT_EQ(codeFactsAt(gemm, 3)->axis, 0);
}

TEST(CodeFactsAt, KnowNoScaleWhereOtherNodesScaleTheProduct)
{
    EXPECT_FALSE(codeFactsAt(nodeOf("MatMulInteger", 4), 1)->scale);
    EXPECT_FALSE(codeFactsAt(nodeOf("MatMulInteger", 4), 0)) << "the data is quantized in each run";
    EXPECT_FALSE(codeFactsAt(nodeOf("MatMul", 2), 1));
}

} // namespace
} // namespace duo::test
