// SPDX-License-Identifier: Apache-2.0
#include "core/outline/plan_outline.h"

#include "core/onnx/reader.h"
#include "core/scope/scope.h"
#include "tests/support/proto_builder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace duo {
namespace {

using test::ProtoBuilder;

/// The functions of all modules, the one at `module` being of a class.
std::string signatureOf(const ProtoBuilder& file, const std::string& module, const std::string& className)
{
    const auto model = readModelBytes(file.bytes(), "test.onnx");
    EXPECT_TRUE(model) << model.error().line();
    Scopes scopes = findScopes(**model);
    scopes.execution.scopes[scopes.execution.find(module).index].className = className;
    const auto plan = planOutline(**model, scopes, {.scopes = {module}});
    EXPECT_TRUE(plan) << plan.error().line();
    if (!plan || plan->functions.size() != 1)
        return {};
    return signatureText(plan->edits.functions[0], plan->functions[0]) + " "
        + std::string(orderText(plan->functions[0].order));
}

/// Takes the state before the input, and gives the state first.
class Recurrent : public ProtoBuilder
{
public:
    Recurrent()
    {
        input("h").input("c").input("x").output("last").output("all");
        weight("rnn.W", {1, 8, 2}).weight("rnn.R", {1, 8, 2});
        node("Abs", "/rnn/Abs", {"h"}, {"h1"});
        node("Abs", "/rnn/Abs_1", {"c"}, {"c1"});
        node("Transpose", "/rnn/Transpose", {"x"}, {"xt"});
        node("LSTM", "/rnn/LSTM", {"xt", "rnn.W", "rnn.R", "", "", "h1", "c1"}, {"y", "yh"});
        node("Neg", "/rnn/Neg", {"yh"}, {"last"});
        node("Neg", "/rnn/Neg_1", {"y"}, {"all"});
    }
};

TEST(ClassOrder, RecurrentLayersAreOrderedByThePortsOfTheirOperator)
{
    EXPECT_THAT(signatureOf(Recurrent(), "rnn", "torch.nn.modules.rnn.LSTM"),
        testing::MatchesRegex("LSTM\\(input, h_0, c_0; .*\\) -> \\(output, h_n\\) class"));
}

TEST(ClassOrder, AClassOfAnotherNamespaceIsNotInTheTable)
{
    EXPECT_THAT(signatureOf(Recurrent(), "rnn", "app.LSTM"), testing::EndsWith(" first-use"));
}

TEST(ClassAttributes, AreAttributesOfTheFunctionUnderTheNameOfTheClass)
{
    ProtoBuilder file;
    file.input("x").output("y");
    test::addInt(file.node("Softmax", "/s/Softmax", {"x"}, {"y"}), "axis", -1);
    EXPECT_EQ(signatureOf(file, "s", "torch.nn.modules.activation.Softmax"), "Softmax<dim>(x) -> (y) only-one");
    EXPECT_EQ(signatureOf(file, "s", "app.Softmax"), "Softmax(x) -> (y) only-one");
}

TEST(ClassOrder, CellsAreOrderedByTheParametersThatTheirValuesMeet)
{
    ProtoBuilder file;
    file.input("h").input("x").output("y").weight("cell.weight_ih", {2, 2}).weight("cell.weight_hh", {2, 2});
    file.node("Transpose", "/cell/Transpose", {"cell.weight_hh"}, {"whh"});
    file.node("MatMul", "/cell/MatMul", {"h", "whh"}, {"a"});
    file.node("MatMul", "/cell/MatMul_1", {"x", "cell.weight_ih"}, {"b"});
    file.node("Add", "/cell/Add", {"a", "b"}, {"s"});
    file.node("Tanh", "/cell/Tanh", {"s"}, {"y"});
    EXPECT_THAT(signatureOf(file, "cell", "torch.nn.modules.rnn.RNNCell"),
        testing::MatchesRegex("RNNCell\\(input, hx; .*\\) -> \\(y\\) class"));
}

TEST(ClassOrder, AValueWithoutARoleLeavesTheOrderAGuess)
{
    ProtoBuilder file;
    file.input("h").input("x").input("mask").output("y").weight("cell.weight_ih", {2, 2});
    file.node("MatMul", "/cell/MatMul", {"x", "cell.weight_ih"}, {"b"});
    file.node("Add", "/cell/Add", {"h", "b"}, {"s"});
    file.node("Mul", "/cell/Mul", {"s", "mask"}, {"y"});
    EXPECT_THAT(signatureOf(file, "cell", "torch.nn.modules.rnn.RNNCell"), testing::EndsWith(" first-use"));
}

} // namespace
} // namespace duo
