// SPDX-License-Identifier: Apache-2.0
#include "core/quantize/edits/qdq_edits.h"

#include "tests/support/model_builder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>

using duo::test::ModelBuilder;
using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;

namespace duo {
namespace {

constexpr QuantizerConfig kActivation{.mode = QuantizationMode::Asymmetric};
constexpr QuantizerConfig kWeight{.perChannel = true, .narrowRange = true};
const QuantizationParameters kCodes{ElementType::UInt8, {0.5F}, {3}, std::nullopt};
const QuantizationParameters kTwoChannels{ElementType::Int8, {0.25F, 0.5F}, {0, 0}, 0};

/// x -> conv1 -> relu -> conv2 -> y, two channels each, biases.
std::shared_ptr<const Model> twoConvs()
{
    return ModelBuilder()
        .input("x", {1, 2, 4, 4})
        .weight("w1", {2, 2, 1, 1})
        .weight("b1", {2}, {1.0F})
        .weight("w2", {2, 2, 1, 1})
        .weight("b2", {2}, {1.0F})
        .node("Conv", "conv1", {"x", "w1", "b1"}, {"c1"})
        .node("Relu", "relu", {"c1"}, {"r"})
        .node("Conv", "conv2", {"r", "w2", "b2"}, {"y"})
        .output("y")
        .build();
}

/// Three products with one weight, behind a node that hands it on.
std::shared_ptr<const Model> sharedWeight()
{
    return ModelBuilder()
        .input("x", {1, 2})
        .weight("w", {2, 2})
        .node("Identity", "same", {"w"}, {"v"})
        .node("MatMul", "first", {"x", "v"}, {"a"})
        .node("MatMul", "second", {"a", "v"}, {"b"})
        .node("MatMul", "third", {"b", "w"}, {"y"})
        .output("y")
        .build();
}

/// Quantizers on x and on the input and output of the first node named; all nodes quantized unless said otherwise.
struct Plan {
    std::shared_ptr<const Model> model = twoConvs();
    QuantizerSetup setup;
    ParametersByPoint parameters;
    Decisions decisions{3, Decision{NodeState::Quantized}};

    PointId add(const QuantizationPoint& point, const QuantizationParameters& p)
    {
        const auto id = static_cast<PointId>(setup.points.size());
        setup.points.emplace(id, point);
        parameters.emplace(id, p);
        return id;
    }
    [[nodiscard]] NodeId node(const char* name) const { return model->findNode(name); }
    [[nodiscard]] QdqEdits edits() const { return *buildQdqEdits(*model, setup, parameters, decisions); }
};

std::vector<std::string> newNodes(const QdqEdits& edits)
{
    std::vector<std::string> texts;
    for (const NewNode& node : edits.edits.newNodes) {
        std::string text = node.opType + "(";
        for (const auto& input : node.inputs)
            text += (text.back() == '(' ? "" : ", ") + input;
        texts.push_back(text + ") -> " + node.outputs.front());
    }
    return texts;
}

std::vector<std::string> rewired(const Plan& plan, const QdqEdits& edits)
{
    std::vector<std::string> texts;
    for (const PortEdit& edit : edits.edits.inputs)
        texts.push_back(plan.model->node(edit.node).name + "[" + std::to_string(edit.port) + "] = " + edit.value);
    return texts;
}

TEST(QdqEdits, AnInputQuantizerRewiresItsNodeOnly)
{
    Plan plan;
    plan.add({.node = plan.node("conv2"), .port = 0, .config = kActivation}, kCodes);
    const QdqEdits edits = plan.edits();
    EXPECT_THAT(newNodes(edits),
        ElementsAre(
            "QuantizeLinear(r, scale0, zero_point_3) -> q0", "DequantizeLinear(q0, scale0, zero_point_3) -> dq0"));
    EXPECT_THAT(rewired(plan, edits), ElementsAre("conv2[0] = dq0"));
}

TEST(QdqEdits, AnOutputQuantizerLeavesTheNameToTheDequantizedValue)
{
    Plan plan;
    plan.add({.node = plan.node("conv2"), .config = kActivation}, kCodes);
    const QdqEdits edits = plan.edits();
    EXPECT_THAT(newNodes(edits),
        ElementsAre(
            "QuantizeLinear(y_float, scale0, zero_point_3) -> q0", "DequantizeLinear(q0, scale0, zero_point_3) -> y"));
    ASSERT_EQ(edits.edits.outputs.size(), 1U);
    EXPECT_EQ(edits.edits.outputs[0].value, "y_float");
    EXPECT_THAT(edits.edits.inputs, IsEmpty());
}

TEST(QdqEdits, AModelInputKeepsItsNameAndItsReadersAreRewired)
{
    Plan plan;
    QuantizationPoint point{.config = kActivation};
    point.input = plan.model->findValue("x");
    plan.add(point, kCodes);
    EXPECT_THAT(rewired(plan, plan.edits()), ElementsAre("conv1[0] = dq0"));
}

TEST(QdqEdits, AWeightIsRemovedWithTheLastOfItsReaders)
{
    Plan plan;
    plan.model = sharedWeight();
    plan.decisions = Decisions(plan.model->nodes.size(), Decision{NodeState::Quantized});
    for (const char* node : {"first", "third"})
        plan.add({.node = plan.node(node), .port = 1, .isWeight = true, .config = kWeight}, kTwoChannels);
    EXPECT_THAT(plan.edits().edits.removedNodes, IsEmpty());
    EXPECT_THAT(plan.edits().edits.removedTensors, IsEmpty());
    plan.add({.node = plan.node("second"), .port = 1, .isWeight = true, .config = kWeight}, kTwoChannels);
    EXPECT_THAT(plan.edits().edits.removedNodes, ElementsAre(plan.node("same")));
    EXPECT_THAT(plan.edits().edits.removedTensors, ElementsAre("w"));
}

TEST(QdqEdits, AWeightBecomesInt8AndItsBiasInt32WithTheProductOfBothScales)
{
    Plan plan;
    plan.add({.node = plan.node("conv2"), .port = 0, .config = kActivation}, kCodes);
    plan.add({.node = plan.node("conv2"), .port = 1, .isWeight = true, .config = kWeight}, kTwoChannels);
    const QdqEdits edits = plan.edits();
    EXPECT_THAT(edits.edits.removedTensors, ElementsAre("b2", "w2"));
    EXPECT_THAT(rewired(plan, edits), Contains("conv2[1] = dq1"));
    EXPECT_THAT(rewired(plan, edits), Contains("conv2[2] = b2_dq"));
    for (const NewTensor& tensor : edits.edits.newTensors) {
        if (tensor.name != "b2_quantized")
            continue;
        EXPECT_EQ(tensor.type, ElementType::Int32);
        EXPECT_EQ(std::to_integer<int>(tensor.bytes[0]), 8); // 1 / (0.5 * 0.25)
        EXPECT_EQ(std::to_integer<int>(tensor.bytes[4]), 4); // 1 / (0.5 * 0.5)
    }
    EXPECT_EQ(edits.int8Elements, 4);
}

/// x -> `count` products in turn, all by one weight -> y
std::shared_ptr<const Model> productsByOneWeight(std::size_t count)
{
    ModelBuilder builder;
    builder.input("x", {1, 2}).weight("w", {2, 2}).output("p" + std::to_string(count));
    for (std::size_t i = 0; i < count; ++i)
        builder.node("MatMul", "product" + std::to_string(i), {i == 0 ? "x" : "p" + std::to_string(i), "w"},
            {"p" + std::to_string(i + 1)});
    return builder.build();
}

TEST(QdqEdits, AWeightIsDequantizedOnceOrForEachOfManyReaders)
{
    const auto written = [](std::size_t readers) {
        Plan plan;
        plan.model = productsByOneWeight(readers);
        plan.decisions.assign(readers, Decision{NodeState::Quantized});
        QuantizationPoint point{.node = plan.node("product0"), .port = 1, .isWeight = true, .config = kWeight};
        for (std::size_t i = 0; i < readers; ++i)
            point.directlyQuantized.emplace_back(i);
        plan.add(point, {ElementType::Int8, {0.25F, 0.5F}, {0, 0}, 1});
        return plan.edits();
    };
    const QdqEdits shared = written(32);
    EXPECT_EQ(shared.edits.newNodes.size(), 1U);
    EXPECT_EQ(shared.edits.inputs.size(), 32U);
    const QdqEdits apart = written(33);
    ASSERT_EQ(apart.edits.newNodes.size(), 33U);
    EXPECT_EQ(apart.edits.inputs.size(), 33U);
    EXPECT_EQ(apart.edits.newTensors.size(), shared.edits.newTensors.size()); // the same codes
    std::set<std::string> read;
    for (const NewNode& node : apart.edits.newNodes) {
        EXPECT_EQ(node.inputs, apart.edits.newNodes.front().inputs);
        read.insert(node.outputs.front());
    }
    for (const PortEdit& edit : apart.edits.inputs)
        EXPECT_EQ(read.erase(edit.value), 1U);
}

TEST(QdqEdits, AnIgnoredNodeBetweenQuantizersIsKeptInFloatByABarrier)
{
    Plan plan;
    plan.add({.node = plan.node("conv2"), .port = 0, .config = kActivation}, kCodes);
    plan.decisions[plan.node("conv1").index] = {NodeState::Ignored, {ReasonCode::CaughtByRule}};
    const QdqEdits edits = plan.edits();
    EXPECT_THAT(newNodes(edits), Contains("LeakyRelu(r) -> r_kept_float"));
    EXPECT_THAT(newNodes(edits), Contains("QuantizeLinear(r_kept_float, scale0, zero_point_3) -> q0"));
}

TEST(QdqEdits, AnIgnoredNodeIsSeenThroughWhateverQuantizersCross)
{
    for (const char* between : {"Slice", "Transpose", "MaxPool", "Dropout", "Identity"}) {
        ModelBuilder builder;
        builder.input("x", {1, 2, 4, 4}).weight("w1", {2, 2, 1, 1}).weight("w2", {2, 2, 1, 1});
        builder.ints("0", {0}).ints("4", {4}).ints("2", {2});
        std::vector<std::string> inputs{"c1"};
        if (std::string(between) == "Slice")
            inputs.insert(inputs.end(), {"0", "4", "2"});
        builder.node("Conv", "conv1", {"x", "w1"}, {"c1"}).node(between, "between", inputs, {"r"});
        Plan plan;
        plan.model = builder.node("Conv", "conv2", {"r", "w2"}, {"y"}).output("y").build();
        plan.add({.node = plan.node("conv2"), .port = 0, .config = kActivation}, kCodes);
        plan.decisions[plan.node("conv1").index] = {NodeState::Ignored, {ReasonCode::CaughtByRule}};
        EXPECT_THAT(newNodes(plan.edits()), Contains("LeakyRelu(r) -> r_kept_float")) << between;
    }
}

TEST(QdqEdits, QuantizersWithoutParametersAreRefused)
{
    Plan plan;
    plan.add({.node = plan.node("conv2"), .port = 0, .config = kActivation}, kCodes);
    plan.parameters.clear();
    const auto edits = buildQdqEdits(*plan.model, plan.setup, plan.parameters, plan.decisions);
    ASSERT_FALSE(edits);
    EXPECT_EQ(edits.error().line(), "quantizer 0 has no parameters: node 'conv2': calibrate again");
}

TEST(QdqEdits, ChannelsThatDoNotFitTheWeightAreRefused)
{
    Plan plan;
    auto threeChannels = kTwoChannels;
    threeChannels.scale.push_back(1);
    threeChannels.zeroPoint.push_back(0);
    plan.add({.node = plan.node("conv2"), .port = 1, .isWeight = true, .config = kWeight}, threeChannels);
    const auto edits = buildQdqEdits(*plan.model, plan.setup, plan.parameters, plan.decisions);
    ASSERT_FALSE(edits);
    EXPECT_EQ(
        edits.error().line(), "quantizer 0 has 3 scales for a weight of 2 channels: weight 'w2': calibrate again");
}

} // namespace
} // namespace duo
