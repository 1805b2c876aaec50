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

TEST(MoveConstants, StayWhereTheyAreAnOutput)
{
    PassFile file;
    addAttributes(file.node("Constant", "half", {}, {"y"}), {{"value_float", 0.5F}});
    file.op("Relu", "relu", {"x"}, {"z"}).result().result("z");
    EXPECT_EQ(runOnce(moveConstants, file.read()).lines.size(), 2U);
}

} // namespace
} // namespace duo::test
