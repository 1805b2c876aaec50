// SPDX-License-Identifier: Apache-2.0
#include "tests/core/transform/transformed.h"

#include "core/engine/find_value_types.h"
#include "core/onnx/reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

using testing::ElementsAre;

namespace duo::test {
namespace {

constexpr std::int64_t kEnd = std::numeric_limits<std::int64_t>::max();

TEST(RemoveIdentities, LetsReadersReadWhatIsBehindThem)
{
    PassFile file;
    file.op("Identity", "one", {"x"}, {"a"}).op("Identity", "two", {"a"}, {"b"}).op("Relu", "relu", {"b"}, {"y"});
    file.result();
    EXPECT_THAT(runOnce(removeIdentities, file.read()).lines, ElementsAre("Relu relu(x) -> y"));
}

TEST(RemoveIdentities, GiveTheNameOfAnOutputToWhatMakesIt)
{
    PassFile file;
    file.op("Relu", "relu", {"x"}, {"a"}).op("Sigmoid", "other", {"a"}, {"z"}).op("Identity", "last", {"a"}, {"y"});
    file.result("y").result("z");
    EXPECT_THAT(
        runOnce(removeIdentities, file.read()).lines, ElementsAre("Relu relu(x) -> y", "Sigmoid other(y) -> z"));
}

TEST(RemoveIdentities, StayWhereAnOutputWouldLoseItsName)
{
    PassFile file;
    file.op("Relu", "relu", {"x"}, {"y"}).op("Identity", "second", {"y"}, {"z"}).op("Identity", "fed", {"x"}, {"w"});
    file.result("y").result("z").result("w");
    const Outcome outcome = runOnce(removeIdentities, file.read());
    EXPECT_EQ(outcome.lines.size(), 3U);
    EXPECT_THAT(outcome.skipped,
        ElementsAre("fed: it gives an output of its graph, whose name has to stay",
            "second: it gives an output of its graph, whose name has to stay"));
}

TEST(RemoveIdentities, OfTwoThatCouldGoTheSameOneGoesWhateverTheOrderOfTheFile)
{
    for (const bool isTurned : {false, true}) {
        PassFile file;
        file.op("Relu", "relu", {"x"}, {"a"});
        file.op("Identity", isTurned ? "two" : "one", {"a"}, {isTurned ? "z" : "y"});
        file.op("Identity", isTurned ? "one" : "two", {"a"}, {isTurned ? "y" : "z"}).result("y").result("z");
        EXPECT_THAT(
            runOnce(removeIdentities, file.read()).lines, ElementsAre("Relu relu(x) -> y", "Identity two(y) -> z"));
    }
}

TEST(RemoveIdentities, StayWhereTheyAreToBeKept)
{
    PassFile file;
    file.op("Identity", "one", {"x"}, {"a"}).op("Identity", "two", {"a"}, {"b"}).op("Relu", "relu", {"b"}, {"y"});
    file.result();
    EXPECT_THAT(runOnce(removeIdentities, file.read(), {true, false, false}).lines,
        ElementsAre("Identity one(x) -> a", "Relu relu(a) -> y"));
}

TEST(RemoveIdentities, LeaveWhatALocalFunctionReads)
{
    PassFile file;
    onnx::FunctionProto& twice = file.function("Twice", {"a"}, {"b"});
    onnx::NodeProto& add = *twice.add_node();
    add.set_op_type("Add");
    add.add_input("a");
    add.add_input("a");
    add.add_output("b");
    file.op("Identity", "one", {"x"}, {"a"});
    file.node("Twice", "call", {"a"}, {"y"}).set_domain("local");
    file.result();
    const Outcome outcome = runOnce(removeIdentities, file.read());
    EXPECT_THAT(outcome.skipped, ElementsAre("one: a local function reads or gives its value"));
}

TEST(RemoveDropouts, GoOutsideTraining)
{
    PassFile file;
    file.op("Dropout", "drop", {"x"}, {"a", "mask"}).op("Relu", "relu", {"a"}, {"y"}).result();
    EXPECT_THAT(runOnce(removeDropouts, file.read()).lines, ElementsAre("Relu relu(x) -> y"));
}

TEST(RemoveDropouts, StayWhereTheirMaskIsRead)
{
    PassFile file;
    file.op("Dropout", "drop", {"x"}, {"y", "mask"}).op("Not", "not", {"mask"}, {"z"}).result().result("z");
    EXPECT_EQ(runOnce(removeDropouts, file.read()).lines.size(), 2U);
}

TEST(RemoveNoOps, TakeOutWhatChangesNothingInAnySize)
{
    PassFile file;
    file.ints("none", {0, 0, 0, 0}).ints("once", {1, 1}).ints("start", {0}).ints("end", {kEnd}).weight("one", {1}, {1});
    file.weight("zero", {}, {0});
    file.op("Cast", "cast", {"x"}, {"a"}, {{"to", std::int64_t{1}}});
    file.op("Transpose", "order", {"a"}, {"b"}, {{"perm", Ints{0, 1}}});
    file.op("Pad", "pad", {"b", "none"}, {"c"}).op("Tile", "tile", {"c", "once"}, {"d"});
    file.op("Slice", "slice", {"d", "start", "end"}, {"e"})
        .op("Concat", "join", {"e"}, {"f"}, {{"axis", std::int64_t{0}}});
    file.op("Mul", "mul", {"f", "one"}, {"g"}).op("Sub", "sub", {"g", "zero"}, {"h"}).op("Max", "max", {"h"}, {"i"});
    file.op("Relu", "relu", {"i"}, {"y"}).result();
    EXPECT_THAT(runOnce(removeNoOps, file.read()).lines, ElementsAre("Relu relu(x) -> y"));
}

TEST(RemoveNoOps, LeaveWhatMayChangeSomething)
{
    PassFile file;
    file.weight("one", {1, 1, 1}, {1}).weight("zero", {}, {0});
    file.ints("start", {0}).ints("two", {2});
    file.op("Mul", "more", {"x", "one"}, {"a"}); // another dimension
    file.op("Add", "sign", {"a", "zero"}, {"b"}); // 0 for -0
    file.op("Slice", "cut", {"b", "start", "two"}, {"c"}); // whole today, of two rows
    file.op("Transpose", "turn", {"c"}, {"y"}).result();
    EXPECT_EQ(runOnce(removeNoOps, file.read()).lines.size(), 4U);
}

/// A 0 for a -0 is the same to them.
TEST(RemoveNoOps, TakeOutZerosThatAreAddedBeforeASoftmax)
{
    PassFile file;
    file.weight("zero", {1}, {0}).weight("minus", {}, {-0.0F});
    file.op("Add", "one", {"x", "zero"}, {"a"}).op("Softmax", "softmax", {"a"}, {"b"});
    file.op("Add", "other", {"minus", "b"}, {"c"}).op("Exp", "exp", {"c"}, {"y"}).result();
    EXPECT_THAT(runOnce(removeNoOps, file.read()).lines, ElementsAre("Softmax softmax(x) -> b", "Exp exp(b) -> y"));
}

TEST(RemoveNoOps, LeaveZerosWhoseSignIsReadAndWhatAddsMore)
{
    PassFile file;
    file.weight("zero", {}, {0}).weight("small", {}, {1e-30F}).weight("wide", {1, 1, 1}, {0});
    file.op("Add", "read twice", {"x", "zero"}, {"a"}).op("Softmax", "softmax", {"a"}, {"b"});
    file.op("Reciprocal", "reciprocal", {"a"}, {"z"}).op("Add", "not zero", {"b", "small"}, {"c"});
    file.op("Exp", "exp", {"c"}, {"d"}).op("Add", "axes", {"d", "wide"}, {"e"}).op("Exp", "again", {"e"}, {"f"});
    file.op("Add", "not trained", {"f", "head.bias"}, {"g"}).weight("head.bias", {1}, {0});
    file.op("Softmax", "shares", {"g"}, {"y"}).result().result("z");
    EXPECT_EQ(runOnce(removeNoOps, file.read()).lines.size(), 9U);
}

/// As Paddle writes a Reshape to sizes that are there, some of them copied.
TEST(RemoveNoOps, TakeOutAReshapeToTheSizesOfItsInput)
{
    PassFile file;
    file.ints("parts", {0, 3, -1}).ints("same", {0, 3, 0}).ints("zeros", {0, 0, 0});
    file.op("Reshape", "split", {"x", "parts"}, {"p"}).op("Relu", "relu", {"p"}, {"r"});
    file.op("Reshape", "again", {"r", "same"}, {"s"}).op("Exp", "exp", {"s"}, {"e"});
    file.op("Reshape", "copy", {"e", "zeros"}, {"y"}).result();
    EXPECT_THAT(runOnce(removeNoOps, file.read()).lines,
        ElementsAre("Reshape split(x, [0 3 -1]) -> p", "Relu relu(p) -> r", "Exp exp(r) -> y"));
}

TEST(RemoveNoOps, LeaveAReshapeWhoseSizesMayBeOthers)
{
    PassFile file;
    file.ints("turned", {-1, 2}).op("Reshape", "reshape", {"x", "turned"}, {"y"}).result();
    EXPECT_THAT(runOnce(removeNoOps, file.read()).lines, ElementsAre("Reshape reshape(x, [-1 2]) -> y"));
}

TEST(RemoveSameSize, GoOnlyWhereSizesAreKnown)
{
    PassFile file;
    file.ints("start", {0}).ints("two", {2}).ints("sizes", {2, 3});
    file.op("Slice", "cut", {"x", "start", "two"}, {"a"}).op("Reshape", "shape", {"a", "sizes"}, {"b"});
    file.op("Relu", "relu", {"b"}, {"y"}).result();
    const auto model = file.read();
    const std::set<NodeId> none;
    EXPECT_FALSE(removeSameSize({*model, none}).edits);
    const auto sizes = findValueTypes(*model);
    ASSERT_TRUE(sizes) << sizes.error().line();
    const PassResult result = removeSameSize({*model, none, {}, &*sizes});
    ASSERT_TRUE(result.edits);
    const auto changed = convertedModel(model, *result.edits, {});
    ASSERT_TRUE(changed) << changed.error().line();
    EXPECT_THAT(nodeLines(**changed), ElementsAre("Relu relu(x) -> y"));
}

TEST(RemoveSameSize, TakeOutAnExpandThatItsReaderDoes)
{
    PassFile file;
    file.ints("row", {1, 3}).ints("rows", {2, 3}).weight("w", {3}, {1, 2, 3});
    file.op("Expand", "wide", {"w", "row"}, {"a"}).op("Expand", "deep", {"w", "rows"}, {"b"});
    file.op("Mul", "mul", {"x", "b"}, {"y"}).op("Relu", "relu", {"a"}, {"z"}).result().result("z");
    EXPECT_THAT(runOnce(removeSameSize, file.read(), {}, true).lines,
        ElementsAre("Expand wide([1 2 3], [1 3]) -> a", "Mul mul(x, [1 2 3]) -> y", "Relu relu(a) -> z"));
}

/// As a mask of attention that hides nothing.
TEST(RemoveSameSize, TakeOutZerosThatAreAddedBeforeASoftmax)
{
    PassFile file;
    file.weight("mask", {2, 3}, {0, 0, 0, 0, 0, 0}).weight("deep", {2, 2, 3}, std::vector<float>(12));
    file.op("Add", "masked", {"mask", "x"}, {"a"}).op("Softmax", "softmax", {"a"}, {"b"});
    file.op("Add", "wider", {"b", "deep"}, {"c"}).op("Exp", "exp", {"c"}, {"y"}).result();
    const std::string wider = "Add wider(b, [0 0 0 0 0 0 0 0 0 0 0 0]) -> c";
    EXPECT_EQ(runOnce(removeNoOps, file.read()).lines.size(), 4U); // a mask of sizes of its own may spread
    EXPECT_THAT(runOnce(removeSameSize, file.read(), {}, true).lines,
        ElementsAre("Softmax softmax(x) -> b", wider, "Exp exp(c) -> y"));
}

TEST(RemoveSameSize, LeaveASliceThatTurnsRound)
{
    PassFile file;
    file.ints("start", {-1}).ints("end", {-kEnd}).ints("axes", {1}).ints("back", {-1});
    file.op("Slice", "turn", {"x", "start", "end", "axes", "back"}, {"y"}).result();
    const auto model = file.read();
    const auto sizes = findValueTypes(*model);
    ASSERT_TRUE(sizes) << sizes.error().line();
    const std::set<NodeId> none;
    EXPECT_FALSE(removeSameSize({*model, none, {}, &*sizes}).edits);
}

} // namespace
} // namespace duo::test
