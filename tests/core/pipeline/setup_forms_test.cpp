// SPDX-License-Identifier: Apache-2.0
// Forms of a placement: what other tools are told of it, without anything being measured.
#include "core/pipeline/setup_forms.h"
#include "core/quantize/points/compressed.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>

namespace duo {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using Json = nlohmann::json;

Snapshot opened(const std::string& sample, const std::string& recipe = "")
{
    const auto snapshot = openSnapshot(std::filesystem::path(DUO_SAMPLES) / sample);
    EXPECT_TRUE(snapshot) << snapshot.error().line();
    if (recipe.empty())
        return *snapshot;
    const auto read = readRecipeText(recipe);
    const auto ruled = withRecipe(*snapshot, std::get<RecipeReading>(read).recipe);
    EXPECT_TRUE(ruled) << ruled.error().line();
    return *ruled;
}

Json written(const Snapshot& snapshot, const std::string& form)
{
    const auto made = plannedText(snapshot, form);
    EXPECT_TRUE(made) << made.error().line();
    EXPECT_THAT(made->losses, IsEmpty()) << form;
    return Json::parse(made->text);
}

/// Names of the nodes that are quantized, in the order of the model.
std::vector<std::string> quantizedNodes(const Snapshot& snapshot)
{
    std::vector<std::string> names;
    for (std::size_t n = 0; n < snapshot.model->nodes.size(); ++n) {
        if (snapshot.placement->decisions[n].state == NodeState::Quantized)
            names.push_back(snapshot.model->nodes[n].name);
    }
    return names;
}

constexpr const char* kIgnoreOne = R"({"names": ["/encoder/stem/conv/Conv"]})";

TEST(SetupForms, TellOliveWhatToQuantize)
{
    const Json pass = written(opened("digits_conv.onnx", kIgnoreOne), "olive")["passes"]["quantization"];
    EXPECT_EQ(pass["type"], "OnnxStaticQuantization");
    EXPECT_EQ(pass["precision"], "int8");
    EXPECT_EQ(pass["activation_type"], "uint8");
    EXPECT_EQ(pass["per_channel"], true);
    EXPECT_EQ(pass["weight_symmetric"], true);
    EXPECT_THAT(pass["op_types_to_quantize"].get<std::vector<std::string>>(), Contains("Conv"));
    EXPECT_THAT(pass["nodes_to_exclude"].get<std::vector<std::string>>(), Contains("/encoder/stem/conv/Conv"));
}

TEST(SetupForms, TellWinMlWhatToQuantize)
{
    const Json quant = written(opened("digits_conv.onnx", kIgnoreOne), "winml")["quant"];
    EXPECT_EQ(quant["mode"], "static");
    EXPECT_EQ(quant["samples"], 300);
    EXPECT_EQ(quant["weight_type"], "int8");
    EXPECT_THAT(quant["nodes_to_exclude"].get<std::vector<std::string>>(), Contains("/encoder/stem/conv/Conv"));
}

/// Read as rules, a configuration quantizes the nodes that it was written of.
TEST(SetupForms, OfConfigurationsComeBackAsRules)
{
    for (const char* sample : {"digits_conv.onnx", "digits_transformer.dynamo.onnx"}) {
        for (const char* form : {"olive", "winml"}) {
            const Snapshot snapshot = opened(sample);
            const Snapshot again = opened(sample, plannedText(snapshot, form)->text);
            EXPECT_EQ(quantizedNodes(again), quantizedNodes(snapshot)) << sample << " " << form;
        }
    }
}

TEST(SetupForms, SayWhatAConfigurationCannot)
{
    const Snapshot wide = opened("digits_conv.onnx",
        R"({"format": "duoscope-recipe", "version": 1, "quantization": {"advanced_parameters": {"overflow_fix": "first_layer_only"}}})");
    EXPECT_THAT(
        plannedText(wide, "olive")->losses, ElementsAre("half the range for the weights of the first layer alone"));
}

TEST(SetupForms, ShowTheGraphToModelExplorer)
{
    const Snapshot snapshot = opened("digits_conv.onnx");
    const Json graph = written(snapshot, "model-explorer-graph");
    EXPECT_EQ(graph["label"], "digits_conv.onnx");
    EXPECT_GT(graph["graphs"][0]["nodes"].size(), snapshot.model->nodes.size());
    EXPECT_FALSE(written(snapshot, "model-explorer-data")["results"].empty());
}

/// By name where nothing changed, else by what became of a node.
TEST(SetupForms, LinkTheNodesOfTheFileWithThoseThatTransformsMade)
{
    const Json same = written(opened("digits_conv.onnx"), "model-explorer-sync");
    EXPECT_EQ(same["type"], "sync_navigation");
    const Snapshot snapshot = opened("../../tests/data/exports/gpt2.script.onnx",
        R"({"format": "duoscope-recipe", "version": 1, "transforms": {}})");
    ASSERT_TRUE(snapshot.opened);
    const Json sync = written(snapshot, "model-explorer-sync");
    ASSERT_FALSE(sync["mappingEntries"].empty());
    for (const Json& entry : sync["mappingEntries"]) {
        ASSERT_FALSE(entry["leftNodeIds"].empty());
        ASSERT_FALSE(entry["rightNodeIds"].empty());
        for (const Json& id : entry["leftNodeIds"])
            EXPECT_TRUE(snapshot.opened->model->findNode(id.get<std::string>()).valid()) << id;
        for (const Json& id : entry["rightNodeIds"])
            EXPECT_TRUE(snapshot.model->findNode(id.get<std::string>()).valid()) << id;
    }
}

TEST(SetupForms, WithScalesWantThatSomethingWasMeasured)
{
    const auto made = plannedText(opened("digits_conv.onnx"), "aimet-1.0.0");
    ASSERT_FALSE(made);
    EXPECT_EQ(
        made.error().line(), "the form has scales, and nothing was measured: aimet-1.0.0: quantize the model first");
}

TEST(SetupForms, EachIsNamedOnce)
{
    std::vector<std::string> forms = setupForms();
    EXPECT_THAT(forms, Contains("state"));
    std::ranges::sort(forms);
    EXPECT_EQ(std::ranges::adjacent_find(forms), forms.end());
}

} // namespace
} // namespace duo
