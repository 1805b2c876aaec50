// SPDX-License-Identifier: Apache-2.0
// What runs on codes that a file holds already, for ONNX Runtime's CPU provider: an export opened again shows what it
// is.
#include "core/report/decision_sentences.h"
#include "tests/core/quantize/placed.h"
#include "tests/support/model_builder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using duo::test::decisionLine;
using duo::test::ModelBuilder;
using duo::test::placed;

namespace duo {
namespace {

/// Quantizers of the file behind a value, of the scale "s". @return what the second one gives
std::string throughCodes(ModelBuilder& builder, const std::string& name)
{
    builder.node("QuantizeLinear", "q " + name, {name, "s"}, {name + ".codes"});
    builder.node("DequantizeLinear", "dq " + name, {name + ".codes", "s"}, {name + ".float"});
    return name + ".float";
}

TEST(FileCodes, WhatComputesWithCodesOfTheFileIsQuantized)
{
    ModelBuilder builder;
    builder.input("x", {1, 4}).input("w", {4, 4}, ElementType::Int8);
    builder.node("DynamicQuantizeLinear", "codes", {"x"}, {"c", "s", "z"});
    const auto model = builder.node("MatMulInteger", "product", {"c", "w", "z"}, {"y"}).output("y").build();
    const Placement placement = placed(*model);
    EXPECT_EQ(decisionLine(*model, placement, "product"), "quantized: it reads values that the file quantizes already");
    EXPECT_EQ(decisionLine(*model, placement, "codes"), "unsupported: it is a quantizer of the file, left as it is");
}

/// As an export is: codes in front of everything that computes, weights as codes, a bias in float.
TEST(FileCodes, WhatComputesBetweenQuantizersOfTheFileIsQuantized)
{
    ModelBuilder builder;
    builder.input("x", {1, 4}).weight("s", {}, {0.1F}).weight("w", {4, 4}).weight("v", {4, 4}).weight("c", {4});
    builder.node("Gemm", "product", {throughCodes(builder, "x"), throughCodes(builder, "w"), "c"}, {"p"})
        .node("Relu", "relu", {"p"}, {"r"});
    const std::string result = throughCodes(builder, "r");
    builder.node("Flatten", "moved", {result}, {"m"});
    builder.node("Add", "sum", {throughCodes(builder, "m"), result}, {"a"});
    builder.node("MatMul", "half", {throughCodes(builder, "a"), "v"}, {"h"});
    const auto model = builder.node("Mul", "scaled", {throughCodes(builder, "h"), "c"}, {"y"}).output("y").build();
    const Placement placement = placed(*model);
    const std::string already = "quantized: it reads values that the file quantizes already";
    EXPECT_EQ(decisionLine(*model, placement, "product"), already);
    EXPECT_EQ(placement.decisions[model->findNode("relu").index].state, NodeState::Fused);
    EXPECT_EQ(decisionLine(*model, placement, "moved"), already);
    EXPECT_EQ(decisionLine(*model, placement, "sum"), already);
    EXPECT_NE(decisionLine(*model, placement, "half"), already); // its weight is no code
    EXPECT_NE(decisionLine(*model, placement, "scaled"), already);
    EXPECT_EQ(decisionLine(*model, placement, "dq w"), "unsupported: it is a quantizer of the file, left as it is");
}

/// As files for TensorRT are: floats of 16 bits around the quantizers.
TEST(FileCodes, WhatComputesBetweenQuantizersInHalfPrecisionIsQuantized)
{
    ModelBuilder builder(19);
    builder.input("x", {1, 4}, ElementType::Float16).input("w", {4, 4}, ElementType::Float16);
    builder.input("s", {}, ElementType::Float16).ints("held", {1, 2, 3, 4});
    builder.node("DequantizeLinear", "dq held", {"held", "s"}, {"held.float"});
    builder.node("MatMul", "product", {throughCodes(builder, "x"), throughCodes(builder, "w")}, {"p"});
    builder.node("Flatten", "moved", {throughCodes(builder, "p")}, {"m"})
        .node("Add", "sum", {throughCodes(builder, "m"), "p.float"}, {"a"});
    builder.node("Add", "float sum", {throughCodes(builder, "a"), "x"}, {"f"});
    const auto model = builder.node("MatMul", "of weights", {"f", "held.float"}, {"y"}).output("y").build();
    const Placement placement = placed(*model);
    const std::string already = "it reads values that the file quantizes already";
    EXPECT_EQ(decisionLine(*model, placement, "product"), "quantized: " + already);
    EXPECT_EQ(decisionLine(*model, placement, "moved"), "quantized: " + already);
    EXPECT_EQ(decisionLine(*model, placement, "sum"), "quantized: " + already);
    EXPECT_EQ(placement.decisions[model->findNode("float sum").index].state, NodeState::Blocked);
    EXPECT_EQ(decisionLine(*model, placement, "of weights"),
        "weight-only: its input stays in float, only its weights are quantized");
}

TEST(FileCodes, WhatReadsRowsOfATableInCodesIsSoItself)
{
    ModelBuilder builder;
    builder.input("i", {2}, ElementType::Int64).weight("s", {}, {0.1F}).ints("held", {1, 2, 3, 4});
    builder.node("DequantizeLinear", "dq held", {"held", "s"}, {"held.float"});
    builder.node("Gather", "rows", {"held.float", "i"}, {"r"}).node("Gather", "others", {"held.float", "i"}, {"y"});
    builder.node("QuantizeLinear", "q", {"r", "s"}, {"c"}).node("DequantizeLinear", "dq", {"c", "s"}, {"z"});
    const auto model = builder.output("y").output("z").build();
    const Placement placement = placed(*model);
    EXPECT_EQ(decisionLine(*model, placement, "rows"), "quantized: it reads values that the file quantizes already");
    EXPECT_EQ(
        decisionLine(*model, placement, "others"), "weight-only: it reads values that the file quantizes already");
}

/// QOperator: between kernels on codes there are no quantizers.
TEST(FileCodes, WhatMovesCodesOfTheFileIsQuantized)
{
    ModelBuilder builder;
    builder.input("x", {1, 4, 2, 2}).weight("s", {}, {0.1F}).input("image", {1, 4}, ElementType::UInt8);
    builder.node("QuantizeLinear", "codes", {"x", "s"}, {"c"}).node("Flatten", "moved", {"c"}, {"m"});
    builder.node("DequantizeLinear", "numbers", {"m", "s"}, {"y"}).node("Flatten", "picture", {"image"}, {"p"});
    const auto model = builder.output("y").output("p").build();
    const Placement placement = placed(*model);
    EXPECT_EQ(decisionLine(*model, placement, "moved"), "quantized: it reads values that the file quantizes already");
    EXPECT_EQ(decisionLine(*model, placement, "picture"), "unsupported: uint8 values are not quantized");
}

TEST(FileCodes, WhatMovesTheNumbersOfAQuantizedProductMovesNoCodes)
{
    ModelBuilder builder;
    builder.input("x", {1, 4}).weight("s", {}, {0.1F}).weight("w", {4, 4});
    builder.node("MatMul", "product", {throughCodes(builder, "x"), throughCodes(builder, "w")}, {"p"});
    builder.node("Flatten", "moved", {"p"}, {"m"});
    const auto model = builder.output(throughCodes(builder, "m")).build();
    const Placement placement = placed(*model);
    EXPECT_EQ(decisionLine(*model, placement, "product"), "quantized: it reads values that the file quantizes already");
    EXPECT_EQ(placement.decisions[model->findNode("moved").index].state, NodeState::Blocked);
}

TEST(FileCodes, WhatGivesNumbersOnlyComputesWithNumbers)
{
    ModelBuilder builder;
    builder.input("x", {1, 4, 8, 8}).weight("s", {}, {0.1F}).weight("c", {4, 1, 1});
    const std::string data = throughCodes(builder, "x");
    builder.ints("held", {1, 2, 3, 4}).node("DequantizeLinear", "dq held", {"held", "s"}, {"w"});
    builder.node("GlobalAveragePool", "mean", {data}, {"m"}).node("Exp", "float", {"m"}, {"e"}).output("e");
    builder.node("Conv", "last", {data, "w"}, {"y"}).output("y");
    builder.node("Conv", "inner", {data, "w"}, {"i"}).node("Relu", "relu", {"i"}, {"r"});
    builder.node("Add", "constant", {throughCodes(builder, "r"), "c"}, {"a"});
    const auto model = builder.output(throughCodes(builder, "a")).build();
    const Placement placement = placed(*model);
    EXPECT_EQ(decisionLine(*model, placement, "mean"),
        "blocked: nothing reads its result in int8, quantizing it would only cost time");
    EXPECT_EQ(decisionLine(*model, placement, "last"),
        "weight-only: its result is an output of the model, which stays in float");
    EXPECT_EQ(decisionLine(*model, placement, "inner"), "quantized: it reads values that the file quantizes already");
    EXPECT_EQ(decisionLine(*model, placement, "constant"),
        "blocked: one of its inputs stays in float, so ONNX Runtime has no int8 kernel for it");
}

/// A concatenation has a kernel on codes only where it gives codes, and be it behind what moves them.
TEST(FileCodes, WhatJoinsCodesIsQuantizedWhereItsResultIs)
{
    const auto decisionWith = [](bool isQuantizedBehind) {
        ModelBuilder builder;
        builder.input("x", {1, 4}).input("z", {1, 4}).weight("s", {}, {0.1F});
        builder.ints("shape", {2, 4})
            .node("Concat", "joined", {throughCodes(builder, "x"), throughCodes(builder, "z")}, {"j"},
                {{"axis", std::int64_t{1}}});
        builder.node("Reshape", "moved", {"j", "shape"}, {"m"});
        const auto model = builder.output(isQuantizedBehind ? throughCodes(builder, "m") : "m").build();
        return placed(*model).decisions[model->findNode("joined").index].state;
    };
    EXPECT_EQ(decisionWith(true), NodeState::Quantized);
    EXPECT_NE(decisionWith(false), NodeState::Quantized);
}

/// Quantizers lie inside a block that the recipe of the export kept in float.
TEST(FileCodes, HideNoBlockThatStaysInFloat)
{
    ModelBuilder builder;
    builder.input("x", {1, 4, 8, 8}).weight("s", {}, {0.1F}).weight("w", {4, 4, 1, 1}).weight("v", {4, 4, 1, 1});
    const std::string data = throughCodes(builder, "x");
    builder.node("GlobalAveragePool", "mean", {data}, {"m"}).node("Conv", "squeeze", {"m", "w"}, {"q"});
    builder.node("Relu", "relu", {"q"}, {"r"}).node("Conv", "excite", {"r", "v"}, {"e"});
    builder.node("Sigmoid", "gate", {"e"}, {"g"});
    builder.node("LeakyRelu", "g_KeepFloat", {"g"}, {"k"}, {{"alpha", 1.0F}});
    builder.node("Mul", "scaled", {data, throughCodes(builder, "k")}, {"y"});
    const auto model = builder.output(throughCodes(builder, "y")).build();
    const Placement placement = placed(*model);
    const std::string stays = "preset: it belongs to a squeeze-and-excite block, which stays in float for accuracy";
    EXPECT_EQ(decisionLine(*model, placement, "squeeze"), stays);
    EXPECT_EQ(decisionLine(*model, placement, "excite"), stays);
    EXPECT_EQ(decisionLine(*model, placement, "scaled"), "quantized: it reads values that the file quantizes already");
}

/// x * clip(x + 3) / 6 is computed as one operator with what gives x, which is no quantizer.
TEST(FileCodes, AreNotWhatAnActivationIsComputedTogetherWith)
{
    ModelBuilder builder;
    builder.input("x", {1, 4}).weight("s", {}, {0.1F}).weight("three", {}, {3.F}).weight("six", {}, {6.F});
    builder.weight("zero", {}, {0.F});
    const std::string data = throughCodes(builder, "x");
    builder.node("Add", "shifted", {data, "three"}, {"a"}).node("Clip", "clipped", {"a", "zero", "six"}, {"c"});
    const auto model = builder.node("Mul", "product", {data, "c"}, {"y"}).output("y").build();
    const Placement placement = placed(*model);
    EXPECT_THAT(
        decisionLine(*model, placement, "shifted"), testing::StartsWith("blocked: codes are made of what it reads"));
    EXPECT_THAT(
        decisionLine(*model, placement, "product"), testing::StartsWith("blocked: codes are made of what it reads"));
}

} // namespace
} // namespace duo
