// SPDX-License-Identifier: Apache-2.0
#include "core/transform/formula.h"
#include "core/transform/fused_names.h"
#include "tests/core/transform/transformed.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using testing::ElementsAre;
using testing::SizeIs;
using testing::UnorderedElementsAre;

namespace duo::test {
namespace {

constexpr float kRoot = 1.41421356F;

/// 0.5 x (1 + erf(x / root of 2)), as torch writes it.
void addErfGelu(PassFile& file)
{
    file.weight("root", {}, {kRoot}).weight("one", {}, {1}).weight("half", {}, {0.5F});
    file.op("Div", "scale", {"x", "root"}, {"a"}).op("Erf", "erf", {"a"}, {"b"});
    file.op("Add", "add", {"b", "one"}, {"c"}).op("Mul", "mul", {"x", "c"}, {"d"});
    file.op("Mul", "halve", {"d", "half"}, {"y"}).result();
}

TEST(JoinActivations, MakeAGelu)
{
    PassFile made(20);
    addErfGelu(made);
    const Outcome outcome = runOnce(joinActivations, made.read());
    EXPECT_THAT(outcome.lines, ElementsAre("Gelu halve(x) -> y"));
    EXPECT_THAT(fusedNames(outcome.model->nodes[0]), UnorderedElementsAre("scale", "erf", "add", "mul"));
}

TEST(JoinActivations, LeaveWhatTheOpsetHasNoOperatorFor)
{
    PassFile made(19);
    addErfGelu(made);
    EXPECT_THAT(runOnce(joinActivations, made.read()).lines, SizeIs(5));
}

TEST(JoinActivations, MakeAGeluOfItsApproximation)
{
    PassFile made(20);
    made.weight("three", {}, {3}).weight("bend", {}, {0.044715F}).weight("root", {}, {0.7978845608F});
    made.weight("one", {}, {1}).weight("half", {}, {0.5F});
    made.op("Pow", "cube", {"x", "three"}, {"a"}).op("Mul", "bending", {"bend", "a"}, {"b"});
    made.op("Add", "line", {"x", "b"}, {"c"}).op("Mul", "scale", {"c", "root"}, {"d"});
    made.op("Tanh", "tanh", {"d"}, {"e"}).op("Add", "add", {"one", "e"}, {"f"});
    made.op("Mul", "halve", {"x", "half"}, {"g"}).op("Mul", "mul", {"g", "f"}, {"y"}).result();
    EXPECT_THAT(runOnce(joinActivations, made.read()).lines, ElementsAre("Gelu mul(x) -> y approximate=tanh"));
}

TEST(JoinActivations, LeaveWhatIsComputedInWholeNumbers)
{
    PassFile file(14);
    file.model().mutable_graph()->mutable_input(0)->mutable_type()->mutable_tensor_type()->set_elem_type(
        onnx::TensorProto::INT64);
    file.ints("three", {3}).ints("zero", {0}).ints("six", {6});
    file.op("Add", "add", {"x", "three"}, {"a"}).op("Max", "clip", {"a", "zero"}, {"b"});
    file.op("Mul", "mul", {"x", "b"}, {"c"}).op("Div", "share", {"c", "six"}, {"y"}).result();
    const auto model = file.read();
    Formula formula(*model, model->findNode("share"));
    EXPECT_TRUE(formula.factorsOf(model->findValue("y")));
    EXPECT_TRUE(formula.hasIntegers());
    EXPECT_FALSE(Formulas(PassScene{*model, {}}).replace(formula, {"HardSwish", {model->findValue("x")}}));
}

TEST(JoinActivations, MakeASwishOnlyOfTheOpsetThatTheEngineHasItIn)
{
    for (const int opset : {24, 25}) {
        PassFile file(opset);
        file.op("Sigmoid", "gate", {"x"}, {"a"}).op("Mul", "mul", {"x", "a"}, {"y"}).result();
        EXPECT_THAT(runOnce(joinActivations, file.read()).lines, SizeIs(opset == 24 ? 1 : 2));
    }
}

TEST(JoinActivations, MakeAHardSwish)
{
    PassFile divided(14);
    divided.weight("three", {}, {3}).weight("zero", {}, {0}).weight("six", {}, {6});
    divided.op("Add", "add", {"x", "three"}, {"a"}).op("Clip", "clip", {"a", "zero", "six"}, {"b"});
    divided.op("Mul", "mul", {"x", "b"}, {"c"}).op("Div", "share", {"c", "six"}, {"y"}).result();
    EXPECT_THAT(runOnce(joinActivations, divided.read()).lines, ElementsAre("HardSwish share(x) -> y"));
    PassFile gated(14);
    gated.op("HardSigmoid", "gate", {"x"}, {"a"}, {{"alpha", 1.0F / 6}, {"beta", 0.5F}});
    gated.op("Mul", "mul", {"a", "x"}, {"y"}).result();
    EXPECT_THAT(runOnce(joinActivations, gated.read()).lines, ElementsAre("HardSwish mul(x) -> y"));
}

TEST(JoinActivations, MakeAMish)
{
    PassFile made(18);
    made.op("Softplus", "plus", {"x"}, {"a"}).op("Tanh", "tanh", {"a"}, {"b"});
    made.op("Mul", "mul", {"x", "b"}, {"y"}).result();
    EXPECT_THAT(runOnce(joinActivations, made.read()).lines, ElementsAre("Mish mul(x) -> y"));
}

/// As torch writes softplus: large ones stay as they are. From 15 on that is what it gives.
TEST(JoinActivations, MakeAMishOfASoftplusThatLeavesLargeOnes)
{
    for (const float least : {20.0F, 14.0F}) {
        PassFile made(18);
        made.weight("least", {}, {least}).weight("far", {}, {15});
        made.op("Mul", "spread", {"x", "far"}, {"s"}).op("Softplus", "plus", {"s"}, {"a"});
        made.op("Greater", "large", {"s", "least"}, {"g"}).op("Where", "choose", {"g", "s", "a"}, {"c"});
        made.op("Tanh", "tanh", {"c"}, {"b"}).op("Mul", "mul", {"b", "s"}, {"y"}).result();
        const Outcome outcome = runOnce(joinActivations, made.read());
        EXPECT_THAT(outcome.lines, SizeIs(least < 15 ? 6 : 2));
        if (least < 15)
            continue;
        EXPECT_EQ(outcome.lines.back(), "Mish mul(s) -> y");
        EXPECT_THAT(fusedNames(outcome.model->nodes[1]), UnorderedElementsAre("plus", "large", "choose", "tanh"));
    }
}

TEST(JoinActivations, SayWhyNot)
{
    PassFile old(17);
    addErfGelu(old);
    EXPECT_THAT(
        runOnce(joinActivations, old.read()).skipped, ElementsAre("halve: opset 17 has no Gelu, which came with 20"));
    PassFile read(18);
    read.op("Softplus", "plus", {"x"}, {"a"}).op("Tanh", "tanh", {"a"}, {"b"}).result("b");
    read.op("Mul", "mul", {"x", "b"}, {"y"}).result();
    EXPECT_THAT(runOnce(joinActivations, read.read()).skipped,
        ElementsAre("mul: it is a Mish, but something else reads 'b' inside"));
}

TEST(JoinActivations, LeaveOthersAndWhatElseIsRead)
{
    PassFile five(14);
    five.weight("three", {}, {3}).weight("zero", {}, {0}).weight("five", {}, {5});
    five.op("Add", "add", {"x", "three"}, {"a"}).op("Clip", "clip", {"a", "zero", "five"}, {"b"});
    five.op("Mul", "mul", {"x", "b"}, {"c"}).op("Div", "share", {"c", "five"}, {"y"}).result();
    EXPECT_THAT(runOnce(joinActivations, five.read()).lines, SizeIs(4));
    PassFile slope(14);
    slope.op("HardSigmoid", "gate", {"x"}, {"a"}).op("Mul", "mul", {"a", "x"}, {"y"}).result();
    EXPECT_THAT(runOnce(joinActivations, slope.read()).lines, SizeIs(2));
    PassFile read(18);
    read.op("Softplus", "plus", {"x"}, {"a"}).op("Tanh", "tanh", {"a"}, {"b"}).result("b");
    read.op("Mul", "mul", {"x", "b"}, {"y"}).result();
    EXPECT_THAT(runOnce(joinActivations, read.read()).lines, SizeIs(3));
}

} // namespace
} // namespace duo::test
