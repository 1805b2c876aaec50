// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/adopt_encodings.h"

#include "core/interchange/encodings.h"
#include "core/pipeline/export.h"
#include "core/pipeline/import_setup.h"
#include "core/pipeline/recorded_compression.h"
#include "core/pipeline/setup_forms.h"
#include "core/quantize/points/point_index.h"
#include "core/state/nncf_setup.h"
#include "core/support/file.h"
#include "tests/core/pipeline/normal_samples.h"
#include "tests/core/pipeline/quantized_case.h"
#include "tests/support/model_builder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

namespace duo {
namespace {

using namespace test;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

/// Two convolutions with a Relu between, and a product behind a Reshape.
QuantizedCase chain()
{
    ProtoBuilder model;
    model.input("x", {1, 3, 8, 8}).output("y", {1, 10});
    model.weight("w1", {4, 3, 3, 3}, normal(std::size_t{4} * 27, 1)).weight("b1", {4}, {0.1F, 0.2F, -0.3F, 0.4F});
    model.weight("w2", {6, 4, 3, 3}, normal(std::size_t{6} * 36, 2));
    model.weight("w3", {96, 10}, normal(std::size_t{960}, 3));
    model.node("Conv", "first", {"x", "w1", "b1"}, {"h"});
    model.node("Relu", "relu", {"h"}, {"r"});
    model.node("Conv", "second", {"r", "w2"}, {"c"});
    model.node("Flatten", "flat", {"c"}, {"f"});
    model.node("MatMul", "product", {"f", "w3"}, {"y"});
    return {model, {1, 3, 8, 8}, normalSamples(4, std::size_t{3} * 64, 5)};
}

AdoptedEncodings adopt(const Snapshot& snapshot, const std::string& text)
{
    const auto encodings = parseForeignEncodings(text, "e.json");
    EXPECT_TRUE(encodings) << (encodings ? "" : encodings.error().line());
    auto adopted = adoptEncodings(snapshot, *encodings, 1, {});
    EXPECT_TRUE(adopted) << (adopted ? "" : adopted.error().line());
    return adopted ? *std::move(adopted) : AdoptedEncodings();
}

/// Parameters by the name of the value they are of.
std::map<std::string, QuantizationParameters> byTensor(const Model& model, const Compression& compression)
{
    std::map<std::string, QuantizationParameters> found;
    for (const auto& [id, point] : compression.setup.points)
        found.emplace(model.value(pointValue(model, point)).name, compression.parameters.at(id));
    return found;
}

TEST(AdoptEncodings, ACopyOfAConstantIsTheConstantItself)
{
    const QuantizedCase made = chain();
    const AdoptedEncodings adopted = adopt(made.opened(), R"({"version": "0.6.1", "activation_encodings": {
        "f": [{"bitwidth": 8, "scale": 0.5, "offset": -3}]}, "param_encodings": {
        "w3": [{"bitwidth": 8, "scale": 0.1, "offset": -128}], "w3_copy_1": [{"bitwidth": 8, "scale": 0.1, "offset": -128}],
        "w3_copy_2": [{"bitwidth": 8, "scale": 0.2, "offset": -128}],
        "w2_copy_1": [{"bitwidth": 8, "scale": 0.2, "offset": -128}]}})");
    EXPECT_THAT(adopted.notExpressed,
        UnorderedElementsAre(
            "tensor 'w3_copy_2' is a copy of 'w3', which has another scale", "tensor 'w2_copy_1' is not in the model"));
    EXPECT_EQ(adopted.used, 3U);
}

TEST(AdoptEncodings, LeavesOutWhatIsNotOfFloat32)
{
    ProtoBuilder model;
    model.input("x", {1, 4}).output("y", {1, 4});
    addInt(model.node("Cast", "half", {"x"}, {"h"}), "to", onnx::TensorProto::FLOAT16);
    model.node("Sigmoid", "sigmoid", {"h"}, {"s"});
    addInt(model.node("Cast", "full", {"s"}, {"y"}), "to", onnx::TensorProto::FLOAT);
    const QuantizedCase made(model, {1, 4}, normalSamples(1, 4, 5));
    const AdoptedEncodings adopted = adopt(made.opened(), R"({"version": "1.0.0", "activation_encodings": [
        {"name": "h", "dtype": "INT", "bw": 8, "is_sym": false, "enc_type": "PER_TENSOR", "scale": [0.5], "offset": [-3]},
        {"name": "x", "dtype": "INT", "bw": 8, "is_sym": false, "enc_type": "PER_TENSOR", "scale": [0.5], "offset": [-3]}],
        "param_encodings": []})");
    EXPECT_THAT(adopted.notExpressed,
        ElementsAre("tensor 'h' is of float16: the model must compute in float32 to be quantized here"));
    EXPECT_EQ(adopted.used, 1U);
}

TEST(AdoptEncodings, LeavesOutTwoBitsThatTheEngineWouldMultiplyWrongly)
{
    ProtoBuilder model;
    model.model().mutable_opset_import(0)->set_version(25);
    model.input("x", {1, 4}).output("y", {1, 4});
    model.weight("w", {4, 5}, normal(20, 1)).weight("v", {5, 4}, normal(20, 2));
    model.node("MatMul", "a", {"x", "w"}, {"h"});
    model.node("MatMul", "b", {"h", "v"}, {"y"});
    const QuantizedCase made(model, {1, 4}, normalSamples(1, 4, 5));
    const AdoptedEncodings adopted = adopt(made.opened(), R"({"version": "2.0.0", "encodings": [
        {"name": "w", "output_dtype": "int2", "y_scale": 0.5}, {"name": "v", "output_dtype": "int2", "y_scale": 0.5}]})");
    EXPECT_THAT(adopted.notExpressed,
        ElementsAre(
            "tensor 'w' has codes of 2 bits for 5 outputs: ONNX Runtime 1.32 multiplies these wrongly unless they "
            "are a multiple of 4"));
    EXPECT_EQ(adopted.used, 1U);
}

TEST(AdoptEncodings, PutsScalesWhereTheRecipeQuantizes)
{
    const QuantizedCase made = chain();
    const Snapshot& snapshot = made.opened();
    const AdoptedEncodings adopted = adopt(snapshot, R"({"version": "0.6.1", "activation_encodings": {
        "x": [{"bitwidth": 8, "scale": 0.5, "offset": -3}], "r": [{"bitwidth": 8, "scale": 0.25, "offset": 0}]},
        "param_encodings": {"w1": [{"bitwidth": 8, "scale": 0.1, "offset": -128}, {"bitwidth": 8, "scale": 0.2,
        "offset": -128}, {"bitwidth": 8, "scale": 0.3, "offset": -128}, {"bitwidth": 8, "scale": 0.4, "offset": -128}],
        "b1": [{"bitwidth": 32, "scale": 0.05, "offset": 0}], "gone": [{"bitwidth": 8, "scale": 1, "offset": 0}]}})");
    const auto found = byTensor(*snapshot.model, adopted.compression);
    EXPECT_EQ(found.at("x"), (QuantizationParameters{ElementType::UInt8, {0.5F}, {3}, std::nullopt}));
    EXPECT_EQ(found.at("w1"), (QuantizationParameters{ElementType::Int8, {0.1F, 0.2F, 0.3F, 0.4F}, {0, 0, 0, 0}, 0}));
    EXPECT_EQ(adopted.used, 3U);
    EXPECT_THAT(adopted.biases, ElementsAre("b1"));
    EXPECT_THAT(adopted.made, Contains("w2")); // its data have an entry
    EXPECT_FALSE(found.contains("w3")) << "nothing quantizes what it multiplies";
    EXPECT_THAT(adopted.notExpressed, ElementsAre("tensor 'gone' is not in the model"));
    EXPECT_FALSE(adopted.without.empty());
}

TEST(AdoptEncodings, AddsQuantizersBehindOtherValues)
{
    ProtoBuilder model;
    model.input("x", {1, 8}).output("y", {1, 8});
    model.node("Softmax", "soft", {"x"}, {"s"});
    model.node("Tanh", "tanh", {"s"}, {"y"});
    const QuantizedCase made{model, {1, 8}, normalSamples(2, 8, 1)};
    const AdoptedEncodings adopted
        = adopt(made.opened(), R"({"s": [{"quant_type": "QUInt8", "scale": 0.5, "zero_point": 3}]})");
    ASSERT_EQ(adopted.compression.setup.points.size(), 1U);
    const QuantizationPoint& point = adopted.compression.setup.points.begin()->second;
    EXPECT_EQ(made.opened().model->node(point.node).name, "soft");
    EXPECT_FALSE(point.port);
    EXPECT_EQ(adopted.used, 1U);
}

TEST(AdoptEncodings, MakesScalesOfRanges)
{
    QuantizedCase made = chain();
    made.quantize("");
    const Snapshot& snapshot = made.planned();
    std::vector<TensorRange> ranges;
    const auto& values = made.compression().statistics->statistics.values;
    for (const auto& [name, value] : values)
        ranges.push_back({name, value.min, value.max});
    const AdoptedEncodings adopted = adopt(snapshot, rangesText(ranges, EncodingForm::OrtCalibration));
    EXPECT_EQ(adopted.compression.setup, made.compression().setup);
    EXPECT_EQ(adopted.compression.parameters, made.compression().parameters);
    EXPECT_THAT(adopted.without, IsEmpty());
}

Snapshot ignoring(const QuantizedCase& made, const std::string& node)
{
    const auto recipe = readRecipeText(R"({"names": [")" + node + R"("]})");
    auto ruled = withRecipe(made.opened(), std::get<RecipeReading>(recipe).recipe);
    EXPECT_TRUE(ruled) << (ruled ? "" : ruled.error().line());
    return *std::move(ruled);
}

/// Everything has an entry; what rules leave in float gets no quantizer all the same.
TEST(AdoptEncodings, AddsNothingInFrontOfWhatRulesLeaveInFloat)
{
    ProtoBuilder model;
    model.input("x", {1, 8}).output("y", {1, 8}).weight("w", {8, 8}, normal(64, 1));
    model.node("Softmax", "soft", {"x"}, {"s"});
    model.node("Tanh", "tanh", {"s"}, {"t"});
    model.node("MatMul", "product", {"t", "w"}, {"y"});
    const QuantizedCase made{model, {1, 8}, normalSamples(2, 8, 1)};
    const std::string file = R"({"version": "2.0.0", "encodings": [
        {"name": "x", "output_dtype": "uint8", "y_scale": 1}, {"name": "s", "output_dtype": "uint8", "y_scale": 1},
        {"name": "t", "output_dtype": "uint8", "y_scale": 1}, {"name": "w", "output_dtype": "int8", "y_scale": 1}]})";
    EXPECT_THAT(adopt(made.opened(), file).notExpressed, IsEmpty());
    EXPECT_THAT(adopt(ignoring(made, "tanh"), file).notExpressed,
        ElementsAre("tensor 's' is read only by nodes that the rules leave in float"));
    EXPECT_THAT(adopt(ignoring(made, "product"), file).notExpressed,
        UnorderedElementsAre("tensor 't' is read only by nodes that the rules leave in float",
            "tensor 'w' is read only by nodes that the rules leave in float"));
}

TEST(AdoptEncodings, TakesSignedCodesAroundZeroForSymmetricOnes)
{
    const QuantizedCase made = chain();
    const AdoptedEncodings adopted = adopt(made.opened(), R"({"version": "2.0.0", "encodings": [
        {"name": "x", "output_dtype": "int8", "y_scale": 1}, {"name": "r", "output_dtype": "int8", "y_scale": 1,
        "y_zero_point": -128}]})");
    for (const auto& [id, point] : adopted.compression.setup.points) {
        const bool isOfInput = adopted.compression.parameters.at(id).zeroPoint.front() == 0;
        if (!point.isWeight)
            EXPECT_EQ(point.config.mode, isOfInput ? QuantizationMode::Symmetric : QuantizationMode::Asymmetric);
    }
    const auto olive = setupText(made.opened(), adopted.compression, "olive", {});
    ASSERT_TRUE(olive) << olive.error().line();
    EXPECT_THAT(olive->text, HasSubstr(R"("activation_type": "int8")")) << "not uint8, as the recipe would have it";
    EXPECT_THAT(olive->losses, Contains("scales: the tool measures its own"));
}

TEST(AdoptEncodings, SaysWhichRangesNobodyTakes)
{
    const QuantizedCase made = chain();
    const AdoptedEncodings adopted
        = adopt(made.opened(), rangesText({{"x", -1, 1}, {"h", -1, 1}, {"w1", -1, 1}}, EncodingForm::OrtCalibration));
    EXPECT_THAT(adopted.unused, ElementsAre("h", "w1"));
    EXPECT_THAT(adopted.notExpressed, IsEmpty());
}

/// As an exporter gives a weight the name of another one with equal values.
TEST(QuantizersOf, NameAWeightOnceThatHasTwoNames)
{
    ProtoBuilder model;
    model.input("x", {4, 8}).output("y", {4, 8}).weight("w", {8, 8}, normal(64, 1));
    model.node("Identity", "Identity_0", {"w"}, {"v"});
    model.node("MatMul", "first", {"x", "w"}, {"h"});
    model.node("MatMul", "second", {"h", "v"}, {"y"});
    const QuantizedCase made{model, {4, 8}, normalSamples(2, 32, 1)};
    const AdoptedEncodings adopted = adopt(made.opened(), R"({"version": "2.0.0", "encodings": [
        {"name": "x", "output_dtype": "uint8", "y_scale": 1}, {"name": "h", "output_dtype": "uint8", "y_scale": 1},
        {"name": "w", "output_dtype": "int8", "y_scale": 1}]})");
    std::vector<std::string> weights;
    for (const FoundQuantizer& each : quantizersOf(*made.opened().model, adopted.compression).quantizers) {
        if (each.isWeight)
            weights.push_back(each.tensor);
    }
    EXPECT_THAT(weights, ElementsAre("w"));
}

TEST(AdoptEncodings, SaysWhatWentAsTheModelWasSimplified)
{
    ProtoBuilder model;
    model.input("x", {1, 8}).output("y", {1, 4}).weight("w", {8, 4}, normal(32, 1));
    model.node("Identity", "alias", {"x"}, {"a"});
    model.node("MatMul", "product", {"a", "w"}, {"y"});
    QuantizedCase made(model, {1, 8}, normalSamples(2, 8, 5));
    made.quantize(""); // as recipes are, simplified
    const AdoptedEncodings adopted = adopt(made.planned(), R"({"activation_encodings": {
        "x": [{"bitwidth": 8, "scale": 0.5, "offset": -3}], "a": [{"bitwidth": 8, "scale": 0.5, "offset": -3}],
        "b": [{"bitwidth": 8, "scale": 0.5, "offset": -3}]}})");
    EXPECT_THAT(adopted.notExpressed,
        UnorderedElementsAre("tensor 'a' went as the model was simplified: without transforms it is taken",
            "tensor 'b' is not in the model"));
}

TEST(AdoptEncodings, RefusesAFileOfAnotherModel)
{
    const QuantizedCase made = chain();
    const auto encodings = parseForeignEncodings("TRT-1\nother: 3f800000\n", "t.cache");
    const auto adopted = adoptEncodings(made.opened(), *encodings, 1, {});
    ASSERT_FALSE(adopted);
    EXPECT_EQ(adopted.error().what, "no tensor of the file is in the model");
}

TEST(AdoptEncodings, SaysWhichScalesFitNoAxis)
{
    const QuantizedCase made = chain();
    const AdoptedEncodings adopted = adopt(made.opened(), R"({"version": "2.0.0", "encodings": [
        {"name": "x", "output_dtype": "uint8", "y_scale": 1},
        {"name": "w1", "output_dtype": "int8", "y_scale": [1, 2, 3, 4, 5], "axis": 0}]})");
    EXPECT_THAT(adopted.notExpressed, ElementsAre("tensor 'w1' has as many scales as no axis of it has elements"));
}

/// A random setup for the chain, in no form yet.
ForeignEncodings randomEncodings(std::mt19937& random)
{
    std::uniform_real_distribution<float> scale(1e-6F, 10);
    std::uniform_int_distribution<int> code(0, 255);
    std::bernoulli_distribution isThere(0.8);
    ForeignEncodings encodings{ForeignForm::Aimet200, {}, {}};
    const auto add = [&](const std::string& tensor, std::size_t channels, std::optional<std::int64_t> axis) {
        if (!isThere(random) && tensor != "x")
            return;
        ForeignEncoding entry{.tensor = tensor};
        entry.codes = channels == 0 ? ElementType::UInt8 : ElementType::Int8;
        for (std::size_t i = 0; i < std::max<std::size_t>(channels, 1); ++i)
            entry.scale.push_back(scale(random));
        entry.zeroPoint.assign(entry.scale.size(), channels == 0 ? code(random) : 0);
        entry.axis = axis;
        encodings.entries.push_back(std::move(entry));
    };
    for (const char* value : {"x", "h", "r", "c", "f", "y"})
        add(value, 0, {});
    add("w1", 4, 0);
    add("w2", 6, 0);
    add("w3", 10, 1);
    return encodings;
}

/// Text of a form -> setup -> text of the form: the same, as far as the form can say it.
TEST(AdoptEncodings, RoundTripsAreTheIdentity)
{
    const QuantizedCase made = chain();
    const Model& model = *made.opened().model;
    std::mt19937 random(7);
    for (int i = 0; i < 200; ++i) {
        const auto first = adoptEncodings(made.opened(), randomEncodings(random), 1, {});
        ASSERT_TRUE(first);
        ASSERT_THAT(first->notExpressed, IsEmpty());
        const FoundQuantizers quantizers = quantizersOf(model, first->compression);
        for (const EncodingForm form :
            {EncodingForm::Aimet061, EncodingForm::Aimet100, EncodingForm::Aimet200, EncodingForm::OrtOverrides}) {
            const EncodingsText text = encodingsText(model, quantizers, form);
            EXPECT_THAT(text.losses, IsEmpty());
            const AdoptedEncodings again = adopt(made.opened(), text.text);
            EXPECT_THAT(again.notExpressed, IsEmpty());
            EXPECT_EQ(again.compression.setup, first->compression.setup) << encodingFormText(form);
            EXPECT_EQ(again.compression.parameters, first->compression.parameters) << encodingFormText(form);
        }
    }
}

class ImportSetup : public testing::Test
{
protected:
    ImportedSetup import(const Snapshot& snapshot, const std::filesystem::path& file, ImportOptions options = {})
    {
        auto imported = importSetup(snapshot, file, options, {});
        EXPECT_TRUE(imported) << (imported ? "" : imported.error().line());
        return imported ? *std::move(imported) : ImportedSetup();
    }
    std::filesystem::path stateOfImported(const ImportedSetup& imported)
    {
        const Resumed& resumed = imported.resumed;
        const Model& model = *placedBy(resumed.compression, resumed.snapshot).model;
        const auto hashes = hashModel(*resumed.snapshot.model);
        return m_folder.write(
            "i.state.json", stateText(model, stateOf(resumed.snapshot, resumed.compression, *hashes)));
    }

    static ImportOptions withStatistics(const QuantizedCase& made) { return {made.compression().statistics, 1}; }

    TemporaryFolder m_folder;
};

TEST_F(ImportSetup, TakesWhatAQuantizedModelHas)
{
    QuantizedCase made = chain();
    made.quantize(R"("fast_bias_correction": false)");
    const ImportedSetup imported = import(made.planned(), made.exported());
    EXPECT_EQ(imported.form, "quantized-model");
    EXPECT_THAT(imported.resumed.notes, IsEmpty());
    EXPECT_THAT(imported.without, IsEmpty());
    EXPECT_EQ(imported.resumed.compression.setup, made.compression().setup);
    EXPECT_EQ(imported.resumed.compression.parameters, made.compression().parameters);
}

/// Its codes have the name of the value that the Transpose gave.
TEST_F(ImportSetup, TakesAWeightThatIsTurned)
{
    ProtoBuilder model;
    model.input("x", {2, 8}).output("y", {2, 8}).weight("w", {8, 8}, normal(64, 7));
    model.node("Transpose", "turn", {"w"}, {"turned"});
    model.node("MatMul", "first", {"x", "turned"}, {"h"});
    model.node("Relu", "relu", {"h"}, {"r"});
    model.node("MatMul", "second", {"r", "turned"}, {"y"});
    QuantizedCase made{model, {2, 8}, normalSamples(4, 16, 8)};
    made.quantize(R"("profile": "qnn", "disable_bias_correction": true)");
    const Resumed resumed = import(made.opened(), made.exported()).resumed;
    const auto report = exportModel(resumed.snapshot, resumed.compression, nullptr, m_folder / "m.onnx", 1, {});
    ASSERT_TRUE(report) << report.error().line();
    EXPECT_EQ(made.run(m_folder / "m.onnx", 0), made.output(0));
}

/// Those that rounding to codes alone does not explain.
TEST_F(ImportSetup, TakesTheBiasesThatAToolCorrected)
{
    QuantizedCase made = chain();
    made.quantize(R"("overflow_fix": "enable")");
    const BiasShifts& shifts = made.compression().biasShifts;
    ASSERT_FALSE(shifts.empty());
    const ImportedSetup imported = import(made.planned(), made.exported());
    const BiasShifts& found = imported.resumed.compression.biasShifts;
    ASSERT_EQ(found.size(), shifts.size());
    for (const auto& [node, shift] : shifts)
        EXPECT_THAT(found.at(node), testing::Pointwise(testing::FloatNear(1e-3F), shift));
    const TemporaryFolder folder;
    const Resumed& resumed = imported.resumed;
    ASSERT_TRUE(exportModel(resumed.snapshot, resumed.compression, nullptr, folder / "m.onnx", 1, {}));
    EXPECT_EQ(made.run(folder / "m.onnx", 0), made.output(0));
    QuantizedCase plain = chain();
    plain.quantize(R"("disable_bias_correction": true)");
    EXPECT_TRUE(import(plain.planned(), plain.exported()).resumed.compression.biasShifts.empty());
}

/// The engine turns them into unsigned ones, which get other names.
TEST_F(ImportSetup, SignedCodesThatOneNodeReadsRunInInt8)
{
    const QuantizedCase made = chain();
    const auto file = m_folder.write("e.json", R"({"version": "2.0.0", "encodings": [
        {"name": "x", "output_dtype": "int8", "y_scale": 0.03, "y_zero_point": 2},
        {"name": "r", "output_dtype": "int8", "y_scale": 0.1, "y_zero_point": -128},
        {"name": "c", "output_dtype": "int8", "y_scale": 0.3, "y_zero_point": 1}]})");
    const Resumed resumed = import(made.opened(), file).resumed;
    const auto report = exportModel(resumed.snapshot, resumed.compression, nullptr, m_folder / "m.onnx", 1, {});
    ASSERT_TRUE(report) << report.error().line();
    const Check& kernels = checkOf(*report, "int8-kernels");
    const auto first = std::ranges::find(kernels.results, "first", &NodeRun::node);
    ASSERT_NE(first, kernels.results.end());
    EXPECT_EQ(first->runs, RunsAs::Int8) << first->kernel << first->reason;
    EXPECT_EQ(first->kernel, "QLinearConv");
}

TEST_F(ImportSetup, BecomesAStateThatIsResumed)
{
    const QuantizedCase made = chain();
    const auto file = m_folder.write("e.json", R"({"activation_encodings": {
        "x": [{"bitwidth": 8, "scale": 0.02, "offset": -128}], "r": [{"bitwidth": 8, "scale": 0.1, "offset": 0}]}})");
    const ImportedSetup imported = import(made.opened(), file);
    const auto resumed = resumeFrom(made.opened(), stateOfImported(imported), false, {});
    ASSERT_TRUE(resumed) << resumed.error().line();
    EXPECT_EQ(resumed->compression.setup, imported.resumed.compression.setup);
    EXPECT_EQ(resumed->compression.parameters, imported.resumed.compression.parameters);
    EXPECT_EQ(resumed->compression.engine, "aimet-0.6.1");
    const auto report
        = exportModel(resumed->snapshot, resumed->compression, &made.data(), m_folder.path() / "out.onnx", 1, {});
    ASSERT_TRUE(report) << report.error().line();
    EXPECT_EQ(report->quantizers, static_cast<std::int64_t>(resumed->compression.setup.points.size()));
}

TEST_F(ImportSetup, TakesASetupOfNncfWithScalesThatWereMeasured)
{
    QuantizedCase made = chain();
    made.quantize("");
    const Snapshot& snapshot = made.planned();
    const QuantizerSetup& setup = made.compression().setup;
    for (const NncfForm form : {NncfForm::Setup, NncfForm::CompressionState}) {
        const auto file = m_folder.write("n.json", nncfSetupText(*snapshot.model, setup, form).text);
        const ImportedSetup imported = import(snapshot, file, withStatistics(made));
        EXPECT_EQ(imported.resumed.compression.setup, setup);
        EXPECT_EQ(imported.resumed.compression.parameters, made.compression().parameters);
        const auto without = importSetup(snapshot, file, {}, {});
        ASSERT_FALSE(without);
        EXPECT_EQ(without.error().what, "a quantizer setup has no scales");
    }
}

TEST_F(ImportSetup, IsToldFromOtherFilesByItsBeginning)
{
    const auto looks = [&](const std::string& text) { return looksLikeForeignSetup(m_folder.write("f", text)); };
    EXPECT_TRUE(looks("TRT-8601-EntropyCalibration2\n"));
    EXPECT_TRUE(looks(R"({"activation_encodings": {}})"));
    EXPECT_TRUE(looks(R"( {"x": [{"quant_type": "QInt8"}]})"));
    EXPECT_FALSE(looks(R"({"format": "duoscope-compression-state", "builder_state": {"quantization_points": {}}})"));
    EXPECT_FALSE(looks(R"({"ignored_scope": {"names": ["a"]}})"));
    EXPECT_FALSE(looks(""));
    EXPECT_FALSE(looksLikeForeignSetup(m_folder.path() / "none"));
}

TEST_F(ImportSetup, NamesWhatOfASetupHasNoPlace)
{
    QuantizedCase made = chain();
    made.quantize("");
    const auto file = m_folder.write("n.json",
        R"({"quantization_points": {"1": {"qip": {"target_node_name": "gone", "input_port_id": 0},
        "qip_class": "ActivationQuantizationInsertionPoint", "qconfig": {"num_bits": 8, "mode": "symmetric",
        "signedness_to_force": null, "per_channel": false, "narrow_range": false, "dest_dtype": "int8"},
        "directly_quantized_operator_node_names": []}}, "unified_scale_groups": {},
        "shared_input_operation_set_groups": {}})");
    EXPECT_THAT(import(made.planned(), file, withStatistics(made)).resumed.notes,
        ElementsAre(HasSubstr("the model has no node 'gone' with input 0")));
    const auto wrong = importSetup(
        made.planned(), m_folder.write("w.json", R"({"quantization_points": {"a": {}}})"), withStatistics(made), {});
    ASSERT_FALSE(wrong);
    EXPECT_THAT(wrong.error().line(), HasSubstr("take the file as NNCF wrote it"));
}

} // namespace
} // namespace duo
