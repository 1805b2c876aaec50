// SPDX-License-Identifier: Apache-2.0
// Nodes in bodies of If, Loop and Scan are quantized like any others: placed, measured, written, found in int8 kernels.
#include "core/pipeline/calibration/calibrate.h"
#include "core/pipeline/export.h"
#include "core/pipeline/resume.h"
#include "core/report/decision_sentences.h"
#include "core/support/file.h"
#include "tests/core/pipeline/normal_samples.h"
#include "tests/core/pipeline/quantized_case.h"
#include "tests/support/half_range.h"
#include "tests/support/seeded_fill.h"

#include <algorithm>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace duo {
namespace {

using test::addBody;
using test::checkOf;
using test::GraphProtoBuilder;
using test::normal;
using test::ProtoBuilder;
using test::QuantizedCase;
using ::testing::HasSubstr;
using ::testing::Not;

const std::vector<std::int64_t> kImage{1, 4, 8, 8};
constexpr std::size_t kImageSize = 4 * 8 * 8;
const std::vector<std::int64_t> kRow{1, 8};

/// `given` -> conv1 (bias) -> relu1 -> conv2 (weight `outer`) -> relu2 -> pool -> t; all values have the same names in
/// every body.
void addImageLayers(GraphProtoBuilder graph, const std::string& given, unsigned seed)
{
    graph.weight("w", {4, 4, 3, 3}, normal(144, seed, 0, 0.2F)).weight("b", {4}, normal(4, seed + 1));
    graph.output("t", {1, 4, 1, 1});
    graph.node("Conv", "conv1", {given, "w", "b"}, {"a"});
    graph.node("Relu", "relu1", {"a"}, {"r"});
    graph.node("Conv", "conv2", {"r", "outer"}, {"d"});
    graph.node("Relu", "relu2", {"d"}, {"e"});
    graph.node("GlobalAveragePool", "pool", {"e"}, {"t"});
}

void makeBool(onnx::ValueInfoProto& info)
{
    auto& type = *info.mutable_type()->mutable_tensor_type();
    type.set_elem_type(onnx::TensorProto::BOOL);
    type.mutable_shape()->clear_dim();
}

void makeInt(onnx::ValueInfoProto& info)
{
    makeBool(info);
    info.mutable_type()->mutable_tensor_type()->set_elem_type(onnx::TensorProto::INT64);
}

/// "c": whether the mean of a value is above zero.
void addCondition(GraphProtoBuilder graph, const std::string& given)
{
    graph.weight("zero", {}, {0.0F});
    test::addInt(graph.node("ReduceMean", "mean", {given}, {"m"}), "keepdims", 0);
    graph.node("Greater", "greater", {"m", "zero"}, {"c"});
}

/// An If whose branches read the weight "outer" of the main graph and one of their own.
struct Branches : ProtoBuilder {
    Branches()
    {
        input("x", kImage).output("y", {1, 4, 1, 1}).weight("outer", {4, 4, 3, 3}, normal(144, 7, 0, 0.2F));
        addCondition(*this, "x");
        auto& branch = node("If", "if", {"c"}, {"y"});
        addImageLayers(addBody(branch, "then_branch"), "x", 10);
        addImageLayers(addBody(branch, "else_branch"), "x", 20);
    }
};

std::vector<std::vector<float>> images(float mean)
{
    return test::normalSamples(6, kImageSize, mean > 0 ? 100 : 200, mean);
}

std::vector<std::vector<float>> imagesForBoth()
{
    auto samples = images(0.5F);
    for (auto& sample : images(-0.5F))
        samples.push_back(std::move(sample));
    return samples;
}

const Decision& decisionOf(const QuantizedCase& network, const std::string& node)
{
    const Snapshot& snapshot = network.compression().changed ? *network.compression().changed : network.planned();
    return snapshot.placement->decisions[snapshot.model->findNode(node).index];
}

std::string whyOf(const QuantizedCase& network, const std::string& node)
{
    const Snapshot& snapshot = network.compression().changed ? *network.compression().changed : network.planned();
    return whyText(*snapshot.model, *snapshot.placement, snapshot.model->findNode(node));
}

std::size_t countOf(const Model& model, const std::string& opType)
{
    return static_cast<std::size_t>(
        std::ranges::count_if(model.nodes, [&](const Node& node) { return node.opType == opType; }));
}

std::string notesOf(const QuantizedCase& network)
{
    std::string text;
    for (const Note& note : network.compression().notes)
        text += note.kind + ": " + note.text + "\n";
    return text;
}

TEST(Bodies, BothBranchesOfAnIfRunInInt8)
{
    QuantizedCase network(Branches(), kImage, imagesForBoth());
    const ExportReport report = network.quantize(test::kHalfRange);
    EXPECT_EQ(checkOf(report, "int8-kernels").message, "4 of 4 quantized Conv, Gemm and MatMul run as int8 kernels");
    EXPECT_TRUE(checkOf(report, "interface").ok);
    EXPECT_EQ(countOf(*network.optimized(), "QLinearConv"), 4U);
    EXPECT_EQ(countOf(*network.optimized(), "Conv"), 0U);
    for (const std::size_t sample : {std::size_t{0}, std::size_t{7}})
        EXPECT_GT(test::sqnrDb(network.floatOutput(sample), network.output(sample)), 20) << sample;
    EXPECT_EQ(decisionOf(network, "if::then_branch::conv1").state, NodeState::Quantized);
    EXPECT_EQ(whyOf(network, "if"), "If computes nothing itself: its bodies' nodes do");
}

TEST(Bodies, EachHoldsTheCodesOfAWeightThatItReads)
{
    QuantizedCase network(Branches(), kImage, imagesForBoth());
    network.quantize("");
    const auto written = network.written();
    std::vector<RegionId> regions;
    for (const Value& value : written->values) {
        if (value.name.starts_with("outer_quantized"))
            regions.push_back(value.region);
    }
    EXPECT_THAT(regions, ::testing::UnorderedElementsAre(RegionId(1), RegionId(2)));
    EXPECT_FALSE(written->findValue("outer").valid());
    EXPECT_FALSE(written->findValue("if::then_branch::w").valid());
}

TEST(Bodies, ABranchThatNoSampleRunsStaysFloatAndSaysSo)
{
    QuantizedCase network(Branches(), kImage, images(0.5F));
    const ExportReport report = network.quantize("");
    EXPECT_EQ(checkOf(report, "int8-kernels").message, "2 of 2 quantized Conv, Gemm and MatMul run as int8 kernels");
    EXPECT_EQ(countOf(*network.optimized(), "QLinearConv"), 2U);
    const Decision& decision = decisionOf(network, "if::else_branch::conv1");
    EXPECT_EQ(decision.state, NodeState::Preset);
    EXPECT_EQ(whyOf(network, "if::else_branch::conv1"),
        "no sample runs the else_branch of If 'if'; one that does would let it be quantized");
    EXPECT_THAT(notesOf(network), HasSubstr("body-not-run: no sample runs a body: "));
}

TEST(Bodies, AStateMakesTheSameBytesAgain)
{
    for (const auto& samples : {imagesForBoth(), images(0.5F)}) {
        QuantizedCase network(Branches(), kImage, samples);
        network.quantize("");
        const auto resumed = resumeFrom(network.opened(), statePathFor(network.exported()), true, {});
        ASSERT_TRUE(resumed) << resumed.error().line();
        const test::TemporaryFolder folder;
        const auto report = exportModel(resumed->snapshot, resumed->compression, nullptr, folder / "again.onnx", 1, {});
        ASSERT_TRUE(report) << report.error().line();
        constexpr std::size_t kMost = 1 << 20;
        const auto first = readTextFile(network.exported(), kMost);
        const auto second = readTextFile(folder / "again.onnx", kMost);
        ASSERT_TRUE(first && second);
        EXPECT_EQ(*first, *second);
    }
}

TEST(Bodies, RulesNameTheirNodes)
{
    QuantizedCase network(Branches(), kImage, imagesForBoth());
    const ExportReport report
        = network.quantize("", R"([{"action": "ignore", "kind": "name", "value": "if::else_branch::conv2"}])");
    EXPECT_EQ(decisionOf(network, "if::else_branch::conv2").state, NodeState::Ignored);
    EXPECT_EQ(decisionOf(network, "if::then_branch::conv2").state, NodeState::Quantized);
    EXPECT_EQ(countOf(*network.optimized(), "QLinearConv"), 3U);
    EXPECT_EQ(checkOf(report, "ignored-float").message, "2 ignored nodes stay in float"); // and its Relu
}

TEST(Bodies, OtherProfilesAndNncfLeaveThem)
{
    QuantizedCase network(Branches(), kImage, imagesForBoth());
    network.quantize(R"("profile": "tensorrt")");
    EXPECT_EQ(whyOf(network, "if::then_branch::conv1"),
        "it is inside the body of If 'if', where profile tensorrt quantizes nothing");
    network.quantize(R"("nncf_compatible": true)");
    EXPECT_EQ(decisionOf(network, "if::then_branch::conv1").would, WouldBe::ConsideredLikeOrtCpu);
    network.quantize(R"("profile": "tensorrt", "nncf_compatible": true)");
    EXPECT_EQ(decisionOf(network, "if::then_branch::conv1").would, WouldBe::ConsideredOnOrtCpuAlone);
}

/// s -> MatMul -> Add -> Tanh -> next.
void addStep(GraphProtoBuilder graph, const std::string& state, const std::string& next, unsigned seed)
{
    graph.weight("w", {8, 8}, normal(64, seed, 0, 0.4F)).weight("b", {8}, normal(8, seed + 1));
    graph.node("MatMul", "product", {state, "w"}, {"p"});
    graph.node("Add", "bias", {"p", "b"}, {"q"});
    graph.node("Tanh", "tanh", {"q"}, {next});
}

/// Inputs and outputs of a body of Loop with one state of `kRow`.
GraphProtoBuilder loopBody(onnx::NodeProto& loop)
{
    auto body = addBody(loop, "body");
    body.input("i").input("go").input("s", kRow).output("go_on").output("next", kRow);
    makeInt(*body.proto().mutable_input(0));
    makeBool(*body.proto().mutable_input(1));
    makeBool(*body.proto().mutable_output(0));
    body.node("Identity", "keep", {"go"}, {"go_on"});
    return body;
}

void addTrips(GraphProtoBuilder graph, std::int64_t trips)
{
    graph.tensor("trips", {}, onnx::TensorProto::INT64).add_int64_data(trips);
}

struct LoopOfProducts : ProtoBuilder {
    explicit LoopOfProducts(std::int64_t trips)
    {
        input("x", kRow).output("y", kRow);
        addTrips(*this, trips);
        addStep(loopBody(node("Loop", "loop", {"trips", "", "x"}, {"y"})), "s", "next", 3);
    }
};

TEST(Bodies, TheBodyOfALoopRunsInInt8AndItsStateStaysFloat)
{
    QuantizedCase network(LoopOfProducts(3), kRow, test::normalSamples(8, 8, 40));
    const ExportReport report = network.quantize(test::kHalfRange);
    EXPECT_EQ(checkOf(report, "int8-kernels").message, "1 of 1 quantized Conv, Gemm and MatMul run as int8 kernels");
    EXPECT_GT(test::sqnrDb(network.floatOutput(0), network.output(0)), 20);
    const auto written = network.written();
    const Region& body = written->regions[1];
    for (const ValueId output : body.outputs)
        EXPECT_NE(written->node(written->value(output).producer).opType, "DequantizeLinear");
    EXPECT_EQ(written->value(body.inputs[2]).name, "s");
    EXPECT_EQ(written->value(body.outputs[1]).name, "next");
}

TEST(Bodies, AWeightThatALoopHandsOnAsAStateStaysFloat)
{
    ProtoBuilder file;
    file.input("x", kRow).output("y", kRow).output("same", {8, 8}).weight("given", {8, 8}, normal(64, 9, 0, 0.4F));
    addTrips(file, 3);
    auto body = loopBody(file.node("Loop", "loop", {"trips", "", "x", "given"}, {"y", "same"}));
    body.input("u", {8, 8}).output("u", {8, 8});
    body.weight("w", {8, 8}, normal(64, 3, 0, 0.4F));
    body.node("MatMul", "by_state", {"s", "u"}, {"p"});
    body.node("Tanh", "tanh", {"p"}, {"q"});
    body.node("MatMul", "by_weight", {"q", "w"}, {"next"});
    QuantizedCase network(file, kRow, test::normalSamples(6, 8, 40));
    const ExportReport report = network.quantize("");
    EXPECT_EQ(checkOf(report, "int8-kernels").message, "1 of 1 quantized Conv, Gemm and MatMul run as int8 kernels");
    EXPECT_EQ(whyOf(network, "loop::body::by_state"),
        "it reads a state that Loop 'loop' never changes, which would be quantized anew in every trip");
}

/// ONNX Runtime 1.30 opens no model where the codes of such weights stand in another graph than their reader.
TEST(Bodies, WeightsThatFloatDataMeetAreInInt8InsideTheirBody)
{
    ProtoBuilder file;
    file.input("x", kRow).output("y", kRow).weight("w", {8, 8}, normal(64, 3, 0, 0.4F));
    addTrips(file, 3);
    auto body = loopBody(file.node("Loop", "loop", {"trips", "", "x"}, {"y"}));
    body.node("Tanh", "tanh", {"s"}, {"t"});
    onnx::AttributeProto& beta = *body.node("Gemm", "gemm", {"s", "w", "t"}, {"next"}).add_attribute();
    beta.set_name("beta");
    beta.set_type(onnx::AttributeProto::FLOAT);
    beta.set_f(2);
    QuantizedCase network(file, kRow, test::normalSamples(6, 8, 40));
    EXPECT_TRUE(checkOf(network.quantize(""), "loads").ok);
    EXPECT_EQ(decisionOf(network, "loop::body::gemm").state, NodeState::WeightOnly);
    EXPECT_GT(test::sqnrDb(network.floatOutput(0), network.output(0)), 20);
}

TEST(Bodies, AllRunsOfABodyCountAsOneSample)
{
    QuantizedCase network(LoopOfProducts(3), kRow, {std::vector<float>(8, 5.0F), std::vector<float>(8, -4.0F)});
    network.quantize("");
    const auto& values = network.compression().statistics->statistics.values;
    ASSERT_TRUE(values.contains("loop::body::s"));
    const ValueStatistics& state = values.at("loop::body::s");
    EXPECT_EQ(state.elements, 2 * 3 * 8);
    EXPECT_EQ(state.samples.max[0], 5.0F); // the first trip reads the input, the others what Tanh gave
    EXPECT_EQ(state.samples.min[1], -4.0F);
    EXPECT_EQ(state.min, -4.0F);
    EXPECT_LT(state.samples.mean[0], 3.0F);
}

TEST(Bodies, ALoopThatNoSampleEntersStaysFloat)
{
    ProtoBuilder file;
    file.input("x", kRow).output("y", kRow);
    addTrips(file, 3);
    addCondition(file, "x");
    addStep(loopBody(file.node("Loop", "loop", {"trips", "c", "x"}, {"y"})), "s", "next", 3);
    QuantizedCase network(file, kRow, test::normalSamples(4, 8, 40, -3));
    network.quantize("");
    EXPECT_EQ(whyOf(network, "loop::body::product"),
        "no sample runs the body of Loop 'loop'; one that does would let it be quantized");
    EXPECT_EQ(countOf(*network.written(), "QuantizeLinear"), 0U);
}

TEST(Bodies, TheBodyOfAScanRunsInInt8)
{
    ProtoBuilder file;
    file.input("x", {5, 1, 8}).output("y", kRow).weight("start", kRow, {0.0F});
    auto& scan = file.node("Scan", "scan", {"start", "x"}, {"y"});
    test::addInt(scan, "num_scan_inputs", 1);
    auto body = addBody(scan, "body");
    body.input("s", kRow).input("part", kRow).output("next", kRow);
    body.weight("u", {8, 8}, normal(64, 60, 0, 0.4F));
    body.node("MatMul", "input_product", {"part", "u"}, {"v"});
    addStep(body, "s", "carried", 61);
    body.node("Mul", "gate", {"v", "carried"}, {"next"});
    QuantizedCase network(file, {5, 1, 8}, test::normalSamples(6, 40, 70));
    const ExportReport report = network.quantize("");
    EXPECT_EQ(checkOf(report, "int8-kernels").message, "2 of 2 quantized Conv, Gemm and MatMul run as int8 kernels");
    EXPECT_GT(test::sqnrDb(network.floatOutput(0), network.output(0)), 20);
}

TEST(Bodies, InsideBodiesAreQuantizedToo)
{
    ProtoBuilder file;
    file.input("x", kRow).output("y", kRow).weight("far", {8, 8}, normal(64, 80, 0, 0.4F));
    addTrips(file, 3);
    addCondition(file, "x");
    auto& outer = file.node("If", "outer", {"c"}, {"y"});
    auto yes = addBody(outer, "then_branch");
    yes.output("t", kRow);
    auto loop = loopBody(yes.node("Loop", "loop", {"trips", "", "x"}, {"t"}));
    auto& inner = loop.node("If", "inner", {"go"}, {"next"});
    auto deep = addBody(inner, "then_branch");
    deep.output("t", kRow); // the name its grandparent uses too
    deep.node("MatMul", "far_product", {"x", "far"}, {"f"}); // from three graphs up
    addStep(deep, "s", "carried", 81);
    deep.node("Mul", "gate", {"f", "carried"}, {"t"});
    auto never = addBody(inner, "else_branch");
    never.output("n", kRow);
    never.node("Neg", "neg", {"s"}, {"n"});
    auto no = addBody(outer, "else_branch");
    no.output("e", kRow);
    no.node("MatMul", "far_product", {"x", "far"}, {"e"});
    QuantizedCase network(file, kRow, [] {
        auto samples = test::normalSamples(6, 8, 90, 2);
        samples.push_back(normal(8, 99, -2));
        return samples;
    }());
    const ExportReport report = network.quantize("");
    EXPECT_EQ(checkOf(report, "int8-kernels").message, "3 of 3 quantized Conv, Gemm and MatMul run as int8 kernels");
    for (const std::size_t sample : {std::size_t{0}, std::size_t{6}})
        EXPECT_GT(test::sqnrDb(network.floatOutput(sample), network.output(sample)), 20) << sample;
    EXPECT_EQ(countOf(*network.optimized(), "MatMul"), 0U);
}

/// ONNX Runtime's process ends where it moves a quantizer across such a Transpose.
TEST(Bodies, ThatReadWhatMovesDequantizedDataAreShielded)
{
    ProtoBuilder file;
    file.input("x", kImage).output("y", {1, 4, 4, 4}).weight("w", {4, 4, 3, 3}, normal(144, 1, 0, 0.2F));
    file.weight("outer", {4, 4, 3, 3}, normal(144, 2, 0, 0.2F));
    addCondition(file, "x");
    file.node("Conv", "conv1", {"x", "w"}, {"a"});
    file.node("Relu", "relu", {"a"}, {"r"});
    file.node("Transpose", "turn", {"r"}, {"turned"});
    auto& branch = file.node("If", "if", {"c"}, {"factor"});
    for (const char* attribute : {"then_branch", "else_branch"}) {
        auto body = addBody(branch, attribute);
        body.output("f", {});
        test::addInt(body.node("ReduceMean", "mean", {"turned"}, {"f"}), "keepdims", 0);
    }
    file.node("Conv", "conv2", {"r", "outer"}, {"d"});
    file.node("Mul", "scaled", {"d", "factor"}, {"y"});
    QuantizedCase network(file, kImage, imagesForBoth());
    const ExportReport report = network.quantize(test::kHalfRange);
    EXPECT_TRUE(checkOf(report, "loads").ok);
    const auto written = network.written();
    const Node& turn = written->node(written->findNode("turn"));
    EXPECT_EQ(written->node(written->value(turn.inputs[0]).producer).opType, "LeakyRelu");
    EXPECT_GT(test::sqnrDb(network.floatOutput(0), network.output(0)), 20);
}

TEST(Bodies, AWeightKeptInAConstantNodeOfABodyIsOneToo)
{
    ProtoBuilder file;
    file.input("x", kRow).output("y", kRow);
    addTrips(file, 2);
    auto body = loopBody(file.node("Loop", "loop", {"trips", "", "x"}, {"y"}));
    auto& attribute = *body.node("Constant", "constant", {}, {"w"}).add_attribute();
    attribute.set_name("value");
    attribute.set_type(onnx::AttributeProto::TENSOR);
    attribute.mutable_t()->set_data_type(onnx::TensorProto::FLOAT);
    for (const std::int64_t dim : {8, 8})
        attribute.mutable_t()->add_dims(dim);
    for (const float value : normal(64, 5, 0, 0.3F))
        attribute.mutable_t()->add_float_data(value);
    body.node("MatMul", "product", {"s", "w"}, {"next"});
    QuantizedCase network(file, kRow, test::normalSamples(6, 8, 40));
    const ExportReport report = network.quantize("");
    EXPECT_EQ(checkOf(report, "int8-kernels").message, "1 of 1 quantized Conv, Gemm and MatMul run as int8 kernels");
    EXPECT_EQ(countOf(*network.written(), "Constant"), 0U);
}

/// A trained model as its package ships it, with made-up weights.
struct Shipped {
    const char* file;
    const char* kernels; // what the check of int8 kernels says
};

std::ostream& operator<<(std::ostream& out, const Shipped& shipped)
{
    return out << shipped.file;
}

class ShippedBodies : public testing::TestWithParam<Shipped>
{
};

TEST_P(ShippedBodies, RunTheirProductsInInt8)
{
    const std::filesystem::path data(DUO_TEST_DATA);
    onnx::ModelProto proto;
    std::ifstream file(data / "shipped" / (std::string(GetParam().file) + ".structure.onnx"), std::ios::binary);
    ASSERT_TRUE(proto.ParseFromIstream(&file));
    ASSERT_TRUE(test::fillModel(proto));
    const test::TemporaryFolder folder;
    const auto model = openSnapshot(folder.write("m.onnx", proto.SerializeAsString()));
    ASSERT_TRUE(model) << model.error().line();
    const auto samples = openDataset("random:2:1", *model->model);
    ASSERT_TRUE(samples) << samples.error().line();
    const auto compression = calibrate(*model, **samples, 2, {});
    ASSERT_TRUE(compression) << compression.error().line();
    const auto report = exportModel(*model, *compression, samples->get(), folder / "q.onnx", 2, {});
    ASSERT_TRUE(report) << report.error().line();
    for (const Check& check : report->checks)
        EXPECT_TRUE(check.ok) << check.id << ": " << check.message;
    EXPECT_EQ(checkOf(*report, "int8-kernels").message, GetParam().kernels);
}

INSTANTIATE_TEST_SUITE_P(Models, ShippedBodies,
    testing::Values(Shipped{"silero_vad", "6 of 6 quantized Conv, Gemm and MatMul run as int8 kernels"},
        Shipped{"silero_vad_op18_ifless", "8 of 8 quantized Conv, Gemm and MatMul run as int8 kernels"}),
    [](const testing::TestParamInfo<Shipped>& model) { return std::string(model.param.file); });

} // namespace
} // namespace duo
