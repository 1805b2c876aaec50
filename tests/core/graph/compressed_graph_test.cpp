// SPDX-License-Identifier: Apache-2.0
#include "core/graph/compressed_graph.h"

#include "core/graph/nncf_dot.h"
#include "tests/support/model_builder.h"

#include <gtest/gtest.h>

namespace duo {
namespace {

using test::ModelBuilder;

QuantizationPoint onInput(std::uint32_t node, std::uint32_t port)
{
    QuantizationPoint point;
    point.node = NodeId(node);
    point.port = port;
    return point;
}

QuantizationPoint onOutput(std::uint32_t node)
{
    QuantizationPoint point;
    point.node = NodeId(node);
    return point;
}

QuantizationPoint onWeight(std::uint32_t node, std::uint32_t port, std::vector<NodeId> readers = {})
{
    QuantizationPoint point = onInput(node, port);
    point.isWeight = true;
    point.directlyQuantized = std::move(readers);
    return point;
}

QuantizerSetup setupOf(const std::vector<QuantizationPoint>& points)
{
    QuantizerSetup setup;
    for (PointId id = 0; id < points.size(); ++id)
        setup.points[id] = points[id];
    return setup;
}

/// "QuantizeLinear_X_1 -> DequantizeLinear_X_1" per edge.
std::string drawn(const CompressedGraph& graph)
{
    std::string text = "\n";
    for (const CompressedEdge& edge : graph.edges) {
        text += graph.nodes[edge.from].name + (edge.isInteger ? " ..> " : " -> ") + graph.nodes[edge.to].name + "\n";
    }
    return text;
}

std::shared_ptr<const Model> convRelu()
{
    return ModelBuilder()
        .input("X", {1, 3, -1, 10})
        .weight("W", {3, 3})
        .node("Conv", "conv", {"X", "W"}, {"c"})
        .node("Relu", "relu", {"c"}, {"Y"})
        .output("Y")
        .build();
}

TEST(CompressedGraph, QuantizersStandBeforeTheirFirstReader)
{
    const auto model = convRelu();
    const auto graph = compressedGraph(*model, setupOf({onInput(0, 0), onWeight(0, 1)}));
    EXPECT_EQ(drawn(graph), R"(
QuantizeLinear_X_1 ..> DequantizeLinear_X_1
DequantizeLinear_X_1 -> conv
QuantizeLinear_W_1 ..> DequantizeLinear_W_1
DequantizeLinear_W_1 -> conv
conv -> relu
relu -> nncf_model_output_0
nncf_model_input_0 -> QuantizeLinear_X_1
)");
    EXPECT_EQ(graph.nodes[4].original, NodeId(0));
    EXPECT_EQ(graph.nodes[0].point, PointId{0});
}

TEST(CompressedGraph, AQuantizerOnAnOutputServesAllReadersButNotTheModelOutput)
{
    const auto model = ModelBuilder()
                           .input("x")
                           .node("Relu", "a", {"x"}, {"v"})
                           .node("Relu", "b", {"v"}, {"p"})
                           .node("Relu", "c", {"v"}, {"q"})
                           .output("v")
                           .build();
    EXPECT_EQ(drawn(compressedGraph(*model, setupOf({onOutput(0)}))), R"(
a -> QuantizeLinear_v_1
a -> nncf_model_output_0
QuantizeLinear_v_1 ..> DequantizeLinear_v_1
DequantizeLinear_v_1 -> b
DequantizeLinear_v_1 -> c
nncf_model_input_0 -> a
)");
}

TEST(CompressedGraph, AQuantizerOnAnInputServesAllPortsOfItsNodeOnly)
{
    const auto model = ModelBuilder()
                           .input("x")
                           .node("Mul", "square", {"x", "x"}, {"s"})
                           .node("Relu", "other", {"x"}, {"y"})
                           .output("y")
                           .build();
    EXPECT_EQ(drawn(compressedGraph(*model, setupOf({onInput(0, 0), onInput(1, 0)}))), R"(
QuantizeLinear_x_1 ..> DequantizeLinear_x_1
DequantizeLinear_x_1 -> square
QuantizeLinear_x_2 ..> DequantizeLinear_x_2
DequantizeLinear_x_2 -> other
other -> nncf_model_output_0
nncf_model_input_0 -> QuantizeLinear_x_1
nncf_model_input_0 -> QuantizeLinear_x_2
)");
}

TEST(CompressedGraph, AModelInputMayBeQuantizedForEverybody)
{
    const auto model
        = ModelBuilder().input("x").node("Relu", "a", {"x"}, {"p"}).node("Relu", "b", {"x"}, {"q"}).output("q").build();
    QuantizationPoint point;
    point.input = model->findValue("x");
    EXPECT_EQ(drawn(compressedGraph(*model, setupOf({point}))), R"(
QuantizeLinear_x_1 ..> DequantizeLinear_x_1
DequantizeLinear_x_1 -> a
DequantizeLinear_x_1 -> b
b -> nncf_model_output_0
nncf_model_input_0 -> QuantizeLinear_x_1
)");
}

TEST(CompressedGraph, ASharedWeightHasOneQuantizer)
{
    const auto model = ModelBuilder()
                           .input("x")
                           .weight("w", {2})
                           .node("Mul", "a", {"x", "w"}, {"p"})
                           .node("Mul", "b", {"p", "w"}, {"q"})
                           .node("Mul", "float", {"q", "w"}, {"y"})
                           .output("y")
                           .build();
    const auto graph = compressedGraph(*model, setupOf({onWeight(0, 1, {NodeId(0), NodeId(1)})}));
    EXPECT_EQ(drawn(graph), R"(
QuantizeLinear_w_1 ..> DequantizeLinear_w_1
DequantizeLinear_w_1 -> a
DequantizeLinear_w_1 -> b
a -> b
b -> float
float -> nncf_model_output_0
nncf_model_input_0 -> a
)");
}

TEST(CompressedGraph, PointsThatFitNoNodeAreLeftOut)
{
    const auto model = convRelu();
    const auto graph = compressedGraph(*model, setupOf({onInput(0, 7)}));
    EXPECT_EQ(graph.nodes.size(), 4U);
}

std::string dotOf(const Model& model, const CompressedGraph& graph)
{
    std::string text;
    writeNncfDot(model, graph, [&](std::string_view piece) { text += piece; });
    return text;
}

TEST(NncfDot, IsWrittenAsNncfWritesIt)
{
    const auto model = convRelu();
    EXPECT_EQ(dotOf(*model, compressedGraph(*model, setupOf({onInput(0, 0)}))), R"(strict digraph {
"0 QuantizeLinear_X_1" [id=0, type=QuantizeLinear];
"1 DequantizeLinear_X_1" [id=1, type=DequantizeLinear];
"2 conv" [id=2, type=Conv];
"3 relu" [id=3, type=Relu];
"4 nncf_model_input_0" [id=4, type=nncf_model_input];
"5 nncf_model_output_0" [id=5, type=nncf_model_output];
"0 QuantizeLinear_X_1" -> "1 DequantizeLinear_X_1" [label="[1, 3, -1, 10]", style=dashed];
"1 DequantizeLinear_X_1" -> "2 conv" [label="[1, 3, -1, 10]", style=solid];
"2 conv" -> "3 relu" [label="[]", style=solid];
"3 relu" -> "5 nncf_model_output_0" [label="[]", style=solid];
"4 nncf_model_input_0" -> "0 QuantizeLinear_X_1" [label="[1, 3, -1, 10]", style=solid];
}
)");
}

TEST(NncfDot, ColonsInNamesBecomeCaretsAndTheTrueTextIsTheLabel)
{
    const auto model = ModelBuilder().input("x").node("Relu", "a:0 \"b\"", {"x"}, {"y"}).output("y").build();
    const std::string dot = dotOf(*model, compressedGraph(*model, {}));
    EXPECT_NE(dot.find(R"("0 a^0 \"b\"" [id=0, label="0 a:0 \"b\"", type=Relu];)"), std::string::npos) << dot;
}

} // namespace
} // namespace duo
