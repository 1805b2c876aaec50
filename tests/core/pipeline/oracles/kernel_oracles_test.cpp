// SPDX-License-Identifier: Apache-2.0
// What must be int8, and what float (resources/docs/oracles.md, "Data movement", "Decomposed blocks", "Float island").
#include "core/engine/open_model.h"
#include "tests/core/pipeline/normal_samples.h"
#include "tests/core/pipeline/quantized_case.h"
#include "tests/support/half_range.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <span>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace duo {
namespace {

using test::addInt;
using test::checkOf;
using test::normal;
using test::normalSamples;
using test::ProtoBuilder;
using test::QuantizedCase;
using test::sqnrDb;
using testing::ElementsAre;
using testing::IsEmpty;

void addInts(onnx::NodeProto& node, const std::string& attribute, const std::vector<std::int64_t>& values)
{
    onnx::AttributeProto& proto = *node.add_attribute();
    proto.set_name(attribute);
    proto.set_type(onnx::AttributeProto::INTS);
    proto.mutable_ints()->Add(values.begin(), values.end());
}

std::string ints(ProtoBuilder& model, const std::string& name, const std::vector<std::int64_t>& values)
{
    model.tensor(name, {static_cast<std::int64_t>(values.size())}, onnx::TensorProto::INT64)
        .mutable_int64_data()
        ->Add(values.begin(), values.end());
    return name;
}

std::string scalar(ProtoBuilder& model, float value)
{
    const std::string name = "k" + std::to_string(value);
    const auto& known = model.proto().initializer();
    if (std::none_of(known.begin(), known.end(), [&](const auto& tensor) { return tensor.name() == name; }))
        model.weight(name, {}, {value});
    return name;
}

void addConv(ProtoBuilder& model, const std::string& name, const std::string& in, const std::string& out, unsigned seed)
{
    model.weight(name + ".weight", {4, 4, 1, 1}, normal(16, seed)).weight(name + ".bias", {4}, {0.1F, -0.2F, 0.3F, 0});
    model.node("Conv", name, {in, name + ".weight", name + ".bias"}, {out});
}

/// Operator types in computing order.
std::vector<std::string> operators(const Model& model)
{
    std::vector<std::string> types;
    for (const NodeId id : model.order)
        types.push_back(model.node(id).opType);
    return types;
}

/// How each planned node runs: "c1 int8".
std::vector<std::string> runs(const ExportReport& report)
{
    std::vector<std::string> lines;
    for (const NodeRun& run : checkOf(report, "int8-kernels").results)
        lines.push_back(run.node + " " + std::string(runsAsText(run.runs)));
    return lines;
}

/// Scale and zero point of every activation quantizer, once each.
std::set<std::pair<float, std::int32_t>> activationParameters(const QuantizedCase& quantized)
{
    std::set<std::pair<float, std::int32_t>> all;
    for (const auto& [id, point] : quantized.compression().setup.points) {
        if (point.isWeight)
            continue;
        const QuantizationParameters& parameters = quantized.compression().parameters.at(id);
        all.emplace(parameters.scale.at(0), parameters.zeroPoint.at(0));
    }
    return all;
}

/// Between two convolutions data are only moved: pooled, reshaped, transposed, split, joined and split again.
void addMaze(ProtoBuilder& model, const std::string& in, const std::string& out)
{
    auto& pool = model.node("MaxPool", "pool", {in}, {"m1"});
    addInts(pool, "kernel_shape", {2, 2});
    addInts(pool, "strides", {2, 2});
    model.node("Reshape", "flatten", {"m1", ints(model, "flat", {1, 4, 16})}, {"m2"});
    addInts(model.node("Transpose", "turn", {"m2"}, {"m3"}), "perm", {0, 2, 1});
    addInt(model.node("Concat", "join", {"m3", "m3"}, {"m4"}), "axis", 2);
    addInt(model.node("Split", "split", {"m4"}, {"left", "right"}), "axis", 2);
    addInts(model.node("Transpose", "turn_left", {"left"}, {"m5"}), "perm", {0, 2, 1});
    addInts(model.node("Transpose", "turn_right", {"right"}, {"m6"}), "perm", {0, 2, 1});
    addInt(model.node("Concat", "rejoin", {"m5", "m6"}, {"m7"}), "axis", 1);
    model.node("Reshape", "unflatten", {"m7", ints(model, "image", {1, 8, 4, 4})}, {out});
}

TEST(MovedScales, WhatOnlyMovesDataSharesOneScaleAndLeavesNoFloatIsland)
{
    ProtoBuilder model;
    model.input("x", {1, 4, 8, 8}).output("y", {1, 4, 4, 4});
    addConv(model, "before", "x", "h", 1);
    addMaze(model, "h", "z");
    model.weight("after.weight", {4, 8, 1, 1}, normal(32, 2));
    model.node("Conv", "after", {"z", "after.weight"}, {"y"});
    QuantizedCase maze(model, {1, 4, 8, 8}, normalSamples(4, 256, 10));
    const ExportReport report = maze.quantize(R"("quantize_outputs": true)");
    EXPECT_TRUE(report.allChecksPassed());
    const auto nodes = runs(report);
    EXPECT_EQ(nodes.size(), maze.opened().model->nodes.size());
    for (const std::string& node : nodes) // "gone": the engine needs no Transpose and Concat for what they do together
        EXPECT_FALSE(node.ends_with(" float")) << node;
    EXPECT_EQ(activationParameters(maze).size(), 3U); // of x, of the maze, of y
    // No float island: codes on the whole way from the first operator to the last.
    const auto way = operators(*maze.optimized());
    EXPECT_EQ(way.front(), "QuantizeLinear");
    EXPECT_EQ(way.back(), "DequantizeLinear");
    EXPECT_EQ(std::ranges::count(way, "QuantizeLinear"), 1) << testing::PrintToString(way);
    EXPECT_EQ(std::ranges::count(way, "DequantizeLinear"), 1) << testing::PrintToString(way);
}

/// y = (x - mean) / sqrt(variance + epsilon) * gamma + beta over the last axis, as exporters below opset 17 write it.
std::string addLayerNorm(ProtoBuilder& model, const std::string& x)
{
    model.weight("gamma", {16}, normal(16, 3, 1, 0.1F)).weight("beta", {16}, normal(16, 4, 0, 0.1F));
    addInts(model.node("ReduceMean", "ln.mean", {x}, {"ln1"}), "axes", {-1});
    model.node("Sub", "ln.centre", {x, "ln1"}, {"ln2"});
    model.node("Pow", "ln.square", {"ln2", scalar(model, 2)}, {"ln3"});
    addInts(model.node("ReduceMean", "ln.variance", {"ln3"}, {"ln4"}), "axes", {-1});
    model.node("Add", "ln.epsilon", {"ln4", scalar(model, 1e-5F)}, {"ln5"});
    model.node("Sqrt", "ln.root", {"ln5"}, {"ln6"});
    model.node("Div", "ln.divide", {"ln2", "ln6"}, {"ln7"});
    model.node("Mul", "ln.scale", {"ln7", "gamma"}, {"ln8"});
    model.node("Add", "ln.shift", {"ln8", "beta"}, {"ln"});
    return "ln";
}

/// x / 2 * (1 + erf(x / sqrt 2))
std::string addGelu(ProtoBuilder& model, const std::string& x)
{
    model.node("Div", "gelu.divide", {x, scalar(model, std::sqrt(2.0F))}, {"g1"});
    model.node("Erf", "gelu.erf", {"g1"}, {"g2"});
    model.node("Add", "gelu.one", {"g2", scalar(model, 1)}, {"g3"});
    model.node("Mul", "gelu.gate", {x, "g3"}, {"g4"});
    model.node("Mul", "gelu.half", {"g4", scalar(model, 0.5F)}, {"g"});
    return "g";
}

std::string addSilu(ProtoBuilder& model, const std::string& x)
{
    model.node("Sigmoid", "silu.sigmoid", {x}, {"s1"});
    model.node("Mul", "silu.gate", {x, "s1"}, {"s"});
    return "s";
}

/// x * clip(x + 3, 0, 6) / 6
std::string addHardSwish(ProtoBuilder& model, const std::string& x)
{
    model.node("Add", "hs.three", {x, scalar(model, 3)}, {"hs1"});
    model.node("Clip", "hs.clip", {"hs1", scalar(model, 0), scalar(model, 6)}, {"hs2"});
    model.node("Mul", "hs.gate", {x, "hs2"}, {"hs3"});
    model.node("Div", "hs.divide", {"hs3", scalar(model, 6)}, {"hs"});
    return "hs";
}

std::string addLinear(ProtoBuilder& model, const std::string& name, const std::string& x, unsigned seed)
{
    model.weight(name + ".weight", {16, 16}, normal(256, seed, 0, 0.3F));
    model.weight(name + ".bias", {16}, normal(16, seed + 1, 0, 0.1F));
    model.node("MatMul", name, {x, name + ".weight"}, {name + ".product"});
    model.node("Add", name + ".add", {name + ".bias", name + ".product"}, {name + ".out"});
    return name + ".out";
}

/// Nodes of some types that read what a quantizer gives.
std::vector<std::string> quantizedReaders(const Model& model, const std::set<std::string>& types)
{
    std::vector<std::string> names;
    for (const Node& node : model.nodes) {
        const bool reads = std::ranges::any_of(node.inputs, [&](ValueId input) {
            const NodeId producer = input.valid() ? model.value(input).producer : NodeId{};
            return producer.valid() && model.node(producer).opType == "DequantizeLinear";
        });
        if (reads && types.contains(node.opType))
            names.push_back(node.name);
    }
    return names;
}

class DecomposedNorms : public testing::TestWithParam<const char*>
{
protected:
    /// Five linear layers with the blocks between them.
    DecomposedNorms()
    {
        m_model.input("x", {1, 6, 16}).output("y", {1, 6, 16});
        std::string at = addLayerNorm(m_model, addLinear(m_model, "in", "x", 10));
        at = addGelu(m_model, addLinear(m_model, "a", at, 20));
        at = addSilu(m_model, addLinear(m_model, "b", at, 30));
        at = addHardSwish(m_model, addLinear(m_model, "c", at, 40));
        m_model.node("Identity", "end", {addLinear(m_model, "d", at, 50)}, {"y"});
    }

    ProtoBuilder m_model;
};

TEST_P(DecomposedNorms, DecomposedNormsAndActivationsKeepPowSqrtAndDivInFloat)
{
    QuantizedCase blocks(m_model, {1, 6, 16}, normalSamples(8, 96, 10));
    const std::string settings = GetParam();
    const ExportReport report
        = blocks.quantize(settings + (settings.empty() ? "" : ", ") + test::kHalfRange, "[]", R"("transforms": false)");
    EXPECT_TRUE(report.allChecksPassed());
    const Model& opened = *blocks.opened().model;
    for (const char* name : {"ln.square", "ln.root", "ln.divide", "gelu.divide", "gelu.erf", "hs.divide"})
        EXPECT_NE(blocks.planned().placement->decisions[opened.findNode(name).index].state, NodeState::Quantized);
    EXPECT_THAT(quantizedReaders(*blocks.written(), {"Pow", "Sqrt", "Div", "Erf", "Sub", "ReduceMean"}), IsEmpty());
    // No quantizer stands inside a block: the engine still finds the operators that were taken apart.
    const auto runsAs = operators(*blocks.optimized());
    for (const char* type : {"LayerNormalization", "Gelu", "QuickGelu", "Clip", "Div"})
        EXPECT_EQ(std::ranges::count(runsAs, type), 1) << type << " in " << testing::PrintToString(runsAs);
    // And what lies between is computed in int8.
    EXPECT_EQ(checkOf(report, "int8-kernels").message, "5 of 5 quantized Conv, Gemm and MatMul run as int8 kernels");
    ASSERT_TRUE(report.outputs.at(0).sqnrDb);
    EXPECT_GT(*report.outputs[0].sqnrDb, 25);
}

INSTANTIATE_TEST_SUITE_P(ModelTypes, DecomposedNorms, testing::Values("", R"("model_type": "transformer")"),
    [](const testing::TestParamInfo<const char*>& row) { return row.index == 0 ? "Default" : "Transformer"; });

/// What a 1 x 1 convolution of four channels gives: [4, 64].
std::vector<float> convolved(std::span<const float> x, const std::vector<float>& weight, const std::vector<float>& bias)
{
    std::vector<float> y(256);
    for (std::size_t at = 0; at < y.size(); ++at) {
        double sum = bias[at / 64];
        for (std::size_t c = 0; c < 4; ++c)
            sum += static_cast<double>(weight[at / 64 * 4 + c]) * x[c * 64 + at % 64];
        y[at] = static_cast<float>(sum);
    }
    return y;
}

/// The weights of the float convolutions in an optimized graph.
std::vector<std::vector<float>> floatConvWeights(const Model& optimized)
{
    std::vector<std::vector<float>> weights;
    for (const Node& node : optimized.nodes) {
        const bool isFloat = node.opType == "Conv" || node.opType == "FusedConv";
        const Tensor* tensor = isFloat ? optimized.constant(node.inputs.at(1)) : nullptr;
        if (isFloat)
            weights.push_back(tensor != nullptr ? toFloats(*tensor) : std::vector<float>{});
    }
    return weights;
}

/// It moves quantizers across a pool, too.
TEST(IgnoredNodes, AnIgnoredPoolBetweenQuantizedConvsIsComputedInFloat)
{
    ProtoBuilder model;
    model.input("x", {1, 4, 8, 8}).output("y", {1, 8, 8, 8});
    addConv(model, "first", "x", "h", 1);
    auto& pool = model.node("MaxPool", "pool", {"h"}, {"p"});
    addInts(pool, "kernel_shape", {3, 3});
    addInts(pool, "pads", {1, 1, 1, 1});
    addConv(model, "second", "p", "s", 2);
    addConv(model, "third", "h", "t", 3);
    addInt(model.node("Concat", "both", {"s", "t"}, {"y"}), "axis", 1);
    QuantizedCase pooled(model, {1, 4, 8, 8}, normalSamples(4, 256, 10));
    const ExportReport report = pooled.quantize(R"("quantize_outputs": true, )" + test::kHalfRange,
        R"([{"action": "ignore", "kind": "name", "value": "pool"}])");
    EXPECT_EQ(checkOf(report, "ignored-float").message, "1 ignored node stays in float");
    EXPECT_THAT(runs(report), testing::IsSupersetOf({"first int8", "second int8", "third int8"}));
}

/// Left to itself the engine computes any convolution between DequantizeLinear and QuantizeLinear in int8, with one
/// scale for all its weights. Here that would leave nothing of them: one that is read only with zeros is a thousand
/// times as large as the others.
TEST(IgnoredNodes, AnIgnoredConvBetweenQuantizedOnesIsComputedInFloat)
{
    std::vector<float> before = normal(16, 1);
    std::fill(before.begin() + 12, before.end(), 0.0F);
    std::vector<float> kept = normal(16, 2);
    for (std::size_t c = 3; c < 16; c += 4)
        kept[c] *= 1000;
    const std::vector<float> bias{0.1F, -0.2F, 0.3F, 0};
    ProtoBuilder model;
    model.input("x", {1, 4, 8, 8}).output("y", {1, 4, 8, 8}).weight("bias", {4}, bias);
    model.weight("w1", {4, 4, 1, 1}, before).weight("w2", {4, 4, 1, 1}, kept).weight("w3", {4, 4, 1, 1}, normal(16, 3));
    model.node("Conv", "before", {"x", "w1", "bias"}, {"h1"});
    model.node("Conv", "kept", {"h1", "w2", "bias"}, {"h2"});
    model.node("Conv", "after", {"h2", "w3", "bias"}, {"y"});
    QuantizedCase trap(model, {1, 4, 8, 8}, normalSamples(4, 256, 10));
    const ExportReport report = trap.quantize(R"("quantize_outputs": true, )" + test::kHalfRange,
        R"([{"action": "ignore", "kind": "name", "value": "kept"}])");
    EXPECT_TRUE(report.allChecksPassed());
    EXPECT_EQ(checkOf(report, "ignored-float").message, "1 ignored node stays in float");
    EXPECT_THAT(runs(report), ElementsAre("before int8", "after int8"));
    EXPECT_THAT(floatConvWeights(*trap.optimized()), ElementsAre(kept));

    const auto written = trap.written();
    const Node& node = written->node(written->findNode("kept"));
    const std::vector<std::string> around{
        written->value(node.inputs.at(0)).name, written->value(node.outputs.at(0)).name};
    const auto session = openModel(*written, around);
    ASSERT_TRUE(session) << session.error().line();
    const auto values = session->run(*trap.data().sample(0), around);
    ASSERT_TRUE(values) << values.error().line();
    const auto wanted = convolved(values->at(0).floats(), kept, bias);
    EXPECT_THAT(values->at(1).floats(), testing::Pointwise(testing::FloatNear(1e-4F), wanted));
    EXPECT_GT(sqnrDb(trap.floatOutput(0), trap.output(0)), 27); // 28.3; below 0 where it is quantized
}

} // namespace
} // namespace duo
