// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/resume.h"

#include "core/pipeline/export.h"
#include "core/state/state_versions.h"
#include "core/support/file.h"
#include "tests/core/pipeline/json_mutants.h"
#include "tests/core/pipeline/normal_samples.h"
#include "tests/core/pipeline/quantized_case.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <regex>

namespace duo {
namespace {

using namespace test;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;

std::string textOf(const std::filesystem::path& file)
{
    return *readTextFile(file, std::size_t{1} << 24);
}

struct Names {
    std::string first = "first";
    std::string relu = "relu";
    std::string second = "second";
};

/// Convolutions with biases, one of whose channels is large.
QuantizedCase convolutions(const Names& names = {}, float training = 1)
{
    auto first = normal(std::size_t{4} * 3 * 9, 1);
    for (std::size_t i = 27; i < 54; ++i)
        first[i] *= 20;
    for (float& weight : first)
        weight *= training;
    ProtoBuilder model;
    model.input("x", {1, 3, 8, 8}).output("y", {1, 12, 4, 4});
    model.weight("w1", {4, 3, 3, 3}, first).weight("b1", {4}, {0.1F, 0.2F, -0.3F, 0.4F});
    model.weight("w2", {12, 4, 3, 3}, normal(std::size_t{12} * 36, 2));
    model.weight("b2", {12}, std::vector<float>(12, 0.1F));
    model.node("Conv", names.first, {"x", "w1", "b1"}, {"h"});
    model.node("Relu", names.relu, {"h"}, {names.relu + "_out"});
    model.node("Conv", names.second, {names.relu + "_out", "w2", "b2"}, {"y"});
    return {model, {1, 3, 8, 8}, normalSamples(4, std::size_t{3} * 64, 5)};
}

/// A product that the engine runs in float where it stands, two of one scale behind each other, and a norm to smooth.
QuantizedCase products()
{
    std::vector<float> gain(16, 1);
    gain[3] = 60;
    ProtoBuilder model;
    model.input("x", {2, 16}).output("y", {2, 24});
    model.weight("gain", {16}, gain).weight("offset", {16}, std::vector<float>(16, 0));
    model.weight("w1", {16, 12}, normal(std::size_t{16} * 12, 3))
        .weight("w2", {16, 12}, normal(std::size_t{16} * 12, 4));
    model.weight("w3", {24, 24}, normal(std::size_t{24} * 24, 5)).weight("bias", {2, 24}, normal(48, 6));
    model.node("LayerNormalization", "norm", {"x", "gain", "offset"}, {"n"});
    model.node("MatMul", "left", {"n", "w1"}, {"l"});
    model.node("MatMul", "right", {"n", "w2"}, {"r"});
    addInt(model.node("Concat", "both", {"l", "r"}, {"c"}), "axis", 1);
    model.node("Gemm", "tail", {"c", "w3", "bias"}, {"b"});
    model.node("Tanh", "out", {"b"}, {"y"});
    return {model, {2, 16}, normalSamples(6, 32, 10)};
}

struct Tally {
    std::size_t mutants = 0;
    std::size_t errors = 0;
};

/// Resumes from every mutant of a state: it must be refused with a name, or be said to be another one.
Tally resumeFromMutants(const QuantizedCase& made)
{
    const TemporaryFolder folder;
    const std::string state = textOf(statePathFor(made.exported()));
    Tally tally;
    for (const JsonMutant& mutant : jsonMutants(state)) {
        const auto file = folder.write("m.state.json", mutant.text);
        const auto resumed = resumeFrom(made.opened(), file, false, {});
        ++tally.mutants;
        if (resumed) {
            EXPECT_FALSE(resumed->identicalSetup) << mutant.what;
            EXPECT_FALSE(resumed->notes.empty()) << mutant.what;
            EXPECT_FALSE(resumeFrom(made.opened(), file, true, {})) << mutant.what;
            continue;
        }
        ++tally.errors;
        EXPECT_EQ(resumed.error().code, ErrorCode::BadState) << mutant.what;
        EXPECT_FALSE(resumed.error().what.empty()) << mutant.what;
        EXPECT_THAT(resumed.error().where, HasSubstr("m.state.json ")) << mutant.what << resumed.error().line();
    }
    return tally;
}

/// The text with digests of what it holds now.
std::string remade(const std::string& text)
{
    auto json = nlohmann::ordered_json::parse(text);
    addDigests(json);
    return json.dump();
}

bool isWhole(const std::string& text)
{
    const auto json = nlohmann::ordered_json::parse(text);
    const auto keys = {"version", "producer", "model", "recipe", "builder_state", "ctrl_state", "digests"};
    return std::ranges::all_of(keys, [&](const char* key) { return json.contains(key); });
}

/// Mutants whose digests were made again, and which are taken without a word.
std::vector<std::string> believedOf(const QuantizedCase& made)
{
    const TemporaryFolder folder;
    std::vector<std::string> believed;
    for (const JsonMutant& mutant : jsonMutants(textOf(statePathFor(made.exported())))) {
        if (!isWhole(mutant.text) || mutant.what.ends_with("twice"))
            continue;
        const auto file = folder.write("m.state.json", remade(mutant.text));
        const auto resumed = resumeFrom(made.opened(), file, false, {});
        if (resumed && resumed->identicalSetup)
            believed.push_back(mutant.what);
    }
    return believed;
}

/// Cases whose states have nearly all that a state can have.
class MutatedStates : public testing::Test
{
protected:
    MutatedStates()
    {
        m_convolving.quantize(R"("cross_layer_equalization": true)",
            R"([{"action": "precision", "kind": "name", "value": "second", "comment": "",
                 "activations_quantization_params": {"num_bits": 16}}])");
        m_multiplying.quantize(R"("model_type": "transformer", "smooth_quant_alphas": {"matmul": 0.5})");
    }

    QuantizedCase m_convolving = convolutions();
    QuantizedCase m_multiplying = products();
};

TEST_F(MutatedStates, AreNeverTakenInSilence)
{
    const Tally first = resumeFromMutants(m_convolving);
    const Tally second = resumeFromMutants(m_multiplying);
    EXPECT_GT(first.mutants + second.mutants, 2000U);
    EXPECT_GT(first.errors + second.errors, (first.mutants + second.mutants) / 2)
        << "most are caught for what they are";
    RecordProperty("mutants", static_cast<int>(first.mutants + second.mutants));
    RecordProperty("errors", static_cast<int>(first.errors + second.errors));
}

/// What neither model nor recipe contradicts: names of nodes without quantizers, what metadata tell of nodes, the
/// recipe's own words and settings that make the same quantizers, ranges of activations, on what and with which engine
/// they were measured, and version 5 or 6 of what it has all of.
bool isFree(const std::string& mutant)
{
    static const std::regex free(R"((digests|producer|recipe|model\.nodes\[[0-9]+\]\[[023]\])[^a-z].*)"
                                 R"(|ctrl_state\.quantization\.)"
                                 R"((engine: changed to "onnx.*|samples: .*|(statistics|data): removed)"
                                 R"(|parameters\.[0-9]+\.(scale\[0\]|zero_point): .*)"
                                 R"(|float_changes\[0\]\.value: .*|input_means[^a-z].*)|version: changed to [56])");
    return std::regex_match(mutant, free);
}

TEST_F(MutatedStates, WithDigestsMadeAgainAreBelievedOnlyWhereNothingContradictsThem)
{
    for (const QuantizedCase* made : {&m_convolving, &m_multiplying}) {
        const auto believed = believedOf(*made);
        EXPECT_THAT(believed, Contains(HasSubstr("samples: changed to ")));
        for (const std::string& what : believed)
            EXPECT_TRUE(isFree(what)) << what;
    }
}

TEST(ResumeFrom, ListsQuantizersThatTheRecipeWouldNotMake)
{
    QuantizedCase made = convolutions();
    made.quantize("");
    std::string text = textOf(statePathFor(made.exported()));
    const std::string none = R"("rules":[])";
    ASSERT_NE(text.find(none), std::string::npos) << text;
    text.replace(text.find(none), none.size(), R"("rules": [{"action": "ignore", "kind": "name", "value": "second"}])");
    const TemporaryFolder folder;
    const auto resumed = resumeFrom(made.opened(), folder.write("m.state.json", text), false, {});
    ASSERT_TRUE(resumed) << resumed.error().line();
    EXPECT_THAT(resumed->notes, Contains("the state was changed since it was written, in recipe"));
    EXPECT_THAT(resumed->notes, Contains(HasSubstr("the recipe makes no quantizer where quantizer ")));
}

struct Lie {
    const char* of;
    std::function<void(nlohmann::ordered_json&)> tell;
    const char* note;
};

TEST(ResumeFrom, NamesWhatModelOrRecipeContradictAlsoWhereDigestsWereMadeAgain)
{
    using Json = nlohmann::ordered_json;
    QuantizedCase made = convolutions();
    made.quantize("");
    const auto setup = [](Json& state) -> Json& { return state["builder_state"]["quantization"]["quantizer_setup"]; };
    const auto measured = [](Json& state) -> Json& { return state["ctrl_state"]["quantization"]; };
    const std::string bias
        = "the bias of 'first' is corrected by other numbers than the means that the state has come to";
    const std::vector<Lie> lies{
        {"a quantizer taken out",
            [&](Json& s) {
                setup(s)["quantization_points"].erase("0");
                setup(s)["shared_input_operation_set_groups"] = Json::object();
                measured(s)["parameters"].erase("0");
            },
            "the state has no quantizer where the recipe makes one: input 'x'"},
        {"channels along the inputs of a weight",
            [&](Json& s) {
                Json& weight = measured(s)["parameters"]["3"];
                weight["axis"] = 1;
                weight["scale"] = Json::array({0.5, 0.5, 0.5, 0.5});
                weight["zero_point"] = 0;
            },
            "quantizer 3 of the state (node 'second') has other codes or scales than its weight gives it"},
        {"nodes that a quantizer is for",
            [&](Json& s) {
                setup(s)["quantization_points"]["3"]["directly_quantized_operator_node_names"] = {"first"};
            },
            "the recipe makes a quantizer for other nodes than quantizer 3 of the state (node 'second')"},
        {"groups",
            [&](Json& s) {
                setup(s)["shared_input_operation_set_groups"] = {{"0", {0, 1, 2}}};
            },
            "the recipe makes no group of inputs of one operation of what one of the state has"},
        {"a shift", [&](Json& s) { measured(s)["bias_shifts"]["first"][0] = 3e38; }, bias.c_str()},
        {"no means",
            [&](Json& s) {
                measured(s).erase("input_means");
                measured(s)["data"] = "xxh3-128:" + std::string(32, '0');
            },
            "the bias of 'first' is corrected, and the state has no means that this comes from"},
        {"codes of another sign",
            [&](Json& s) {
                measured(s)["parameters"]["0"]["type"] = "int8";
                measured(s)["parameters"]["0"]["zero_point"] = 0;
            },
            "quantizer 0 of the state (input 'x') has int8 codes, and the recipe gives it uint8"},
        {"a recipe without corrections",
            [&](Json& s) { s["recipe"]["quantization"]["disable_bias_correction"] = true; },
            "the state holds what bias-correction made, which its recipe does not ask for"},
        {"means", [&](Json& s) { measured(s)["input_means"]["first"] = {1.0}; }, bias.c_str()},
        {"nodes in float", [&](Json& s) { measured(s)["float_nodes"] = nullptr; },
            "the state does not tell which nodes stay in float"},
        {"a step", [&](Json& s) { s["builder_state"]["quantization"]["steps"].erase("raise-opset"); },
            "the state was made without raise-opset, which this Duoscope does: the result may be another one"},
        {"a node of the model", [&](Json& s) { s["model"]["nodes"][1][1] = "Tanh"; },
            "what the state lists of the model is not the model that it names: node 'relu'"},
    };
    for (const Lie& lie : lies) {
        Json state = Json::parse(textOf(statePathFor(made.exported())));
        lie.tell(state);
        addDigests(state);
        const TemporaryFolder folder;
        const auto resumed = resumeFrom(made.opened(), folder.write("m.state.json", state.dump()), false, {});
        ASSERT_TRUE(resumed) << lie.of << ": " << resumed.error().line();
        EXPECT_FALSE(resumed->identicalSetup) << lie.of;
        EXPECT_THAT(resumed->notes, Contains(HasSubstr(lie.note))) << lie.of;
    }
}

TEST(ResumeFrom, SaysThatACorrectionIsGoneAlsoWhereDigestsWereMadeAgain)
{
    QuantizedCase made = convolutions();
    made.quantize("");
    auto json = nlohmann::ordered_json::parse(textOf(statePathFor(made.exported())));
    ASSERT_EQ(json["ctrl_state"]["quantization"].erase("bias_shifts"), 1U);
    addDigests(json);
    const TemporaryFolder folder;
    const auto resumed = resumeFrom(made.opened(), folder.write("m.state.json", json.dump()), false, {});
    ASSERT_TRUE(resumed) << resumed.error().line();
    EXPECT_THAT(resumed->notes, Contains("the state was made with bias-correction, and holds nothing that it made"));
}

TEST(ResumeFrom, LeavesOutWhatStandsAtAnInputOfAnInputOfTheModel)
{
    QuantizedCase made = convolutions();
    made.quantize("");
    std::string text = textOf(statePathFor(made.exported()));
    const std::string there = R"("target_node_name":"nncf_model_input_0","input_port_id":)";
    const std::size_t at = text.find(there + "null");
    ASSERT_NE(at, std::string::npos);
    text.replace(at + there.size(), 4, "0");
    const TemporaryFolder folder;
    const auto resumed = resumeFrom(made.opened(), folder.write("m.state.json", text), false, {});
    ASSERT_TRUE(resumed) << resumed.error().line();
    EXPECT_THAT(resumed->leftOut,
        Contains("quantizer 0 was left out: it is at input 0 of 'nncf_model_input_0', which is no node"));
}

TEST(ResumeFrom, FindsNodesUnderOtherNames)
{
    QuantizedCase made = convolutions();
    made.quantize(R"("cross_layer_equalization": true)");
    const QuantizedCase renamed = convolutions({"n0", "n1", "n2"});
    const auto resumed = resumeFrom(renamed.opened(), statePathFor(made.exported()), true, {});
    ASSERT_TRUE(resumed) << resumed.error().line();
    EXPECT_TRUE(resumed->identicalSetup);
    EXPECT_THAT(resumed->found,
        ElementsAre(FoundPoint{0, "nncf_model_input_0", "nncf_model_input_0", FoundBy::Name},
            FoundPoint{1, "first", "n0", FoundBy::Storage}, FoundPoint{2, "relu", "n1", FoundBy::Position},
            FoundPoint{3, "second", "n2", FoundBy::Storage}));
    EXPECT_EQ(resumed->compression.parameters, made.compression().parameters);
    const TemporaryFolder folder;
    const auto report = exportModel(resumed->snapshot, resumed->compression, nullptr, folder / "m.onnx", 1, {});
    ASSERT_TRUE(report) << report.error().line();
    EXPECT_TRUE(report->allChecksPassed());
    EXPECT_EQ(made.run(folder / "m.onnx", 0), made.output(0)) << "it computes the same, bit for bit";
}

TEST(ResumeFrom, TakesNothingFromTheStateOfAnotherModel)
{
    QuantizedCase made = convolutions();
    made.quantize("");
    const auto state = statePathFor(made.exported());
    const auto resumed = resumeFrom(products().opened(), state, false, {});
    ASSERT_FALSE(resumed);
    EXPECT_EQ(resumed.error().line(),
        "the state is of another model, of whose nodes this one has none: " + state.string()
            + ": name the model that the state was made for");
}

TEST(ResumeFrom, MakesWhatIsOfWeightsAgainForOtherOnes)
{
    QuantizedCase made = convolutions();
    made.quantize("");
    QuantizedCase trained = convolutions({}, 1.5F);
    const auto resumed = resumeFrom(trained.opened(), statePathFor(made.exported()), false, {});
    ASSERT_TRUE(resumed) << resumed.error().line();
    EXPECT_FALSE(resumed->identicalSetup);
    EXPECT_THAT(resumed->notes,
        ElementsAre("the weights are not the ones the state was made for: what is of weights was made again",
            "node 'first' has other weights: its scales were made again",
            "the bias of 'first' was corrected again, for other weights"));
    const auto& then = made.compression().parameters;
    const auto& now = resumed->compression.parameters;
    EXPECT_EQ(now.at(0), then.at(0));
    EXPECT_EQ(now.at(2), then.at(2));
    EXPECT_EQ(now.at(3), then.at(3));
    trained.quantize("");
    EXPECT_EQ(now.at(1), trained.compression().parameters.at(1)) << "scales are those of the new weights";
    EXPECT_FALSE(resumeFrom(trained.opened(), statePathFor(made.exported()), true, {}));
}

/// Two convolutions of the data, added. @param first which of them the sum reads first
/// @param seed of their weights
QuantizedCase addends(const std::string& prefix, const std::string& first, const std::string& second, unsigned seed = 1)
{
    ProtoBuilder model;
    model.input("x", {1, 3, 8, 8}).output("y", {1, 4, 4, 4});
    model.weight(prefix + "wa", {4, 3, 3, 3}, normal(std::size_t{4} * 27, seed, 0, 3));
    model.weight(prefix + "wb", {4, 3, 3, 3}, normal(std::size_t{4} * 27, seed + 1, 0, 0.1F));
    model.weight(prefix + "wd", {4, 4, 3, 3}, normal(std::size_t{4} * 36, seed + 2));
    model.node("Conv", prefix + "a", {"x", prefix + "wa"}, {"ha"});
    model.node("Conv", prefix + "b", {"x", prefix + "wb"}, {"hb"});
    model.node("Add", prefix + "sum", {first, second}, {"s"});
    model.node("Conv", prefix + "last", {"s", prefix + "wd"}, {"y"});
    return {model, {1, 3, 8, 8}, normalSamples(4, std::size_t{3} * 64, 5)};
}

TEST(ResumeFrom, DoesNotTakeOneAddendForTheOther)
{
    QuantizedCase made = addends("", "ha", "hb");
    made.quantize("");
    const QuantizedCase same = addends("n.", "hb", "ha");
    const auto byWeights = resumeFrom(same.opened(), statePathFor(made.exported()), false, {});
    ASSERT_TRUE(byWeights) << byWeights.error().line();
    EXPECT_EQ(byWeights->compression.parameters, made.compression().parameters);
    EXPECT_THAT(byWeights->found, Contains(testing::FieldsAre(testing::_, "a", "n.a", FoundBy::Storage)));
    const QuantizedCase other = addends("n.", "hb", "ha", 7);
    const auto resumed = resumeFrom(other.opened(), statePathFor(made.exported()), false, {});
    ASSERT_TRUE(resumed) << resumed.error().line();
    for (const FoundPoint& point : resumed->found)
        EXPECT_THAT(point.was, testing::Not(testing::AnyOf("a", "b")));
    EXPECT_THAT(resumed->notes, Contains(HasSubstr("the model has no node 'a'")));
    EXPECT_THAT(resumed->found, Contains(testing::Field(&FoundPoint::is, "n.last")));
}

TEST(ResumeFrom, DoesNotMeasureAConvolutionWithItsBiasByOneWithout)
{
    const auto convolution = [](bool isJoined) {
        ProtoBuilder model;
        model.input("x", {1, 3, 8, 8}).output("y", {1, 4, 6, 6}).weight("w", {4, 3, 3, 3}, normal(108, 1));
        model.weight(
            "b", isJoined ? std::vector<std::int64_t>{4} : std::vector<std::int64_t>{1, 4, 1, 1}, {9, 8, 7, 6});
        model.node("Conv", "conv",
            isJoined ? std::vector<std::string>{"x", "w", "b"} : std::vector<std::string>{"x", "w"},
            {isJoined ? "a" : "c"});
        if (!isJoined)
            model.node("Add", "add", {"c", "b"}, {"a"});
        model.node("Sigmoid", "gate", {"a"}, {"g"});
        model.node("Mul", "mul", {"a", "g"}, {"y"});
        return QuantizedCase(model, {1, 3, 8, 8}, normalSamples(4, std::size_t{3} * 64, 5));
    };
    QuantizedCase made = convolution(false);
    made.quantize("");
    const auto resumed = resumeFrom(convolution(true).opened(), statePathFor(made.exported()), false, {});
    ASSERT_TRUE(resumed) << resumed.error().line();
    EXPECT_THAT(resumed->notes,
        Contains(HasSubstr("'conv' gives another value than it did: it reads another one, or a bias or a norm is a "
                           "part of it on one side only")));
}

/// What a Mul makes even for two products.
QuantizedCase smoothed(const std::string& prefix)
{
    std::vector<float> rows = normal(std::size_t{16} * 12, 3);
    for (std::size_t i = 36; i < 48; ++i)
        rows[i] *= 0.01F;
    ProtoBuilder model;
    model.input("x", {2, 16}).output("y", {2, 12}).weight(prefix + "w1", {16, 12}, rows);
    model.weight(prefix + "w2", {16, 12}, rows);
    model.node("Tanh", prefix + "tanh", {"x"}, {prefix + "t"});
    model.node("MatMul", prefix + "left", {prefix + "t", prefix + "w1"}, {"l"});
    model.node("MatMul", prefix + "right", {prefix + "t", prefix + "w2"}, {"r"});
    model.node("Sub", prefix + "out", {"l", "r"}, {"y"});
    return {model, {2, 16}, normalSamples(6, 32, 10)};
}

TEST(ResumeFrom, FindsNodesBehindAMulThatAChangeOfTheModelAdds)
{
    QuantizedCase made = smoothed("");
    made.quantize(R"("model_type": "transformer", "smooth_quant_alphas": {"matmul": 0.5})");
    ASSERT_EQ(made.compression().floatChanges.size(), 1U);
    ASSERT_EQ(made.compression().floatChanges.front().foldedInto, "");
    const auto resumed = resumeFrom(smoothed("n.").opened(), statePathFor(made.exported()), false, {});
    ASSERT_TRUE(resumed) << resumed.error().line();
    EXPECT_EQ(resumed->found.size(), made.compression().setup.points.size());
    EXPECT_EQ(resumed->compression.parameters, made.compression().parameters);
}

TEST(ResumeFrom, SaysWhatTheRecipeMakesOfNodesThatTheStateDoesNotKnow)
{
    QuantizedCase made = convolutions();
    made.quantize("");
    ProtoBuilder model; // one convolution more
    model.input("x", {1, 3, 8, 8}).output("z", {1, 4, 2, 2});
    model.weight("w1", {4, 3, 3, 3}, normal(std::size_t{4} * 27, 1)).weight("b1", {4}, {0.1F, 0.2F, -0.3F, 0.4F});
    model.weight("w2", {12, 4, 3, 3}, normal(std::size_t{12} * 36, 2)).weight("b2", {12}, std::vector<float>(12, 0.1F));
    model.weight("w3", {4, 12, 3, 3}, normal(std::size_t{4} * 108, 3));
    model.node("Conv", "first", {"x", "w1", "b1"}, {"h"});
    model.node("Relu", "relu", {"h"}, {"r"});
    model.node("Conv", "second", {"r", "w2", "b2"}, {"y"});
    model.node("Conv", "third", {"y", "w3"}, {"z"});
    const QuantizedCase other(model, {1, 3, 8, 8}, normalSamples(1, std::size_t{3} * 64, 5));
    const auto resumed = resumeFrom(other.opened(), statePathFor(made.exported()), false, {});
    ASSERT_TRUE(resumed) << resumed.error().line();
    EXPECT_THAT(resumed->notes, Contains("the state has no quantizer where the recipe makes one: node 'third'"));
}

TEST(ResumeFrom, EqualizesNoLayersThatDoNotFollowEachOtherAsTheyDid)
{
    QuantizedCase made = convolutions();
    made.quantize(R"("cross_layer_equalization": true)");
    ASSERT_FALSE(made.compression().floatChanges.empty());
    ProtoBuilder model; // a Sigmoid in place of the Relu
    model.input("x", {1, 3, 8, 8}).output("y", {1, 12, 4, 4});
    model.weight("w1", {4, 3, 3, 3}, normal(std::size_t{4} * 27, 1)).weight("b1", {4}, {0.1F, 0.2F, -0.3F, 0.4F});
    model.weight("w2", {12, 4, 3, 3}, normal(std::size_t{12} * 36, 2)).weight("b2", {12}, std::vector<float>(12, 0.1F));
    model.node("Conv", "first", {"x", "w1", "b1"}, {"h"});
    model.node("Sigmoid", "relu", {"h"}, {"s"});
    model.node("Conv", "second", {"s", "w2", "b2"}, {"y"});
    const QuantizedCase other(model, {1, 3, 8, 8}, normalSamples(1, std::size_t{3} * 64, 5));
    const auto resumed = resumeFrom(other.opened(), statePathFor(made.exported()), false, {});
    ASSERT_TRUE(resumed) << resumed.error().line();
    EXPECT_TRUE(resumed->compression.floatChanges.empty());
    EXPECT_THAT(resumed->notes, Contains(HasSubstr("a change of the float model was left out: ")));
}

/// A product of three axes with its bias, or what simplifiers make of it.
QuantizedCase biasedProduct(bool isGemm)
{
    const std::vector<float> weight = normal(256, 3);
    std::vector<float> turned(256);
    for (std::size_t i = 0; i < 256; ++i)
        turned[i % 16 * 16 + i / 16] = weight[i];
    ProtoBuilder model;
    model.input("x", {1, 2, 16}).output("y", {1, 2, 16}).weight("w", {16, 16}, isGemm ? turned : weight);
    model.weight("fc.bias", {16}, normal(16, 4));
    model.node("Tanh", "tanh", {"x"}, {"t"});
    if (isGemm) {
        model.tensor("rows", {2}, onnx::TensorProto::INT64).mutable_int64_data()->Add(2);
        model.model().mutable_graph()->mutable_initializer()->rbegin()->add_int64_data(16);
        model.tensor("whole", {3}, onnx::TensorProto::INT64).add_int64_data(1);
        for (const int size : {2, 16})
            model.model().mutable_graph()->mutable_initializer()->rbegin()->add_int64_data(size);
        model.node("Reshape", "before", {"t", "rows"}, {"r"});
        addInt(model.node("Gemm", "gemm", {"r", "w", "fc.bias"}, {"g"}), "transB", 1);
        model.node("Reshape", "behind", {"g", "whole"}, {"b"});
    } else {
        model.node("MatMul", "product", {"t", "w"}, {"p"});
        model.node("Add", "add", {"p", "fc.bias"}, {"b"});
    }
    model.weight("w2", {16, 16}, normal(256, 6));
    model.node("MatMul", "second", {"b", "w2"}, {"y"});
    return {model, {1, 2, 16}, normalSamples(4, 32, 5)};
}

TEST(ResumeFrom, PutsTheQuantizersOfAProductAndItsBiasOnTheGemmThatBothBecame)
{
    QuantizedCase made = biasedProduct(false);
    made.quantize(R"("overflow_fix": "enable")"); // so that both compute the same without VNNI, too
    QuantizedCase joined = biasedProduct(true);
    const auto resumed = resumeFrom(joined.opened(), statePathFor(made.exported()), false, {});
    ASSERT_TRUE(resumed) << resumed.error().line();
    for (const std::string& was : {"product", "add"})
        EXPECT_THAT(resumed->found,
            Contains(testing::AllOf(testing::Field(&FoundPoint::was, was), testing::Field(&FoundPoint::is, "gemm"))));
    const TemporaryFolder folder;
    const auto report = exportModel(resumed->snapshot, resumed->compression, nullptr, folder / "m.onnx", 1, {});
    ASSERT_TRUE(report) << report.error().line();
    const auto again = joined.run(folder / "m.onnx", 0);
    const auto before = made.output(0);
    ASSERT_EQ(again.size(), before.size());
    for (std::size_t i = 0; i < again.size(); ++i)
        EXPECT_NEAR(again[i], before[i], 0.02F) << i << ": scales are of the columns, which are rows now";
}

TEST(ResumeFrom, LeavesOutAChangeThatDoesNotFitAndWhatWasMeasuredBehindIt)
{
    QuantizedCase made = products();
    made.quantize(R"("model_type": "transformer", "smooth_quant_alphas": {"matmul": 0.5})");
    EXPECT_THAT(made.compression().floatChanges, Contains(testing::Field(&FloatChange::foldedInto, "norm")));
    ProtoBuilder model; // something else reads what would be scaled
    model.input("x", {2, 16}).output("y", {2, 12}).output("z", {2, 16});
    std::vector<float> gain(16, 1);
    gain[3] = 60;
    model.weight("gain", {16}, gain).weight("offset", {16}, std::vector<float>(16, 0));
    model.weight("w1", {16, 12}, normal(std::size_t{16} * 12, 3));
    model.weight("w2", {16, 12}, normal(std::size_t{16} * 12, 4));
    model.node("LayerNormalization", "norm", {"x", "gain", "offset"}, {"n"});
    model.node("Neg", "other", {"n"}, {"z"});
    model.node("MatMul", "left", {"n", "w1"}, {"l"});
    model.node("MatMul", "right", {"n", "w2"}, {"r"});
    model.node("Sub", "out", {"l", "r"}, {"y"});
    const QuantizedCase other(model, {2, 16}, normalSamples(6, 32, 10));
    const auto resumed = resumeFrom(other.opened(), statePathFor(made.exported()), false, {});
    ASSERT_TRUE(resumed) << resumed.error().line();
    EXPECT_TRUE(resumed->compression.floatChanges.empty());
    EXPECT_THAT(resumed->notes,
        Contains("a change of the float model was left out: a correction does not fit the model, at node 'norm'"));
    EXPECT_THAT(resumed->notes,
        Contains(HasSubstr("was left out: what it stands on was scaled by a change that cannot be made here")));
    for (const FoundPoint& point : resumed->found)
        EXPECT_NE(point.was, "norm");
}

TEST(ResumeFrom, ListsWhatHasNoPlaceAndWhatIsNearest)
{
    QuantizedCase made = convolutions();
    made.quantize("");
    ProtoBuilder model;
    model.input("x", {1, 3, 8, 8}).output("y", {1, 4, 4, 4});
    model.weight("w1", {4, 3, 3, 3}, normal(std::size_t{4} * 27, 1)).weight("b1", {4}, {0.1F, 0.2F, -0.3F, 0.4F});
    model.weight("v", {4, 4, 3, 3}, normal(std::size_t{4} * 36, 2));
    model.node("Conv", "first", {"x", "w1", "b1"}, {"h"});
    model.node("Sigmoid", "squash", {"h"}, {"s"});
    model.node("Conv", "second_new", {"s", "v"}, {"y"});
    const QuantizedCase other(model, {1, 3, 8, 8}, normalSamples(1, std::size_t{3} * 64, 5));
    const auto resumed = resumeFrom(other.opened(), statePathFor(made.exported()), false, {});
    ASSERT_TRUE(resumed) << resumed.error().line();
    EXPECT_THAT(resumed->notes, Contains("the graph is not the one the state was made for"));
    EXPECT_THAT(resumed->notes, Contains("quantizer 2 was left out: the model has no node 'relu'"));
    EXPECT_THAT(resumed->notes,
        Contains("quantizer 3 was left out: the model has no node 'second' with input 1 (nearest: 'second_new')"));
    EXPECT_EQ(resumed->found.size(), 2U);
}

TEST(ResumeFrom, SaysThatTheNodeOfARecordedNameIsAnotherOne)
{
    QuantizedCase made = convolutions();
    made.quantize("");
    ProtoBuilder model;
    model.input("x", {1, 3, 8, 8}).output("y", {1, 4, 4, 4});
    model.weight("w1", {4, 3, 3, 3}, normal(std::size_t{4} * 27, 1)).weight("b1", {4}, {0.1F, 0.2F, -0.3F, 0.4F});
    model.weight("v", {4, 4, 3, 3}, normal(std::size_t{4} * 36, 2));
    model.node("Conv", "first", {"x", "w1", "b1"}, {"h"});
    model.node("Sigmoid", "relu", {"h"}, {"s"});
    model.node("Conv", "second", {"s", "v"}, {"y"});
    const QuantizedCase other(model, {1, 3, 8, 8}, normalSamples(1, std::size_t{3} * 64, 5));
    const auto resumed = resumeFrom(other.opened(), statePathFor(made.exported()), false, {});
    ASSERT_TRUE(resumed) << resumed.error().line();
    EXPECT_THAT(resumed->notes,
        Contains("quantizer 2 was left out: the model has no node 'relu' that does the same: the one of this name has "
                 "another operator or scope, or reads other parameters"));
}

struct StoredState {
    const char* file; // in tests/data/states
    const char* model; // in tests/data/cases
};

class StoredStates : public testing::TestWithParam<StoredState>
{
};

TEST_P(StoredStates, OfEveryVersionAreResumedWhole)
{
    const std::filesystem::path data(DUO_TEST_DATA);
    const auto opened = openSnapshot(data / "cases" / (std::string(GetParam().model) + ".onnx"));
    ASSERT_TRUE(opened) << opened.error().line();
    const auto file = data / "states" / (std::string(GetParam().file) + ".state.json");
    const auto resumed = resumeFrom(*opened, file, true, {});
    ASSERT_TRUE(resumed) << resumed.error().line();
    EXPECT_TRUE(resumed->identicalSetup);
    const TemporaryFolder folder;
    const auto report = exportModel(resumed->snapshot, resumed->compression, nullptr, folder / "m.onnx", 1, {});
    ASSERT_TRUE(report) << report.error().line();
    const auto again = resumeFrom(*opened, folder / "m.state.json", true, {});
    ASSERT_TRUE(again) << again.error().line();
    EXPECT_EQ(again->compression.parameters, resumed->compression.parameters);
    EXPECT_EQ(again->compression.setup, resumed->compression.setup);
    EXPECT_EQ(again->compression.biasShifts, resumed->compression.biasShifts);
    EXPECT_EQ(again->compression.floatChanges, resumed->compression.floatChanges);
    EXPECT_EQ(again->compression.keptFloat, resumed->compression.keptFloat);
    EXPECT_EQ(again->compression.samples, 2);
}

INSTANTIATE_TEST_SUITE_P(ResumeFrom, StoredStates,
    testing::Values(StoredState{"v1-first", "e_aux_eval"}, StoredState{"v1-scopes", "e_aux_eval"},
        StoredState{"v1-equalized", "f_seq_whole"}, StoredState{"v1-folded", "s_opset17_ln"},
        StoredState{"v1-marks", "e_aux_eval"}, StoredState{"v1-float-nodes", "e_aux_eval"},
        StoredState{"v2", "s_opset17_ln"}, StoredState{"v3", "s_opset17_ln"}, StoredState{"v4", "s_opset17_ln"},
        StoredState{"v5", "s_opset17_ln"}),
    [](const auto& tested) {
        std::string name = tested.param.file;
        std::ranges::replace(name, '-', '_');
        return name;
    });

} // namespace
} // namespace duo
