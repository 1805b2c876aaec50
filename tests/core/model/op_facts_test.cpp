// SPDX-License-Identifier: Apache-2.0
#include "core/model/op_facts.h"

#include <gtest/gtest.h>

#include <set>

namespace duo::test {
namespace {

Node nodeOf(const std::string& opType, const std::string& domain = {}, std::vector<Attribute> attributes = {})
{
    Node node;
    node.opType = opType;
    node.domain = domain;
    node.attributes = std::move(attributes);
    return node;
}

Attribute number(const std::string& name, std::int64_t value)
{
    return {name, value};
}

/// "0<-1 of 2": output axis, input axis, groups.
std::string layoutText(const Node& node, std::uint32_t port, std::size_t rank)
{
    const auto layout = weightLayout(node, port, rank);
    if (!layout)
        return "none";
    const auto axisText = [](std::optional<std::size_t> axis) { return axis ? std::to_string(*axis) : "-"; };
    return axisText(layout->output) + "<-" + axisText(layout->input) + " of " + std::to_string(layout->groups);
}

TEST(OpFacts, EachPortHasItsOwnRole)
{
    const Node lstm = nodeOf("LSTM");
    EXPECT_EQ(operandOf(lstm, 1), Operand::Weight);
    EXPECT_EQ(operandOf(lstm, 4), Operand::Setting); // lengths
    EXPECT_EQ(operandOf(lstm, 5), Operand::Term); // a state that may be learned
    EXPECT_EQ(operandOf(nodeOf("LayerNormalization"), 1), Operand::Affine);
    EXPECT_EQ(operandOf(nodeOf("Reshape"), 1), Operand::Setting);
    EXPECT_EQ(operandOf(nodeOf("Einsum"), 40), Operand::Weight); // of any number of inputs
}

TEST(OpFacts, WhatIsNotInTheTableIsASettingOfOnnxAndATermOfAnybodyElse)
{
    EXPECT_EQ(operandOf(nodeOf("TopK"), 1), Operand::Setting);
    EXPECT_EQ(operandOf(nodeOf("Spike", "org.example"), 1), Operand::Term);
    EXPECT_EQ(operandOf(nodeOf("MatMulNBits", "com.microsoft"), 1), Operand::Weight);
    EXPECT_EQ(operandOf(nodeOf("MatMulNBits", "com.microsoft"), 2), Operand::Setting); // its scales
    EXPECT_EQ(operandOf(nodeOf("Conv", "org.example"), 1), Operand::Term);
}

TEST(OpFacts, SomeOnlyHandOn)
{
    EXPECT_EQ(passingOf(nodeOf("Transpose")), Passing::Layout);
    EXPECT_EQ(passingOf(nodeOf("Mul")), Passing::Arithmetic);
    EXPECT_EQ(passingOf(nodeOf("Conv")), Passing::None);
}

TEST(OpFacts, EachRowIsOfAnotherOperator)
{
    std::set<std::string_view> seen;
    for (const OpFacts& facts : onnxOpFacts())
        EXPECT_TRUE(seen.insert(facts.opType).second) << facts.opType;
}

std::vector<OpFacts> allFacts()
{
    std::vector<OpFacts> all(onnxOpFacts().begin(), onnxOpFacts().end());
    all.insert(all.end(), runtimeOpFacts().begin(), runtimeOpFacts().end());
    return all;
}

/// Who adds a row under a name that says what the operator is, and forgets the fact that says it to stages, fails here.
TEST(OpFacts, SayWhatTheNameSays)
{
    for (const OpFacts& facts : allFacts()) {
        const std::string type(facts.opType);
        const auto says = [&](const char* word) { return type.find(word) != std::string::npos; };
        const bool isVectorNorm = type == "LpNormalization"; // has no statistics
        EXPECT_EQ(says("Norm") && !isVectorNorm, facts.norm != Norm::None) << type;
        EXPECT_EQ(says("Attention"), (facts.marks & mark::kAttention) != 0) << type;
        EXPECT_EQ(says("Pool") && !says("Global"), (facts.marks & mark::kPools) != 0) << type;
        EXPECT_EQ(says("LSTM") || says("GRU") || says("RNN"),
            facts.product == Product::Recurrent || type == "DynamicQuantizeLSTM")
            << type;
    }
}

TEST(OpFacts, OfAWeightAreTheSameInEachColumn)
{
    for (const OpFacts& facts : allFacts()) {
        const auto isAmong = [](std::uint32_t ports, std::uint8_t port) { return ((ports >> port) & 1U) != 0; };
        const bool isBlocked = facts.product != Product::None && facts.weights == 0;
        if (facts.product != Product::None && !isBlocked) {
            EXPECT_TRUE(isAmong(facts.weights, facts.weightPort)) << facts.opType;
        }
        if (facts.biasPort != kNoPort) {
            EXPECT_TRUE(isAmong(facts.weights | facts.affine, facts.biasPort)) << facts.opType;
        }
        EXPECT_EQ(facts.weights & facts.affine, 0U) << facts.opType;
        EXPECT_EQ((facts.weights | facts.affine) & facts.terms, 0U) << facts.opType;
        if (!facts.biased.empty()) {
            EXPECT_NE(opFacts(facts.biased).biasPort, kNoPort) << facts.opType;
        }
    }
}

TEST(OpFacts, WhatKeepsElementsMovesThemFromItsFirstInput)
{
    for (const OpFacts& facts : allFacts()) {
        const OpMarks kinds = mark::kKeepsElements | mark::kReshapes;
        if ((facts.marks & kinds) != 0) {
            EXPECT_EQ(facts.moved, 1U) << facts.opType;
        }
        if ((facts.marks & mark::kReshapes) != 0) {
            EXPECT_NE(facts.marks & mark::kKeepsElements, 0U) << facts.opType;
        }
    }
    EXPECT_TRUE(movesElements(nodeOf("Where"), 2));
    EXPECT_FALSE(movesElements(nodeOf("Where"), 0)); // its condition
    EXPECT_TRUE(movesElements(nodeOf("ScatterND"), 2));
    EXPECT_FALSE(movesElements(nodeOf("Gather"), 1));
    EXPECT_TRUE(movesElements(nodeOf("Concat"), 40));
    EXPECT_FALSE(movesElements(nodeOf("QuantizeLinear"), 0)); // others
}

TEST(OpFacts, TellWhatWorksOnCodes)
{
    for (const char* type : {"MatMulInteger", "ConvInteger", "QLinearConv", "QLinearMatMul"})
        EXPECT_TRUE(worksOnCodes(nodeOf(type))) << type;
    for (const char* type : {"QGemm", "QLinearSigmoid", "QAttention", "MatMulIntegerToFloat", "DynamicQuantizeMatMul",
             "DynamicQuantizeLSTM"})
        EXPECT_TRUE(worksOnCodes(nodeOf(type, "com.microsoft"))) << type;
    for (const char* type : {"Conv", "QuantizeLinear", "MatMulNBits", "FusedGemm"})
        EXPECT_FALSE(worksOnCodes(nodeOf(type))) << type;
    EXPECT_TRUE(givesCodes(nodeOf("QLinearConv")));
    EXPECT_FALSE(givesCodes(nodeOf("MatMulInteger")));
}

TEST(OpFacts, QuantizersOfOnnxRuntimeHandOnAsOnnxsDo)
{
    for (const char* type : {"QuantizeLinear", "DequantizeLinear"}) {
        EXPECT_EQ(passingOf(nodeOf(type, "com.microsoft")), Passing::Layout) << type;
        EXPECT_EQ(operandOf(nodeOf(type, "com.microsoft"), 1), Operand::Setting) << type;
    }
}

TEST(OpFacts, ABiasMakesAGemmOfAMatMul)
{
    EXPECT_EQ(biasedForm(nodeOf("Conv")), "Conv");
    EXPECT_EQ(biasedForm(nodeOf("MatMul")), "Gemm");
    EXPECT_EQ(biasedForm(nodeOf("LSTM")), "");
    EXPECT_EQ(biasedForm(nodeOf("ConvInteger")), "");
    EXPECT_EQ(biasedForm(nodeOf("Conv", "org.example")), "");
}

TEST(OpFacts, AFusedProductIsNoneOfOnnxsOwn)
{
    EXPECT_TRUE(isFloatProduct(nodeOf("Gemm")));
    EXPECT_FALSE(isFloatProduct(nodeOf("LSTM")));
    EXPECT_FALSE(isFloatProduct(nodeOf("ConvInteger")));
    EXPECT_FALSE(isFloatProduct(nodeOf("FusedGemm", "com.microsoft")));
    EXPECT_EQ(opFacts(nodeOf("FusedGemm", "com.microsoft")).product, Product::Matrix);
    EXPECT_FALSE(isFloatProduct(nodeOf("Conv", "org.example")));
}

TEST(WeightLayout, IsThatOfTheKindOfProduct)
{
    EXPECT_EQ(layoutText(nodeOf("Conv", {}, {number("group", 4)}), 1, 4), "0<-1 of 4");
    EXPECT_EQ(layoutText(nodeOf("ConvTranspose", {}, {number("group", 2)}), 1, 4), "1<-0 of 2");
    EXPECT_EQ(layoutText(nodeOf("MatMul"), 1, 2), "1<-0 of 1");
    EXPECT_EQ(layoutText(nodeOf("MatMul"), 0, 2), "0<-1 of 1");
    EXPECT_EQ(layoutText(nodeOf("MatMul"), 1, 3), "2<-1 of 1"); // a stack
    EXPECT_EQ(layoutText(nodeOf("MatMul"), 1, 1), "-<-0 of 1"); // gives one number
    EXPECT_EQ(layoutText(nodeOf("Gemm", {}, {number("transB", 1)}), 1, 2), "0<-1 of 1");
    EXPECT_EQ(layoutText(nodeOf("Gemm", {}, {number("transA", 1)}), 0, 2), "1<-0 of 1");
}

TEST(WeightLayout, IsNoneWhereNoWeightCanStand)
{
    EXPECT_EQ(layoutText(nodeOf("Conv"), 0, 4), "none");
    EXPECT_EQ(layoutText(nodeOf("Gemm"), 1, 3), "none");
    EXPECT_EQ(layoutText(nodeOf("LSTM"), 1, 3), "none");
    EXPECT_EQ(layoutText(nodeOf("Conv", "org.example"), 1, 4), "none");
}

Node einsum(const std::string& equation)
{
    return nodeOf("Einsum", {}, {{"equation", equation}});
}

TEST(Einsum, OfTheEquationOfADenseLayerIsAProduct)
{
    EXPECT_EQ(layoutText(einsum("abc,cd->abd"), 1, 2), "1<-0 of 1"); // as a MatMul
    EXPECT_EQ(layoutText(einsum("bd, nd -> bn"), 1, 2), "0<-1 of 1"); // as a Gemm with transB
    EXPECT_EQ(layoutText(einsum("...d,dn->...n"), 1, 2), "1<-0 of 1");
    EXPECT_EQ(layoutText(einsum("ij,jk"), 1, 2), "1<-0 of 1"); // "->ik" is meant
    EXPECT_EQ(layoutText(einsum("dn,bd->bn"), 0, 2), "1<-0 of 1"); // the weight first
    EXPECT_EQ(layoutText(einsum("bhqd,bhkd->bhqk"), 1, 4), "2<-3 of 1"); // a stack of matrices
}

TEST(Einsum, OfSeveralAxesOfChannelsHasNoneOfThem)
{
    EXPECT_EQ(layoutText(einsum("btd,dnh->btnh"), 1, 3), "-<-0 of 1"); // heads and their channels
    EXPECT_EQ(layoutText(einsum("btnh,nhd->btd"), 1, 3), "2<-- of 1");
    EXPECT_EQ(outputChannelAxis(einsum("btd,dnh->btnh")), std::nullopt);
    EXPECT_EQ(inputChannelAxis(einsum("btnh,nhd->btd")), std::nullopt);
    EXPECT_EQ(outputChannelAxis(einsum("btnh,nhd->btd")), -1);
}

TEST(Einsum, TellsTheChannelsOfItsDataByTheEquation)
{
    EXPECT_EQ(inputChannelAxis(einsum("bds,dn->bns")), -2);
    EXPECT_EQ(outputChannelAxis(einsum("bds,dn->bns")), -2);
    EXPECT_EQ(inputChannelAxis(einsum("d...,dn->n...")), 0); // all others follow
    EXPECT_EQ(inputChannelAxis(einsum("...d,dn->...n")), -1);
}

TEST(Einsum, ThatMultipliesNoMatricesIsNoProduct)
{
    for (const char* equation : {"ii->i", "ij->ji", "a,b->ab", "ij,jk->i", "ij,jj->ij", "ij,jk,kl->il", "..."})
        EXPECT_FALSE(isFloatProduct(einsum(equation))) << equation;
    EXPECT_FALSE(isFloatProduct(nodeOf("Einsum")));
}

TEST(Gemm, HasAScaledBiasWhereItAddsSomethingTimesAFactor)
{
    EXPECT_FALSE(hasScaledBias(nodeOf("Gemm", {}, {{"beta", 0.5F}}))); // no C
    EXPECT_TRUE(hasGemmFactors(nodeOf("Gemm", {}, {{"beta", 0.5F}})));
    EXPECT_FALSE(hasGemmFactors(nodeOf("Gemm")));
}

TEST(ChannelAxes, AreTheSecondOfConvolutionsAndTheLastOfProducts)
{
    EXPECT_EQ(inputChannelAxis(nodeOf("ConvTranspose")), 1);
    EXPECT_EQ(outputChannelAxis(nodeOf("Conv")), 1);
    EXPECT_EQ(inputChannelAxis(nodeOf("MatMul")), -1);
    EXPECT_EQ(inputChannelAxis(nodeOf("Gemm", {}, {number("transA", 1)})), -2);
    EXPECT_EQ(outputChannelAxis(nodeOf("Gemm", {}, {number("transA", 1)})), -1);
    EXPECT_EQ(outputChannelAxis(nodeOf("Relu")), std::nullopt);
}

} // namespace
} // namespace duo::test
