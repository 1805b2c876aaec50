// SPDX-License-Identifier: Apache-2.0
// Functions that others made, written out.
#include "core/onnx/outlined_model.h"
#include "core/onnx/reader.h"
#include "core/transform/fused_names.h"
#include "tests/core/transform/old_file.h"
#include "tests/support/proto_builder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace duo {
namespace {

using test::addNode;
using test::nodeLines;
using test::ProtoBuilder;
using testing::ElementsAre;

onnx::NodeProto& call(ProtoBuilder& file, const std::string& function, const std::string& name,
    const std::vector<std::string>& inputs, const std::vector<std::string>& outputs)
{
    onnx::NodeProto& node = file.node(function, name, inputs, outputs);
    node.set_domain("local");
    return node;
}

Result<Inlined> inlined(const ProtoBuilder& file, const std::set<std::string>& names)
{
    const auto model = readModelBytes(file.bytes(), "test.onnx");
    EXPECT_TRUE(model) << model.error().line();
    std::set<FunctionName> functions;
    for (const std::string& name : names)
        functions.emplace("local", name);
    return inlinedModel(*model, functions);
}

std::vector<std::string> linesAfter(const ProtoBuilder& file, const std::set<std::string>& functions)
{
    const auto result = inlined(file, functions);
    EXPECT_TRUE(result) << result.error().line();
    return result ? nodeLines(*result->model) : std::vector<std::string>();
}

TEST(InlinedCalls, StandWhereTheCallStoodWithItsNameInFront)
{
    ProtoBuilder file;
    file.input("x").output("y").weight("w");
    auto& function = file.function("Layer", {"a", "b"}, {"r"});
    addNode(function, "Mul", "mul", {"a", "b"}, {"m"});
    addNode(function, "Relu", "", {"m"}, {"r"});
    call(file, "Layer", "one", {"x", "w"}, {"h"});
    call(file, "Layer", "two", {"h", "w"}, {"y"});
    EXPECT_THAT(linesAfter(file, {"Layer"}),
        ElementsAre("Mul one/mul(x, [0.5 0.5]) -> one/m", "Relu Relu:h(one/m) -> h",
            "Mul two/mul(h, [0.5 0.5]) -> two/m", "Relu Relu:y(two/m) -> y"));
}

TEST(InlinedCalls, GiveAttributesOrTheirDefaultsOrNothing)
{
    ProtoBuilder file;
    file.input("x").output("y");
    auto& function = file.function("Soft", {"a"}, {"r"});
    function.add_attribute("axis");
    test::addReference(addNode(function, "Softmax", "soft", {"a"}, {"r"}), "axis", "axis");
    test::addInt(call(file, "Soft", "given", {"x"}, {"h"}), "axis", 0);
    call(file, "Soft", "left", {"h"}, {"y"});
    EXPECT_THAT(
        linesAfter(file, {"Soft"}), ElementsAre("Softmax given/soft(x) -> h axis=0", "Softmax left/soft(h) -> y"));
}

TEST(InlinedCalls, OfWhatIsPassedThroughLeaveAnIdentity)
{
    ProtoBuilder file;
    file.input("x").output("y");
    auto& function = file.function("Pass", {"a"}, {"a"});
    (void)function;
    call(file, "Pass", "p", {"x"}, {"y"});
    EXPECT_THAT(linesAfter(file, {"Pass"}), ElementsAre("Identity p/Identity:y(x) -> y"));
}

TEST(InlinedCalls, InsideOneAnotherAndInBodiesAreWrittenOutToo)
{
    ProtoBuilder file;
    file.input("x").output("y").tensor("flag", {1}, onnx::TensorProto::BOOL).set_raw_data(std::string(1, '\1'));
    addNode(file.function("Inner", {"a"}, {"r"}), "Relu", "relu", {"a"}, {"r"});
    addNode(file.function("Outer", {"a"}, {"r"}), "Inner", "in", {"a"}, {"r"}).set_domain("local");
    onnx::NodeProto& choice = file.node("If", "if", {"flag"}, {"y"});
    for (const char* branch : {"then_branch", "else_branch"}) {
        auto body = test::addBody(choice, branch);
        body.node("Outer", std::string("o_") + branch, {"x"}, {std::string(branch) + "_out"}).set_domain("local");
        body.output(std::string(branch) + "_out");
    }
    const auto result = inlined(file, {"Inner", "Outer"});
    ASSERT_TRUE(result) << result.error().line();
    EXPECT_EQ(result->calls, 2);
    EXPECT_TRUE(localFunctions(*result->model).empty());
    EXPECT_TRUE(
        result->model->findNode("if/then_branch/o_then_branch/in/relu").valid() || result->model->nodes.size() == 3U);
}

TEST(InlinedCalls, DoNotTakeANameThatIsTaken)
{
    ProtoBuilder file;
    file.input("x").output("y");
    auto& function = file.function("Two", {"a"}, {"r"});
    addNode(function, "Neg", "neg", {"a"}, {"m"});
    addNode(function, "Relu", "relu", {"m"}, {"r"});
    file.node("Abs", "abs", {"x"}, {"t/m"});
    call(file, "Two", "t", {"t/m"}, {"y"});
    EXPECT_THAT(linesAfter(file, {"Two"}),
        ElementsAre("Abs abs(x) -> t/m", "Neg t/neg(t/m) -> t/m_1", "Relu t/relu(t/m_1) -> y"));
}

TEST(InlinedCalls, TellWhatTheirNodesWereCalled)
{
    ProtoBuilder file;
    file.input("x").output("y");
    auto& inner = file.function("Inner", {"a"}, {"r"});
    addNode(inner, "Relu", "", {"a"}, {"r"});
    auto& outer = file.function("Outer", {"a"}, {"same", "r"});
    addNode(outer, "Inner", "in", {"a"}, {"m"}).set_domain("local");
    addNode(outer, "Identity", "passed", {"a"}, {"same"});
    addNode(outer, "Neg", "neg", {"m"}, {"r"});
    call(file, "Outer", "t", {"x"}, {"s", "n"});
    file.node("Add", "add", {"s", "n"}, {"y"});
    const auto model = readModelBytes(file.bytes(), "test.onnx");
    ASSERT_TRUE(model) << model.error().line();
    const auto made = inlinedModel(*model, {{"local", "Inner"}, {"local", "Outer"}}, {}, NamesBefore::AreKept);
    ASSERT_TRUE(made) << made.error().line();
    std::vector<std::string> names;
    for (const Node& node : made->model->nodes) {
        names.push_back(node.name + " was " + std::string(nameBefore(node)));
        EXPECT_TRUE(nodeBefore(**model, node).valid());
    }
    EXPECT_THAT(names,
        testing::UnorderedElementsAre(
            "Relu:t/m was t::in::Relu:m", "t/passed was t::passed", "t/neg was t::neg", "add was add"));
    EXPECT_EQ(nodeOnceCalled(*made->model, "t::neg"), made->model->findNode("t/neg"));
    EXPECT_FALSE(nodeOnceCalled(*made->model, "t").valid());
}

TEST(InlinedCalls, OfAnotherOpsetAreRefused)
{
    ProtoBuilder file;
    file.input("x").output("y");
    auto& function = file.function("F", {"a"}, {"r"});
    addNode(function, "Relu", "", {"a"}, {"r"});
    call(file, "F", "f", {"x"}, {"y"});
    function.clear_opset_import();
    function.add_opset_import()->set_version(9);
    const auto refused = inlined(file, {"F"});
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error().line(), testing::StartsWith("a function is written for opset 9 of ai.onnx"));
}

} // namespace
} // namespace duo
