// SPDX-License-Identifier: Apache-2.0
#include "core/state/compression_state.h"

#include "core/state/number_list.h"
#include "tests/support/model_builder.h"
#include "tests/support/schema_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

using duo::test::ModelBuilder;

namespace duo {
namespace {

std::shared_ptr<const Model> model(const std::string& convName)
{
    return ModelBuilder()
        .input("x", {1, 2, 4, 4})
        .weight("w", {2, 2, 1, 1})
        .node("Conv", convName, {"x", "w"}, {"y"})
        .output("y")
        .build();
}

CompressionState exampleState(const Model& model)
{
    CompressionState state;
    state.producer = "duoscope test";
    state.engine = "onnxruntime test";
    state.model = *hashModel(model);
    Rule rule;
    rule.value = "nothing";
    state.recipe.rules.rules.push_back(rule);
    QuantizationPoint input{.port = std::nullopt, .config = {.mode = QuantizationMode::Asymmetric}};
    input.input = model.findValue("x");
    state.setup.points.emplace(0, input);
    state.setup.points.emplace(1,
        QuantizationPoint{.node = NodeId(0),
            .port = 1,
            .isWeight = true,
            .config = {.perChannel = true, .narrowRange = true},
            .directlyQuantized = {NodeId(0)}});
    state.setup.sharedInputGroups[0] = {0, 1};
    state.parameters.emplace(0, QuantizationParameters{ElementType::UInt8, {0.1F}, {7}, std::nullopt});
    state.parameters.emplace(1, QuantizationParameters{ElementType::Int8, {1.0F / 3.0F, 1e-30F}, {0, 0}, 0});
    state.samples = 5;
    return state;
}

Result<ReadState> readOnto(const Model& model, std::string_view text)
{
    DUO_TRY(state, StateText::parse(text, "s.json"));
    return state.onto(model, NodesThere(model, {}, state.recorded().graph));
}

TEST(CompressionState, EveryNumberSurvivesTheRoundTrip)
{
    const auto m = model("conv");
    const CompressionState state = exampleState(*m);
    const std::string text = stateText(*m, state);
    const auto read = readOnto(*m, text);
    ASSERT_TRUE(read) << read.error().line();
    EXPECT_EQ(read->state, state);
    EXPECT_TRUE(read->leftOut.empty());
    EXPECT_EQ(stateText(*m, read->state), text);
}

TEST(CompressionState, FitsItsSchema)
{
    const auto m = model("conv");
    const auto json = nlohmann::ordered_json::parse(stateText(*m, exampleState(*m)));
    EXPECT_EQ(test::schemaComplaints(json, "state"), "");
}

TEST(CompressionState, LeavesOutQuantizersTheModelHasNoPlaceFor)
{
    const auto m = model("conv");
    const auto read = readOnto(*model("other"), stateText(*m, exampleState(*m)));
    ASSERT_TRUE(read);
    EXPECT_THAT(
        read->leftOut, testing::ElementsAre("quantizer 1 was left out: the model has no node 'conv' with input 1"));
    EXPECT_EQ(read->state.setup.points.size(), 1U);
}

/// A state with one text in it replaced.
Error errorWith(const std::string& part, const std::string& replacement)
{
    const auto m = model("conv");
    std::string text = stateText(*m, exampleState(*m));
    EXPECT_NE(text.find(part), std::string::npos) << text;
    text.replace(text.find(part), part.size(), replacement);
    const auto read = StateText::parse(text, "s.json");
    EXPECT_FALSE(read);
    return read ? Error{} : read.error();
}

TEST(CompressionState, SaysWhichEntryIsWrong)
{
    struct Wrong {
        const char* part;
        const char* replacement;
        const char* message;
    };
    for (const auto& [part, replacement, message] : std::vector<Wrong>{
             {"[0.1]", "[-0.1]", "not above zero: s.json ctrl_state.quantization.parameters.0.scale[0]"},
             {"[0.1]", "[1e300]", "not a finite number: s.json ctrl_state.quantization.parameters.0.scale[0]"},
             {"[0.1]", "[3e38]",
                 "its codes reach further than numbers go: s.json ctrl_state.quantization.parameters.0.scale[0]"},
             {"[0.1]", "[]", "no scales: s.json ctrl_state.quantization.parameters.0.scale"},
             {"[0.1]", "[0.1,0.2]", "2 scales, and no axis: s.json ctrl_state.quantization.parameters.0.scale"},
             {"[0.1]", "\"f32:AAAA\"", "not a list of numbers: s.json ctrl_state.quantization.parameters.0.scale"},
             {"\"zero_point\":7", "\"zero_point\":256",
                 "not a whole number from 0 to 255: s.json ctrl_state.quantization.parameters.0.zero_point"},
             {"\"zero_point\":7", "\"zero_point\":[7,7]",
                 "2 numbers where there are 1 scales: s.json ctrl_state.quantization.parameters.0.zero_point"},
             {"\"type\":\"uint8\"", "\"type\":\"uint16\"",
                 "codes of 16 bits, where the quantizer has 8: s.json ctrl_state.quantization.parameters.0.type"},
             {"\"zero_point\":0", "\"zero_point\":5",
                 "not in the middle of the codes of a symmetric quantizer: s.json "
                 "ctrl_state.quantization.parameters.1.zero_point"},
             {"\"axis\":null", "\"axis\":1",
                 "channels, where the quantizer has one scale for all: s.json "
                 "ctrl_state.quantization.parameters.0.axis"},
             {"\"axis\":null", "\"axes\":null", "missing field: s.json ctrl_state.quantization.parameters.0.axis"},
             {"\"samples\"", "\"sample\"", "missing field: s.json ctrl_state.quantization.samples"},
             {"\"samples\"", "\"times\": 1, \"samples\"", "unknown field: s.json ctrl_state.quantization.times"},
             {"\"samples\"", "\"samples\": 1, \"samples\"",
                 "a key stands twice: s.json ctrl_state.quantization.samples"},
             {"[0,1]", "[0,2]",
                 "no such quantizer: s.json "
                 "builder_state.quantization.quantizer_setup.shared_input_operation_set_groups.0[1]"},
             {"[0,1]", "[0,0]",
                 "the quantizer is in a group already: s.json "
                 "builder_state.quantization.quantizer_setup.shared_input_operation_set_groups.0[1]"},
             {R"("target_node_name":"nncf_model_input_0","input_port_id":null},"qip_class":"Activation)",
                 R"("target_node_name":"conv","input_port_id":1},"qip_class":"Weight)",
                 "quantizer 0 stands there already: s.json "
                 "builder_state.quantization.quantizer_setup.quantization_points.1.qip"},
             {"\"unified_scale_groups\": {}", "\"unified_scale_groups\": {\"4\": [0, 1]}",
                 "not the scale of quantizer 0, with which it is in group 4 of equal scales: s.json "
                 "ctrl_state.quantization.parameters.1"},
         }) {
        const Error error = errorWith(part, replacement);
        EXPECT_EQ(error.what + ": " + error.where, message) << part << " became " << replacement;
    }
}

TEST(CompressionState, OfANewerVersionIsRefused)
{
    EXPECT_EQ(errorWith("\"version\": 7", "\"version\": 8").line(),
        "the state is of version 8, and this Duoscope reads up to 7: s.json version: use a newer Duoscope");
}

TEST(CompressionState, SaysWhichPartWasChangedSinceItWasWritten)
{
    const auto m = model("conv");
    std::string text = stateText(*m, exampleState(*m));
    text.replace(text.find("[0.1]"), 5, "[0.2]");
    const auto read = StateText::parse(text, "s.json");
    ASSERT_TRUE(read) << read.error().line();
    EXPECT_THAT(read->unlike(), testing::ElementsAre("the state was changed since it was written, in ctrl_state"));
}

TEST(CompressionState, LeavesOutScalesOfOtherChannels)
{
    const auto m = model("conv");
    const auto wider = ModelBuilder()
                           .input("x", {1, 2, 4, 4})
                           .weight("w", {3, 2, 1, 1})
                           .node("Conv", "conv", {"x", "w"}, {"y"})
                           .output("y")
                           .build();
    const auto read = readOnto(*wider, stateText(*m, exampleState(*m)));
    ASSERT_TRUE(read);
    EXPECT_THAT(read->leftOut,
        testing::ElementsAre("quantizer 1 was left out: it has 2 scales along axis 0, and what it stands on has 3 "
                             "channels there"));
    EXPECT_EQ(read->state.setup.sharedInputGroups.at(0), std::vector<PointId>{0});
}

TEST(CompressionState, LeavesOutAQuantizerOfDataThatAConstantIs)
{
    const auto m = model("conv");
    std::string text = stateText(*m, exampleState(*m));
    const std::string ofWeight = "WeightQuantizationInsertionPoint";
    text.replace(text.find(ofWeight), ofWeight.size(), "ActivationQuantizationInsertionPoint");
    const auto read = readOnto(*m, text);
    ASSERT_TRUE(read) << read.error().line();
    EXPECT_THAT(read->leftOut,
        testing::ElementsAre("quantizer 1 was left out: it is of data, and input 1 of 'conv' is a constant"));
}

TEST(CompressionState, HoldsManyNumbersInFewBytes)
{
    std::vector<float> numbers;
    for (int i = 0; i < 100; ++i)
        numbers.push_back(std::ldexp(1.0F / static_cast<float>(i + 1), i - 90));
    numbers.insert(
        numbers.end(), {-0.0F, std::numeric_limits<float>::denorm_min(), -std::numeric_limits<float>::max()});
    for (std::size_t count = 0; count <= numbers.size(); ++count) {
        const std::vector<float> some(numbers.end() - static_cast<std::ptrdiff_t>(count), numbers.end());
        const auto text = numbersJson(some).dump();
        EXPECT_LE(text.size(), std::max<std::size_t>(8 * 16, 10 + count * 6));
        const auto read = numbersFromJson(nlohmann::ordered_json::parse(text), {"s.json"});
        ASSERT_TRUE(read) << read.error().line();
        ASSERT_EQ(read->size(), count);
        for (std::size_t i = 0; i < count; ++i)
            EXPECT_EQ(std::bit_cast<std::uint32_t>((*read)[i]), std::bit_cast<std::uint32_t>(some[i]));
    }
}

TEST(CompressionState, RefusesOtherJson)
{
    EXPECT_EQ(readOnto(*model("conv"), "{}").error().line(),
        "not a compression state: s.json format: take the file as Duoscope wrote it");
}

TEST(HashModel, DoesNotDependOnNodeNamesButOnWiringAndWeights)
{
    const auto hashes = *hashModel(*model("conv"));
    EXPECT_EQ(hashes, *hashModel(*model("other")));
    const auto changed = ModelBuilder()
                             .input("x", {1, 2, 4, 4})
                             .weight("w", {2, 2, 1, 1}, {0.25F})
                             .node("Conv", "conv", {"x", "w"}, {"y"})
                             .output("y")
                             .build();
    EXPECT_EQ(hashes.graph, hashModel(*changed)->graph);
    EXPECT_NE(hashes.weights, hashModel(*changed)->weights);
    const auto strided = ModelBuilder()
                             .input("x", {1, 2, 4, 4})
                             .weight("w", {2, 2, 1, 1})
                             .node("Conv", "conv", {"x", "w"}, {"y"}, {{"strides", std::vector<std::int64_t>{2, 2}}})
                             .output("y")
                             .build();
    EXPECT_NE(hashes.graph, hashModel(*strided)->graph);
}

} // namespace
} // namespace duo
