// SPDX-License-Identifier: Apache-2.0
// Weights in blocks of few bits that ONNX Runtime's tool made (tests/data/blocks): taken, continued from,
// kept as a state.
#include "core/calibrate/samples/dataset.h"
#include "core/interchange/dequantize.h"
#include "core/interchange/encodings.h"
#include "core/interchange/found_quantizers.h"
#include "core/onnx/reader.h"
#include "core/onnx/writer.h"
#include "core/pipeline/adopt_encodings.h"
#include "core/pipeline/continue_setup.h"
#include "core/pipeline/export.h"
#include "core/pipeline/import_setup.h"
#include "core/pipeline/setup_forms.h"
#include "core/scope/scope.h"
#include "core/state/comparable_setup.h"
#include "tests/core/pipeline/json_mutants.h"
#include "tests/support/file_bytes.h"
#include "tests/support/proto_builder.h"
#include "tests/support/temporary_folder.h"

#include <onnx.pb.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

namespace duo {
namespace {

using namespace test;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::filesystem::path stored(const std::string& name)
{
    return std::filesystem::path(DUO_TEST_DATA) / "blocks" / name;
}

Snapshot floatModel()
{
    const auto opened = openSnapshot(stored("blocks.onnx"));
    EXPECT_TRUE(opened) << (opened ? "" : opened.error().line());
    return opened ? *opened : Snapshot();
}

ImportedSetup taken(const Snapshot& snapshot, const std::filesystem::path& file)
{
    auto imported = importSetup(snapshot, file, {}, {});
    EXPECT_TRUE(imported) << (imported ? "" : imported.error().line());
    return imported ? *std::move(imported) : ImportedSetup();
}

struct Numbers {
    std::string tensor;
    std::vector<float> scale;
    std::vector<std::int64_t> zeroPoint;
    std::int64_t block = 0;
    bool operator==(const Numbers&) const = default;
};

/// What a file holds, its scales turned to positive ones.
std::vector<Numbers> numbersIn(const std::filesystem::path& file)
{
    const auto model = readModel(file);
    EXPECT_TRUE(model) << (model ? "" : model.error().line());
    std::vector<Numbers> found;
    for (const FoundQuantizer& each : withTurnedScales(findQuantizers(**model)).quantizers)
        found.push_back({each.tensor, each.scale, each.zeroPoint, each.block});
    return found;
}

Rule ofFirst(RuleAction action)
{
    Rule rule;
    rule.action = action;
    rule.value = "/a/MatMul";
    return rule;
}

class BlockWeights : public testing::Test
{
protected:
    /// As `resume MODEL --state FILE -o again.onnx` writes it. @return the state beside it
    std::filesystem::path written(const Resumed& resumed)
    {
        const auto report = exportModel(resumed.snapshot, resumed.compression, nullptr, again(), 1, {});
        EXPECT_TRUE(report) << (report ? "" : report.error().line());
        EXPECT_TRUE(report && report->allChecksPassed());
        return statePathFor(again());
    }

    [[nodiscard]] std::filesystem::path again() const { return m_folder / "again.onnx"; }

    TemporaryFolder m_folder;
};

class BlockForms : public BlockWeights, public testing::WithParamInterface<const char*>
{
};

TEST_P(BlockForms, AreWrittenWithTheNumbersOfTheFileAndResumedToTheSameBytes)
{
    const auto file = stored(std::string("blocks.") + GetParam() + ".onnx");
    const ImportedSetup imported = taken(floatModel(), file);
    EXPECT_THAT(imported.resumed.notes, IsEmpty());
    EXPECT_EQ(imported.used, 2U);
    const auto state = written(imported.resumed);
    EXPECT_EQ(numbersIn(again()), numbersIn(file));
    const std::string bytes = bytesOf(again());
    const auto resumed = resumeFrom(floatModel(), state, true, {});
    ASSERT_TRUE(resumed) << resumed.error().line();
    written(*resumed);
    EXPECT_EQ(bytesOf(again()), bytes);
}

INSTANTIATE_TEST_SUITE_P(OfOnnxRuntime, BlockForms,
    testing::Values("QOperator.s4", "QOperator.a4", "QOperator.s2", "QOperator.a8", "QDQ.s4"), [](const auto& tested) {
        std::string name = tested.param;
        std::ranges::replace(name, '.', '_');
        return name;
    });

TEST_F(BlockWeights, RaiseTheModelToAnOpsetThatTakesThem)
{
    const ImportedSetup imported = taken(floatModel(), stored("blocks.QOperator.s2.onnx"));
    EXPECT_EQ(imported.resumed.snapshot.recipe.transforms->leastOpset, 25);
    EXPECT_EQ(imported.resumed.snapshot.model->opset(), 25);
}

TEST_F(BlockWeights, AreFloatAgainWhereARuleSaysSo)
{
    const ImportedSetup imported = taken(floatModel(), stored("blocks.QOperator.s4.onnx"));
    Recipe wanted = imported.resumed.snapshot.recipe;
    wanted.rules.rules.push_back(ofFirst(RuleAction::Ignore));
    const auto placed = withRecipe(imported.resumed.snapshot, wanted);
    ASSERT_TRUE(placed) << placed.error().line();
    const auto continued = continueSetup(imported.resumed, *placed, {}, 1, {});
    ASSERT_TRUE(continued) << continued.error().line();
    EXPECT_THAT(continued->gone, ElementsAre("node '/a/MatMul'"));
    EXPECT_EQ(continued->kept, 1U);
    written(continued->resumed);
    EXPECT_EQ(numbersIn(again()).size(), 1U);
}

TEST_F(BlockWeights, AreMadeAnewWithTheirDataWhereARuleAsksForOtherCodes)
{
    const ImportedSetup imported = taken(floatModel(), stored("blocks.QOperator.s4.onnx"));
    Recipe wanted = imported.resumed.snapshot.recipe;
    Rule rule = ofFirst(RuleAction::Precision);
    rule.precision.weights.numBits = 8;
    wanted.rules.rules.push_back(rule);
    const auto placed = withRecipe(imported.resumed.snapshot, wanted);
    ASSERT_TRUE(placed) << placed.error().line();
    const auto without = continueSetup(imported.resumed, *placed, {}, 1, {});
    ASSERT_FALSE(without);
    EXPECT_THAT(without.error().line(), HasSubstr("data"));
    const auto data = openDataset("random:4", *imported.resumed.snapshot.model);
    ASSERT_TRUE(data) << data.error().line();
    CalibrationSource source;
    source.dataset = data->get();
    const auto continued = continueSetup(imported.resumed, *placed, source, 1, {});
    ASSERT_TRUE(continued) << continued.error().line();
    EXPECT_EQ(continued->kept, 1U);
    EXPECT_EQ(continued->made.size(), 2U);
}

/// As tools do that look at what a product gives (GPTQ).
TEST_F(BlockWeights, ThatAToolRoundedOtherwiseAreSaid)
{
    onnx::ModelProto proto;
    ASSERT_TRUE(proto.ParseFromString(bytesOf(stored("blocks.QOperator.a4.onnx"))));
    for (auto& tensor : *proto.mutable_graph()->mutable_initializer()) {
        if (!tensor.name().ends_with("_Q4"))
            continue;
        for (char& byte : *tensor.mutable_raw_data())
            byte = static_cast<char>(byte ^ 0x11); // each code one off
    }
    const auto file = m_folder.write("rounded.onnx", proto.SerializeAsString());
    EXPECT_THAT(taken(floatModel(), file).resumed.notes,
        testing::Each(HasSubstr(" has other codes than the weight here gives it (100 %): its tool rounded otherwise")));
    const auto model = readModel(file);
    ASSERT_TRUE(model) << model.error().line();
    const auto edits = dequantizeEdits(**model);
    ASSERT_TRUE(edits) << edits.error().line();
    ASSERT_TRUE(writeModel(**model, edits->edits, m_folder / "float.onnx", {}));
    const auto opened = openSnapshot(m_folder / "float.onnx");
    ASSERT_TRUE(opened) << opened.error().line();
    EXPECT_THAT(taken(*opened, file).resumed.notes, IsEmpty()) << "there the weights are what the codes stand for";
}

/// Whose scales fit either way.
TEST_F(BlockWeights, OfASquareMatrixLieAsItsNumbersDo)
{
    constexpr std::int64_t kSide = 16;
    std::vector<float> scale(kSide);
    std::vector<float> weight(kSide * kSide); // as a Gemm with transB has it: [outputs, inputs]
    std::string codes(kSide * kSide, '\0'); // as a MatMul has it: [inputs, outputs]
    for (std::size_t out = 0; out < kSide; ++out) {
        scale[out] = 0.5F + static_cast<float>(out);
        for (std::size_t in = 0; in < kSide; ++in) {
            const auto code = static_cast<unsigned char>((7 * in + 3 * out) % 256);
            codes[in * kSide + out] = static_cast<char>(code);
            weight[out * kSide + in] = static_cast<float>(code) * scale[out];
        }
    }
    ProtoBuilder plain;
    plain.input("x", {1, kSide}).output("y", {1, kSide}).weight("w", {kSide, kSide}, weight);
    addInt(plain.node("Gemm", "fc", {"x", "w"}, {"y"}), "transB", 1);
    ProtoBuilder quantized;
    quantized.model().mutable_opset_import(0)->set_version(21);
    quantized.input("x", {1, kSide}).output("y", {1, kSide}).weight("w_scale", {1, kSide}, scale);
    quantized.tensor("w_quantized", {kSide, kSide}, onnx::TensorProto::UINT8).set_raw_data(codes);
    auto& start = quantized.node("DequantizeLinear", "dq", {"w_quantized", "w_scale"}, {"w_dq"});
    addInt(start, "axis", 0);
    addInt(start, "block_size", kSide);
    quantized.node("MatMul", "fc", {"x", "w_dq"}, {"y"});
    const auto opened = openSnapshot(m_folder.write("plain.onnx", plain.text()));
    ASSERT_TRUE(opened) << opened.error().line();
    const ImportedSetup imported = taken(*opened, m_folder.write("quantized.onnx", quantized.text()));
    EXPECT_THAT(imported.resumed.notes, IsEmpty());
    ASSERT_EQ(imported.resumed.compression.parameters.size(), 1U);
    const QuantizationParameters& parameters = imported.resumed.compression.parameters.begin()->second;
    EXPECT_EQ(parameters.axis, 1);
    EXPECT_EQ(parameters.scale, scale);
}

TEST_F(BlockWeights, OfTwoNodesAreOneQuantizerWhereTheySayTheSame)
{
    ProtoBuilder model;
    auto& import = *model.model().add_opset_import();
    import.set_domain("com.microsoft");
    import.set_version(1);
    model.input("x", {1, 32}).output("y", {1, 1}).output("z", {1, 1});
    model.weight("scale", {1, 2}, {0.5F, 0.25F}).weight("other", {1, 2}, {1, 0.25F});
    model.tensor("w_Q4", {1, 2, 8}, onnx::TensorProto::UINT8).set_raw_data(std::string(16, 'x'));
    const auto add = [&](const std::string& name, const std::string& scale, const std::string& result) {
        auto& node = model.node("MatMulNBits", name, {"x", "w_Q4", scale}, {result});
        node.set_domain("com.microsoft");
        for (const auto& [fact, number] : {std::pair("K", 32), std::pair("N", 1), std::pair("block_size", 16)})
            addInt(node, fact, number);
    };
    add("a_Q4", "scale", "y");
    add("b_Q4", "scale", "z");
    add("c_Q4", "other", "t");
    const auto read = readModelBytes(model.bytes(), "m.onnx");
    ASSERT_TRUE(read) << read.error().line();
    const auto found = comparableSetup(**read, findScopes(**read)).quantizers;
    ASSERT_EQ(found.size(), 2U);
    EXPECT_THAT(found[0].readers, ElementsAre("a", "b"));
    EXPECT_EQ(found[1].place, "w (2)");
}

TEST_F(BlockWeights, OfOtherWeightsAreMadeAgain)
{
    const auto state = written(taken(floatModel(), stored("blocks.QOperator.a4.onnx")).resumed);
    onnx::ModelProto proto;
    ASSERT_TRUE(proto.ParseFromString(bytesOf(stored("blocks.onnx"))));
    for (auto& tensor : *proto.mutable_graph()->mutable_initializer()) {
        auto* numbers = reinterpret_cast<float*>(tensor.mutable_raw_data()->data());
        if (tensor.dims_size() == 2)
            std::for_each_n(numbers, tensor.raw_data().size() / sizeof(float), [](float& number) { number *= 2; });
    }
    const auto tuned = openSnapshot(m_folder.write("tuned.onnx", proto.SerializeAsString()));
    ASSERT_TRUE(tuned) << tuned.error().line();
    const auto resumed = resumeFrom(*tuned, state, false, {});
    ASSERT_TRUE(resumed) << resumed.error().line();
    const auto before = numbersIn(again());
    written(*resumed);
    const auto now = numbersIn(again());
    ASSERT_EQ(now.size(), 2U);
    EXPECT_NEAR(now[0].scale[0] / before[0].scale[0], 2, 0.3);
    EXPECT_EQ(now[0].block, 16);
}

TEST_F(BlockWeights, AreWrittenForAimetAndReadAgain)
{
    const ImportedSetup imported = taken(floatModel(), stored("blocks.QOperator.a4.onnx"));
    written(imported.resumed);
    const auto before = numbersIn(again());
    for (const EncodingForm form : {EncodingForm::Aimet100, EncodingForm::Aimet200}) {
        const auto text = encodingsText(*imported.resumed.snapshot.model,
            quantizersOf(*imported.resumed.snapshot.model, imported.resumed.compression), form);
        EXPECT_EQ(text.tensors, 2U);
        written(taken(floatModel(), m_folder.write("e.json", text.text)).resumed);
        EXPECT_EQ(numbersIn(again()), before) << encodingFormText(form);
    }
}

TEST_F(BlockWeights, OfTheFirstStateThatHadThemAreThere)
{
    const auto file = std::filesystem::path(DUO_TEST_DATA) / "states" / "v6.state.json";
    const auto resumed = resumeFrom(floatModel(), file, true, {});
    ASSERT_TRUE(resumed) << resumed.error().line();
    EXPECT_TRUE(resumed->identicalSetup);
    written(*resumed);
    EXPECT_EQ(numbersIn(again()), numbersIn(stored("blocks.QOperator.a4.onnx")));
}

class BlockStates : public BlockWeights
{
protected:
    /// What is said of the state after a text in it was changed.
    std::string refusalOf(const std::string& from, const std::string& to)
    {
        std::string text = bytesOf(std::filesystem::path(DUO_TEST_DATA) / "states" / "v6.state.json");
        const std::size_t at = text.find(from);
        EXPECT_NE(at, std::string::npos) << from;
        text.replace(at, from.size(), to);
        const auto resumed = resumeFrom(floatModel(), m_folder.write("s.state.json", text), false, {});
        return resumed ? "" : resumed.error().line();
    }
};

TEST_F(BlockStates, SayWhichEntryCannotBe)
{
    EXPECT_THAT(refusalOf(R"("version": 6)", R"("version": 5)"), HasSubstr("unknown field"));
    EXPECT_THAT(refusalOf(R"("block_size":16)", R"("block_size":0)"), HasSubstr("block_size"));
    EXPECT_THAT(refusalOf(R"("num_bits":4)", R"("num_bits":8)"), HasSubstr("codes of 4 bits"));
    EXPECT_THAT(refusalOf(R"("type":"uint4")", R"("type":"uint3")"), HasSubstr("not a type of codes"));
    EXPECT_THAT(refusalOf("uint4:", "uint2:"), HasSubstr("codes of the type"));
    EXPECT_THAT(refusalOf(R"("qip_class":"Weight)", R"("qip_class":"Activation)"), HasSubstr("in blocks"));
}

TEST_F(BlockStates, AreNeverTakenInSilenceWhereAFieldIsAnotherOne)
{
    const std::string text = bytesOf(std::filesystem::path(DUO_TEST_DATA) / "states" / "v6.state.json");
    const Snapshot opened = floatModel();
    std::size_t errors = 0;
    const auto mutants = jsonMutants(text);
    for (const JsonMutant& mutant : mutants) {
        const auto resumed = resumeFrom(opened, m_folder.write("m.state.json", mutant.text), false, {});
        EXPECT_FALSE(resumed && resumed->identicalSetup) << mutant.what;
        errors += resumed ? 0U : 1U;
    }
    EXPECT_GT(mutants.size(), 200U);
    EXPECT_GT(errors, mutants.size() / 2);
}

} // namespace
} // namespace duo
