// SPDX-License-Identifier: Apache-2.0
#include "core/onnx/reader.h"

#include "core/onnx/graph_reader.h"
#include "tests/support/proto_builder.h"

#include <gtest/gtest.h>

#include <utility>

namespace duo {
namespace {

using test::addNode;
using test::ProtoBuilder;

/// A line per node: "name: op(inputs) -> outputs", calls marked with '*'.
std::string listing(const Model& model)
{
    const auto names = [&](const std::vector<ValueId>& ids) {
        std::string text;
        for (const ValueId id : ids)
            text += (text.empty() ? "" : ", ") + (id.valid() ? model.value(id).name : std::string("-"));
        return text;
    };
    std::string text;
    for (const Node& node : model.nodes)
        text += node.name + ": " + (node.isCall ? "*" : "") + node.opType + "(" + names(node.inputs) + ") -> "
            + names(node.outputs) + "\n";
    return text;
}

std::string listingOf(const ProtoBuilder& file)
{
    const auto model = readModelBytes(file.bytes(), "test.onnx");
    return model ? listing(**model) : model.error().line();
}

onnx::NodeProto& call(ProtoBuilder& file, const std::string& function, const std::string& name,
    const std::vector<std::string>& inputs, const std::vector<std::string>& outputs)
{
    onnx::NodeProto& node = file.node(function, name, inputs, outputs);
    node.set_domain("local");
    return node;
}

TEST(Functions, EveryCallIsExpandedWithTheCallersValues)
{
    ProtoBuilder file;
    file.input("x").output("y").weight("w");
    auto& function = file.function("Layer", {"a", "b"}, {"r"});
    addNode(function, "Mul", "mul", {"a", "b"}, {"m"});
    addNode(function, "Relu", "", {"m"}, {"r"});
    call(file, "Layer", "one", {"x", "w"}, {"h"});
    call(file, "Layer", "two", {"h", "w"}, {"y"});
    EXPECT_EQ(listingOf(file),
        "one: *Layer(x, w) -> h\n"
        "one::mul: Mul(x, w) -> m\n"
        "one::Relu:h: Relu(m) -> h\n"
        "two: *Layer(h, w) -> y\n"
        "two::mul: Mul(h, w) -> m\n"
        "two::Relu:y: Relu(m) -> y\n");
}

TEST(Functions, NestWithTheirAttributesAndDefaults)
{
    ProtoBuilder file;
    file.input("x").output("y");
    auto& inner = file.function("Inner", {"a"}, {"r"});
    auto& given = addNode(inner, "Softmax", "s", {"a"}, {"r"});
    test::addReference(given, "axis", "axis");
    test::addReference(given, "unset", "never given");
    auto& defaulted = *inner.add_attribute_proto();
    defaulted.set_name("keep");
    defaulted.set_type(onnx::AttributeProto::INT);
    defaulted.set_i(3);
    test::addReference(given, "keepdims", "keep");
    auto& outer = file.function("Outer", {"a"}, {"r"});
    auto& nested = addNode(outer, "Inner", "in", {"a"}, {"r"});
    nested.set_domain("local");
    test::addReference(nested, "axis", "outer_axis");
    test::addInt(call(file, "Outer", "out", {"x"}, {"y"}), "outer_axis", -2);
    const auto model = readModelBytes(file.bytes(), "test.onnx");
    ASSERT_TRUE(model) << model.error().line();
    const Node& softmax = (*model)->node((*model)->findNode("out::in::s"));
    EXPECT_EQ(softmax.intAttribute("axis", 0), -2);
    EXPECT_EQ(softmax.intAttribute("keepdims", 0), 3);
    EXPECT_EQ(softmax.attribute("unset"), nullptr);
}

TEST(Functions, OmittedInputsAndOutputsStayOmitted)
{
    ProtoBuilder file;
    file.input("x").output("y");
    auto& function = file.function("Two", {"a", "b"}, {"r", "s"});
    addNode(function, "Custom", "c", {"a", "b"}, {"r", "s"});
    addNode(function, "Relu", "d", {"s"}, {"unused"});
    call(file, "Two", "t", {"x"}, {"y"});
    EXPECT_EQ(listingOf(file),
        "t: *Two(x) -> y\n"
        "t::c: Custom(x, -) -> y, s\n"
        "t::d: Relu(s) -> unused\n");
}

TEST(Functions, ACallProducesWhatIsPassedStraightThrough)
{
    ProtoBuilder file;
    file.input("x").output("y");
    file.function("Identity", {"a"}, {"a"});
    call(file, "Identity", "id", {"x"}, {"y"});
    const auto model = readModelBytes(file.bytes(), "test.onnx");
    ASSERT_TRUE(model) << model.error().line();
    EXPECT_EQ((*model)->value((*model)->findValue("y")).producer, (*model)->findNode("id"));
    EXPECT_EQ((*model)->value((*model)->findValue("x")).uses.size(), 1U);
}

TEST(Functions, MatchByDomainAndOverload)
{
    ProtoBuilder file;
    file.input("x").output("y");
    addNode(file.function("F", {"a"}, {"r"}), "Relu", "plain", {"a"}, {"r"});
    auto& overload = file.function("F", {"a"}, {"r"});
    overload.set_overload("2");
    addNode(overload, "Neg", "other", {"a"}, {"r"});
    call(file, "F", "one", {"x"}, {"h"}).set_overload("2");
    file.node("F", "operator", {"h"}, {"y"});
    EXPECT_EQ(listingOf(file),
        "one: *F(x) -> h\n"
        "one::other: Neg(x) -> h\n"
        "operator: F(h) -> y\n");
}

TEST(Functions, WithTheNameOfAnOperatorAreNotWhatTheRuntimeRuns)
{
    const auto named = [](const std::string& domain, const std::string& name) {
        ProtoBuilder file;
        file.input("x").output("y");
        auto& function = file.function(name, {"a"}, {"r"});
        function.set_domain(domain);
        addNode(function, "Neg", "neg", {"a"}, {"r"});
        file.node(name, "n", {"x"}, {"y"}).set_domain(domain);
        return *readModelBytes(file.bytes(), "test.onnx");
    };
    const std::string expanded = "::neg: Neg(x) -> y\n";
    for (const auto& [domain, name] : {std::pair("", "Relu"), std::pair("ai.onnx", "Relu"),
             std::pair("com.microsoft", "Gelu"), std::pair("ai.onnx.ml", "Normalizer")}) {
        const auto model = named(domain, name);
        EXPECT_EQ(listing(*model), "n: " + std::string(name) + "(x) -> y\n") << domain;
        ASSERT_EQ(model->notes.size(), 1U);
        EXPECT_EQ(model->notes[0].text,
            "nodes are taken for operators where ONNX Runtime has one of the same name, which it runs: 1 function is "
            "never called");
        EXPECT_EQ(model->notes[0].where, "function '" + std::string(name) + "'");
    }
    EXPECT_EQ(listing(*named("", "Layer")), "n: *Layer(x) -> y\nn" + expanded);
    EXPECT_EQ(listing(*named("com.microsoft", "Layer")), "n: *Layer(x) -> y\nn" + expanded);
    EXPECT_EQ(listing(*named("", "Gelu")), "n: *Gelu(x) -> y\nn" + expanded); // of opset 20, the file is of 17
}

TEST(Functions, ABodyHandedToAFunctionReadsTheCallersNames)
{
    ProtoBuilder file;
    file.input("x").input("c").output("y");
    auto& function = file.function("Choose", {"condition"}, {"r"});
    auto& branch = addNode(function, "If", "if", {"condition"}, {"r"});
    for (const char* name : {"then_branch", "else_branch"}) {
        auto& reference = test::addReference(branch, name, "graph");
        reference.set_type(onnx::AttributeProto::GRAPH);
    }
    auto body = test::addBody(call(file, "Choose", "choose", {"c"}, {"y"}), "graph");
    body.node("Relu", "relu", {"x"}, {"b"});
    body.output("b");
    EXPECT_EQ(listingOf(file),
        "choose: *Choose(c) -> y\n"
        "choose::if: If(c) -> y\n"
        "choose::if::then_branch::relu: Relu(x) -> b\n"
        "choose::if::else_branch::relu: Relu(x) -> b\n");
}

TEST(Functions, SeeNothingOfTheirCaller)
{
    ProtoBuilder file;
    file.input("x").output("y");
    addNode(file.function("F", {"a"}, {"r"}), "Relu", "n", {"x"}, {"r"});
    call(file, "F", "f", {"x"}, {"y"});
    EXPECT_EQ(listingOf(file), "node 'n' reads 'x', which nothing defines: function 'F': export the model again");
}

TEST(Functions, RefuseWhatCannotBeExpanded)
{
    ProtoBuilder unproduced;
    unproduced.input("x").output("y");
    unproduced.function("F", {"a"}, {"r"});
    call(unproduced, "F", "f", {"x"}, {"y"});
    EXPECT_EQ(listingOf(unproduced), "output 'r' is produced by nothing: function 'F': export the model again");

    ProtoBuilder extra;
    extra.input("x").output("y");
    addNode(extra.function("F", {"a"}, {"r"}), "Relu", "n", {"a"}, {"r"});
    call(extra, "F", "f", {"x", "x"}, {"y"});
    EXPECT_EQ(listingOf(extra),
        "a call gives function 'F' more inputs or outputs than it has: node 'f': export the model again");

    ProtoBuilder twice;
    twice.function("F", {}, {});
    twice.function("F", {}, {});
    EXPECT_EQ(listingOf(twice), "function 'F' is defined twice: domain 'local': export the model again");
}

TEST(Functions, RefuseToGrowWithoutBound)
{
    ProtoBuilder file;
    file.input("x").output("y");
    std::string below = "Relu";
    for (int level = 0; level < 30; ++level) {
        const std::string name = "F" + std::to_string(level);
        auto& function = file.function(name, {"a"}, {"r"});
        for (const auto& [from, to] : {std::pair("a", "m"), std::pair("m", "r")}) {
            auto& node = addNode(function, below, "", {from}, {to});
            node.set_domain(level == 0 ? "" : "local");
        }
        below = name;
    }
    call(file, below, "top", {"x"}, {"y"});
    EXPECT_EQ(listingOf(file),
        "the model has more than 500000 nodes with all function calls expanded: test.onnx: split it, or call its "
        "functions less often");
}

TEST(Functions, RefuseToExpandForLongerThanTheyMay)
{
    ExpansionBudget budget(std::chrono::seconds(0));
    Status taken = success();
    for (int node = 0; node < 1000 && taken; ++node)
        taken = budget.takeNode(0);
    ASSERT_FALSE(taken);
    EXPECT_EQ(taken.error().line(),
        "the model takes more than 60 s to expand its function calls: split it, or call its functions less often");
}

} // namespace
} // namespace duo
