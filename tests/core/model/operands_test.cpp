// SPDX-License-Identifier: Apache-2.0
// What operators make of their inputs.
#include "core/model/operands.h"

#include <gtest/gtest.h>

namespace duo::test {
namespace {

Node nodeOf(const std::string& opType, const std::string& domain = {})
{
    Node node;
    node.opType = opType;
    node.domain = domain;
    return node;
}

TEST(Operands, EachPortHasItsOwnRole)
{
    const Node lstm = nodeOf("LSTM");
    EXPECT_EQ(operandOf(lstm, 1), Operand::Weight);
    EXPECT_EQ(operandOf(lstm, 4), Operand::Setting); // lengths
    EXPECT_EQ(operandOf(lstm, 5), Operand::Term); // a state that may be learned
    EXPECT_EQ(operandOf(nodeOf("LayerNormalization"), 1), Operand::Affine);
    EXPECT_EQ(operandOf(nodeOf("Reshape"), 1), Operand::Setting);
    EXPECT_EQ(operandOf(nodeOf("Einsum"), 40), Operand::Weight); // of any number of inputs
}

TEST(Operands, WhatIsNotInTheTableIsASettingOfOnnxAndATermOfAnybodyElse)
{
    EXPECT_EQ(operandOf(nodeOf("TopK"), 1), Operand::Setting);
    EXPECT_EQ(operandOf(nodeOf("Spike", "org.example"), 1), Operand::Term);
    EXPECT_EQ(operandOf(nodeOf("MatMulNBits", "com.microsoft"), 1), Operand::Weight);
    EXPECT_EQ(operandOf(nodeOf("MatMulNBits", "com.microsoft"), 2), Operand::Setting); // its scales
    EXPECT_EQ(operandOf(nodeOf("Conv", "org.example"), 1), Operand::Term);
}

TEST(Operands, SomeOnlyHandOn)
{
    EXPECT_EQ(passingOf(nodeOf("Transpose")), Passing::Layout);
    EXPECT_EQ(passingOf(nodeOf("Mul")), Passing::Arithmetic);
    EXPECT_EQ(passingOf(nodeOf("Conv")), Passing::None);
}

} // namespace
} // namespace duo::test
