// SPDX-License-Identifier: Apache-2.0
#include "core/state/compression_state.h"

#include "tests/support/model_builder.h"
#include "tests/support/schema_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

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
    return state.onto(model);
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

TEST(CompressionState, RefusesScalesThatAreNoScales)
{
    const auto m = model("conv");
    std::string text = stateText(*m, exampleState(*m));
    text.replace(text.find("0.10000000149011612"), 19, "-1.0000000000000000");
    const auto read = readOnto(*m, text);
    ASSERT_FALSE(read);
    EXPECT_EQ(read.error().line(),
        "scale or zero point cannot be used: s.json parameters 0: take the state file as Duoscope wrote it");
}

TEST(CompressionState, LeavesOutWeightsThatNoNodeReads)
{
    const auto m = model("conv");
    for (const auto& [node, port] :
        {std::pair<const char*, const char*>{"nncf_model_input_0", "1"}, {"conv", "null"}}) {
        auto json = nlohmann::ordered_json::parse(stateText(*m, exampleState(*m)));
        auto& point = json["builder_state"]["quantization"]["quantizer_setup"]["quantization_points"]["1"]["qip"];
        point["target_node_name"] = node;
        point["input_port_id"] = nlohmann::ordered_json::parse(port);
        const auto read = readOnto(*m, json.dump());
        ASSERT_TRUE(read) << read.error().line();
        EXPECT_THAT(read->leftOut,
            testing::ElementsAre(
                "quantizer 1 was left out: it is of a weight, and '" + std::string(node) + "' is no input of a node"));
        EXPECT_FALSE(read->state.setup.points.contains(1));
    }
}

TEST(CompressionState, GroupsLoseQuantizersThatHaveNoParameters)
{
    const auto m = model("conv");
    CompressionState state = exampleState(*m);
    state.setup.unifiedScaleGroups[3] = {1};
    state.parameters.erase(1);
    const auto read = readOnto(*m, stateText(*m, state));
    ASSERT_TRUE(read);
    EXPECT_EQ(read->state.setup.sharedInputGroups.at(0), std::vector<PointId>{0});
    EXPECT_TRUE(read->state.setup.unifiedScaleGroups.empty());
}

TEST(CompressionState, RefusesOtherJson)
{
    EXPECT_EQ(readOnto(*model("conv"), "{}").error().line(),
        "not a compression state: s.json format: take the state file as Duoscope wrote it");
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
