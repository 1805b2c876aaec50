// SPDX-License-Identifier: Apache-2.0
#include "core/outline/plan_outline.h"

#include "core/onnx/reader.h"
#include "core/scope/scope.h"
#include "tests/support/proto_builder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace duo {
namespace {

using test::ProtoBuilder;
using testing::ElementsAre;
using testing::IsEmpty;

/// `n(x, m.weight) -> (y)`, a line per function, outer ones last, with its calls behind it.
std::vector<std::string> linesOf(const OutlinePlan& plan)
{
    std::vector<std::string> lines;
    for (std::size_t f = 0; f < plan.functions.size(); ++f) {
        std::string line = signatureText(plan.edits.functions[f], plan.functions[f]) + " by";
        for (std::size_t c = 0; c < plan.scopes.size(); ++c)
            line += plan.edits.calls[c].function == f ? " " + plan.scopes[c] : "";
        lines.push_back(line);
    }
    return lines;
}

OutlinePlan planned(const ProtoBuilder& file, const OutlineRequest& request)
{
    const auto model = readModelBytes(file.bytes(), "test.onnx");
    EXPECT_TRUE(model) << model.error().line();
    auto plan = planOutline(**model, findScopes(**model), request);
    EXPECT_TRUE(plan) << plan.error().line();
    return plan ? *plan : OutlinePlan{};
}

std::string errorOf(const ProtoBuilder& file, const OutlineRequest& request)
{
    const auto model = readModelBytes(file.bytes(), "test.onnx");
    const auto plan = planOutline(**model, findScopes(**model), request);
    return plan ? "" : plan.error().line();
}

/// y = b(a(x)), each of a linear layer and a relu.
class TwoBlocks : public ProtoBuilder
{
public:
    TwoBlocks()
    {
        input("x", {2, 2}).output("y", {2, 2}).weight("a.lin.weight", {2, 2}).weight("b.lin.weight", {2, 2});
        node("MatMul", "/a/lin/MatMul", {"x", "a.lin.weight"}, {"/a/lin/MatMul_output_0"});
        node("Relu", "/a/act/Relu", {"/a/lin/MatMul_output_0"}, {"/a/act/Relu_output_0"});
        node("MatMul", "/b/lin/MatMul", {"/a/act/Relu_output_0", "b.lin.weight"}, {"/b/lin/MatMul_output_0"});
        node("Relu", "/b/act/Relu", {"/b/lin/MatMul_output_0"}, {"y"});
    }
};

TEST(PlanOutline, CallsOfOneFormShareAFunction)
{
    const OutlinePlan plan = planned(TwoBlocks(), {.depths = {1}});
    EXPECT_THAT(linesOf(plan), ElementsAre("Module(x; lin.weight) -> (y) by b a"));
    EXPECT_EQ(plan.functions[0].order, OrderEvidence::OnlyOne);
    EXPECT_EQ(plan.functions[0].nodes, 2U);
}

TEST(PlanOutline, InnerCallsAreCallsInBodies)
{
    const OutlinePlan plan = planned(TwoBlocks(), {.all = true});
    EXPECT_THAT(linesOf(plan),
        ElementsAre("act(x) -> (y) by b/act a/act", "lin(x; weight) -> (y) by b/lin a/lin",
            "Module(x; lin.weight) -> (y) by b a"));
    EXPECT_THAT(plan.edits.functions[2].partNames, ElementsAre("lin", "act"));
}

TEST(PlanOutline, AttributesThatDifferAreOpen)
{
    ProtoBuilder file;
    file.input("x").output("y");
    test::addInt(file.node("Softmax", "/a/Softmax", {"x"}, {"h"}), "axis", 0);
    test::addInt(file.node("Softmax", "/b/Softmax", {"h"}, {"y"}), "axis", -1);
    EXPECT_THAT(linesOf(planned(file, {.all = true})), ElementsAre("Module<axis>(x) -> (y) by b a"));
}

/// Two modules, each of a call of a function that is there, as PyTorch 1.13 names them.
OutlinePlan plannedCalls(const std::vector<std::string>& overloads)
{
    ProtoBuilder file;
    file.input("x").output("y");
    for (const std::string& overload : std::set<std::string>(overloads.begin(), overloads.end())) {
        auto& soft = file.function("Soft", {"a"}, {"r"});
        soft.set_overload(overload);
        soft.add_attribute("axis");
        test::addReference(test::addNode(soft, "Softmax", "soft", {"a"}, {"r"}), "axis", "axis");
    }
    const std::vector<std::string> values{"x", "h", "y"};
    for (std::size_t m = 0; m < overloads.size(); ++m) {
        auto& call = file.node("Soft", "/layers." + std::to_string(m) + "/Soft", {values[m]}, {values[m + 1]});
        call.set_domain("local");
        call.set_overload(overloads[m]);
        test::addInt(call, "axis", static_cast<std::int64_t>(m));
    }
    return planned(file, {.depths = {1}});
}

TEST(PlanOutline, CallsOfAFunctionThatIsThereAreAlike)
{
    EXPECT_THAT(linesOf(plannedCalls({"", ""})), ElementsAre("Soft_2<axis>(x) -> (y) by layers.1 layers.0"));
}

TEST(PlanOutline, CallsByAnOverloadStayWhereTheyAre)
{
    const OutlinePlan plan = plannedCalls({"one", "other"});
    EXPECT_THAT(linesOf(plan), ElementsAre());
    ASSERT_EQ(plan.refusals.size(), 2U);
    EXPECT_EQ(plan.refusals[0].why, "it calls 'Soft' by an overload, which functions cannot");
}

TEST(PlanOutline, ParametersOfOthersComeLastAndInFull)
{
    ProtoBuilder file;
    file.input("x", {2, 2}).output("y", {2, 2}).weight("enc.weight", {2, 2}).weight("dec.out.weight", {2, 2});
    file.node("MatMul", "/enc/MatMul", {"x", "enc.weight"}, {"/enc/MatMul_output_0"});
    file.node("MatMul", "/dec/out/MatMul", {"/enc/MatMul_output_0", "dec.out.weight"}, {"/dec/out/MatMul_output_0"});
    file.node("MatMul", "/dec/MatMul", {"/dec/out/MatMul_output_0", "enc.weight"}, {"y"});
    EXPECT_THAT(
        linesOf(planned(file, {.scopes = {"dec"}})), ElementsAre("dec(x; out.weight, enc.weight) -> (y) by dec"));
}

TEST(PlanOutline, ParametersOfOthersComeAsTheyAreUsed)
{
    ProtoBuilder file;
    file.input("x", {2, 2}).output("y", {2, 2});
    for (const char* weight : {"one.weight", "shared.bias", "two.weight"})
        file.weight(weight, {2, 2});
    file.node("MatMul", "/a/MatMul", {"x", "one.weight"}, {"/a/MatMul_output_0"});
    file.node("Add", "/a/Add", {"/a/MatMul_output_0", "shared.bias"}, {"h"});
    file.node("MatMul", "/b/MatMul", {"h", "two.weight"}, {"/b/MatMul_output_0"});
    file.node("Add", "/b/Add", {"/b/MatMul_output_0", "shared.bias"}, {"y"});
    EXPECT_THAT(linesOf(planned(file, {.depths = {1}})), ElementsAre("Module(x; weight, shared.bias) -> (y) by b a"));
}

TEST(PlanOutline, WhatAnInnerCallTakesIsCalledAsThere)
{
    ProtoBuilder file;
    file.input("x", {2, 2}).output("y", {2, 2}).weight("one", {2, 2}).weight("two", {2, 2});
    file.node("MatMul", "/a/fc/MatMul", {"x", "one"}, {"h"});
    file.node("MatMul", "/b/fc/MatMul", {"h", "two"}, {"y"});
    EXPECT_THAT(linesOf(planned(file, {.all = true})),
        ElementsAre("fc(x; parameter) -> (y) by b/fc a/fc", "Module(x; fc.parameter) -> (y) by b a"));
}

TEST(PlanOutline, ItIsSaidThatAnOrderIsAGuess)
{
    ProtoBuilder file;
    file.input("q").input("k").output("y");
    file.node("Add", "/att/Add", {"k", "q"}, {"y"});
    const OutlinePlan plan = planned(file, {.all = true});
    EXPECT_THAT(linesOf(plan), ElementsAre("att(x, x_1) -> (y) by att"));
    EXPECT_EQ(plan.functions[0].order, OrderEvidence::FirstUse);
}

class TwoOperands : public ProtoBuilder
{
public:
    TwoOperands()
    {
        input("q").input("k").output("y");
        node("Sub", "/att/Sub", {"q", "k"}, {"y"});
    }
};

TEST(PlanOutline, TheUserSaysInWhichOrderAFunctionTakes)
{
    const OutlinePlan found = planned(TwoOperands(), {.all = true});
    const OutlinePlan plan = planned(TwoOperands(), {.all = true, .orders = {{"att", {"x_1", "x"}, {}}}});
    EXPECT_THAT(linesOf(plan), ElementsAre("att(x_1, x) -> (y) by att"));
    EXPECT_EQ(plan.functions[0].order, OrderEvidence::User);
    EXPECT_THAT(
        plan.edits.calls[0].inputs, ElementsAre(found.edits.calls[0].inputs[1], found.edits.calls[0].inputs[0]));
    EXPECT_THAT(plan.refusals, IsEmpty());
}

TEST(PlanOutline, AnOrderOfOtherNamesIsNotTakenAndSaidSo)
{
    const OutlinePlan plan = planned(TwoOperands(), {.all = true, .orders = {{"att", {"mask", "x"}, {}}}});
    EXPECT_THAT(linesOf(plan), ElementsAre("att(x, x_1) -> (y) by att"));
    EXPECT_EQ(plan.functions[0].order, OrderEvidence::FirstUse);
    EXPECT_THAT(plan.refusals,
        ElementsAre(OutlineRefusal{"att",
            "the order that is wanted does not name what its function takes, which is made in the order found"}));
}

TEST(PlanOutline, TheFirstCallAloneHasANumber)
{
    const OutlinePlan plan = planned(TwoBlocks(), {.scopes = {"a#0"}});
    EXPECT_THAT(linesOf(plan), ElementsAre("a(x; lin.weight) -> (y) by a"));
}

/// m runs before and after a node that is none of its own.
class Interrupted : public ProtoBuilder
{
public:
    Interrupted()
    {
        input("x").output("y");
        node("Relu", "/m/Relu", {"x"}, {"/m/Relu_output_0"});
        node("Neg", "/Neg", {"/m/Relu_output_0"}, {"/Neg_output_0"});
        node("Abs", "/m/Abs", {"/Neg_output_0"}, {"y"});
    }
};

TEST(PlanOutline, WhatLeavesAndComesBackIsRefusedWithTheWay)
{
    const OutlinePlan plan = planned(Interrupted(), {.all = true});
    EXPECT_THAT(linesOf(plan), IsEmpty());
    EXPECT_THAT(plan.refusals,
        ElementsAre(OutlineRefusal{
            "m", "'/m/Relu_output_0' leaves it for '/Neg' and comes back as '/Neg_output_0' to '/m/Abs'"}));
}

TEST(PlanOutline, OrBecomesAsFewFunctionsAsItCan)
{
    const OutlinePlan plan = planned(Interrupted(), {.all = true, .split = true});
    EXPECT_THAT(linesOf(plan), ElementsAre("m(x) -> (y) by m", "m_2(x) -> (y) by m"));
    EXPECT_THAT(plan.refusals, IsEmpty());
}

TEST(PlanOutline, OfTwoThatNeedEachOtherOneIsRefused)
{
    ProtoBuilder file;
    file.input("x").output("y");
    file.node("Relu", "/a/Relu", {"x"}, {"p"});
    file.node("Neg", "/b/Neg", {"x"}, {"q"});
    file.node("Add", "/a/Add", {"q", "q"}, {"r"});
    file.node("Mul", "/b/Mul", {"p", "p"}, {"s"});
    file.node("Sub", "/Sub", {"r", "s"}, {"y"});
    const OutlinePlan plan = planned(file, {.all = true});
    EXPECT_EQ(plan.scopes.size(), 1U);
    ASSERT_EQ(plan.refusals.size(), 1U);
    EXPECT_THAT(plan.refusals[0].why, testing::EndsWith("need each other's results"));
}

TEST(PlanOutline, WhatABodyReadsIsAnInput)
{
    ProtoBuilder file;
    file.input("x").output("y").tensor("flag", {1}, onnx::TensorProto::BOOL).set_raw_data(std::string(1, '\1'));
    file.node("Neg", "/Neg", {"x"}, {"/Neg_output_0"});
    onnx::NodeProto& choice = file.node("If", "/m/If", {"flag"}, {"y"});
    for (const char* branch : {"then_branch", "else_branch"}) {
        auto body = test::addBody(choice, branch);
        body.node("Relu", "/m/Relu", {"/Neg_output_0"}, {std::string(branch) + "_out"});
        body.output(std::string(branch) + "_out");
    }
    EXPECT_THAT(linesOf(planned(file, {.all = true})), ElementsAre("m(x; constant) -> (y) by m"));
}

/// An If whose branches are y = act(lin(x)), each with modules of its own, behind another such layer.
class Branches : public ProtoBuilder
{
public:
    /// @param names of the modules in the branches
    explicit Branches(const std::vector<std::string>& names)
    {
        input("x", {2, 2}).output("y", {2, 2}).tensor("flag", {1}, onnx::TensorProto::BOOL).set_raw_data("\1");
        layer(*this, "a", "x", "h");
        onnx::NodeProto& choice = node("If", "/If", {"flag"}, {"y"});
        auto one = test::addBody(choice, "then_branch");
        layer(one, names[0], "h", "t");
        one.output("t", {2, 2});
        auto other = test::addBody(choice, "else_branch");
        layer(other, names[1], "x", "e");
        other.output("e", {2, 2});
    }

private:
    static void layer(
        test::GraphProtoBuilder& graph, const std::string& name, const std::string& from, const std::string& to)
    {
        graph.weight(name + ".lin.weight", {2, 2});
        graph.node("MatMul", "/" + name + "/lin/MatMul", {from, name + ".lin.weight"}, {"/" + name + "/lin/out"});
        graph.node("Relu", "/" + name + "/Relu", {"/" + name + "/lin/out"}, {to});
    }
};

TEST(PlanOutline, CallsInBranchesAreMadeThere)
{
    const OutlinePlan plan = planned(Branches({"b", "c"}), {.all = true});
    EXPECT_THAT(plan.refusals, IsEmpty());
    EXPECT_THAT(linesOf(plan),
        ElementsAre("lin(x; weight) -> (y) by If [else]/c/lin If [then]/b/lin a/lin",
            "Module(x; lin.weight) -> (y) by If [else]/c If [then]/b a"));
    std::set<std::uint32_t> regions;
    for (const OutlinedCall& call : plan.edits.calls)
        regions.insert(call.region.index);
    EXPECT_EQ(regions.size(), 3U);
    EXPECT_EQ(std::ranges::count_if(plan.edits.calls, &OutlinedCall::isNested), 3);
}

TEST(PlanOutline, AModuleInABranchTooIsCalledInBoth)
{
    const OutlinePlan plan = planned(Branches({"a", "c"}), {.scopes = {"a"}});
    EXPECT_THAT(plan.refusals, IsEmpty());
    EXPECT_THAT(linesOf(plan), ElementsAre("a(x; lin.weight) -> (y) by If [then]/a a"));
}

/// What its loop does goes along with it, whose modules ever run there.
TEST(PlanOutline, AModuleWhoseLoopCallsAnotherIsOneCallAllTheSame)
{
    ProtoBuilder file;
    file.input("x").output("y").tensor("trips", {}, onnx::TensorProto::INT64).add_int64_data(2);
    auto body = test::addBody(file.node("Loop", "/b/Loop", {"trips", "", "x"}, {"y"}), "body");
    body.input("i", {}).input("go", {}).input("s").output("go_on", {}).output("next");
    body.proto().mutable_input(0)->mutable_type()->mutable_tensor_type()->set_elem_type(onnx::TensorProto::INT64);
    for (auto* info : {body.proto().mutable_input(1), body.proto().mutable_output(0)})
        info->mutable_type()->mutable_tensor_type()->set_elem_type(onnx::TensorProto::BOOL);
    body.node("Identity", "/b/keep", {"go"}, {"go_on"});
    body.node("Neg", "/b/Neg", {"s"}, {"p"});
    body.node("Relu", "/m/Relu", {"p"}, {"q"});
    body.node("Abs", "/b/Abs", {"q"}, {"next"});
    for (const bool split : {false, true}) {
        const OutlinePlan plan = planned(file, {.all = true, .split = split});
        EXPECT_THAT(plan.refusals, IsEmpty());
        ASSERT_EQ(plan.edits.calls.size(), 2U);
        EXPECT_EQ(plan.edits.calls[0].region, RegionId(1)) << "what stands in the body comes first";
        EXPECT_EQ(plan.edits.calls[1].region, RegionId(0));
        EXPECT_EQ(plan.edits.calls[1].parts.size(), 1U);
    }
}

TEST(PlanOutline, RequestsOfNothingAreRefusedInOneLine)
{
    const TwoBlocks file;
    EXPECT_EQ(
        errorOf(file, {}), "nothing says which modules become functions: give --scope, --class, --depth or --all");
    EXPECT_EQ(errorOf(file, {.scopes = {"c"}}), "no module runs under this scope: c: see duoscope-cli scopes MODEL");
    EXPECT_EQ(errorOf(file, {.classes = {"Linear"}}),
        "no module that runs is of this class: Linear: see duoscope-cli scopes MODEL for classes");
    EXPECT_EQ(errorOf(file, {.depths = {7}}), "no module runs at this depth: 7: see duoscope-cli scopes MODEL");
}

} // namespace
} // namespace duo
