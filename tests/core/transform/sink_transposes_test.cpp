// SPDX-License-Identifier: Apache-2.0
#include "tests/core/transform/transformed.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using testing::ElementsAre;
using testing::SizeIs;

namespace duo::test {
namespace {

const std::vector<Attribute> kTurn{{"perm", Ints{1, 0}}};

TEST(SinkTransposes, GoAroundWhatWorksElementByElement)
{
    PassFile file;
    file.op("Transpose", "there", {"x"}, {"a"}, kTurn).op("Relu", "relu", {"a"}, {"b"});
    file.op("Sigmoid", "gate", {"b"}, {"c"}).op("Mul", "mul", {"b", "c"}, {"d"});
    file.op("Transpose", "back", {"d"}, {"y"}, kTurn).result();
    EXPECT_THAT(runOnce(sinkTransposes, file.read()).lines,
        ElementsAre("Relu relu(x) -> b", "Sigmoid gate(b) -> c", "Mul mul(b, c) -> y"));
}

TEST(SinkTransposes, TakeBackWhatTheFileSaysOfSizes)
{
    PassFile file;
    file.op("Transpose", "there", {"x"}, {"a"}, kTurn).op("Relu", "relu", {"a"}, {"b"});
    file.op("Neg", "neg", {"b"}, {"c"}).op("Transpose", "back", {"c"}, {"y"}, kTurn).result();
    for (const char* name : {"a", "b", "c"}) {
        auto& type = *file.model().mutable_graph()->add_value_info();
        type.set_name(name);
        type.mutable_type()->mutable_tensor_type()->set_elem_type(onnx::TensorProto::FLOAT);
        for (const int size : {3, 2})
            type.mutable_type()->mutable_tensor_type()->mutable_shape()->add_dim()->set_dim_value(size);
    }
    const Outcome outcome = runOnce(sinkTransposes, file.read());
    EXPECT_THAT(outcome.lines, ElementsAre("Relu relu(x) -> b", "Neg neg(b) -> y"));
    EXPECT_FALSE(outcome.model->value(outcome.model->findValue("b")).type.shape);
}

TEST(SinkTransposes, TurnConstantsWhoseElementsStayInTheirOrder)
{
    PassFile file;
    file.weight("bias", {2}, {1, 2}).weight("two", {}, {2});
    file.op("Transpose", "there", {"x"}, {"a"}, kTurn).op("Add", "add", {"a", "bias"}, {"b"});
    file.op("Mul", "mul", {"two", "b"}, {"c"}).op("Transpose", "back", {"c"}, {"y"}, kTurn).result();
    const Outcome outcome = runOnce(sinkTransposes, file.read());
    EXPECT_THAT(outcome.lines, ElementsAre("Add add(x, [1 2]) -> b", "Mul mul([2], b) -> y"));
    EXPECT_THAT(outcome.model->constant(outcome.model->findValue("bias"))->dims, ElementsAre(2, 1));
}

TEST(SinkTransposes, LeaveAConstantThatWouldHaveToBeSortedAnew)
{
    PassFile file;
    file.weight("table", {3, 2}, {1, 2, 3, 4, 5, 6});
    file.op("Transpose", "there", {"x"}, {"a"}, kTurn).op("Add", "add", {"a", "table"}, {"b"});
    file.op("Transpose", "back", {"b"}, {"y"}, kTurn).result();
    EXPECT_THAT(runOnce(sinkTransposes, file.read()).lines, SizeIs(3));
}

TEST(SinkTransposes, JoinAlongTheAxisThatThereWas)
{
    PassFile file;
    file.op("Transpose", "one", {"x"}, {"a"}, kTurn).op("Neg", "neg", {"x"}, {"n"});
    file.op("Transpose", "two", {"n"}, {"b"}, kTurn);
    file.op("Concat", "join", {"a", "b"}, {"c"}, {{"axis", std::int64_t{-1}}});
    file.op("Transpose", "back", {"c"}, {"y"}, kTurn).result();
    EXPECT_THAT(
        runOnce(sinkTransposes, file.read()).lines, ElementsAre("Neg neg(x) -> n", "Concat join(x, n) -> y axis=0"));
}

TEST(SinkTransposes, BecomeOneWhereTheyDoNotTurnBack)
{
    PassFile file;
    file.ints("deep", {1, 2, 3}).op("Reshape", "reshape", {"x", "deep"}, {"p"});
    file.op("Transpose", "first", {"p"}, {"a"}, {{"perm", Ints{1, 2, 0}}}).op("Relu", "relu", {"a"}, {"b"});
    file.op("Transpose", "second", {"b"}, {"y"}, {{"perm", Ints{0, 2, 1}}}).result();
    EXPECT_THAT(runOnce(sinkTransposes, file.read()).lines,
        ElementsAre("Reshape reshape(x, [1 2 3]) -> p", "Relu relu(p) -> b", "Transpose second(b) -> y perm=[1 0 2]"));
}

TEST(SinkTransposes, StayWhereSomethingElseReadsTheTurnedValues)
{
    PassFile file;
    file.op("Transpose", "there", {"x"}, {"a"}, kTurn).op("Relu", "relu", {"a"}, {"b"});
    file.op("Softmax", "softmax", {"b"}, {"s"}).result("s");
    file.op("Transpose", "back", {"b"}, {"y"}, kTurn).result();
    EXPECT_THAT(runOnce(sinkTransposes, file.read()).lines, SizeIs(4));
    PassFile given;
    given.op("Transpose", "there", {"x"}, {"a"}, kTurn).op("Relu", "relu", {"a"}, {"b"}).result("b");
    given.op("Transpose", "back", {"b"}, {"y"}, kTurn).result();
    EXPECT_THAT(runOnce(sinkTransposes, given.read()).lines, SizeIs(3));
}

TEST(SinkTransposes, StayWhereNothingIsLeftToGiveAnOutput)
{
    PassFile file;
    file.op("Transpose", "there", {"x"}, {"a"}, kTurn).op("Relu", "relu", {"a"}, {"b"});
    file.op("Transpose", "back", {"b"}, {"y"}, kTurn).result();
    file.op("Transpose", "same", {"a"}, {"z"}, kTurn).result("z");
    EXPECT_THAT(runOnce(sinkTransposes, file.read()).lines, SizeIs(4));
}

/// What is turned twice is read beside what is turned once.
TEST(SinkTransposes, StayWhereOneStandsBetween)
{
    const std::vector<Attribute> turn{{"perm", Ints{0, 2, 1}}};
    PassFile file;
    file.ints("column", {1, 6, 1}).op("Reshape", "reshape", {"x", "column"}, {"p"});
    file.op("Transpose", "one", {"p"}, {"a"}, turn).op("Relu", "relu", {"a"}, {"b"});
    file.op("Transpose", "two", {"b"}, {"c"}, turn).op("Sub", "sub", {"b", "c"}, {"d"});
    file.op("Transpose", "three", {"d"}, {"y"}, turn).result();
    EXPECT_THAT(runOnce(sinkTransposes, file.read()).lines, SizeIs(6));
}

} // namespace
} // namespace duo::test
