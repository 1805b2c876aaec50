// SPDX-License-Identifier: Apache-2.0
#include "tests/core/transform/transformed.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using testing::ElementsAre;
using testing::SizeIs;

namespace duo::test {
namespace {

void addCondition(PassFile& file, bool condition)
{
    file.tensor("condition", {}, onnx::TensorProto::BOOL).add_int32_data(condition ? 1 : 0);
}

/// "is_any", which the input decides.
void addUnknownCondition(PassFile& file)
{
    file.weight("zero", {}, {0});
    file.op("ReduceMax", "max", {"x"}, {"m"}, {{"keepdims", std::int64_t{0}}});
    file.op("Greater", "greater", {"m", "zero"}, {"is_any"});
}

/// An If whose branches give another result each, with values of one name.
void addIf(PassFile& file)
{
    onnx::NodeProto& node = file.node("If", "choose", {"condition"}, {"y"});
    for (const std::string branch : {"then_branch", "else_branch"}) {
        GraphProtoBuilder body = addBody(node, branch);
        body.node("Relu", "first", {"x"}, {"inner"});
        body.weight("w", {}, {branch == "then_branch" ? 2.0F : 3.0F});
        body.node("Mul", "second", {"inner", "w"}, {"given"});
        body.proto().add_output()->set_name("given");
    }
    file.result();
}

TEST(TakeBranches, PutsTheBranchInTheNodesPlace)
{
    for (const bool condition : {true, false}) {
        PassFile file;
        addCondition(file, condition);
        addIf(file);
        const std::string branch = condition ? "choose::then_branch::" : "choose::else_branch::";
        EXPECT_THAT(runOnce(takeBranches, file.read()).lines,
            ElementsAre("Relu " + branch + "first(x) -> inner_1",
                "Mul " + branch + "second(inner_1, [" + (condition ? "2" : "3") + "]) -> given_1",
                "Identity choose(given_1) -> y"));
    }
}

TEST(TakeBranches, LeavesOneWhoseConditionIsComputed)
{
    PassFile file;
    file.op("ReduceMax", "max", {"x"}, {"m"}, {{"keepdims", std::int64_t{0}}});
    file.weight("zero", {}, {0});
    file.op("Greater", "greater", {"m", "zero"}, {"condition"});
    addIf(file);
    EXPECT_THAT(runOnce(takeBranches, file.read()).lines, SizeIs(7));
}

/// A Loop of so many trips that doubles x.
void addLoop(PassFile& file, std::int64_t trips, bool givesEach)
{
    file.ints("trips", {trips});
    file.tensor("go", {}, onnx::TensorProto::BOOL).add_int32_data(1);
    std::vector<std::string> outputs{"y"};
    if (givesEach)
        outputs.emplace_back("each");
    onnx::NodeProto& node = file.node("Loop", "loop", {"trips", "go", "x"}, outputs);
    GraphProtoBuilder body = addBody(node, "body");
    const auto addInput = [&](const char* name, int type, bool isScalar) {
        onnx::ValueInfoProto& input = *body.proto().add_input();
        input.set_name(name);
        input.mutable_type()->mutable_tensor_type()->set_elem_type(type);
        if (isScalar)
            input.mutable_type()->mutable_tensor_type()->mutable_shape();
    };
    addInput("trip", onnx::TensorProto::INT64, true);
    addInput("goes", onnx::TensorProto::BOOL, true);
    addInput("at", onnx::TensorProto::FLOAT, false);
    body.node("Identity", "keep", {"goes"}, {"goes_on"});
    body.node("Add", "twice", {"at", "at"}, {"next"});
    body.proto().add_output()->set_name("goes_on");
    body.proto().add_output()->set_name("next");
    if (givesEach) {
        body.node("Relu", "relu", {"at"}, {"one"});
        body.proto().add_output()->set_name("one");
    }
    file.result();
}

TEST(TakeBranches, OfALoopThatNeverRunsWhatItStartsWithIsLeft)
{
    PassFile file;
    addLoop(file, 0, false);
    EXPECT_THAT(runOnce(takeBranches, file.read()).lines, ElementsAre("Identity loop(x) -> y"));
    PassFile runs;
    addLoop(runs, 2, false);
    EXPECT_THAT(runOnce(takeBranches, runs.read()).lines, SizeIs(3));
    PassFile each;
    addLoop(each, 0, true);
    EXPECT_THAT(runOnce(takeBranches, each.read()).skipped,
        ElementsAre("loop: it gives what its trips gave, of which the size is not known"));
}

/// An If in which another one, whose condition is known as well or is not, reads what is computed around it.
std::shared_ptr<const Model> nestedIf(bool isInnerKnown)
{
    PassFile file;
    addCondition(file, true);
    addUnknownCondition(file);
    onnx::NodeProto& node = file.node("If", "choose", {"condition"}, {"y"});
    for (const std::string branch : {"then_branch", "else_branch"}) {
        GraphProtoBuilder outer = addBody(node, branch);
        outer.node("Relu", "first", {"x"}, {"v"}); // both branches have a v, so that it is renamed
        onnx::NodeProto& inner = outer.node("If", "inner", {isInnerKnown ? "condition" : "is_any"}, {"given"});
        for (const std::string each : {"then_branch", "else_branch"}) {
            GraphProtoBuilder body = addBody(inner, each);
            body.node(each == "then_branch" ? "Neg" : "Exp", "act", {"v"}, {"g"});
            body.proto().add_output()->set_name("g");
        }
        outer.proto().add_output()->set_name("given");
    }
    file.result();
    return file.read();
}

TEST(TakeBranches, MovesBodiesWithTheirNode)
{
    EXPECT_THAT(runOnce(takeBranches, nestedIf(false)).lines,
        ElementsAre("ReduceMax max(x) -> m keepdims=0", "Greater greater(m, [0]) -> is_any",
            "Relu choose::then_branch::first(x) -> v_1", "If choose::then_branch::inner(is_any) -> given_1",
            "Neg choose::then_branch::inner::then_branch::act(v_1) -> g",
            "Exp choose::then_branch::inner::else_branch::act(v_1) -> g", "Identity choose(given_1) -> y"));
}

TEST(TakeBranches, KeepsTheNamesOfNodesThatStayInABody)
{
    PassFile file;
    addCondition(file, true);
    addUnknownCondition(file);
    onnx::NodeProto& node = file.node("If", "choose", {"is_any"}, {"y"});
    for (const std::string branch : {"then_branch", "else_branch"}) {
        GraphProtoBuilder outer = addBody(node, branch);
        onnx::NodeProto& inner = outer.node("If", "inner", {"condition"}, {branch});
        for (const std::string each : {"then_branch", "else_branch"}) {
            GraphProtoBuilder body = addBody(inner, each);
            body.node("Neg", "act", {"x"}, {"g"});
            body.proto().add_output()->set_name("g");
        }
        outer.proto().add_output()->set_name(branch);
    }
    file.result();
    const Outcome outcome = runOnce(takeBranches, file.read());
    for (const std::string branch : {"then_branch", "else_branch"})
        EXPECT_TRUE(outcome.model->findNode("choose::" + branch + "::inner::then_branch::act").valid()) << branch;
}

TEST(TakeBranches, TakesTheOuterOneFirst)
{
    static const std::set<NodeId> kNone;
    const auto model = nestedIf(true);
    EXPECT_THAT(takeBranches({*model, kNone}).applied, ElementsAre(model->findNode("choose")));
}

TEST(TakeBranches, SayWhyNot)
{
    PassFile file;
    addCondition(file, true);
    onnx::NodeProto& node = file.node("If", "choose", {"condition"}, {"y"});
    GraphProtoBuilder taken = addBody(node, "then_branch");
    onnx::NodeProto& inner = taken.node("If", "inner", {"condition"}, {"given"});
    for (const std::string branch : {"then_branch", "else_branch"}) {
        GraphProtoBuilder body = addBody(inner, branch);
        body.node("Relu", "relu", {"x"}, {"g"});
        body.proto().add_output()->set_name("g");
    }
    taken.proto().add_output()->set_name("given");
    GraphProtoBuilder other = addBody(node, "else_branch");
    other.node("Neg", "neg", {"x"}, {"n"});
    other.proto().add_output()->set_name("n");
    file.result();
    const auto model = file.read();
    std::vector<bool> kept(model->nodes.size());
    kept[model->findNode("choose::then_branch::inner").index] = true;
    EXPECT_THAT(
        runOnce(takeBranches, model, kept).skipped, ElementsAre("choose: a node in its branch is to stay as it is"));
}

} // namespace
} // namespace duo::test
