// SPDX-License-Identifier: Apache-2.0
// What makes up for quantization, against what theory says of it (resources/docs/oracles.md, "Mean shift").
#include "core/onnx/writer.h"
#include "core/pipeline/calibration/calibrate.h"
#include "core/pipeline/calibration/corrections.h"
#include "core/pipeline/export.h"
#include "core/pipeline/resume.h"
#include "tests/core/pipeline/normal_samples.h"
#include "tests/core/pipeline/quantized_case.h"
#include "tests/support/file_bytes.h"
#include "tests/support/half_range.h"

#include <algorithm>
#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace duo {
namespace {

using test::normal;
using test::ProtoBuilder;
using test::QuantizedCase;
using test::sqnrDb;
using testing::ElementsAre;
using testing::SizeIs;

std::vector<std::vector<float>> samples(std::size_t count, std::size_t size, float mean = 0)
{
    return test::normalSamples(count, size, 100, mean);
}

/// Kernels whose eight outer weights all round up: a step is 1 / 127, they are 0.6 of one.
std::vector<float> biasedKernels(std::size_t channels)
{
    std::vector<float> weights(channels * 9, 0.6F / 127);
    for (std::size_t c = 0; c < channels; ++c)
        weights[c * 9 + 4] = 1;
    return weights;
}

void addDepthwise(ProtoBuilder& model, const std::string& name, const std::string& in, const std::string& out)
{
    model.weight(name + ".weight", {4, 1, 3, 3}, biasedKernels(4)).weight(name + ".bias", {4}, {0.5F, -0.5F, 1, 2});
    test::addInt(model.node("Conv", name, {in, name + ".weight", name + ".bias"}, {out}), "group", 4);
}

/// Three of them, a, b and c.
ProtoBuilder& addDepthwiseChain(ProtoBuilder& model)
{
    model.input("x", {1, 4, 24, 24}).output("y", {1, 4, 18, 18});
    addDepthwise(model, "a", "x", "h1");
    addDepthwise(model, "b", "h1", "h2");
    addDepthwise(model, "c", "h2", "y");
    return model;
}

/// Which of four channels an element of an output belongs to: they lie apart, or side by side.
enum class Channels { Planes, Columns };

/// Error of the mean of every output channel [4], over all samples.
double meanError(const QuantizedCase& model, std::size_t count, Channels channels = Channels::Planes)
{
    std::vector<double> errors(4);
    for (std::size_t i = 0; i < count; ++i) {
        const auto wanted = model.floatOutput(i);
        const auto got = model.output(i);
        for (std::size_t k = 0; k < got.size(); ++k)
            errors[channels == Channels::Planes ? k * 4 / got.size() : k % 4]
                += (static_cast<double>(got[k]) - wanted[k]) / static_cast<double>(got.size() / 4);
    }
    double worst = 0;
    for (const double error : errors)
        worst = std::max(worst, std::abs(error) / static_cast<double>(count));
    return worst;
}

TEST(BiasCorrection, CutsTheMeanErrorOfADepthwiseChainTenfold)
{
    ProtoBuilder model;
    QuantizedCase chain(addDepthwiseChain(model), {1, 4, 24, 24}, samples(8, std::size_t{4} * 24 * 24, 3));
    chain.quantize(R"("disable_bias_correction": true)");
    const double without = meanError(chain, 8);
    const ExportReport report = chain.quantize(R"("fast_bias_correction": true)");
    EXPECT_LT(meanError(chain, 8) * 10, without);
    ASSERT_THAT(report.corrections, SizeIs(1));
    EXPECT_EQ(report.corrections[0].kind, "bias-correction");
    EXPECT_THAT(report.corrections[0].nodes, ElementsAre("a", "b", "c"));
    EXPECT_TRUE(report.allChecksPassed());
}

TEST(BiasCorrection, ReachesTheAddBehindAProductOfAnyRank)
{
    std::vector<float> weights(std::size_t{16} * 4, 0.6F / 127); // all but one of a column round up
    for (std::size_t c = 0; c < 4; ++c)
        weights[c * 4 + c] = 1;
    for (const std::int64_t steps : {12, -1}) { // which ONNX Runtime makes a Gemm, and which it does not
        ProtoBuilder model;
        model.input("x", {1, steps, 16}).output("y", {1, steps, 4});
        model.weight("w", {16, 4}, weights).weight("b", {4}, {0.5F, -0.5F, 1, 2});
        model.node("MatMul", "product", {"x", "w"}, {"h"});
        model.node("Add", "biased", {"b", "h"}, {"y"});
        QuantizedCase linear(model, {1, 12, 16}, samples(10, std::size_t{12} * 16, 3));
        linear.quantize(R"("disable_bias_correction": true)");
        const double without = meanError(linear, 10, Channels::Columns);
        for (const char* settings : {R"("fast_bias_correction": true)", R"("fast_bias_correction": false)"}) {
            const ExportReport report = linear.quantize(settings);
            EXPECT_LT(meanError(linear, 10, Channels::Columns) * 10, without) << settings;
            ASSERT_THAT(report.corrections, SizeIs(1));
            EXPECT_THAT(report.corrections[0].nodes, ElementsAre("product"));
            EXPECT_TRUE(report.allChecksPassed()) << steps; // the product runs in int8
        }
    }
}

TEST(BiasCorrection, IsMadeUnlessItIsLeftOut)
{
    ProtoBuilder model;
    model.input("x", {1, 4, 8, 8}).output("y", {1, 4, 6, 6});
    addDepthwise(model, "a", "x", "y");
    QuantizedCase chain(model, {1, 4, 8, 8}, samples(4, std::size_t{4} * 64, 3));
    EXPECT_THAT(chain.quantize("").corrections, SizeIs(1));
    EXPECT_THAT(chain.quantize(R"("disable_bias_correction": true)").corrections, SizeIs(0));
}

TEST(BiasCorrection, InTurnSeesWhatTheLayersBeforeLeft)
{
    ProtoBuilder model;
    QuantizedCase chain(addDepthwiseChain(model), {1, 4, 24, 24}, samples(10, std::size_t{4} * 24 * 24, 3));
    chain.quantize(R"("disable_bias_correction": true)");
    const double without = meanError(chain, 10);
    const ExportReport report = chain.quantize(R"("fast_bias_correction": false)");
    EXPECT_LT(meanError(chain, 10) * 10, without);
    ASSERT_THAT(report.corrections, SizeIs(1));
    EXPECT_THAT(report.corrections[0].nodes, ElementsAre("a", "b", "c"));
    EXPECT_THAT(report.corrections[0].skipped, SizeIs(0));
}

TEST(BiasCorrection, IsWhatRunningTheNodeOnItsMeansGives)
{
    const std::vector<float> weights = normal(std::size_t{6} * 2 * 9, 5);
    ProtoBuilder model;
    model.input("x", {1, 4, 6, 6}).output("y", {1, 6, 4, 4});
    model.weight("w", {6, 2, 3, 3}, weights).weight("b", {6}, {1});
    test::addInt(model.node("Conv", "c", {"x", "w", "b"}, {"y"}), "group", 2);
    QuantizedCase grouped(model, {1, 4, 6, 6}, samples(4, std::size_t{4} * 36, 1));
    grouped.quantize(R"("fast_bias_correction": true)");
    const Model& opened = *grouped.opened().model;
    const NodeId node = opened.findNode("c");
    const QuantizationParameters* parameters = nullptr;
    for (const auto& [id, point] : grouped.compression().setup.points) {
        if (point.isWeight)
            parameters = &grouped.compression().parameters.at(id);
    }
    ASSERT_NE(parameters, nullptr);
    const std::vector<double> means{1, -2, 3, 0.5};
    const auto shift = meanShift(opened, node, *parameters, means);
    ASSERT_TRUE(shift);
    for (std::size_t o = 0; o < 6; ++o) {
        double expected = 0;
        for (std::size_t i = 0; i < 18; ++i) {
            const float w = weights[o * 18 + i];
            const float rounded = std::nearbyint(w / parameters->scale[o]) * parameters->scale[o];
            expected += (static_cast<double>(w) - rounded) * means[o / 3 * 2 + i / 9];
        }
        EXPECT_NEAR((*shift)[o], expected, 1e-5);
    }
}

TEST(BiasCorrection, LeavesABiasWithAZeroAsNncfDoes)
{
    EXPECT_TRUE(isShiftTaken({1, -1}, {1.9F, 0}, 2));
    EXPECT_FALSE(isShiftTaken({1, -1}, {2, 0}, 2));
    EXPECT_FALSE(isShiftTaken({1, 0}, {0.1F, 0}, 2));
}

/// Two convolutions with Relu between them; a channel of the first is `outlier` times the others.
ProtoBuilder& addConvPair(ProtoBuilder& model, float outlier)
{
    auto first = normal(std::size_t{4} * 3 * 9, 1);
    for (std::size_t i = 27; i < 54; ++i)
        first[i] *= outlier;
    auto second = normal(std::size_t{5} * 4 * 9, 2);
    for (std::size_t o = 0; o < 5; ++o) {
        for (std::size_t k = 0; k < 9; ++k)
            second[o * 36 + 9 + k] /= outlier;
    }
    model.input("x", {1, 3, 12, 12}).output("y", {1, 5, 8, 8});
    model.weight("w1", {4, 3, 3, 3}, first).weight("b1", {4}, {0.1F, 0.2F, -0.3F, 0.4F});
    model.weight("w2", {5, 4, 3, 3}, second).weight("b2", {5}, {0.1F});
    model.node("Conv", "first", {"x", "w1", "b1"}, {"h"});
    model.node("Relu", "relu", {"h"}, {"r"});
    model.node("Conv", "second", {"r", "w2", "b2"}, {"y"});
    return model;
}

/// Largest difference of outputs, as a share of the largest output, after changes of the float model.
double changeOfFunction(QuantizedCase& model, const std::vector<FloatChange>& changes)
{
    const auto changed = withFloatChanges(model.opened(), changes);
    EXPECT_TRUE(changed) << changed.error().line();
    const test::TemporaryFolder folder;
    EXPECT_TRUE(writeModel(*changed->model, {}, folder / "changed.onnx"));
    const auto before = model.floatOutput(0);
    const auto after = model.run(folder / "changed.onnx", 0);
    double most = 0;
    double difference = 0;
    for (std::size_t i = 0; i < before.size(); ++i) {
        most = std::max<double>(most, std::abs(before[i]));
        difference = std::max<double>(difference, std::abs(before[i] - after[i]));
    }
    return difference / most;
}

TEST(CrossLayerEqualization, KeepsTheFunctionAndHelpsWithAnOutlierChannel)
{
    ProtoBuilder model;
    QuantizedCase pair(addConvPair(model, 200), {1, 3, 12, 12}, samples(8, std::size_t{3} * 144));
    const auto changes = crossLayerChanges(*pair.opened().model);
    ASSERT_THAT(changes, SizeIs(1));
    EXPECT_THAT(changes[0].nodes, ElementsAre("first", "second"));
    EXPECT_LT(changeOfFunction(pair, changes), 1e-5);
    pair.quantize(R"("disable_bias_correction": true)");
    const double without = sqnrDb(pair.floatOutput(0), pair.output(0));
    const ExportReport report = pair.quantize(R"("cross_layer_equalization": true, "disable_bias_correction": true)");
    EXPECT_GT(sqnrDb(pair.floatOutput(0), pair.output(0)), without + 10);
    ASSERT_THAT(report.corrections, SizeIs(1));
    EXPECT_EQ(report.corrections[0].kind, "cross-layer-equalization");
    EXPECT_TRUE(report.allChecksPassed());
}

TEST(CrossLayerEqualization, MakesChannelsEquallyLarge)
{
    ProtoBuilder model;
    const QuantizedCase pair(addConvPair(model, 50), {1, 3, 12, 12}, samples(1, std::size_t{3} * 144));
    const auto changed = withFloatChanges(pair.opened(), crossLayerChanges(*pair.opened().model));
    ASSERT_TRUE(changed);
    const Model& equal = *changed->model;
    const auto outputs = outputChannelMaxima(equal, equal.findNode("first"));
    const auto inputs = inputChannelMaxima(equal, equal.findNode("second"));
    for (std::size_t c = 0; c < outputs.size(); ++c)
        EXPECT_NEAR(outputs[c], inputs[c], 1e-3F * outputs[c]);
    EXPECT_THAT(crossLayerChanges(equal), SizeIs(0));
}

TEST(CrossLayerEqualization, GoesThroughWhateverKeepsFactorsOfChannels)
{
    ProtoBuilder model;
    addConvPair(model, 200);
    onnx::GraphProto& graph = model.proto();
    graph.mutable_node(1)->set_op_type("AveragePool");
    auto* kernel = graph.mutable_node(1)->add_attribute();
    kernel->set_name("kernel_shape");
    kernel->set_type(onnx::AttributeProto::INTS);
    kernel->add_ints(1);
    kernel->add_ints(1);
    QuantizedCase pair(model, {1, 3, 12, 12}, samples(1, std::size_t{3} * 144));
    const auto changes = crossLayerChanges(*pair.opened().model);
    ASSERT_THAT(changes, SizeIs(1));
    EXPECT_LT(changeOfFunction(pair, changes), 1e-5);
}

TEST(CrossLayerEqualization, LeavesAPairAloneThatAnotherNodeReads)
{
    ProtoBuilder model;
    addConvPair(model, 50).output("r", {1, 4, 10, 10});
    const QuantizedCase pair(model, {1, 3, 12, 12}, samples(1, std::size_t{3} * 144));
    EXPECT_THAT(crossLayerChanges(*pair.opened().model), SizeIs(0));
}

/// A product whose input has one channel that is `outlier` times the others, and a second one beside it.
ProtoBuilder& addProducts(ProtoBuilder& model, float outlier)
{
    std::vector<float> gain(16, 1);
    gain[3] = outlier;
    model.input("x", {1, 8, 16}).output("y", {1, 8, 12});
    model.weight("gain", {16}, gain).weight("offset", {16}, {0});
    model.weight("w1", {16, 12}, normal(std::size_t{16} * 12, 3))
        .weight("w2", {16, 12}, normal(std::size_t{16} * 12, 4));
    model.node("LayerNormalization", "norm", {"x", "gain", "offset"}, {"n"});
    model.node("MatMul", "left", {"n", "w1"}, {"l"});
    model.node("MatMul", "right", {"n", "w2"}, {"r"});
    model.node("Add", "sum", {"l", "r"}, {"y"});
    return model;
}

std::ptrdiff_t mulsIn(const Model& model)
{
    return std::ranges::count(model.nodes, "Mul", &Node::opType);
}

TEST(SmoothQuant, KeepsTheFunctionAndHelpsWithAnOutlierChannel)
{
    ProtoBuilder model;
    QuantizedCase products(addProducts(model, 60), {1, 8, 16}, samples(16, std::size_t{8} * 16));
    products.quantize(R"("model_type": "transformer", "disable_bias_correction": true)");
    const double without = sqnrDb(products.floatOutput(0), products.output(0));
    const ExportReport report = products.quantize(
        R"("model_type": "transformer", "smooth_quant_alphas": {"matmul": 0.5}, "disable_bias_correction": true)");
    EXPECT_GT(sqnrDb(products.floatOutput(0), products.output(0)), without + 3);
    ASSERT_THAT(products.compression().floatChanges, SizeIs(1)); // both products read one smoothed value
    EXPECT_EQ(products.compression().floatChanges[0].value, "n");
    EXPECT_THAT(products.compression().floatChanges[0].nodes, ElementsAre("left", "right"));
    EXPECT_LT(changeOfFunction(products, products.compression().floatChanges), 1e-5);
    ASSERT_THAT(report.corrections, SizeIs(1));
    EXPECT_EQ(report.corrections[0].kind, "smooth-quant");
    EXPECT_EQ(report.corrections[0].folded, 2U); // into gain and offset of the norm
    EXPECT_EQ(mulsIn(*products.written()), 0);
    EXPECT_TRUE(report.allChecksPassed());
}

/// Two products with bias and Relu between them; a column of the first is `outlier` times the others.
ProtoBuilder& addPerceptron(ProtoBuilder& model, float outlier)
{
    auto first = normal(std::size_t{6} * 16, 3);
    auto second = normal(std::size_t{16} * 6, 4);
    for (std::size_t i = 0; i < 6; ++i) {
        first[i * 16 + 3] *= outlier;
        second[3 * 6 + i] /= outlier; // as much of y as the others
    }
    model.input("x", {4, 6}).output("y", {4, 6});
    model.weight("w1", {6, 16}, first).weight("b1", {16}, {0.5F, -0.5F});
    model.weight("w2", {16, 6}, second).node("MatMul", "first", {"x", "w1"}, {"p"});
    model.node("Add", "biased", {"p", "b1"}, {"h"});
    model.node("Relu", "relu", {"h"}, {"r"});
    model.node("MatMul", "second", {"r", "w2"}, {"y"});
    return model;
}

constexpr auto kSmoothed
    = R"("smooth_quant_alphas": {"matmul": 0.5, "convolution": 0.5}, "disable_bias_correction": true)";

std::string foldOfSecond(const std::vector<FloatChange>& changes)
{
    const auto found = std::ranges::find(changes, std::vector<std::string>{"second"}, &FloatChange::nodes);
    return found == changes.end() ? "not smoothed" : found->foldedInto;
}

TEST(SmoothQuant, SaysWhyItChangesNothing)
{
    ProtoBuilder model;
    model.input("x", {1, 2, 4, 4}).output("y", {1, 2, 2, 2}).weight("w", {2, 2, 3, 3}, {0.5F, -0.25F, 0.125F});
    model.node("Conv", "conv", {"x", "w"}, {"y"});
    std::vector<std::vector<float>> samples(4, std::vector<float>(32, 0.5F));
    QuantizedCase convolution(model, {1, 2, 4, 4}, samples);
    const ExportReport report = convolution.quantize(R"("smooth_quant_alphas": {"matmul": 0.5})");
    EXPECT_THAT(report.notes,
        testing::Contains(testing::Field(
            &Note::text, "SmoothQuant changed nothing: no node it is meant for reads constant float weights")));
}

TEST(SmoothQuant, FoldsIntoTheLayerBefore)
{
    ProtoBuilder convolutions;
    ProtoBuilder products; // a Mul behind the quantizer of its first Add would come too late
    QuantizedCase cases[] = {{addConvPair(convolutions, 100), {1, 3, 12, 12}, samples(8, std::size_t{3} * 144)},
        {addPerceptron(products, 100), {4, 6}, samples(8, std::size_t{4} * 6)}};
    for (QuantizedCase& layers : cases) {
        layers.quantize(R"("disable_bias_correction": true, )" + test::kHalfRange);
        const double without = sqnrDb(layers.floatOutput(0), layers.output(0));
        const ExportReport report = layers.quantize(std::string(kSmoothed) + ", " + test::kHalfRange);
        EXPECT_EQ(foldOfSecond(layers.compression().floatChanges), "first");
        EXPECT_LT(changeOfFunction(layers, layers.compression().floatChanges), 1e-5);
        EXPECT_GT(sqnrDb(layers.floatOutput(0), layers.output(0)), without + 6);
        EXPECT_TRUE(report.allChecksPassed());
        EXPECT_THAT(exportText(report), testing::HasSubstr(", 1 folded into what comes before\n"));
    }
}

TEST(SmoothQuant, KeepsTheMulWhereOthersReadTheValueOrNncfHasIt)
{
    ProtoBuilder model;
    QuantizedCase pair(addConvPair(model, 100), {1, 3, 12, 12}, samples(4, std::size_t{3} * 144));
    pair.quantize(kSmoothed);
    EXPECT_EQ(mulsIn(*pair.written()), 1); // of x
    pair.quantize(std::string(R"("nncf_compatible": true, )") + kSmoothed);
    EXPECT_EQ(foldOfSecond(pair.compression().floatChanges), "");
    EXPECT_EQ(mulsIn(*pair.written()), 2);
    model.output("r", {1, 4, 10, 10});
    QuantizedCase read(model, {1, 3, 12, 12}, samples(4, std::size_t{3} * 144));
    const ExportReport report = read.quantize(kSmoothed);
    EXPECT_EQ(foldOfSecond(read.compression().floatChanges), "");
    EXPECT_LT(changeOfFunction(read, read.compression().floatChanges), 1e-5);
    EXPECT_EQ(test::checkOf(report, "ignored-float").message, "no rule keeps nodes in float");
}

TEST(Corrections, ReachWeightsOutsideTheModelFile)
{
    const auto opened = openSnapshot(DUO_TEST_DATA "/models/external/external.onnx");
    ASSERT_TRUE(opened) << opened.error().line();
    const auto data = *openDataset("random:10", *opened->model);
    for (const char* settings :
        {R"("smooth_quant_alphas": {"convolution": 0.5})", R"("fast_bias_correction": false)"}) {
        const auto recipe = *parseRecipe(
            std::string(R"({"format": "duoscope-recipe", "version": 1, "quantization": {)") + settings + "}}", "r");
        const auto snapshot = *withRecipe(*opened, recipe);
        const auto compression = calibrate(snapshot, *data, 1, {});
        ASSERT_TRUE(compression) << compression.error().line();
        for (const CorrectionMade& made : compression->corrections)
            EXPECT_FALSE(made.nodes.empty()) << settings << made.kind;
        const test::TemporaryFolder folder;
        const auto report = exportModel(snapshot, *compression, data.get(), folder / "m.onnx", 1, {});
        ASSERT_TRUE(report) << report.error().line();
        EXPECT_TRUE(report->allChecksPassed());
        EXPECT_GT(report->outputs.at(0).sqnrDb.value_or(0), 20);
    }
}

TEST(Corrections, AreMadeAgainFromTheState)
{
    ProtoBuilder model;
    QuantizedCase products(addProducts(model, 60), {1, 8, 16}, samples(8, std::size_t{8} * 16));
    products.quantize(R"("model_type": "transformer", "smooth_quant_alphas": {"matmul": 0.5})");
    ProtoBuilder convolutions;
    QuantizedCase pair(addConvPair(convolutions, 20), {1, 3, 12, 12}, samples(8, std::size_t{3} * 144));
    pair.quantize(R"("cross_layer_equalization": true, "fast_bias_correction": true)");
    for (const QuantizedCase* made : {&products, &pair}) {
        const auto resumed = resumeFrom(made->opened(), statePathFor(made->exported()), true, {});
        ASSERT_TRUE(resumed) << resumed.error().line();
        EXPECT_TRUE(resumed->identicalSetup);
        const test::TemporaryFolder folder;
        ASSERT_TRUE(exportModel(resumed->snapshot, resumed->compression, nullptr, folder / "again.onnx", 1, {}));
        EXPECT_EQ(test::bytesOf(folder / "again.onnx"), test::bytesOf(made->exported()));
    }
}

} // namespace
} // namespace duo
