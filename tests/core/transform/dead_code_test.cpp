// SPDX-License-Identifier: Apache-2.0
#include "tests/core/transform/transformed.h"

#include "core/onnx/reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using testing::ElementsAre;
using testing::IsEmpty;

namespace duo::test {
namespace {

TEST(RemoveDeadCode, TakesOutWhatLeadsNowhereWithItsConstants)
{
    PassFile file;
    file.weight("w", {2, 3});
    file.op("Add", "sum", {"x", "w"}, {"a"}).op("Sigmoid", "dead", {"a"}, {"b"});
    file.op("Relu", "relu", {"x"}, {"y"}).result();
    const Outcome outcome = runOnce(removeDeadCode, file.read());
    EXPECT_THAT(outcome.lines, ElementsAre("Relu relu(x) -> y"));
    EXPECT_THAT(outcome.model->initializers, IsEmpty());
}

TEST(RemoveDeadCode, TakesOutWhatOnlyADeadBodyReads)
{
    PassFile file;
    file.op("Sigmoid", "captured", {"x"}, {"a"});
    file.tensor("yes", {}, onnx::TensorProto::BOOL).add_int32_data(1);
    onnx::NodeProto& choice = file.node("If", "choice", {"yes"}, {"b"});
    for (const char* branch : {"then_branch", "else_branch"}) {
        auto& attribute = *choice.add_attribute();
        attribute.set_name(branch);
        attribute.set_type(onnx::AttributeProto::GRAPH);
        GraphProtoBuilder body(*attribute.mutable_g());
        body.proto().set_name(branch);
        body.node("Relu", std::string(branch) + "_relu", {"a"}, {std::string(branch) + "_out"});
        body.output(std::string(branch) + "_out", {2, 3});
    }
    file.op("Relu", "relu", {"x"}, {"y"}).result();
    EXPECT_THAT(runOnce(removeDeadCode, file.read()).lines, ElementsAre("Relu relu(x) -> y"));
}

TEST(RemoveDeadCode, KeepsWhatIsToBeKeptAndWhatItReads)
{
    PassFile file;
    file.op("Sigmoid", "before", {"x"}, {"a"}).op("Tanh", "kept", {"a"}, {"b"}).op("Relu", "relu", {"x"}, {"y"});
    file.result();
    EXPECT_EQ(runOnce(removeDeadCode, file.read(), {false, true, false}).lines.size(), 3U);
}

TEST(MoveConstants, OutOfTheirNodes)
{
    PassFile file;
    addAttributes(file.node("Constant", "half", {}, {"c"}), {{"value_floats", std::vector<float>{0.5F, 1, 2}}});
    file.op("Mul", "mul", {"x", "c"}, {"y"}).result();
    const Outcome outcome = runOnce(moveConstants, file.read());
    EXPECT_THAT(outcome.lines, ElementsAre("Mul mul(x, [0.5 1 2]) -> y"));
    ASSERT_EQ(outcome.model->initializers.size(), 1U);
    EXPECT_EQ(outcome.model->tensor(outcome.model->initializers.front()).name, "c");
}

/// As TorchScript's exporter names parameters that were equal, as those of fresh normalizations are.
TEST(MoveConstants, AParameterThatWasEqualToAnotherHasItsNameAgain)
{
    PassFile file;
    file.weight("norm1.weight", {3}, {1, 1, 1});
    file.op("Identity", "Identity_0", {"norm1.weight"}, {"norm2.weight"});
    file.op("Identity", "Identity_1", {"norm1.weight"}, {"onnx::Mul_7"});
    file.op("Identity", "same", {"norm1.weight"}, {"other"});
    file.op("Mul", "first", {"x", "norm1.weight"}, {"a"}).op("Mul", "second", {"a", "norm2.weight"}, {"b"});
    file.op("Mul", "third", {"b", "onnx::Mul_7"}, {"c"}).op("Mul", "fourth", {"c", "other"}, {"y"}).result();
    const Outcome outcome = runOnce(moveConstants, file.read());
    EXPECT_THAT(outcome.lines,
        ElementsAre("Identity Identity_1([1 1 1]) -> onnx::Mul_7", "Identity same([1 1 1]) -> other",
            "Mul first(x, [1 1 1]) -> a", "Mul second(a, [1 1 1]) -> b", "Mul third(b, onnx::Mul_7) -> c",
            "Mul fourth(c, other) -> y"));
    const Node& second = outcome.model->node(outcome.model->findNode("second"));
    EXPECT_EQ(outcome.model->value(second.inputs[1]).name, "norm2.weight");
}

/// What a state was made of has the same nodes when somebody renamed them.
TEST(MoveConstants, AParameterHasItsNameAgainWhateverItsNodeIsCalled)
{
    PassFile file;
    file.weight("norm1.weight", {3}, {1, 1, 1});
    file.op("Identity", "n17", {"norm1.weight"}, {"norm2.weight"});
    file.op("Identity", "n18", {"norm1.weight"}, {"norm1/read"});
    file.op("Mul", "first", {"x", "norm2.weight"}, {"a"}).op("Mul", "second", {"a", "norm1/read"}, {"y"}).result();
    EXPECT_THAT(runOnce(moveConstants, file.read()).lines,
        ElementsAre(
            "Identity n18([1 1 1]) -> norm1/read", "Mul first(x, [1 1 1]) -> a", "Mul second(a, norm1/read) -> y"));
}

TEST(MoveConstants, StayWhereTheyAreAnOutput)
{
    PassFile file;
    addAttributes(file.node("Constant", "half", {}, {"y"}), {{"value_float", 0.5F}});
    file.op("Relu", "relu", {"x"}, {"z"}).result().result("z");
    EXPECT_EQ(runOnce(moveConstants, file.read()).lines.size(), 2U);
}

} // namespace
} // namespace duo::test
