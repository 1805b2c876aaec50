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

TEST(InlinedCalls, DoNotTakeANameThatABodyHas)
{
    ProtoBuilder file;
    file.input("x").output("y").tensor("flag", {}, onnx::TensorProto::BOOL).add_int32_data(1);
    auto& function = file.function("Two", {"a"}, {"r"});
    addNode(function, "Neg", "neg", {"a"}, {"h"});
    addNode(function, "Relu", "relu", {"h"}, {"r"});
    onnx::NodeProto& choice = file.node("If", "if", {"flag"}, {"y"});
    for (const char* branch : {"then_branch", "else_branch"}) {
        auto body = test::addBody(choice, branch);
        body.weight("c/h");
        body.node("Two", "c", {"x"}, {"called"}).set_domain("local");
        body.node("Add", "sum", {"called", "c/h"}, {std::string(branch) + "_out"});
        body.output(std::string(branch) + "_out");
    }
    const auto result = inlined(file, {"Two"});
    ASSERT_TRUE(result) << result.error().line();
    EXPECT_TRUE(result->model->findValue("if::then_branch::c/h_1").valid());
    EXPECT_TRUE(result->model->findValue("if::else_branch::c/h_1").valid());
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

/// A file of opset `own` with one call of a function of opset `imported`; its nodes come from `fill`.
template <typename Fill> Result<Inlined> joined(std::int64_t own, std::int64_t imported, const Fill& fill)
{
    ProtoBuilder file;
    file.input("x", {2, 4}).output("y", {2, 4});
    file.model().mutable_opset_import(0)->set_version(own);
    auto& function = file.function("F", {"a"}, {"r"});
    fill(function);
    function.clear_opset_import();
    function.add_opset_import()->set_version(imported);
    call(file, "F", "f", {"x"}, {"y"});
    const auto model = readModelBytes(file.bytes(), "test.onnx");
    EXPECT_TRUE(model) << model.error().line();
    return inlinedModel(*model, {{"local", "F"}}, {}, NamesBefore::AreKept);
}

void setInts(onnx::NodeProto& node, const char* name, const std::vector<std::int64_t>& values)
{
    auto& attribute = *node.add_attribute();
    attribute.set_name(name);
    attribute.set_type(onnx::AttributeProto::INTS);
    attribute.mutable_ints()->Assign(values.begin(), values.end());
}

/// Axes were attributes before opset 18.
TEST(InlinedCalls, OfAnOlderOpsetAreWrittenInTheModels)
{
    const auto made = joined(18, 17, [](onnx::FunctionProto& function) {
        setInts(addNode(function, "ReduceMean", "mean", {"a"}, {"m"}), "axes", {1});
        addNode(function, "Relu", "relu", {"m"}, {"r"});
    });
    ASSERT_TRUE(made) << made.error().line();
    EXPECT_EQ(made->model->opset(), 18);
    EXPECT_THAT(nodeLines(*made->model),
        ElementsAre("Constant f/mean_axes() -> f/m:axes value_ints=[1]", "ReduceMean f/mean(x, f/m:axes) -> f/m",
            "Relu f/relu(f/m) -> y"));
    EXPECT_EQ(nameBefore(made->model->node(made->model->findNode("f/mean"))), "f::mean");
    EXPECT_EQ(nameBefore(made->model->node(made->model->findNode("f/relu"))), "f::relu");
    for (const Node& node : made->model->nodes)
        EXPECT_FALSE(
            std::ranges::any_of(node.metadata, [](const auto& entry) { return entry.first == "duoscope.added"; }));
}

TEST(InlinedCalls, OfANewerOpsetRaiseTheModels)
{
    const auto made = joined(17, 18, [](onnx::FunctionProto& function) {
        auto& split = addNode(function, "Split", "split", {"a"}, {"b", "c"});
        test::addInt(split, "num_outputs", 2);
        addNode(function, "Concat", "join", {"b", "c"}, {"r"});
        test::addInt(*function.mutable_node(1), "axis", 0);
    });
    ASSERT_TRUE(made) << made.error().line();
    EXPECT_EQ(made->model->opset(), 18);
    EXPECT_EQ(raisedText(made->raised),
        "of functions and the model they are in, what is written for opset 17 of ai.onnx is read as opset 18");
}

TEST(InlinedCalls, OfAnOpsetWithoutConversionAreRefusedByTheNode)
{
    const auto refused = joined(21, 18, [](onnx::FunctionProto& function) {
        addNode(function, "GroupNormalization", "norm", {"a", "a", "a"}, {"r"});
    });
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().what,
        "function 'F' is written for opset 18 of ai.onnx, what it comes together with for 21; GroupNormalization "
        "'norm': its form of opset 18 has no conversion to 21");

    const auto given = joined(18, 17, [](onnx::FunctionProto& function) {
        function.add_attribute("axes");
        test::addReference(addNode(function, "ReduceMax", "max", {"a"}, {"r"}), "axes", "axes");
    });
    ASSERT_FALSE(given);
    EXPECT_THAT(given.error().what, testing::EndsWith("; ReduceMax 'max': attribute 'axes' is given by the call"));

    const auto unknown
        = joined(18, 17, [](onnx::FunctionProto& function) { addNode(function, "Frobnicate", "odd", {"a"}, {"r"}); });
    ASSERT_FALSE(unknown);
    EXPECT_THAT(unknown.error().what, testing::EndsWith("; Frobnicate 'odd': it is no operator that is known"));
}

TEST(InlinedCalls, OfAnotherOpsetOfAnotherDomainAreRefused)
{
    ProtoBuilder file;
    file.input("x").output("y");
    auto& function = file.function("F", {"a"}, {"r"});
    addNode(function, "Relu", "", {"a"}, {"r"});
    call(file, "F", "f", {"x"}, {"y"});
    for (const int version : {1, 2}) {
        auto& import = version == 1 ? *file.model().add_opset_import() : *function.add_opset_import();
        import.set_domain("ai.onnx.ml");
        import.set_version(version);
    }
    const auto refused = inlined(file, {"F"});
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error().line(),
        testing::StartsWith("a function is written for opset 2 of ai.onnx.ml, the model for 1"));
}

} // namespace
} // namespace duo
