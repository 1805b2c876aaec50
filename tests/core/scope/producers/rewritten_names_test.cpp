// SPDX-License-Identifier: Apache-2.0
#include "core/scope/producers/rewritten_names.h"

#include <gtest/gtest.h>

namespace duo::test {
namespace {

TEST(RewrittenNames, FusionsStandBehindTheNameOfTheOperation)
{
    EXPECT_EQ(rewrittenName("model/fc/MatMul/MatMulAddFusion/"), "model/fc/MatMul");
    EXPECT_EQ(rewrittenName("/a/MatMul_1/MatMulScaleFusion//MatmulTransposeFusion/"), "/a/MatMul_1");
    EXPECT_EQ(rewrittenName("model/relu/Relu:0_nchwc"), "model/relu/Relu:0");
    EXPECT_EQ(rewrittenName("model/fc/MatMul"), "model/fc/MatMul");
    EXPECT_EQ(rewrittenName("Fusion"), "Fusion");
}

TEST(RewrittenNames, TensorsOfOptimizersTellNoModule)
{
    EXPECT_TRUE(isMadeByOptimizer("reorder_token_12"));
    EXPECT_TRUE(isMadeByOptimizer("_v_7"));
    EXPECT_FALSE(isMadeByOptimizer("reorder.weight"));
    EXPECT_FALSE(isMadeByOptimizer("_v_x"));
}

} // namespace
} // namespace duo::test
