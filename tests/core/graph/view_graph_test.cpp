// SPDX-License-Identifier: Apache-2.0
#include "core/graph/containment.h"
#include "core/graph/view_builder.h"
#include "core/graph/view_graph.h"
#include "core/onnx/reader.h"

#include "tests/core/graph/drawn_view.h"
#include "tests/support/model_builder.h"
#include "tests/support/proto_builder.h"
#include "tests/support/view_graphs.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace duo {
namespace {

using test::drawn;
using test::ModelBuilder;
using test::scopesOf;

/// x -> Conv -> Relu (scope a) -> MatMul -> Add (scope b) -> y
std::shared_ptr<const Model> twoScopes()
{
    return ModelBuilder()
        .input("x", {1, 3})
        .weight("w", {3})
        .node("Conv", "/a/conv", {"x", "w"}, {"c"})
        .node("Relu", "/a/relu", {"c"}, {"r"})
        .node("MatMul", "/b/mul", {"r", "w"}, {"m"})
        .node("Add", "/b/add", {"m", "r"}, {"y"})
        .output("y")
        .build();
}

std::shared_ptr<const Model> chain(std::size_t length)
{
    ModelBuilder builder;
    builder.input("v0");
    for (std::size_t i = 0; i < length; ++i)
        builder.node("Relu", "n" + std::to_string(i), {"v" + std::to_string(i)}, {"v" + std::to_string(i + 1)});
    return builder.output("v" + std::to_string(length)).build();
}

QuantizerConfig forced(bool isSigned)
{
    QuantizerConfig config;
    config.signednessToForce = isSigned;
    return config;
}

QuantizationPoint pointAt(
    std::uint32_t node, std::optional<std::uint32_t> port, bool isWeight, const QuantizerConfig& config)
{
    QuantizationPoint point;
    point.node = NodeId(node);
    point.port = port;
    point.isWeight = isWeight;
    point.config = config;
    return point;
}

TEST(ViewGraph, ClosedScopesAreBoxesAndTheirInnerEdgesAreGone)
{
    const auto model = twoScopes();
    EXPECT_EQ(drawn(test::viewOf(*model, scopesOf({"a", "a", "b", "b"}), nullptr, {})), R"(
[input x]
[a 2]
[b 2]
[output y]
x -> a
a -> b
b -> y
)");
}

TEST(ViewGraph, TheInsideOfAScopeSaysWhatComesInAndGoesOut)
{
    const auto model = twoScopes();
    const Scopes scopes = scopesOf({"a", "a", "b", "b"});
    const Containment containment = findContainment(*model, scopes);
    const auto inside = [&](const std::string& key) {
        const auto found = std::ranges::find(containment.containers, key, &Container::key);
        return drawn(buildInside(
            *model, scopes, nullptr, containment, static_cast<std::uint32_t>(found - containment.containers.begin())));
    };
    EXPECT_EQ(inside("a"), R"(
[-a 2]
  (Conv /a/conv)
  (Relu /a/relu)
[input x]
[output r]
x -> Conv /a/conv
Conv /a/conv -> Relu /a/relu
Relu /a/relu -> r
)");
    EXPECT_EQ(inside("b"), R"(
[-b 2]
  (MatMul /b/mul)
  (Add /b/add)
[input r]
[output y]
r -> MatMul /b/mul
r -> Add /b/add
MatMul /b/mul -> Add /b/add
Add /b/add -> y
)");
}

TEST(ViewGraph, AnOpenScopeHoldsItsNodesAndEdgesEndAtThem)
{
    const auto model = twoScopes();
    EXPECT_EQ(drawn(test::viewOf(*model, scopesOf({"a", "a", "b", "b"}), nullptr, {"b"})), R"(
[input x]
[a 2]
[-b 2]
  (MatMul /b/mul)
  (Add /b/add)
[output y]
x -> a
a -> MatMul /b/mul
a -> Add /b/add
MatMul /b/mul -> Add /b/add
Add /b/add -> y
)");
}

TEST(ViewGraph, AScopeOfOneNodeIsShownAsThatNode)
{
    const auto model = twoScopes();
    EXPECT_EQ(drawn(test::viewOf(*model, scopesOf({"a/conv", "a", "b/deep/mul", ""}), nullptr, {"a"})), R"(
[input x]
[-a 2]
  (Conv /a/conv)
  (Relu /a/relu)
(MatMul /b/mul)
(Add /b/add)
[output y]
x -> Conv /a/conv
Conv /a/conv -> Relu /a/relu
Relu /a/relu -> MatMul /b/mul
Relu /a/relu -> Add /b/add
MatMul /b/mul -> Add /b/add
Add /b/add -> y
)");
}

TEST(ViewGraph, ABodyIsABoxThatNamesItsBranchEvenAroundOneNode)
{
    const auto model = twoScopes();
    Scopes scopes = scopesOf({"", "choose [then]", "choose [else]", ""});
    for (const char* body : {"choose [then]", "choose [else]"})
        scopes.execution.scopes[scopes.execution.find(body).index].isBody = true;
    EXPECT_EQ(drawn(test::viewOf(*model, scopes, nullptr, {"choose [else]"})), R"(
[input x]
(Conv /a/conv)
[choose [then] 1]
[-choose [else] 1]
  (MatMul /b/mul)
(Add /b/add)
[output y]
x -> Conv /a/conv
Conv /a/conv -> choose [then]
choose [then] -> Add /b/add
choose [then] -> MatMul /b/mul
MatMul /b/mul -> Add /b/add
Add /b/add -> y
)");
}

/// x -> Relu -> Loop { state -> MatMul -> Sub <- Loop { kept -> Add } } -> y, where the inner body also reads x
std::shared_ptr<const Model> nestedLoops()
{
    test::ProtoBuilder file;
    file.input("x").weight("w").weight("trips", {}).output("y");
    file.node("Relu", "relu", {"x"}, {"r"});
    auto body = test::addBody(file.node("Loop", "outer", {"trips", "", "r"}, {"y"}), "body");
    body.input("i", {}).input("go", {}).input("state").output("go", {}).output("next");
    body.node("MatMul", "step", {"state", "w"}, {"s"});
    auto inner = test::addBody(body.node("Loop", "inner", {"trips", "", "state"}, {"t"}), "body");
    inner.input("j", {}).input("on", {}).input("kept").output("on", {}).output("new");
    inner.node("Add", "add", {"kept", "x"}, {"new"});
    body.node("Sub", "join", {"s", "t"}, {"next"});
    const auto model = readModelBytes(file.bytes(), "test.onnx");
    EXPECT_TRUE(model) << model.error().line();
    return *model;
}

TEST(ViewGraph, BoxesCountTheParametersThatTheirNodesRead)
{
    const auto model = ModelBuilder()
                           .input("x")
                           .weight("w", {4, 5})
                           .weight("bias", {4}) // of unknown parameters matrices count alone
                           .node("Gemm", "a/gemm", {"x", "w", "bias"}, {"g"})
                           .node("MatMul", "a/mul", {"g", "w"}, {"m"})
                           .node("Relu", "relu", {"m"}, {"y"})
                           .output("y")
                           .build();
    const auto parameters = [&](const std::set<std::string>& open) {
        std::vector<double> counts;
        for (const ViewBox& box : test::viewOf(*model, scopesOf({"a", "a", ""}), nullptr, open).boxes)
            counts.push_back(box.parameters);
        return counts;
    };
    EXPECT_EQ(parameters({}), (std::vector<double>{0, 40, 0, 0}));
    EXPECT_EQ(parameters({"a"}), (std::vector<double>{0, 40, 0, 0, 20, 20}));
}

TEST(ViewGraph, WhatALoopReadsLeadsIntoItsBodyAndOfThatIntoTheLoop)
{
    const auto model = nestedLoops();
    Scopes scopes = scopesOf({"", "", "outer", "outer", "outer/inner", "outer"});
    for (const char* body : {"outer", "outer/inner"})
        scopes.execution.scopes[scopes.execution.find(body).index].isBody = true;
    EXPECT_EQ(drawn(test::viewOf(*model, scopes, nullptr, {"outer"})), R"(
[input x]
(Relu relu)
(Loop outer)
[-outer 4]
  (MatMul outer::body::step)
  (Loop outer::body::inner)
  [inner 1]
  (Sub outer::body::join)
[output y]
x -> Relu relu
x -> inner
Relu relu -> MatMul outer::body::step
Relu relu -> inner
Loop outer -> y
MatMul outer::body::step -> Sub outer::body::join
Loop outer::body::inner -> Sub outer::body::join
inner -> Loop outer::body::inner
Sub outer::body::join -> Loop outer
)");
}

TEST(ViewGraph, ConstantsHaveNoBox)
{
    const auto model = ModelBuilder()
                           .input("x")
                           .node("Constant", "k", {}, {"kv"})
                           .node("Add", "add", {"x", "kv"}, {"y"})
                           .output("y")
                           .build();
    EXPECT_EQ(drawn(test::viewOf(*model, scopesOf({"", ""}), nullptr, {})), R"(
[input x]
(Add add)
[output y]
x -> Add add
Add add -> y
)");
}

TEST(ViewGraph, BadgesComeFromTheQuantizerOnTheValueOrOnTheRead)
{
    const auto model = twoScopes();
    Placement placement;
    placement.decisions.assign(4, {NodeState::Quantized});
    placement.decisions[1].state = NodeState::Ignored;
    QuantizerConfig asymmetric;
    asymmetric.mode = QuantizationMode::Asymmetric;
    QuantizerConfig perChannel;
    perChannel.perChannel = true;
    placement.setup.points[0] = pointAt(0, 0, false, asymmetric);
    placement.setup.points[1] = pointAt(0, 1, true, perChannel);
    placement.setup.points[2] = pointAt(1, std::nullopt, false, asymmetric);
    placement.setup.points[3] = pointAt(3, 0, false, forced(true));
    EXPECT_EQ(drawn(test::viewOf(*model, scopesOf({"a", "a", "b", "b"}), &placement, {"a", "b"})), R"(
[input x]
[-a 2]
  (Conv /a/conv : s8 per channel)
  (Relu /a/relu)
[-b 2]
  (MatMul /b/mul)
  (Add /b/add)
[output y]
x -> Conv /a/conv : u8
Conv /a/conv -> Relu /a/relu
Relu /a/relu -> MatMul /b/mul : u8
Relu /a/relu -> Add /b/add : u8
MatMul /b/mul -> Add /b/add : s8
Add /b/add -> y
)");
    const ViewGraph closed = test::viewOf(*model, scopesOf({"a", "a", "b", "b"}), &placement, {});
    EXPECT_EQ(closed.boxes[1].quantized, 1);
    EXPECT_EQ(closed.boxes[1].ignored, 1);
    EXPECT_EQ(closed.boxes[1].total, 2);
}

TEST(ViewGraph, ValuesBetweenTwoBoxesAreOneEdgeAndSayHowManyAreQuantized)
{
    const auto model = ModelBuilder()
                           .input("x")
                           .node("Split", "split", {"x"}, {"p", "q", "r"})
                           .node("Concat", "join", {"p", "q", "r"}, {"y"})
                           .output("y")
                           .build();
    Placement placement;
    placement.decisions.resize(2);
    placement.setup.points[0] = pointAt(1, 0, false, forced(false));
    placement.setup.points[1] = pointAt(1, 2, false, forced(false));
    EXPECT_EQ(drawn(test::viewOf(*model, scopesOf({"", ""}), &placement, {})), R"(
[input x]
(Split split)
(Concat join)
[output y]
x -> Split split
Split split =3=> Concat join : u8 2/3
Concat join -> y
)");
}

TEST(ViewGraph, AValueReadByMoreThanEightBoxesOfAScopeBecomesStubs)
{
    ModelBuilder builder;
    builder.input("mask").input("x0");
    for (int i = 0; i < 9; ++i)
        builder.node(
            "Add", "add" + std::to_string(i), {"x" + std::to_string(i), "mask"}, {"x" + std::to_string(i + 1)});
    const auto model = builder.output("x9").build();
    const ViewGraph view = test::viewOf(*model, scopesOf(std::vector<std::string>(9)), nullptr, {});
    EXPECT_EQ(std::count_if(view.boxes.begin(), view.boxes.end(),
                  [](const ViewBox& box) { return box.kind == ViewBox::Kind::Stub && box.title == "mask"; }),
        9);
    EXPECT_EQ(
        std::count_if(view.edges.begin(), view.edges.end(), [](const ViewEdge& edge) { return edge.from == 0; }), 0);
}

TEST(ViewGraph, HubsReadByOneBoxShareItsStub)
{
    ModelBuilder builder;
    builder.input("cos").input("sin");
    for (int i = 0; i < 9; ++i)
        builder.node("Add", "add" + std::to_string(i), {"cos", "sin"}, {"y" + std::to_string(i)})
            .output("y" + std::to_string(i));
    const auto model = builder.build();
    const ViewGraph view = test::viewOf(*model, scopesOf(std::vector<std::string>(9)), nullptr, {});
    const auto stub = std::find_if(
        view.boxes.rbegin(), view.boxes.rend(), [](const ViewBox& box) { return box.kind == ViewBox::Kind::Stub; });
    ASSERT_NE(stub, view.boxes.rend());
    EXPECT_EQ(stub->title, "cos +1");
    ASSERT_EQ(stub->moreValues.size(), 1U);
    EXPECT_EQ(model->value(stub->moreValues.front()).name, "sin");
}

TEST(ViewGraph, LinesLeadAlongTheMainPathWhereEachLayerReadsAllBeforeIt)
{
    constexpr int kLayers = 12; // of a DenseNet's block
    ModelBuilder builder;
    builder.input("x0");
    std::vector<std::string> made = {"x0"};
    for (int i = 0; i < kLayers; ++i) {
        builder.node("Concat", "layer" + std::to_string(i), made, {"x" + std::to_string(i + 1)});
        made.push_back("x" + std::to_string(i + 1));
    }
    const auto model = builder.output(made.back()).build();
    const ViewGraph view = test::viewOf(*model, scopesOf(std::vector<std::string>(kLayers)), nullptr, {});
    const auto isLine = [&](const std::string& value, const std::string& layer) {
        return std::ranges::any_of(view.edges, [&](const ViewEdge& edge) {
            return view.boxes[edge.from].kind != ViewBox::Kind::Stub && view.boxes[edge.to].subtitle == layer
                && model->value(edge.value).name == value;
        });
    };
    for (int i = 0; i < kLayers; ++i)
        EXPECT_TRUE(isLine("x" + std::to_string(i), "layer" + std::to_string(i))) << i;
    EXPECT_FALSE(isLine("x0", "layer5"));
}

TEST(ViewGraph, AHubThatIsReadAloneLeadsToOneReaderByALine)
{
    ModelBuilder builder;
    builder.input("x").node("Relu", "hub", {"x"}, {"h"});
    for (int i = 0; i < 200; ++i)
        builder.node("Abs", "abs" + std::to_string(i), {"h"}, {"y" + std::to_string(i)})
            .output("y" + std::to_string(i));
    const auto model = builder.build();
    const ViewGraph view = test::viewOf(*model, scopesOf(std::vector<std::string>(201)), nullptr, {});
    const auto lines = std::ranges::count_if(view.edges, [&](const ViewEdge& edge) {
        return model->value(edge.value).name == "h" && view.boxes[edge.from].kind != ViewBox::Kind::Stub;
    });
    EXPECT_LE(lines, 8); // groups of readers are boxes too
    EXPECT_GE(lines, 1);
}

TEST(ViewGraph, AFlatModelIsCutIntoGroupsThatCanBeOpened)
{
    const auto model = chain(100);
    const Scopes scopes = scopesOf(std::vector<std::string>(100));
    EXPECT_EQ(drawn(test::viewOf(*model, scopes, nullptr, {})), R"(
[input v0]
[Relu ×14: n0–13 14]
[Relu ×14: n14–27 14]
[Relu ×14: n28–41 14]
[Relu ×15: n42–56 15]
[Relu ×14: n57–70 14]
[Relu ×14: n71–84 14]
[Relu ×15: n85–99 15]
[output v100]
v0 -> Relu ×14: n0–13
Relu ×14: n0–13 -> Relu ×14: n14–27
Relu ×14: n14–27 -> Relu ×14: n28–41
Relu ×14: n28–41 -> Relu ×15: n42–56
Relu ×15: n42–56 -> Relu ×14: n57–70
Relu ×14: n57–70 -> Relu ×14: n71–84
Relu ×14: n71–84 -> Relu ×15: n85–99
Relu ×15: n85–99 -> v100
)");
    const ViewGraph opened = test::viewOf(*model, scopes, nullptr, {"//86-100"});
    EXPECT_EQ(opened.boxes.size(), 9U + 15U);
    const Containment containment = findContainment(*model, scopes);
    EXPECT_EQ(containment.keysTo(containment.ofNode[99]), std::vector<std::string>{"//86-100"});
}

TEST(ViewGraph, PagesOfItemsWithoutNamesAreNamedAfterWhatTheyAreItemsOf)
{
    const auto model = chain(140);
    std::vector<std::string> paths;
    for (int i = 0; i < 140; ++i)
        paths.push_back("blocks/" + std::to_string(i / 2));
    const ViewGraph view = test::viewOf(*model, scopesOf(paths), nullptr, {"blocks"});
    const auto isPage = [](const ViewBox& box) { return box.title.starts_with("blocks.0–"); };
    EXPECT_EQ(std::ranges::count_if(view.boxes, isPage), 1) << drawn(view);
}

TEST(ViewGraph, PagesReadFromPagesBeforeThem)
{
    // "head" is met first, and reads what comes last
    ModelBuilder builder;
    builder.input("v0").node("Relu", "first", {"v0"}, {"early"});
    for (int i = 0; i < 70; ++i)
        builder.node("Relu", "n" + std::to_string(i), {"v" + std::to_string(i)}, {"v" + std::to_string(i + 1)});
    const auto model = builder.node("Add", "last", {"early", "v70"}, {"y"}).output("y").build();
    std::vector<std::string> paths(72);
    paths.front() = paths.back() = "head";
    const Scopes scopes = scopesOf(paths);
    const Containment containment = findContainment(*model, scopes);
    const auto pageOf = [&](std::size_t node) { return containment.keysTo(containment.ofNode[node]).front(); };
    EXPECT_EQ(pageOf(0), pageOf(71)); // both of head
    EXPECT_EQ(pageOf(70), pageOf(71)); // the last of the others
    EXPECT_NE(pageOf(1), pageOf(71));
}

TEST(ViewGraph, RepeatedBlocksAreCountedAsTheyAreNow)
{
    const auto model = chain(6);
    const auto titleOf = [&](const std::vector<std::string>& paths) {
        const ViewGraph view = test::viewOf(*model, scopesOf(paths), nullptr, {});
        return std::ranges::find(view.boxes, ViewBox::Kind::Scope, &ViewBox::kind)->title;
    };
    const std::string at = "block×399/"; // what is left of them
    EXPECT_EQ(titleOf({"", "", at + "0", at + "0", at + "7", at + "7"}), "block×2");
    EXPECT_EQ(titleOf({"", "", at + "0", at + "0", at + "0", at + "0"}), "block");
    EXPECT_EQ(titleOf({"", "", "a×b", "a×b", "a×b", "a×b"}), "a×b");
}

TEST(ViewGraph, PagesHoldTheSameInWhateverOrderTheFileHasTheNodes)
{
    constexpr int kLength = 50;
    const auto pages = [](bool isOneByOne) { // two branches of the input, one after the other or by turns
        ModelBuilder builder;
        builder.input("Relu0").node("Identity", "start", {"Relu0"}, {"Tanh0"});
        const auto add = [&](const std::string& type, int i) {
            builder.node(
                type, type + "_" + std::to_string(i), {type + std::to_string(i)}, {type + std::to_string(i + 1)});
        };
        for (int i = 0; i < kLength; ++i) {
            add("Relu", i);
            if (!isOneByOne)
                add("Tanh", i);
        }
        for (int i = 0; i < kLength && isOneByOne; ++i)
            add("Tanh", i);
        const auto end = std::to_string(kLength);
        const auto model = builder.node("Add", "end", {"Relu" + end, "Tanh" + end}, {"y"}).output("y").build();
        return drawn(test::viewOf(*model, scopesOf(std::vector<std::string>(model->nodes.size())), nullptr, {}));
    };
    EXPECT_EQ(pages(true), pages(false));
}

TEST(ViewGraph, WhatComputesShapesIsOneBoxWhereThereIsTooMuchToSee)
{
    const auto groups = [](std::size_t data, std::size_t shapes) {
        ModelBuilder builder;
        builder.input("v0").weight("one", {1}).node("Shape", "shape", {"v0"}, {"s0"});
        for (std::size_t i = 0; i < shapes; ++i)
            builder.node(
                "Add", "a" + std::to_string(i), {"s" + std::to_string(i), "one"}, {"s" + std::to_string(i + 1)});
        for (std::size_t i = 0; i < data; ++i)
            builder.node("Relu", "r" + std::to_string(i), {"v" + std::to_string(i)}, {"v" + std::to_string(i + 1)});
        builder.node("Reshape", "reshape", {"v" + std::to_string(data), "s" + std::to_string(shapes)}, {"y"});
        const auto model = builder.output("y").build();
        std::vector<std::string> lines;
        for (const Container& container :
            findContainment(*model, scopesOf(std::vector<std::string>(model->nodes.size()))).containers) {
            if (container.isGroup)
                lines.push_back(container.title + " " + std::to_string(container.nodes));
        }
        return lines;
    };
    EXPECT_EQ(groups(20, 20), std::vector<std::string>());
    EXPECT_EQ(groups(40, 24), std::vector<std::string>{"shape arithmetic 25"});
    EXPECT_GT(groups(80, 24).size(), 2U) << "what is still too much is cut into pages";
}

TEST(ViewGraph, AContainerHoldsFewItemsWhereThatIsAskedFor)
{
    const auto model = chain(50);
    const Scopes scopes = scopesOf(std::vector<std::string>(50));
    const auto itemsOfRoot = [&](const std::set<std::string>& open) {
        return findContainment(*model, scopes, mostItems(open)).containers.front().items.size();
    };
    EXPECT_EQ(itemsOfRoot({}), 52U); // with input and output
    EXPECT_EQ(itemsOfRoot({kFewItemsMark}), 6U); // four pages
}

TEST(ViewGraph, ManyInputsFoldIntoOneBox)
{
    ModelBuilder builder;
    std::vector<std::string> names;
    for (int i = 0; i < 70; ++i) {
        names.push_back("in" + std::to_string(i));
        builder.input(names.back());
    }
    const auto model = builder.node("Concat", "join", names, {"y"}).output("y").build();
    const Scopes scopes = scopesOf({""});
    EXPECT_EQ(drawn(test::viewOf(*model, scopes, nullptr, {})), R"(
[inputs 0]
(Concat join)
[output y]
inputs =70=> Concat join
Concat join -> y
)");
    EXPECT_EQ(test::viewOf(*model, scopes, nullptr, {"//inputs"}).boxes.size(), 8U);
    EXPECT_EQ(test::viewOf(*model, scopes, nullptr, {"//inputs", "//inputs//1-14"}).boxes.size(), 22U);
}

TEST(OpenScopes, OpensEqualSiblingsTogetherWhileTheBudgetHolds)
{
    const auto model = chain(8);
    const Scopes scopes = scopesOf({"net/a", "net/a", "net/a", "net/b", "net/b", "net/b", "net/c", "net/c"});
    EXPECT_EQ(test::openWithin(*model, scopes, 6), (std::set<std::string>{"net"}));
    EXPECT_EQ(test::openWithin(*model, scopes, 12), (std::set<std::string>{"net", "net/a", "net/b"}));
    EXPECT_EQ(test::openWithin(*model, scopes, 14), (std::set<std::string>{"net", "net/a", "net/b", "net/c"}));
}

TEST(OpenScopes, BranchesThatAreAllAlikeOpenLast)
{
    // 25 Relu side by side, and beside them a scope of 30 nodes
    ModelBuilder builder;
    builder.input("v0");
    std::vector<std::string> ends;
    for (int i = 0; i < 25; ++i) {
        ends.push_back("r" + std::to_string(i));
        builder.node("Relu", "relu" + std::to_string(i), {"v0"}, {ends.back()});
    }
    for (int i = 0; i < 30; ++i)
        builder.node("Conv", "n" + std::to_string(i), {"v" + std::to_string(i)}, {"v" + std::to_string(i + 1)});
    ends.emplace_back("v30");
    const auto model = builder.node("Sum", "all", ends, {"y"}).output("y").build();
    std::vector<std::string> paths(25);
    paths.resize(55, "features");
    paths.emplace_back();
    EXPECT_EQ(test::openWithin(*model, scopesOf(paths), 50), (std::set<std::string>{"features"}));
}

TEST(OpenScopes, ChainsOfSingleChildrenOpenTogether)
{
    const auto model = chain(3);
    const Scopes scopes = scopesOf({"a/b/c", "a/b/c", "a/b/c"});
    EXPECT_EQ(test::openWithin(*model, scopes, 150), (std::set<std::string>{"a", "a/b", "a/b/c"}));
    EXPECT_EQ(withOpened(findContainment(*model, scopes), {}, "a"), (std::set<std::string>{"a", "a/b", "a/b/c"}));
    EXPECT_EQ(withOpened(findContainment(*model, scopes), {}, "nowhere"), (std::set<std::string>{}));
}

TEST(OpenScopes, FlatModelsOfAnySizeStayWithinTheBudget)
{
    for (const std::size_t length : {1U, 63U, 64U, 65U, 150U, 4033U, 20000U}) {
        const auto model = chain(length);
        const Scopes scopes = scopesOf(std::vector<std::string>(length));
        const ViewGraph view = test::viewOf(*model, scopes, nullptr, test::openWithin(*model, scopes, 150));
        EXPECT_LE(view.boxes.size(), 150U) << length;
        EXPECT_GE(view.boxes.size(), std::min<std::size_t>(length, 60)) << length;
    }
}

TEST(OpenScopes, StubsDoNotCountForTheBudget)
{
    ModelBuilder builder;
    builder.input("mask").input("x0");
    std::vector<std::string> paths;
    for (int i = 0; i < 120; ++i) {
        builder.node(
            "Add", "add" + std::to_string(i), {"x" + std::to_string(i), "mask"}, {"x" + std::to_string(i + 1)});
        paths.push_back("layer" + std::to_string(i / 10));
    }
    const auto model = builder.output("x120").build();
    const Scopes scopes = scopesOf(paths);
    const ViewGraph view = test::viewOf(*model, scopes, nullptr, test::openWithin(*model, scopes, 150));
    const auto stubs = std::ranges::count(view.boxes, ViewBox::Kind::Stub, &ViewBox::kind);
    EXPECT_LE(view.boxes.size() - static_cast<std::size_t>(stubs), 150U);
    EXPECT_EQ(test::openWithin(*model, scopes, 150).size(), 12U); // all layers, though each node has a stub
}

} // namespace
} // namespace duo
