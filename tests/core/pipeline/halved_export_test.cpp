// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/halved_export.h"

#include "core/pipeline/export.h"
#include "core/pipeline/resume.h"
#include "core/report/note_groups.h"
#include "core/state/state_versions.h"
#include "tests/core/pipeline/normal_samples.h"
#include "tests/core/pipeline/quantized_case.h"
#include "tests/support/file_bytes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

namespace duo {
namespace {

using namespace test;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr const char* kForTensorRt = R"("profile": "tensorrt")";
constexpr const char* kHalved = R"("transforms": {"half": "float16"})";

/// Two convolutions with an activation between that codes are not for, and one whose values are beyond 16 bits.
QuantizedCase convolutions()
{
    ProtoBuilder model;
    model.input("x", {1, 3, 8, 8}).output("y", {1, 4, 4, 4});
    model.weight("w1", {4, 3, 3, 3}, normal(std::size_t{4} * 27, 1)).weight("b1", {4}, {0.1F, 0.2F, -0.3F, 0.4F});
    model.weight("w2", {4, 4, 3, 3}, normal(std::size_t{4} * 36, 2)).weight("b2", {4}, {0.5F, 0.1F, 0.2F, 0.3F});
    model.weight("much", {}, {30000});
    model.node("Conv", "first", {"x", "w1", "b1"}, {"a"});
    model.node("Sigmoid", "soft", {"a"}, {"s"});
    model.node("Conv", "second", {"s", "w2", "b2"}, {"b"});
    model.node("Mul", "large", {"b", "much"}, {"c"});
    model.node("Tanh", "bounded", {"c"}, {"y"});
    return {model, {1, 3, 8, 8}, normalSamples(6, std::size_t{3} * 64, 3)};
}

ElementType typeOf(const Model& model, const std::string& value)
{
    const ValueId id = model.findValue(value);
    return id.valid() ? model.value(id).type.element : ElementType::Undefined;
}

/// The types of floats that nodes of an operator read and give.
std::set<ElementType> floatsAt(const Model& model, const std::string& opType)
{
    std::set<ElementType> types;
    for (const Node& node : model.nodes) {
        for (const auto* values : {&node.inputs, &node.outputs}) {
            for (const ValueId value : *values) {
                if (node.opType == opType && value.valid() && isFloating(model.value(value).type.element))
                    types.insert(model.value(value).type.element);
            }
        }
    }
    return types;
}

Error resumedWith(const QuantizedCase& made, const std::function<void(nlohmann::ordered_json&)>& change)
{
    auto json = nlohmann::ordered_json::parse(bytesOf(statePathFor(made.exported())));
    change(json);
    addDigests(json);
    const TemporaryFolder folder;
    const auto resumed = resumeFrom(made.opened(), folder.write("s.state.json", json.dump()), true, {});
    return resumed ? Error{ErrorCode::Internal, "it was resumed", {}, {}} : resumed.error();
}

nlohmann::ordered_json& measured(nlohmann::ordered_json& state)
{
    return state["ctrl_state"]["quantization"];
}

TEST(HalvedExport, ComputesInSixteenBitsWhatCodesAreNotFor)
{
    QuantizedCase made = convolutions();
    const ExportReport report = made.quantize(kForTensorRt, "[]", kHalved);
    const auto written = made.written();
    for (const char* opType : {"Conv", "Sigmoid", "DequantizeLinear"})
        EXPECT_THAT(floatsAt(*written, opType), ElementsAre(ElementType::Float16)) << opType;
    EXPECT_EQ(typeOf(*written, "x"), ElementType::Float32);
    EXPECT_EQ(typeOf(*written, "y"), ElementType::Float32);
    for (const Check& check : report.checks)
        EXPECT_TRUE(check.ok) << check.id << ": " << check.message;
    ASSERT_NE(noteOf(report.notes, "half-made"), nullptr);
    EXPECT_THAT(noteOf(report.notes, "half-made")->text,
        HasSubstr("3 nodes compute in float16, 2 nodes with floats stay in 32 bits; of what the same codes give"));
    EXPECT_EQ(noteOf(report.notes, "half-not-made"), nullptr);
}

TEST(HalvedExport, NamesWhatStaysInThirtyTwoBits)
{
    QuantizedCase made = convolutions();
    const ExportReport report = made.quantize(kForTensorRt, "[]", kHalved);
    const auto large = std::ranges::find(report.notes, "large", &Note::where);
    ASSERT_NE(large, report.notes.end());
    EXPECT_THAT(large->text, testing::StartsWith("stays in 32 bits: gives 'c', which reaches "));
    EXPECT_THAT(floatsAt(*made.written(), "Mul"), ElementsAre(ElementType::Float32));
}

std::vector<float> small(std::size_t count, unsigned seed)
{
    std::vector<float> numbers = normal(count, seed);
    for (float& number : numbers)
        number *= 0.02F;
    return numbers;
}

/// Scales of its biases would be products too small for 16 bits.
QuantizedCase smallConvolutions()
{
    ProtoBuilder model;
    model.input("x", {1, 3, 8, 8}).output("y", {1, 4, 4, 4});
    model.weight("w1", {4, 3, 3, 3}, small(std::size_t{4} * 27, 1)).weight("b1", {4}, {0.01F, 0.02F, 0.03F, 0.04F});
    model.weight("w2", {4, 4, 3, 3}, small(std::size_t{4} * 36, 2));
    model.node("Conv", "first", {"x", "w1", "b1"}, {"a"});
    model.node("Relu", "relu", {"a"}, {"r"});
    model.node("Conv", "second", {"r", "w2"}, {"y"});
    std::vector<std::vector<float>> samples = normalSamples(6, std::size_t{3} * 64, 3);
    for (auto& sample : samples) {
        for (float& number : sample)
            number *= 0.05F;
    }
    return {model, {1, 3, 8, 8}, samples};
}

/// As TensorRT computes it, which reads biases as they are.
TEST(HalvedExport, IsNoFartherFromTheFloatModel)
{
    QuantizedCase made = smallConvolutions();
    const double whole = made.quantize(kForTensorRt).outputs.front().sqnrDb.value_or(0);
    const double halved = made.quantize(kForTensorRt, "[]", kHalved).outputs.front().sqnrDb.value_or(0);
    EXPECT_NEAR(halved, whole, 1);
}

TEST(HalvedExport, RulesOfTheRecipeSayWhatStays)
{
    QuantizedCase made = convolutions();
    made.quantize(
        kForTensorRt, R"([{"action": "precision", "kind": "name", "value": "soft", "float_bits": 32}])", kHalved);
    EXPECT_THAT(floatsAt(*made.written(), "Sigmoid"), ElementsAre(ElementType::Float32));
    EXPECT_THAT(floatsAt(*made.written(), "Conv"), ElementsAre(ElementType::Float16));
}

/// Scales of 16 bits would need opset 19.
TEST(HalvedExport, KeepsToTheOpsetThatIsAskedFor)
{
    QuantizedCase made = convolutions();
    const ExportReport report = made.quantize(kForTensorRt, "[]", R"("transforms": {"half": "float16", "opset": 17})");
    EXPECT_EQ(made.written()->opset(), 17);
    const auto check = std::ranges::find(report.checks, "opset", &Check::id);
    ASSERT_NE(check, report.checks.end());
    EXPECT_EQ(check->message, "it is written in opset 17, and the recipe asks for 17 at most");
    const auto resumed = resumeFrom(made.opened(), statePathFor(made.exported()), true, {});
    ASSERT_TRUE(resumed) << resumed.error().line();
    const TemporaryFolder folder;
    const auto again = exportModel(resumed->snapshot, resumed->compression, nullptr, folder / "q.onnx", 1, {});
    ASSERT_TRUE(again) << again.error().line();
    EXPECT_EQ(bytesOf(folder / "q.onnx"), bytesOf(made.exported()));
}

TEST(HalvedExport, IsTheSameBytesFromItsState)
{
    QuantizedCase made = convolutions();
    made.quantize(kForTensorRt, "[]", kHalved);
    const auto resumed = resumeFrom(made.opened(), statePathFor(made.exported()), true, {});
    ASSERT_TRUE(resumed) << resumed.error().line();
    const TemporaryFolder folder;
    const auto again = exportModel(resumed->snapshot, resumed->compression, nullptr, folder / "q.onnx", 1, {});
    ASSERT_TRUE(again) << again.error().line();
    EXPECT_EQ(bytesOf(folder / "q.onnx"), bytesOf(made.exported()));
    EXPECT_EQ(bytesOf(statePathFor(folder / "q.onnx")), bytesOf(statePathFor(made.exported())));
}

TEST(HalvedExport, SaysThatDataAreWanted)
{
    QuantizedCase made = convolutions();
    made.quantize(kForTensorRt, "[]", kHalved);
    Compression compression = made.compression();
    compression.halved.reset();
    const auto without = withHalvedNodes(made.planned(), compression, nullptr, 1, {});
    ASSERT_TRUE(without) << without.error().line();
    EXPECT_FALSE(without->halved);
    EXPECT_EQ(without->notes.back().text,
        "all that is not in codes computes in 32 bits: whether values fit into 16 is told by data (--data)");
}

/// They compute floats of 32 bits, whatever the file has, or take both.
TEST(HalvedExport, IsForRuntimesThatComputeInTheTypesOfTheFile)
{
    QuantizedCase made = convolutions();
    for (const char* settings : {R"("profile": "ort-cpu")", R"("profile": "openvino")", R"("nncf_compatible": true)"}) {
        const ExportReport report = made.quantize(settings, "[]", kHalved);
        EXPECT_THAT(floatsAt(*made.written(), "Conv"), ElementsAre(ElementType::Float32)) << settings;
        EXPECT_NE(noteOf(report.notes, "half-not-made"), nullptr) << settings;
    }
}

TEST(HalvedExport, StatesThatCannotBeAreRefusedWithTheirEntry)
{
    QuantizedCase made = convolutions();
    made.quantize(kForTensorRt, "[]", kHalved);
    const auto refusal = [&](const std::function<void(nlohmann::ordered_json&)>& change) {
        const Error error = resumedWith(made, change);
        return error.what + ": " + error.where.substr(error.where.find_last_of(' ') + 1);
    };
    EXPECT_EQ(refusal([](auto& s) { measured(s)["half"]["type"] = "bfloat16"; }),
        "not the floats of 16 bits that an export has beside codes: ctrl_state.quantization.half.type");
    EXPECT_EQ(refusal([](auto& s) { measured(s)["half"]["nodes"][1] = measured(s)["half"]["nodes"][0]; }),
        "it stands there already: ctrl_state.quantization.half.nodes[1]");
    EXPECT_EQ(refusal([](auto& s) { s["version"] = 6; }), "unknown field: ctrl_state.quantization.half");
    EXPECT_THAT(refusal([](auto& s) { measured(s)["half"]["nodes"][1] = "elsewhere"; }),
        HasSubstr("'elsewhere', which computes in 16 bits, was left out: there is no such node"));
    EXPECT_THAT(refusal([](auto& s) { s["recipe"]["transforms"]["half"] = "bfloat16"; }),
        HasSubstr("the state holds what half made, which its recipe does not ask for"));
    EXPECT_THAT(refusal([](auto& s) { measured(s).erase("half"); }),
        HasSubstr("the state was made with half, and holds nothing that it made"));
}

} // namespace
} // namespace duo
