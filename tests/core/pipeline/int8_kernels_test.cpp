// SPDX-License-Identifier: Apache-2.0
// What is planned in int8 runs in int8: real networks with random weights, exported for ort-cpu and read back from
// ONNX Runtime.
#include "core/pipeline/calibration/calibrate.h"
#include "core/pipeline/export.h"
#include "core/pipeline/sensitivity/group_errors.h"
#include "core/pipeline/snapshot/compression.h"
#include "tests/core/pipeline/normal_samples.h"
#include "tests/core/pipeline/quantized_case.h"
#include "tests/support/half_range.h"
#include "tests/support/temporary_folder.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace duo {
namespace {

class Int8Kernels : public testing::TestWithParam<const char*>
{
};

TEST_P(Int8Kernels, RunNinetyFivePerCentOfThePlannedProducts)
{
    const auto network = openSnapshot(std::filesystem::path(DUO_FILLED_MODELS) / (std::string(GetParam()) + ".onnx"));
    ASSERT_TRUE(network) << network.error().line();
    const auto data = openDataset("random:1:1", *network->model);
    ASSERT_TRUE(data) << data.error().line();
    const auto compression = calibrate(*network, **data, 1, {});
    ASSERT_TRUE(compression) << compression.error().line();
    const test::TemporaryFolder folder;
    const auto report = exportModel(*network, *compression, nullptr, folder / "m.int8.onnx", 1, {});
    ASSERT_TRUE(report) << report.error().line();
    const auto check = std::find_if(
        report->checks.begin(), report->checks.end(), [](const Check& c) { return c.id == "int8-kernels"; });
    ASSERT_NE(check, report->checks.end());
    EXPECT_TRUE(check->ok) << check->message;
    std::size_t products = 0;
    for (const Node& node : network->model->nodes)
        products += node.opType == "Conv" || node.opType == "Gemm" || node.opType == "MatMul" ? 1 : 0;
    EXPECT_LE(check->nodes.size() * 20, products) << check->message;
}

INSTANTIATE_TEST_SUITE_P(Networks, Int8Kernels, testing::Values("resnet18", "mobilenet_v2"),
    [](const testing::TestParamInfo<const char*>& network) { return std::string(network.param); });

/// Shapes of one number.
class AddedNumber : public testing::TestWithParam<std::vector<std::int64_t>>
{
};

TEST_P(AddedNumber, KeepsAGemmInInt8)
{
    test::ProtoBuilder model;
    model.input("x", {4, 64}).output("y", {4, 32});
    model.weight("w", {64, 32}, test::normal(64 * 32, 1)).weight("c", GetParam(), {3});
    model.node("Gemm", "fc", {"x", "w", "c"}, {"y"});
    test::QuantizedCase number(model, {4, 64}, test::normalSamples(4, 256, 5));
    const ExportReport report = number.quantize(test::kHalfRange);
    EXPECT_EQ(
        test::checkOf(report, "int8-kernels").message, "1 of 1 quantized Conv, Gemm and MatMul run as int8 kernels");
    EXPECT_GT(report.outputs.at(0).sqnrDb.value_or(0), 30);
    const auto switchable = SwitchableModel::open(number.planned(), number.compression(), number.data(), 2, 1, {});
    ASSERT_TRUE(switchable) << switchable.error().line();
    const auto apart = switchable->apart(1, {});
    ASSERT_TRUE(apart) << apart.error().line();
    EXPECT_GT(measuredError(*apart).decibels(), 30);
}

INSTANTIATE_TEST_SUITE_P(Shapes, AddedNumber,
    testing::Values(std::vector<std::int64_t>{}, std::vector<std::int64_t>{1}, std::vector<std::int64_t>{1, 1}),
    [](const testing::TestParamInfo<std::vector<std::int64_t>>& shape) {
        return "Axes" + std::to_string(shape.param.size());
    });

TEST(GemmFactors, LeaveTheNumberThatIsAddedAsItIs)
{
    test::ProtoBuilder model;
    model.input("x", {4, 64}).output("y", {4, 32});
    model.weight("w", {64, 32}, test::normal(64 * 32, 1)).weight("c", {1}, {300});
    onnx::AttributeProto& alpha = *model.node("Gemm", "fc", {"x", "w", "c"}, {"y"}).add_attribute();
    alpha.set_name("alpha");
    alpha.set_type(onnx::AttributeProto::FLOAT);
    alpha.set_f(3);
    test::QuantizedCase scaled(model, {4, 64}, test::normalSamples(4, 256, 5));
    EXPECT_GT(scaled.quantize(test::kHalfRange).outputs.at(0).sqnrDb.value_or(100), 30); // or nothing is quantized
}

/// The engine makes one Reshape of those around the Gemm that it computes a product of three axes by, and calls it as
/// the last of them: that is no int8 kernel.
TEST(IgnoredMoves, AreInFloatWhereTheEngineJoinsThemBehindAProduct)
{
    test::ProtoBuilder model;
    model.input("x", {1, 12, 64}).output("y", {3, 12, 1, 64});
    model.weight("w", {64, 192}, test::normal(64 * 192, 1)).weight("b", {192}, test::normal(192, 2));
    auto& parts = model.tensor("parts", {4}, onnx::TensorProto::INT64);
    for (const std::int64_t size : {12, 1, 3, 64})
        parts.add_int64_data(size);
    model.tensor("axis", {1}, onnx::TensorProto::INT64).add_int64_data(0);
    model.tensor("last", {1}, onnx::TensorProto::INT64).add_int64_data(3);
    model.node("MatMul", "qkv", {"x", "w"}, {"p"});
    model.node("Add", "bias", {"p", "b"}, {"s"});
    model.node("Reshape", "split", {"s", "parts"}, {"r"});
    model.node("Unsqueeze", "front", {"r", "axis"}, {"u"});
    auto& perm = *model.node("Transpose", "turn", {"u"}, {"t"}).add_attribute();
    perm.set_name("perm");
    perm.set_type(onnx::AttributeProto::INTS);
    for (const int axis : {3, 1, 2, 0, 4})
        perm.add_ints(axis);
    model.node("Squeeze", "back", {"t", "last"}, {"y"});
    test::QuantizedCase made(model, {1, 12, 64}, test::normalSamples(4, 12 * 64, 5));
    const ExportReport report
        = made.quantize(test::kHalfRange, R"([{"action": "target", "kind": "type", "value": "MatMul"}])");
    const Check& check = test::checkOf(report, "ignored-float");
    EXPECT_TRUE(check.ok) << check.message << (check.nodes.empty() ? "" : ": " + check.nodes.front());
    EXPECT_EQ(
        test::checkOf(report, "int8-kernels").message, "1 of 1 quantized Conv, Gemm and MatMul run as int8 kernels");
}

/// What a Gemm adds: a shape, or data.
struct Addend {
    const char* name;
    std::vector<std::int64_t> dims; // empty: data
    const char* behind; // an operator
};

class AddedBesideCodes : public testing::TestWithParam<Addend>
{
};

/// The engine's kernels add a vector only; a Gemm that adds anything else is written as a Gemm and an Add.
TEST_P(AddedBesideCodes, KeepsAGemmInInt8)
{
    const Addend& addend = GetParam();
    test::ProtoBuilder model;
    model.input("x", {4, 64}).output("y", {4, 32});
    model.weight("w", {64, 64}, test::normal(64 * 64, 1)).weight("v", {64, 32}, test::normal(64 * 32, 2));
    std::string added = "t";
    if (addend.dims.empty())
        model.node("Tanh", "tanh", {"x"}, {"t"});
    else
        model.weight(
            added = "c", addend.dims, test::normal(static_cast<std::size_t>(addend.dims[0] * addend.dims[1]), 3));
    model.node("Gemm", "first", {"x", "w", added}, {"h"});
    model.node(addend.behind, "act", {"h"}, {"k"});
    model.node("Gemm", "second", {"k", "v"}, {"y"});
    test::QuantizedCase network(model, {4, 64}, test::normalSamples(4, 256, 5));
    const ExportReport report = network.quantize(test::kHalfRange);
    EXPECT_EQ(
        test::checkOf(report, "int8-kernels").message, "2 of 2 quantized Conv, Gemm and MatMul run as int8 kernels");
    EXPECT_TRUE(report.keptFloat.empty());
    EXPECT_GT(report.outputs.at(0).sqnrDb.value_or(0), 25);
    const auto written = network.written();
    EXPECT_EQ(written->node(written->findNode("first")).inputs.size(), 2U);
    EXPECT_TRUE(written->findNode("first_Add").valid());
}

INSTANTIATE_TEST_SUITE_P(Sums, AddedBesideCodes,
    testing::Values(Addend{"Matrix", {4, 64}, "Relu"}, Addend{"MatrixClipped", {4, 64}, "LeakyRelu"},
        Addend{"Column", {4, 1}, "Sigmoid"}, Addend{"Data", {}, "Tanh"}, Addend{"DataBeforeRelu", {}, "Relu"}),
    [](const testing::TestParamInfo<Addend>& addend) { return std::string(addend.param.name); });

/// One value for both, of which only the factor is read in codes.
TEST(SumOfGemm, MayBeTheFactorItself)
{
    test::ProtoBuilder model;
    model.input("x", {4, 64}).output("y", {4, 64});
    model.weight("w", {64, 64}, test::normal(64 * 64, 1));
    model.node("Tanh", "tanh", {"x"}, {"t"});
    model.node("Gemm", "fc", {"t", "w", "t"}, {"y"});
    test::QuantizedCase network(model, {4, 64}, test::normalSamples(4, 256, 5));
    const ExportReport report = network.quantize(test::kHalfRange);
    EXPECT_EQ(
        test::checkOf(report, "int8-kernels").message, "1 of 1 quantized Conv, Gemm and MatMul run as int8 kernels");
    EXPECT_GT(report.outputs.at(0).sqnrDb.value_or(0), 30);
}

TEST(SumOfGemm, KeepsAGemmInsideAFunctionInFloat)
{
    test::ProtoBuilder model;
    model.input("x", {4, 64}).output("y", {4, 64});
    model.weight("w", {64, 64}, test::normal(64 * 64, 1));
    onnx::FunctionProto& layer = model.function("layer", {"a", "m"}, {"b"});
    onnx::OperatorSetIdProto& opset = *layer.add_opset_import();
    opset.set_version(17);
    test::addNode(layer, "Tanh", "tanh", {"a"}, {"t"});
    test::addNode(layer, "Gemm", "fc", {"a", "m", "t"}, {"b"});
    model.node("layer", "call", {"x", "w"}, {"y"}).set_domain("local");
    onnx::OperatorSetIdProto& local = *model.model().add_opset_import();
    local.set_domain("local");
    local.set_version(1);
    test::QuantizedCase network(model, {4, 64}, test::normalSamples(4, 256, 5));
    const ExportReport report = network.quantize(test::kHalfRange);
    EXPECT_TRUE(test::checkOf(report, "loads").ok);
}

/// Products, and what follows them.
class ClampedProduct : public testing::TestWithParam<const char*>
{
};

/// The codes of [-1, 1] are a little wider than it.
TEST_P(ClampedProduct, RunsInInt8WhereTheCodesBehindReachBeyondTheClip)
{
    test::ProtoBuilder model;
    model.input("x", {4, 64}).output("y", {4, 32});
    model.weight("w", {64, 64}, test::normal(64 * 64, 1)).weight("v", {64, 32}, test::normal(64 * 32, 2));
    model.weight("low", {}, {-1}).weight("high", {}, {1});
    model.node(GetParam(), "first", {"x", "w"}, {"h"});
    model.node("Clip", "clip", {"h", "low", "high"}, {"k"});
    model.node(GetParam(), "second", {"k", "v"}, {"y"});
    test::QuantizedCase clamped(model, {4, 64}, test::normalSamples(4, 256, 5));
    const ExportReport report = clamped.quantize(test::kHalfRange);
    EXPECT_EQ(
        test::checkOf(report, "int8-kernels").message, "2 of 2 quantized Conv, Gemm and MatMul run as int8 kernels");
    EXPECT_GT(report.outputs.at(0).sqnrDb.value_or(0), 25);
}

INSTANTIATE_TEST_SUITE_P(Products, ClampedProduct, testing::Values("Gemm", "MatMul"),
    [](const testing::TestParamInfo<const char*>& product) { return std::string(product.param); });

} // namespace
} // namespace duo
