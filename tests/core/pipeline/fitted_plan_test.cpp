// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/fitted_plan.h"

#include "core/pipeline/bounded_export.h"
#include "core/pipeline/calibration/measure.h"
#include "core/pipeline/export.h"
#include "core/pipeline/foreseen_error.h"
#include "core/pipeline/resume.h"
#include "core/support/file.h"
#include "tests/core/pipeline/normal_samples.h"
#include "tests/core/pipeline/quantized_case.h"
#include "tests/core/pipeline/unfused_tail.h"

#include <gtest/gtest.h>

namespace duo {
namespace {

using namespace test;

TEST(FittedPlan, WhatTheEngineDoesNotFuseIsTakenOutOfInt8)
{
    ProtoBuilder model;
    addUnfusedTail(model);
    model.node("Tanh", "out", {"b"}, {"y"});
    QuantizedCase tail(model, {1, 4, 4, 4}, normalSamples(6, 64, 10));
    const ExportReport report = tail.quantize("");
    EXPECT_TRUE(report.allChecksPassed());
    const Check& kernels = checkOf(report, "int8-kernels");
    EXPECT_EQ(kernels.message,
        "1 of 1 quantized Conv, Gemm and MatMul run as int8 kernels, 1 node without one taken out of int8");
    ASSERT_EQ(report.keptFloat.size(), 1U);
    EXPECT_EQ(report.keptFloat[0].node, "tail");
    EXPECT_EQ(report.keptFloat[0].reason,
        "ONNX Runtime " + engineVersion() + " runs it in float here, between quantizers that it does not fuse with it");
    const auto written = tail.written();
    const Node& product = written->node(written->findNode("tail"));
    EXPECT_NE(written->constant(product.inputs[1]), nullptr) << "its weight is the float one";
    const auto told = std::ranges::find(kernels.results, "tail", &NodeRun::node);
    ASSERT_NE(told, kernels.results.end());
    EXPECT_EQ(told->runs, RunsAs::Float);
    EXPECT_TRUE(told->reason.ends_with("it was taken out of int8")) << told->reason;
}

TEST(FittedPlan, AnExportTellsTheCompressionThatItsFileHolds)
{
    ProtoBuilder model;
    addUnfusedTail(model);
    model.node("Tanh", "out", {"b"}, {"y"});
    QuantizedCase tail(model, {1, 4, 4, 4}, normalSamples(6, 64, 10));
    tail.quantize("");
    const NodeId left = tail.opened().model->findNode("tail");
    for (const Dataset* dataset : {&tail.data(), static_cast<const Dataset*>(nullptr)}) {
        const auto made
            = exportWithin({}, tail.planned(), tail.compression(), dataset, tail.exported(), Recalibrate(), 1, {});
        ASSERT_TRUE(made) << made.error().line();
        EXPECT_TRUE(made->compression.keptFloat.empty());
        ASSERT_EQ(made->written.keptFloat.size(), 1U);
        EXPECT_EQ(made->written.keptFloat.begin()->first, left);
        const Snapshot& placed = placedBy(made->written, tail.planned());
        EXPECT_EQ(placed.placement->decisions[left.index].state, NodeState::Preset);
        EXPECT_LT(made->written.setup.points.size(), made->compression.setup.points.size());
    }
}

TEST(FittedPlan, AForesightIsOfThePlanThatFits)
{
    ProtoBuilder model;
    addUnfusedTail(model);
    model.node("Tanh", "out", {"b"}, {"y"});
    QuantizedCase tail(model, {1, 4, 4, 4}, normalSamples(6, 64, 10));
    const ExportReport report = tail.quantize("");
    auto measured = measureStatistics(tail.opened(), tail.data(), {}, 1, {});
    ASSERT_TRUE(measured);
    const auto foresight = foresee(std::make_shared<const Snapshot>(tail.opened()),
        std::make_shared<StatisticsFile>(std::move(measured->file)), nullptr, 1, {});
    ASSERT_TRUE(foresight);
    const auto made = withErrors(*foresight, tail.opened(), tail.data(), 1, {});
    ASSERT_TRUE(made) << made.error().line();
    const Forecast& forecast = *(*made)->forecast;
    ASSERT_TRUE(forecast.worstSqnrDb() && report.outputs[0].sqnrDb);
    EXPECT_NEAR(*forecast.worstSqnrDb(), *report.outputs[0].sqnrDb, 1e-9);
    EXPECT_EQ(forecast.size.after, report.bytesAfter);
    ASSERT_EQ(forecast.notes.size(), 1U);
    EXPECT_EQ(forecast.notes[0].text,
        "1 node stays in float after all, first 'tail': ONNX Runtime " + engineVersion()
            + " runs it in float here, between quantizers that it does not fuse with it");
}

TEST(FittedPlan, ResumeRebuildsItWithItsReasons)
{
    ProtoBuilder model;
    addUnfusedTail(model);
    model.node("Tanh", "out", {"b"}, {"y"});
    QuantizedCase tail(model, {1, 4, 4, 4}, normalSamples(6, 64, 10));
    const ExportReport report = tail.quantize("");
    const auto state = statePathFor(tail.exported());
    const auto resumed = resumeFrom(tail.opened(), state, true, {});
    ASSERT_TRUE(resumed) << resumed.error().line();
    const TemporaryFolder folder;
    const auto again = exportModel(resumed->snapshot, resumed->compression, nullptr, folder / "again.onnx", 1, {});
    ASSERT_TRUE(again) << again.error().line();
    EXPECT_EQ(*readTextFile(folder / "again.onnx", 1 << 20), *readTextFile(tail.exported(), 1 << 20));
    EXPECT_EQ(*readTextFile(folder / "again.state.json", 1 << 20), *readTextFile(state, 1 << 20));
    ASSERT_EQ(again->keptFloat.size(), 1U);
    EXPECT_EQ(again->keptFloat[0].reason, report.keptFloat[0].reason);
    EXPECT_TRUE(again->allChecksPassed());
}

TEST(FittedPlan, WhatIsAskedForIn16BitsStaysSo)
{
    ProtoBuilder model;
    addUnfusedTail(model);
    model.node("Tanh", "out", {"b"}, {"y"});
    model.model().mutable_opset_import(0)->set_version(21);
    QuantizedCase wide(model, {1, 4, 4, 4}, normalSamples(6, 64, 10));
    const ExportReport report = wide.quantize(R"("activations_quantization_params": {"num_bits": 16})");
    EXPECT_TRUE(report.keptFloat.empty());
    EXPECT_EQ(checkOf(report, "int8-kernels").message.find("taken out"), std::string::npos);
}

TEST(FittedPlan, NncfPlacementIsLeftAsItIs)
{
    ProtoBuilder model;
    addUnfusedTail(model);
    model.node("Tanh", "out", {"b"}, {"y"});
    QuantizedCase tail(model, {1, 4, 4, 4}, normalSamples(6, 64, 10));
    EXPECT_TRUE(tail.quantize(R"("nncf_compatible": true)").keptFloat.empty());
}

/// Products of which a part is read in float: by a clamp, by an addition of data, by one of two readers. A row is a
/// bias as a vector is.
TEST(FittedPlan, ProductsReadInFloatRunInInt8)
{
    ProtoBuilder model;
    model.input("x", {4, 32}).output("y", {4, 32});
    for (const char* weight : {"W1", "W2", "W3", "W4", "W5"})
        model.weight(weight, {32, 32}, normal(32 * 32, static_cast<unsigned>(weight[1]), 0, 0.15F));
    model.weight("row", {1, 32}, normal(32, 7));
    model.node("MatMul", "clamped", {"x", "W1"}, {"a"});
    model.node("Relu", "relu", {"a"}, {"b"});
    model.node("Exp", "exp", {"b"}, {"c"});
    model.node("MatMul", "residual", {"c", "W2"}, {"d"});
    model.node("Add", "join", {"d", "x"}, {"e"});
    model.node("Tanh", "squash", {"e"}, {"f"});
    model.node("MatMul", "shared", {"f", "W3"}, {"g"});
    model.node("Tanh", "one", {"g"}, {"h"});
    model.node("MatMul", "other", {"g", "W4"}, {"i"});
    model.node("Mul", "gate", {"h", "i"}, {"j"});
    model.node("MatMul", "biased", {"j", "W5"}, {"k"});
    model.node("Add", "bias", {"row", "k"}, {"l"});
    model.node("Tanh", "out", {"l"}, {"y"});
    QuantizedCase products(model, {4, 32}, normalSamples(6, 128, 10));
    const ExportReport report = products.quantize("");
    EXPECT_EQ(checkOf(report, "int8-kernels").message, "5 of 5 quantized Conv, Gemm and MatMul run as int8 kernels");
    EXPECT_TRUE(report.keptFloat.empty());
    EXPECT_GT(report.outputs[0].sqnrDb.value_or(0), 15);
}

/// Convolutions that read one weight: each of them is a kernel of its own.
TEST(FittedPlan, ConvolutionsThatShareAWeightAllRunInInt8)
{
    ProtoBuilder model;
    model.input("x", {1, 4, 8, 8}).output("y", {1, 4, 8, 8});
    model.weight("W", {4, 4, 1, 1}, normal(16, 1));
    model.node("Conv", "first", {"x", "W"}, {"h"});
    model.node("Tanh", "squash", {"h"}, {"t"});
    model.node("Conv", "second", {"t", "W"}, {"u"});
    model.node("Tanh", "out", {"u"}, {"y"});
    QuantizedCase shared(model, {1, 4, 8, 8}, normalSamples(4, 256, 10));
    const ExportReport report = shared.quantize("");
    EXPECT_EQ(checkOf(report, "int8-kernels").message, "2 of 2 quantized Conv, Gemm and MatMul run as int8 kernels");
}

} // namespace
} // namespace duo
