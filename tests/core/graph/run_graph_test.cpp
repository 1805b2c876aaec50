// SPDX-License-Identifier: Apache-2.0
#include "core/graph/run_graph.h"

#include "core/graph/graph_form.h"
#include "core/onnx/reader.h"
#include "core/scope/scope.h"
#include "tests/core/graph/drawn_view.h"
#include "tests/support/model_builder.h"

#include <gtest/gtest.h>

namespace duo {
namespace {

using test::ModelBuilder;
using Nodes = std::vector<NodeId>;

/// x -> Conv -> Relu (a/first), MatMul (a/second), Add with what is computed of constants (b) -> y
std::shared_ptr<const Model> model()
{
    ModelBuilder builder;
    builder.input("x", {1, 3}).weight("w", {3}).weight("k", {3});
    builder.node("Conv", "conv", {"x", "w"}, {"c"}).node("Relu", "relu", {"c"}, {"r"});
    builder.node("MatMul", "product", {"r", "w"}, {"m"}).node("Sqrt", "root", {"k"}, {"s"});
    return builder.node("Add", "add", {"m", "s"}, {"y"}).output("y").build();
}

Scopes scopes()
{
    return test::scopesOf({"a/first", "a/first", "a/second", "a/second", "b"});
}

std::shared_ptr<const Model> fused()
{
    ModelBuilder builder;
    builder.input("x", {1, 3}).weight("w", {3}).weight("s", {3});
    builder.node("FusedConv", "one", {"x", "w"}, {"r"}).node("Cast", "own", {"r"}, {"engine_made"});
    return builder.node("FusedGemm", "two", {"engine_made", "w", "s"}, {"y"}).output("y").build();
}

TEST(RunGraph, AKernelStandsInTheDeepestScopeOfWhatItCameFrom)
{
    const auto original = model();
    const RunGraph run = runGraph(*original, scopes(), nullptr, fused());
    EXPECT_EQ(run.origins[0], (Nodes{NodeId(0), NodeId(1)}));
    EXPECT_EQ(run.scopes->nodes[0].execution, "a/first");
    EXPECT_EQ(run.origins[2], (Nodes{NodeId(2), NodeId(4)})) << "what is computed beforehand is not fused";
    EXPECT_EQ(run.scopes->nodes[2].execution, "") << "a/second and b";
    EXPECT_EQ(run.origins[1], Nodes{});
    EXPECT_EQ(run.scopes->nodes[1].execution, "") << "stands with what reads it";
    EXPECT_EQ(run.kernelsOf[3], Nodes{});
    EXPECT_EQ(run.kernelsFrom({NodeId(1), NodeId(4)}), (Nodes{NodeId(0), NodeId(2)}));
    EXPECT_EQ(run.nodesOf({NodeId(0), NodeId(1)}), (Nodes{NodeId(0), NodeId(1)}));
    EXPECT_EQ(originText(run, NodeId(0)), "fused from 2 nodes");
    EXPECT_EQ(originText(run, NodeId(1)), "what it came from is not known");
    EXPECT_EQ(run.scopes->execution.find("a/second"), scopes().execution.find("a/second")) << "ids are the model's";
}

TEST(RunGraph, AnExportIsFollowedBackToTheModel)
{
    const auto original = model();
    ModelBuilder exported;
    exported.input("x", {1, 3}).weight("w", {3}).weight("k", {3}).weight("scale", {});
    exported.node("QuantizeLinear", "Q0", {"x", "scale"}, {"x_q"});
    exported.node("DequantizeLinear", "D0", {"x_q", "scale"}, {"x_d"});
    exported.node("Conv", "conv", {"x_d", "w"}, {"c"}).node("Relu", "relu", {"c"}, {"r"});
    exported.node("QuantizeLinear", "Q1", {"r", "scale"}, {"r_q"});
    exported.node("DequantizeLinear", "D1", {"r_q", "scale"}, {"r_d"});
    exported.node("MatMul", "product", {"r_d", "w"}, {"m"}).node("Sqrt", "root", {"k"}, {"s"});
    exported.node("Add", "add", {"m", "s"}, {"y"}).output("y");
    ModelBuilder kernels;
    kernels.input("x", {1, 3}).weight("w", {3}).weight("s", {3}).weight("scale", {});
    kernels.node("QuantizeLinear", "Q0", {"x", "scale"}, {"x_q"});
    kernels.node("QLinearConv", "conv_quant", {"x_q", "scale", "w"}, {"r_q"});
    kernels.node("Flatten", "flat", {"r_q"}, {"f_q"});
    kernels.node("MatMulInteger", "mul", {"f_q", "w"}, {"m"}).node("Add", "add", {"m", "s"}, {"y"}).output("y");
    const RunGraph run = runGraph(*original, scopes(), exported.build().get(), kernels.build());

    EXPECT_EQ(run.origins[0], Nodes{});
    EXPECT_EQ(originText(run, NodeId(0)), "put in by the export");
    EXPECT_EQ(run.scopes->nodes[0].execution, "a/first") << "where the reader stands";
    EXPECT_EQ(run.origins[1], (Nodes{NodeId(0), NodeId(1)}));
    EXPECT_EQ(run.origins[3], Nodes{NodeId(2)});
    using enum KernelPrecision;
    EXPECT_EQ(run.precision, (std::vector<KernelPrecision>{Quantizer, Int8, Int8, Int8, Float}))
        << "what hands on codes is on int8, what reads its numbers is not";
    EXPECT_EQ(run.count(Int8), 3);
}

TEST(RunGraph, BoxesSayHowKernelsComputeAndWhatTheyCameFrom)
{
    const auto original = model();
    const Scopes of = scopes();
    const RunGraph run = runGraph(*original, of, nullptr, fused());
    const DrawnGraph drawn = drawnGraph(GraphForm::AsRun, *original, of, nullptr, &run);
    const Containment containment = findContainment(drawn.model, drawn.scopes);
    const ViewGraph view = drawnView(drawn, containment, {});
    EXPECT_EQ(test::drawn(view), R"(
[input x]
(FusedConv conv)
(Cast own)
(FusedGemm product)
[output y]
x -> FusedConv conv
FusedConv conv -> Cast own
Cast own -> FusedGemm product
FusedGemm product -> y
)");
    EXPECT_EQ(view.boxes[1].kernel, "float, 2 nodes");
    EXPECT_EQ(view.boxes[2].kernel, "float");
}

TEST(RunGraph, ValuesOfNodesBecomeThoseOfKernels)
{
    const auto original = model();
    const RunGraph run = runGraph(*original, scopes(), nullptr, fused());
    Overlay overlay;
    overlay.unit = OverlayUnit::Count;
    overlay.ofNode = {1, 2, 4, 8, std::nullopt};
    overlay.kind = OverlayKind::Parameters;
    EXPECT_EQ(overlayOfKernels(overlay, run)->ofNode, (std::vector<std::optional<double>>{3, std::nullopt, 4}));
}

TEST(RunGraph, ValuesThatAreNotOfWhatIsRunAreNotOfKernels)
{
    const auto original = model();
    const RunGraph run = runGraph(*original, scopes(), nullptr, fused());
    const RunGraph ofExport = runGraph(*original, scopes(), original.get(), fused());
    Overlay plan;
    plan.ofNode = {1, 1, 1, 1, 1};
    for (const OverlayKind kind : {OverlayKind::Error, OverlayKind::Sensitivity, OverlayKind::Difference}) {
        plan.kind = kind;
        EXPECT_FALSE(overlayOfKernels(plan, run)) << overlayKindText(kind);
    }
    plan.kind = OverlayKind::Time; // of the float model
    EXPECT_TRUE(overlayOfKernels(plan, run));
    EXPECT_FALSE(overlayOfKernels(plan, ofExport));
    plan.kind = OverlayKind::Precision;
    plan.categories = {"8 bit", "float"};
    const auto own = overlayOfKernels(plan, run);
    ASSERT_TRUE(own);
    EXPECT_EQ(own->categories[static_cast<std::size_t>(*own->ofNode[0])], "float") << "whatever was planned";
    EXPECT_EQ(own->ofExecution[0], own->ofNode[0]) << "of all kernels";
}

TEST(RunGraph, TheEngineTellsWhatItRuns)
{
    const auto read = readModel(std::filesystem::path(DUO_SAMPLES) / "digits_conv.onnx");
    ASSERT_TRUE(read) << read.error().line();
    const Model& sample = **read;
    const Scopes of = findScopes(sample);
    const auto run = findRunGraph(sample, of, {});
    ASSERT_TRUE(run) << run.error().line();
    EXPECT_LT((*run)->kernels->nodes.size(), sample.nodes.size());
    const NodeId conv = sample.findNode("/encoder/stem/conv/Conv");
    const auto& kernels = (*run)->kernelsOf[conv.index];
    ASSERT_EQ(kernels.size(), 1U);
    EXPECT_EQ((*run)->kernels->node(kernels.front()).opType, "FusedConv");
    EXPECT_EQ((*run)->scopes->nodes[kernels.front().index].execution, "encoder/stem");
    EXPECT_TRUE(runText(**run).starts_with("digits_conv.onnx in ONNX Runtime ")) << runText(**run);
}

TEST(RunGraph, AFileThatIsNoExportOfTheModelIsRefused)
{
    const auto original = model();
    const auto absent = findRunGraph(*original, scopes(), "/nowhere/m.onnx");
    ASSERT_FALSE(absent);
    EXPECT_EQ(absent.error().line(), "cannot read file: /nowhere/m.onnx: No such file or directory");
    const auto other = findRunGraph(*original, scopes(), std::filesystem::path(DUO_SAMPLES) / "digits_conv.onnx");
    ASSERT_FALSE(other);
    EXPECT_EQ(other.error().code, ErrorCode::BadData);
    EXPECT_EQ(other.error().what, "no export of this model: it lacks most of its nodes");
}

TEST(OpenedGraph, TellsWhatBecomesOfEachNode)
{
    const auto opened = ModelBuilder()
                            .input("x", {1, 4})
                            .node("Relu", "/enc/relu/Relu", {"x"}, {"r"})
                            .node("Identity", "/enc/drop/Identity", {"r"}, {"i"})
                            .node("Sigmoid", "/enc/gate/Sigmoid", {"i"}, {"y"})
                            .output("y")
                            .build();
    const auto model = ModelBuilder()
                           .input("x", {1, 4})
                           .node("Relu", "/enc/relu/Relu", {"x"}, {"r"})
                           .node("Sigmoid", "/enc/gate/Sigmoid", {"r"}, {"y"})
                           .output("y")
                           .build();
    TransformReport report;
    report.passes.push_back({"identity", 1, {}, true, {}, {{"/enc/drop/Identity", {}, {}}}});
    const Scopes scopes = findScopes(*model);
    const RunGraph graph = openedGraph(*model, scopes, opened, findScopes(*opened), report);
    EXPECT_TRUE(graph.isOpened());
    EXPECT_EQ(graph.fates, (std::vector<std::string>{"stays", "goes: identity", "stays"}));
    EXPECT_EQ(graph.origins, (std::vector<Nodes>{{NodeId(0)}, {}, {NodeId(1)}}));
    EXPECT_EQ(graph.kernelsOf, (std::vector<Nodes>{{NodeId(0)}, {NodeId(2)}}));
    EXPECT_EQ(graph.scopes->nodes[1].execution, "enc"); // its own scope went with it
    const DrawnGraph drawn = drawnGraph(GraphForm::Original, *model, scopes, nullptr, &graph);
    EXPECT_EQ(&drawn.model, opened.get());
    EXPECT_EQ(&drawnGraph(GraphForm::Compressed, *model, scopes, nullptr, &graph).model, model.get());
}

TEST(GraphForm, TheOriginalIsDrawnWithoutAWordAboutQuantizers)
{
    EXPECT_EQ(graphFormFrom("run"), GraphForm::AsRun);
    EXPECT_FALSE(graphFormFrom("runs"));
    const auto original = model();
    const Scopes of = scopes();
    Placement placement;
    placement.decisions = Decisions(original->nodes.size());
    EXPECT_EQ(drawnGraph(GraphForm::Original, *original, of, &placement, nullptr).placement, nullptr);
    EXPECT_EQ(drawnGraph(GraphForm::Compressed, *original, of, &placement, nullptr).placement, &placement);
}

} // namespace
} // namespace duo
