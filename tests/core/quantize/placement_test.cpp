// SPDX-License-Identifier: Apache-2.0
// What limits placement: opsets, types, bodies, what is quantized already; and its size.
#include "core/report/decision_sentences.h"
#include "tests/core/quantize/placed.h"
#include "tests/support/model_builder.h"
#include "tests/support/placing.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using duo::test::decisionLine;
using duo::test::ignoring;
using duo::test::ModelBuilder;
using duo::test::placed;
using duo::test::pointLines;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

namespace duo {
namespace {

std::shared_ptr<const Model> oneGemm(std::int64_t opset, ElementType type = ElementType::Float32)
{
    return ModelBuilder(opset)
        .input("x", {1, 4}, type)
        .weight("w", {4, 4})
        .node("MatMul", "product", {"x", "w"}, {"y"})
        .output("y")
        .build();
}

TEST(Placement, RefusesOpsetsWithoutQuantizeLinear)
{
    const auto model = oneGemm(9);
    const auto placement = test::placeOnce(*model, ignoring(*model, {}), {});
    ASSERT_FALSE(placement);
    EXPECT_EQ(placement.error().code, ErrorCode::Unsupported);
    EXPECT_EQ(placement.error().line(), "opset 9 has no QuantizeLinear: export the model with opset 13 or newer");
}

TEST(Placement, RefusesModelsThatNameNoOpset)
{
    const auto model = oneGemm(0);
    const auto placement = test::placeOnce(*model, ignoring(*model, {}), {});
    ASSERT_FALSE(placement);
    EXPECT_EQ(placement.error().line(),
        "the model does not say which opset its operators are of: export it again: it has to import a version of "
        "ai.onnx");
}

TEST(Placement, QuantizesPerTensorBeforeOpset13AndSaysSo)
{
    const auto model = oneGemm(11);
    const Placement placement = placed(*model);
    EXPECT_THAT(pointLines(*model, placement.setup),
        ElementsAre("model input x: A8 -> product", "product weight 1: S8 -> product"));
    ASSERT_EQ(placement.notes.size(), 1U);
    EXPECT_EQ(placement.notes[0].text,
        "opset 11 quantizes per tensor only; convert the model to opset 13 or newer for scales per channel");
}

TEST(Placement, NamesEveryNodeThatGivesRandomNumbers)
{
    const auto model = ModelBuilder()
                           .input("x", {1, 4})
                           .weight("w", {4, 4})
                           .node("RandomNormalLike", "noise", {"x"}, {"n"})
                           .node("Add", "sum", {"x", "n"}, {"s"})
                           .node("Dropout", "drop", {"s"}, {"d"})
                           .node("MatMul", "product", {"d", "w"}, {"y"})
                           .output("y")
                           .build();
    const Placement placement = placed(*model);
    ASSERT_EQ(placement.notes.size(), 1U);
    EXPECT_EQ(placement.notes[0].where, "noise");
    EXPECT_EQ(placement.notes[0].text,
        "RandomNormalLike gives other numbers in each run: ranges that are measured behind it, and with them the bytes "
        "of an export, may differ from run to run");
}

TEST(Placement, LeavesHalfPrecisionInFloatAndSaysSo)
{
    const auto model = ModelBuilder()
                           .input("x", {1, 4}, ElementType::Float16)
                           .input("z", {4, 4}, ElementType::Float16)
                           .node("MatMul", "product", {"x", "z"}, {"y"})
                           .output("y")
                           .build();
    const Placement placement = placed(*model);
    EXPECT_THAT(placement.setup.points, IsEmpty());
    EXPECT_EQ(decisionLine(*model, placement, "product"), "unsupported: float16 values stay float");
    ASSERT_EQ(placement.notes.size(), 2U);
    EXPECT_EQ(placement.notes[0].text, "0 of 1 node can be quantized: all work on values that are not float32");
    EXPECT_EQ(placement.notes[1].text, "float16 values stay float: 1 node not quantized; export the model in float32");
}

TEST(Placement, SaysUpFrontWhyNothingIsQuantized)
{
    const auto model = ModelBuilder()
                           .input("x", {1, 4})
                           .node("Softmax", "soft", {"x"}, {"s"})
                           .node("Erf", "erf", {"s"}, {"e"})
                           .node("Shape", "shape", {"e"}, {"y"})
                           .output("y")
                           .build();
    const Placement placement = placed(*model);
    ASSERT_FALSE(placement.notes.empty());
    EXPECT_EQ(placement.notes[0].kind, "nothing-quantized");
    EXPECT_EQ(placement.notes[0].text, "0 of 3 nodes can be quantized: 2 compute in float, 1 compute shapes");
    const auto one = oneGemm(13);
    EXPECT_TRUE(placed(*one).notes.empty());
    const auto ignored = test::placeOnce(*one, ignoring(*one, {"product"}), {});
    ASSERT_TRUE(ignored);
    EXPECT_EQ(ignored->notes[0].text, "0 of 1 node is quantized: all are ignored by rules");
}

TEST(Placement, LeavesQuantizedPartsAsTheyAre)
{
    ModelBuilder builder;
    builder.input("x", {1, 4}).weight("w", {4, 4}).weight("s", {}, {0.1F});
    builder.node("QuantizeLinear", "q", {"x", "s"}, {"a"}).node("DequantizeLinear", "dq", {"a", "s"}, {"b"});
    const auto model = builder.node("MatMul", "product", {"b", "w"}, {"y"}).output("y").build();
    const Placement placement = placed(*model);
    EXPECT_THAT(pointLines(*model, placement.setup), ElementsAre("product weight 1: S8 per channel -> product"));
    EXPECT_EQ(decisionLine(*model, placement, "dq"), "unsupported: it is a quantizer of the file, left as it is");
    ASSERT_EQ(placement.notes.size(), 1U);
    EXPECT_EQ(placement.notes[0].text, "parts of the model are quantized already (2 nodes); they stay as they are");
}

TEST(Placement, CountsWhateverWorksOnCodesAmongTheQuantizedParts)
{
    ModelBuilder builder;
    builder.input("x", {1, 4}).input("w", {4, 4}, ElementType::Int8);
    builder.node("DynamicQuantizeLinear", "codes", {"x"}, {"c", "s", "z"});
    const auto model = builder.node("MatMulInteger", "product", {"c", "w", "z"}, {"y"}).output("y").build();
    EXPECT_THAT(placed(*model).notes,
        testing::Contains(
            testing::Field(&Note::text, "parts of the model are quantized already (2 nodes); they stay as they are")));
}

TEST(Placement, NumbersPointsDenselyInNodeOrder)
{
    const auto model = oneGemm(17);
    const Placement placement = placed(*model);
    PointId next = 0;
    for (const auto& [id, point] : placement.setup.points)
        EXPECT_EQ(id, next++);
}

TEST(Placement, PlacesTenThousandResidualBlocks)
{
    ModelBuilder builder;
    builder.input("x", {1, 4, 8, 8});
    std::string last = "x";
    for (int i = 0; i < 2500; ++i) {
        const std::string n = std::to_string(i);
        builder.weight("w" + n, {4, 4, 3, 3});
        builder.node("Conv", "conv" + n, {last, "w" + n}, {"c" + n}).node("Relu", "relu" + n, {"c" + n}, {"r" + n});
        builder.node("Add", "add" + n, {"r" + n, last}, {"a" + n}).node("Relu", "out" + n, {"a" + n}, {"o" + n});
        last = "o" + n;
    }
    const auto model = builder.output(last).build();
    const Placement placement = placed(*model);
    EXPECT_EQ(placement.decisions.size(), 10000U);
    EXPECT_GT(placement.setup.points.size(), 7000U);
}

TEST(Placement, ChoosesPrecisionAsTold)
{
    QuantizationSettings settings;
    settings.activations.numBits = 16;
    settings.weights.perChannel = false;
    const auto model = oneGemm(21);
    EXPECT_THAT(pointLines(*model, placed(*model, settings).setup),
        ElementsAre("model input x: A16 -> product", "product weight 1: S8 -> product"));
}

TEST(Placement, RefusesAPrecisionNoTableLists)
{
    QuantizationSettings settings;
    settings.activations.perChannel = true;
    const auto model = oneGemm(13);
    const auto placement = test::placeOnce(*model, ignoring(*model, {}), settings);
    ASSERT_FALSE(placement);
    EXPECT_EQ(placement.error().line(),
        "activations cannot be quantized as activations_quantization_params say: node 'product': allow another "
        "num_bits, "
        "mode or per_channel, or ignore the node");
}

TEST(Placement, TellsWhatWouldChangeADecision)
{
    const auto model = oneGemm(13);
    const Placement placement = placed(*model, {}, {"product"});
    const Decision& decision = placement.decisions[model->findNode("product").index];
    EXPECT_EQ(reasonKindText(decision.kind()), "rule");
    EXPECT_EQ(decision.would, WouldBe::ConsideredWithoutRule);
    EXPECT_EQ(wouldText(*model, placement, model->findNode("product")),
        "it would be considered without rule 'ignore name product'");
}

} // namespace
} // namespace duo
