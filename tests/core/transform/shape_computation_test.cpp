// SPDX-License-Identifier: Apache-2.0
#include "tests/core/transform/transformed.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using testing::ElementsAre;
using testing::IsEmpty;

namespace duo::test {
namespace {

/// Reshapes x, two rows of three, to [its first size, 1, its last size], computed from its shape.
std::shared_ptr<const Model> reshapedByItsShape()
{
    PassFile file;
    file.ints("first", {0}).ints("last", {1}).ints("middle", {1});
    file.op("Shape", "shape", {"x"}, {"s"}).op("Gather", "rows", {"s", "first"}, {"r"});
    file.op("Gather", "columns", {"s", "last"}, {"c"});
    file.op("Concat", "sizes", {"r", "middle", "c"}, {"all"}, {{"axis", std::int64_t{0}}});
    file.op("Reshape", "reshape", {"x", "all"}, {"y"}).result();
    return file.read();
}

TEST(SimplifyShapes, MakeAConstantOfAShapeWhereSizesAreFixed)
{
    const auto model = reshapedByItsShape();
    EXPECT_THAT(runOnce(simplifyShapes, model, {}, true).lines, ElementsAre("Reshape reshape(x, [2 1 3]) -> y"));
}

TEST(SimplifyShapes, CopySizesThatAreNotKnown)
{
    PassFile file;
    file.ints("first", {0}).ints("rest", {3, 1});
    file.op("Shape", "shape", {"x"}, {"s"}).op("Gather", "rows", {"s", "first"}, {"r"});
    file.op("Concat", "sizes", {"r", "rest"}, {"all"}, {{"axis", std::int64_t{0}}});
    file.op("Relu", "relu", {"x"}, {"p"}).op("Reshape", "reshape", {"p", "all"}, {"y"}).result();
    EXPECT_EQ(runOnce(simplifyShapes, file.read()).lines.back(), "Reshape reshape(p, [0 3 1]) -> y");
}

/// As Paddle's exporter writes it.
TEST(SimplifyShapes, CopySizesThatWentThroughThirtyTwoBits)
{
    PassFile file;
    file.ints("first", {0}).ints("second", {1}).ints("rest", {3, 1});
    file.op("Shape", "shape", {"x"}, {"s"}).op("Cast", "narrow", {"s"}, {"n"}, {{"to", std::int64_t{6}}});
    file.op("Slice", "rows", {"n", "first", "second", "first"}, {"r"});
    file.op("Cast", "wide", {"r"}, {"w"}, {{"to", std::int64_t{7}}});
    file.op("Concat", "sizes", {"w", "rest"}, {"all"}, {{"axis", std::int64_t{0}}});
    file.op("Relu", "relu", {"x"}, {"p"}).op("Reshape", "reshape", {"p", "all"}, {"y"}).result();
    EXPECT_EQ(runOnce(simplifyShapes, file.read()).lines.back(), "Reshape reshape(p, [0 3 1]) -> y");
}

TEST(SimplifyShapes, LeaveOneSizeOpenBesideNumbers)
{
    PassFile file;
    file.ints("first", {0}).ints("three", {3});
    file.op("Shape", "shape", {"x"}, {"s"}).op("Gather", "rows", {"s", "first"}, {"r"});
    file.op("Concat", "sizes", {"three", "r"}, {"all"}, {{"axis", std::int64_t{0}}});
    file.op("Reshape", "reshape", {"x", "all"}, {"y"}).result();
    EXPECT_EQ(runOnce(simplifyShapes, file.read()).lines.back(), "Reshape reshape(x, [3 -1]) -> y");
}

TEST(SimplifyShapes, SayWhatAConstantCannotSay)
{
    const auto model = reshapedByItsShape(); // the last size would have to be copied from another place
    const Outcome outcome = runOnce(simplifyShapes, model);
    EXPECT_THAT(outcome.lines, testing::SizeIs(5));
    EXPECT_THAT(outcome.skipped, ElementsAre("reshape: a shape that is a constant could not say all of its sizes"));
}

TEST(SimplifyShapes, KnowSizesThatWeightsGive)
{
    PassFile file;
    file.ints("last", {1}).ints("open", {-1}).weight("w", {3, 4}, std::vector<float>(12, 1));
    file.op("MatMul", "product", {"x", "w"}, {"p"}).op("Shape", "shape", {"p"}, {"s"});
    file.op("Gather", "columns", {"s", "last"}, {"c"});
    file.op("Concat", "sizes", {"open", "c"}, {"all"}, {{"axis", std::int64_t{0}}});
    file.op("Reshape", "reshape", {"p", "all"}, {"y"}).result();
    EXPECT_THAT(runOnce(simplifyShapes, file.read()).lines,
        ElementsAre("MatMul product(x, [1 1 1 1 1 1 1 1 1 1 1 1]) -> p", "Shape shape(p) -> s",
            "Reshape reshape(p, [-1 4]) -> y"));
}

/// An If that asks in each branch whether x has rows; what the first gives is its shape.
std::shared_ptr<const Model> askingInBranches()
{
    PassFile file;
    file.ints("first", {0}).weight("zero", {}, {0});
    file.op("ReduceMax", "max", {"x"}, {"m"}, {{"keepdims", std::int64_t{0}}});
    file.op("Greater", "greater", {"m", "zero"}, {"is_any"});
    onnx::NodeProto& node = file.node("If", "choose", {"is_any"}, {"y"});
    GraphProtoBuilder one = addBody(node, "then_branch");
    one.node("Shape", "shape", {"x"}, {"s"});
    one.proto().add_output()->set_name("s");
    GraphProtoBuilder other = addBody(node, "else_branch");
    other.node("Shape", "shape", {"x"}, {"t"});
    other.node("Gather", "rows", {"t", "first"}, {"r"});
    other.node("Add", "both", {"t", "r"}, {"sum"});
    other.proto().add_output()->set_name("sum");
    file.result();
    return file.read();
}

TEST(SimplifyShapes, InBodiesKeepWhatTheseGive)
{
    EXPECT_THAT(runOnce(simplifyShapes, askingInBranches(), {}, true).lines,
        ElementsAre("ReduceMax max(x) -> m keepdims=0", "Greater greater(m, [0]) -> is_any", "If choose(is_any) -> y",
            "Shape choose::then_branch::shape(x) -> s", "Add choose::else_branch::both([2 3], [2]) -> sum"));
}

TEST(SimplifyShapes, KeepAShapeThatIsAnOutput)
{
    PassFile file;
    file.op("Shape", "shape", {"x"}, {"y"}).result();
    EXPECT_THAT(runOnce(simplifyShapes, file.read(), {}, true).lines, ElementsAre("Shape shape(x) -> y"));
}

TEST(SimplifyShapes, LeaveWhatIsKept)
{
    const auto model = reshapedByItsShape();
    EXPECT_THAT(runOnce(simplifyShapes, model, std::vector<bool>(5, true), true).lines, testing::SizeIs(5));
}

} // namespace
} // namespace duo::test
