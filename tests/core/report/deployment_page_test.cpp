// SPDX-License-Identifier: Apache-2.0
#include "core/report/deployment_page.h"
#include "core/report/deployment_snippets.h"
#include "core/report/model_explorer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace duo {
namespace {

using testing::HasSubstr;
using testing::Not;

/// A Conv that is quantized in the scope "enc", and a Relu in float.
struct Deployed {
    Model model;
    Scopes scopes;
    Placement placement;
    ExportReport report;

    Deployed()
    {
        addNode("Conv", "c");
        addNode("Relu", "y<b>");
        Scope root;
        root.children = {ScopeId(1)};
        Scope encoder;
        encoder.path = "enc";
        encoder.parent = ScopeId(0);
        encoder.nodes = {NodeId(0), NodeId(1)};
        encoder.totalParameters = 9;
        scopes.execution.scopes = {root, encoder};
        placement.decisions.resize(2);
        placement.decisions[0].state = NodeState::Quantized;
        placement.decisions[1].state = NodeState::Unsupported;
        report.verdict.kind = VerdictKind::Accepted;
        report.outputs = {{"y", 31.8, false, "31.8 dB"}};
        report.checks = {{"loads", true, "it loads", {}}, {"interface", false, "an input is gone", {}}};
    }

    void addNode(const std::string& type, const std::string& output)
    {
        Node node;
        node.opType = type;
        node.outputs = {ValueId(model.values.size())};
        Value value;
        value.name = output;
        model.values.push_back(value);
        model.nodes.push_back(node);
    }

    [[nodiscard]] std::string page(std::string_view recipe = "{}", std::string_view picture = {}) const
    {
        return deploymentPage(
            {model, scopes, placement, report, "m<1>.onnx", recipe, "1.32.0", picture, {"m.onnx", "m.state.json"}});
    }
};

TEST(DeploymentPage, SaysWhatWasDecidedAndWhatCameOfIt)
{
    const std::string page = Deployed().page();
    EXPECT_THAT(page, HasSubstr("<td>y</td><td>31.8 dB</td>"));
    EXPECT_THAT(page, HasSubstr("holds</td><td>it loads</td>"));
    EXPECT_THAT(page, HasSubstr("does not hold</td><td>an input is gone</td>"));
    const std::string shares = "<td class=\"n\">1</td><td class=\"n\">0</td><td class=\"n\">0</td>";
    EXPECT_THAT(page, HasSubstr("<td>Conv</td>" + shares + "<td class=\"n\">0</td>"));
    EXPECT_THAT(page, HasSubstr("<td>enc</td><td class=\"n\">9</td>" + shares + "<td class=\"n\">1</td>"));
    EXPECT_THAT(page, HasSubstr("<li><a href=\"m.state.json\">m.state.json</a></li>"));
}

TEST(DeploymentPage, SaysWhatMakesTheVerdictDoubtfulFirst)
{
    Deployed deployed;
    deployed.report.notes = {{"simplified", "9 nodes became 2", {}, Severity::Remark}};
    deployed.report.verdict.notes = {{"random-data", "the data are random", {}}, {"way-out", "is said above", {}}};
    const std::string page = deployed.page();
    EXPECT_THAT(page, HasSubstr("<li class=\"bad\">the data are random</li>\n<li>9 nodes became 2</li>"));
    EXPECT_THAT(page, Not(HasSubstr("<li>is said above")));
}

TEST(DeploymentPage, HoldsNothingButTextOfWhatItIsGiven)
{
    const std::string page = Deployed().page("{\"rules\": \"<script>\"}");
    EXPECT_THAT(page, HasSubstr("<h1>m&lt;1&gt;.onnx, quantized</h1>"));
    EXPECT_THAT(page, HasSubstr("{&quot;rules&quot;: &quot;&lt;script&gt;&quot;}"));
    EXPECT_THAT(page, Not(HasSubstr("<script")));
    EXPECT_THAT(page, Not(HasSubstr("http"))) << "nothing is loaded";
}

TEST(DeploymentPage, TakesThePictureWithoutTheHeadOfItsDocument)
{
    EXPECT_THAT(Deployed().page("{}", "<?xml version=\"1.0\"?>\n<!DOCTYPE svg>\n<svg>graph</svg>"),
        HasSubstr("<figure><svg>graph</svg></figure>"));
    EXPECT_THAT(Deployed().page(), Not(HasSubstr("<figure>")));
}

TEST(ModelExplorer, GetsTheStateOfEachNodeUnderItsOutput)
{
    const Deployed deployed;
    const auto data = nlohmann::json::parse(modelExplorerText(deployed.model, deployed.placement));
    EXPECT_EQ(data["results"]["c"]["value"], "quantized");
    EXPECT_EQ(data["results"]["y<b>"]["value"], "unsupported");
}

TEST(ModelExplorer, GetsTheGraphWithScopesStatesAndQuantizers)
{
    Deployed deployed;
    Value image;
    image.name = "Conv_0"; // as the node
    image.isInput = true;
    deployed.model.values.push_back(image);
    deployed.model.nodes[0].name = "Conv_0";
    deployed.model.nodes[0].inputs = {ValueId(2)};
    deployed.model.nodes[1].name = "Relu_1";
    deployed.model.nodes[1].inputs = {ValueId(0)};
    deployed.model.values[0].producer = NodeId(0);
    deployed.scopes.nodes.resize(2);
    deployed.scopes.nodes[0].execution = "enc/a\\/b#1";
    QuantizationPoint point;
    point.node = NodeId(0);
    point.port = 0;
    deployed.placement.setup.points.emplace(PointId(0), point);

    const auto file
        = nlohmann::json::parse(modelExplorerGraph(deployed.model, deployed.scopes, deployed.placement, "m.onnx"));
    EXPECT_EQ(file["label"], "m.onnx");
    const auto& graph = file["graphs"][0];
    ASSERT_EQ(graph["nodes"].size(), 3U);
    EXPECT_EQ(graph["nodes"][0]["id"], "Conv_0:input");
    const auto& conv = graph["nodes"][1];
    EXPECT_EQ(conv["namespace"], "enc/a.b#1");
    EXPECT_EQ(conv["attrs"][0]["value"], "quantized");
    EXPECT_EQ(conv["incomingEdges"][0]["sourceNodeId"], "Conv_0:input");
    EXPECT_EQ(conv["inputsMetadata"][0]["attrs"][3]["value"], "8 bits, symmetric");
    EXPECT_EQ(conv["outputsMetadata"][0]["attrs"][2], (nlohmann::json{{"key", "tensor_name"}, {"value", "c"}}));
    EXPECT_EQ(graph["nodes"][2]["incomingEdges"][0]["sourceNodeId"], "Conv_0");
}

TEST(DeploymentSnippets, NameInputsWhateverTheyAreCalled)
{
    const std::vector<SampleFile> inputs{
        {"a\"b\\\n", ElementType::Float32, {1, 3}, "sample/0.bin"}, {"scalar", ElementType::Int64, {}, "sample/1.bin"}};
    const std::string python = pythonSnippet("m.onnx", inputs, false);
    EXPECT_THAT(python, HasSubstr("    \"a\\\"b\\\\\\012\": sample(\"0.bin\", \"float32\", 1, 3),\n"));
    EXPECT_THAT(python, HasSubstr("    \"scalar\": sample(\"1.bin\", \"int64\"),\n"));
    EXPECT_THAT(cppSnippet("m.onnx", inputs, false),
        HasSubstr("{\"scalar\", static_cast<ONNXTensorElementDataType>(7), {}, \"1.bin\"}, // int64\n"));
}

TEST(DeploymentSnippets, SayThatALibraryIsNeeded)
{
    EXPECT_THAT(pythonSnippet("m.onnx", {}, true), HasSubstr("register_custom_ops_library"));
    EXPECT_THAT(cppSnippet("m.onnx", {}, true), HasSubstr("RegisterCustomOpsLibrary"));
}

TEST(DeploymentSnippets, AreNotWrittenForTextsAndNarrowFloats)
{
    EXPECT_TRUE(canBeFed(ElementType::Bool));
    EXPECT_FALSE(canBeFed(ElementType::String));
    EXPECT_FALSE(canBeFed(ElementType::BFloat16));
}

} // namespace
} // namespace duo
