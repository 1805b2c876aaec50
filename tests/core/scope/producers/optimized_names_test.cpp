// SPDX-License-Identifier: Apache-2.0
// What optimizers append to the exporter's names.
#include "core/scope/producers/optimized_names.h"

#include <gtest/gtest.h>

namespace duo::test {
namespace {

TEST(OptimizedNames, LeadBackToTheExportersName)
{
    EXPECT_EQ(exporterName("/model.0/act/Mul/QuickGeluFusion/"), "/model.0/act/Mul");
    EXPECT_EQ(exporterName("/fc/MatMul/MatMulAddFusion"), "/fc/MatMul");
    EXPECT_EQ(exporterName("/a/MatMul_1/MatMulScaleFusion//MatmulTransposeFusion/"), "/a/MatMul_1");
    EXPECT_EQ(exporterName("/a/Gather_2/GatherSliceToSplitFusion_token_7"), "/a/Gather_2");
    EXPECT_EQ(exporterName("/fc/MatMul_output_0_pre_reshape"), "/fc/MatMul");
    EXPECT_EQ(exporterName("/conv/Conv_output_0_nchwc"), "/conv/Conv");
    EXPECT_EQ(exporterName("/fc/Gemm_quant"), "/fc/Gemm");
    for (const char* name :
        {"/fc/MatMul_Q4", "/fc/MatMul_DQ_Q4", "/fc/MatMul_matmul_Q4", "/fc/MatMul_Q8", "/fc/MatMul_compressed_matmul"})
        EXPECT_EQ(exporterName(name), "/fc/MatMul");
}

TEST(OptimizedNames, OtherNamesStayAsTheyAre)
{
    for (const char* name : {"/fc/Gemm", "/my_output_layer/Gemm", "/out_output_1a/Gemm", "Gemm_token_3", "/Fusion", ""})
        EXPECT_EQ(exporterName(name), name);
}

TEST(OptimizedNames, AnOperatorsPartIsAWordWithACapitalAndPerhapsANumber)
{
    EXPECT_TRUE(isAnyOpPart("Conv"));
    EXPECT_TRUE(isAnyOpPart("MatMul_12"));
    EXPECT_FALSE(isAnyOpPart("conv1"));
    EXPECT_FALSE(isAnyOpPart("Conv_a"));
    EXPECT_FALSE(isAnyOpPart(""));
}

} // namespace
} // namespace duo::test
