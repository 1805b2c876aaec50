// SPDX-License-Identifier: Apache-2.0
#include "core/engine/compute_constants.h"
#include "tests/core/transform/transformed.h"

#include <numeric>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using testing::ElementsAre;
using testing::IsEmpty;

namespace duo::test {
namespace {

TEST(FoldConstants, ComputeWhatNoInputChanges)
{
    PassFile file;
    file.weight("w", {2, 3}, {1, 2, 3, 4, 5, 6}).weight("b", {3}, {0.5F, 0.25F, 0.125F});
    file.op("Exp", "exp", {"w"}, {"e"}).op("Add", "shift", {"e", "b"}, {"s"}).op("Mul", "mul", {"x", "s"}, {"y"});
    file.result();
    const Outcome outcome = runOnce(foldConstants, file.read());
    EXPECT_THAT(outcome.lines, ElementsAre("Mul mul(x, [3.21828 7.63906 20.2105 55.0981 148.663 403.554]) -> y"));
    EXPECT_THAT(outcome.skipped, IsEmpty());
}

TEST(FoldConstants, FoldAllOutputsOfANode)
{
    PassFile file;
    file.ints("sizes", {3, 3}).weight("w", {2, 6}, std::vector<float>(12, 2));
    file.op("Split", "split", {"w", "sizes"}, {"left", "right"}, {{"axis", std::int64_t{1}}});
    file.op("Add", "add", {"x", "left"}, {"a"}).op("Mul", "mul", {"a", "right"}, {"y"}).result();
    EXPECT_THAT(runOnce(foldConstants, file.read()).lines,
        ElementsAre("Add add(x, [2 2 2 2 2 2]) -> a", "Mul mul(a, [2 2 2 2 2 2]) -> y"));
}

TEST(FoldConstants, NameWhatGrowsTooLarge)
{
    PassFile file;
    file.ints("size", {1000, 1000}).ints("sum", {0, 1}).weight("one", {1}, {1});
    file.op("Expand", "spread", {"one", "size"}, {"large"});
    file.op("ReduceSum", "add", {"large", "sum"}, {"s"}, {{"keepdims", std::int64_t{0}}});
    file.op("Mul", "mul", {"x", "s"}, {"y"}).result();
    const Outcome outcome = runOnce(foldConstants, file.read());
    EXPECT_THAT(outcome.lines, testing::SizeIs(3));
    EXPECT_THAT(
        outcome.skipped, ElementsAre("spread: its result would take more than 1 KB, and more than what it is made of"));
}

std::vector<float> countedTo(int count)
{
    std::vector<float> numbers(static_cast<std::size_t>(count));
    std::iota(numbers.begin(), numbers.end(), 1.0F);
    return numbers;
}

/// Bytes of the large constants that nodes read.
std::size_t largeBytes(const Model& model)
{
    std::size_t bytes = 0;
    for (const Value& value : model.values) {
        if (value.initializer.valid() && !value.uses.empty() && model.tensor(value.initializer).elements() > 1000)
            bytes += model.tensor(value.initializer).bytes().size();
    }
    return bytes;
}

/// "v" is "w" with its halves turned, each of them read beside the other, as the gates of a recurrent network are.
template <typename Graph> void addTurned(Graph& graph, const std::string& prefix)
{
    graph.node("Slice", prefix + "first", {"w", "start", "half", "columns"}, {prefix + "one"});
    graph.node("Slice", prefix + "last", {"w", "half", "end", "columns"}, {prefix + "two"});
    addAttributes(graph.node("Concat", prefix + "turned", {prefix + "two", prefix + "one"}, {prefix + "v"}),
        {{"axis", std::int64_t{1}}});
}

class WeightInParts : public PassFile
{
public:
    WeightInParts()
    {
        weight("w", {3, 1024}, countedTo(kElements));
        ints("start", {0}).ints("half", {512}).ints("end", {1024}).ints("columns", {1});
    }
    static constexpr int kElements = 3 * 1024;
};

TEST(FoldConstants, ComputePartsOfAWeightThatGoesWithThem)
{
    WeightInParts file;
    addTurned(file, "");
    const auto model = file.op("MatMul", "product", {"x", "v"}, {"y"}).result().read();
    const Outcome outcome = runOnce(foldConstants, model);
    EXPECT_THAT(outcome.skipped, IsEmpty());
    EXPECT_THAT(outcome.lines, testing::SizeIs(1));
    EXPECT_EQ(largeBytes(*outcome.model), WeightInParts::kElements * sizeof(float));
}

TEST(FoldConstants, LeavePartsOfAWeightThatStays)
{
    WeightInParts file;
    addTurned(file, "");
    file.op("MatMul", "product", {"x", "v"}, {"y"}).op("MatMul", "whole", {"x", "w"}, {"z"}).result().result("z");
    const Outcome outcome = runOnce(foldConstants, file.read());
    EXPECT_THAT(outcome.skipped,
        ElementsAre("first: its result would take more than 1 KB, and more than what it is made of",
            "last: its result would take more than 1 KB, and more than what it is made of"));
    EXPECT_THAT(outcome.lines, testing::SizeIs(5));
}

/// What both branches make of the weight around them stands there, once.
TEST(FoldConstants, HoldOnceWhatTwoBodiesCompute)
{
    WeightInParts file;
    file.op("ReduceMax", "max", {"x"}, {"m"}, {{"keepdims", std::int64_t{0}}}).weight("limit", {}, {0.5F});
    file.op("Greater", "greater", {"m", "limit"}, {"condition"});
    onnx::NodeProto& node = file.node("If", "choose", {"condition"}, {"y"});
    for (const std::string branch : {"then_branch", "else_branch"}) {
        GraphProtoBuilder body = addBody(node, branch);
        addTurned(body, branch + "/");
        body.node("MatMul", "product", {"x", branch + "/v"}, {branch});
        body.proto().add_output()->set_name(branch);
    }
    const Outcome outcome = runOnce(foldConstants, file.result().read());
    EXPECT_THAT(outcome.skipped, IsEmpty());
    EXPECT_THAT(outcome.lines, testing::SizeIs(5));
    const Model& model = *outcome.model;
    const Node& taken = model.node(model.findNode("choose::then_branch::product"));
    const Node& other = model.node(model.findNode("choose::else_branch::product"));
    EXPECT_EQ(taken.inputs[1], other.inputs[1]);
    EXPECT_EQ(model.value(taken.inputs[1]).region, RegionId(0));
    EXPECT_EQ(largeBytes(*outcome.model), WeightInParts::kElements * sizeof(float));
}

TEST(FoldConstants, NameWhatTheEngineCannotComputeAndFoldTheRest)
{
    PassFile file;
    file.ints("far", {7}).weight("w", {3}, {1, 2, 3});
    file.op("Gather", "outside", {"w", "far"}, {"g"}).op("Exp", "exp", {"w"}, {"e"});
    file.op("Mul", "mul", {"x", "e"}, {"m"}).op("Add", "add", {"m", "g"}, {"unread"}).op("Relu", "relu", {"m"}, {"y"});
    file.result();
    const auto model = file.read();
    static const std::set<NodeId> kNone;
    const PassScene scene{*model, kNone};
    const auto constants = computeConstants(*model, constantPart(scene));
    ASSERT_TRUE(constants) << constants.error().line();
    EXPECT_EQ(constants->tensors.size(), 1U);
    const PassResult result = foldConstants({*model, kNone, {}, nullptr, &*constants});
    ASSERT_EQ(result.applied.size(), 1U);
    EXPECT_EQ(model->node(result.applied[0]).name, "exp");
    ASSERT_EQ(result.skipped.size(), 1U);
    EXPECT_THAT(result.skipped[0].why, testing::StartsWith("the engine could not compute it: "));
}

/// Of a body what needs no engine; its constants become its own, and of the outside it knows what is constant there.
TEST(FoldConstants, ComputeInBodiesToo)
{
    PassFile file;
    file.weight("w", {}, {3});
    file.op("ReduceMax", "max", {"x"}, {"m"}, {{"keepdims", std::int64_t{0}}});
    file.op("Greater", "greater", {"m", "w"}, {"condition"});
    onnx::NodeProto& node = file.node("If", "choose", {"condition"}, {"y"});
    for (const std::string branch : {"then_branch", "else_branch"}) {
        GraphProtoBuilder body = addBody(node, branch);
        onnx::NodeProto& constant = body.node("Constant", "two", {}, {"two"});
        addAttributes(constant, {{"value_float", branch == "then_branch" ? 2.0F : 5.0F}});
        body.node("Mul", "six", {"two", "w"}, {"six"});
        body.node("Exp", "exp", {"w"}, {"e"});
        body.node("Mul", "scale", {"x", "six"}, {"s"});
        body.node("Mul", "given", {"s", "e"}, {branch});
        body.proto().add_output()->set_name(branch);
    }
    file.result();
    const Outcome moved = runOnce(moveConstants, file.read());
    const Outcome outcome = runOnce(foldConstants, moved.model);
    EXPECT_THAT(outcome.lines,
        testing::IsSupersetOf(
            {"Mul choose::then_branch::scale(x, [6]) -> s", "Mul choose::else_branch::scale(x, [15]) -> s"}));
    EXPECT_THAT(outcome.lines, testing::SizeIs(9));
    EXPECT_THAT(outcome.skipped,
        testing::UnorderedElementsAre("choose::then_branch::exp: it is in a body, and only the engine could compute it",
            "choose::else_branch::exp: it is in a body, and only the engine could compute it"));
}

TEST(FoldConstants, LeaveRandomNumbersAndOutputs)
{
    PassFile file;
    file.weight("w", {2, 3}, {1, 2, 3, 4, 5, 6});
    file.op("RandomNormalLike", "noise", {"w"}, {"n"}).op("Exp", "exp", {"w"}, {"z"}).op("Relu", "relu", {"x"}, {"y"});
    file.result().result("z");
    const auto model = file.read();
    static const std::set<NodeId> kNone;
    const ConstantPart part = constantPart({*model, kNone});
    EXPECT_THAT(part.nodes, IsEmpty());
    ASSERT_EQ(part.skipped.size(), 1U);
    EXPECT_EQ(part.skipped[0].why, "it gives an output of its graph, which stays computed");
}

TEST(FoldConstants, LeaveWhatACallerMayOverride)
{
    PassFile file;
    file.weight("w", {2, 3}, {1, 2, 3, 4, 5, 6}).input("w", {2, 3});
    file.op("Exp", "exp", {"w"}, {"e"}).op("Mul", "mul", {"x", "e"}, {"y"}).result();
    const auto model = file.read();
    static const std::set<NodeId> kNone;
    EXPECT_THAT(constantPart({*model, kNone}).nodes, IsEmpty());
}

} // namespace
} // namespace duo::test
