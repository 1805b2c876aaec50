// SPDX-License-Identifier: Apache-2.0
// What calls give though nobody reads it: values of theirs that a record names, and inputs that they give back.
#include "core/onnx/outlined_model.h"
#include "core/onnx/reader.h"
#include "core/outline/plan_outline.h"
#include "core/scope/scope.h"
#include "tests/core/outline/with_signatures.h"
#include "tests/core/transform/old_file.h"
#include "tests/support/proto_builder.h"
#include "tests/support/written_bytes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <onnx.pb.h>

#include <set>
#include <span>

namespace duo {
namespace {

using test::ProtoBuilder;
using testing::ElementsAre;

/// `a` and `b` are one class; `inner` makes weights that `a` uses itself, and that nobody else reads.
class Net : public ProtoBuilder
{
public:
    Net()
    {
        input("x").input("mask").output("out");
        addBlock("a", "x", "h");
        addBlock("b", "h", "k");
        node("Add", "/Add", {"k", "mask"}, {"out"});
    }

private:
    void addBlock(const std::string& name, const std::string& from, const std::string& to)
    {
        node("Softmax", "/" + name + "/inner/Softmax", {from}, {name + ".weights"});
        node("Mul", "/" + name + "/Mul", {name + ".weights", "mask"}, {name + ".scaled"});
        node("Add", "/" + name + "/Add", {name + ".scaled", from}, {to});
    }
};

/// `forward(mask, x)` returns weights, mask and result.
CallSignature ofA()
{
    return {.module = "a",
        .inputs = {{.formal = "mask", .value = "mask", .isInput = true}, {.value = "x", .isInput = true}},
        .outputs = {{.value = "a.weights", .module = "a.inner"}, {.value = "mask", .isInput = true},
            {.value = "h", .module = "a"}},
        .isClosed = true};
}

struct Outlined {
    std::shared_ptr<const Model> before;
    OutlinePlan plan;
    std::shared_ptr<const Model> after;
};

Outlined outlined(const ProtoBuilder& file, const OutlineRequest& request, const std::vector<CallSignature>& signatures)
{
    const auto model = readModelBytes(file.bytes(), "test.onnx");
    EXPECT_TRUE(model) << model.error().line();
    auto plan = planOutline(**model, test::scopesWith(**model, signatures), request);
    EXPECT_TRUE(plan) << plan.error().line();
    auto after = outlinedModel(*model, plan->edits);
    EXPECT_TRUE(after) << after.error().line();
    return {*model, *std::move(plan), after ? *after : nullptr};
}

std::vector<std::string> linesOf(const Outlined& made)
{
    std::vector<std::string> lines;
    for (std::size_t f = 0; f < made.plan.functions.size(); ++f)
        lines.push_back(std::string(orderText(made.plan.functions[f].order)) + " "
            + signatureText(made.plan.edits.functions[f], made.plan.functions[f]));
    return lines;
}

std::shared_ptr<const Model> back(const std::shared_ptr<const Model>& model)
{
    std::set<FunctionName> names;
    for (const LocalFunction& function : localFunctions(*model))
        names.emplace(function.domain, function.name);
    const auto inlined = inlinedModel(model, names);
    EXPECT_TRUE(inlined) << inlined.error().line();
    return inlined ? inlined->model : nullptr;
}

TEST(GivenValues, ThatNobodyReadsAreOutputsWhereTheRecordNamesThem)
{
    const Outlined made = outlined(Net(), {.scopes = {"a"}}, {ofA()});
    EXPECT_THAT(linesOf(made), ElementsAre("recorded a(mask, x) -> (y, mask_out, y_1)"));
    const Outlined guessed = outlined(Net(), {.scopes = {"a"}}, {});
    EXPECT_THAT(linesOf(guessed), ElementsAre("first-use a(x, x_1) -> (y)"));
}

TEST(GivenValues, TheLastOneLeftIsTheLastRecordWhateverItIsCalled)
{
    CallSignature signature = ofA();
    signature.outputs[2].value = "view";
    EXPECT_THAT(linesOf(outlined(Net(), {.scopes = {"a"}}, {signature})),
        ElementsAre("recorded a(mask, x) -> (y, mask_out, y_1)"));
    signature.outputs.insert(signature.outputs.begin(), {.value = "another", .module = "a"});
    EXPECT_THAT(linesOf(outlined(Net(), {.scopes = {"a"}}, {signature})), ElementsAre("recorded a(mask, x) -> (y)"))
        << "of two that are left nobody says which it is, so that only what is read is given";
}

TEST(GivenValues, OfInnerCallsAreGivenByThemToo)
{
    const Outlined made = outlined(Net(), {.scopes = {"a", "a/inner"}}, {ofA()});
    EXPECT_THAT(linesOf(made), ElementsAre("only-one inner(x) -> (y)", "recorded a(mask, x) -> (y, mask_out, y_1)"));
}

TEST(GivenValues, OfCallsAlikeAreTheSameWhereOneIsRecorded)
{
    const Outlined made = outlined(Net(), {.scopes = {"a", "b"}}, {ofA()});
    EXPECT_THAT(linesOf(made), ElementsAre("recorded Module(mask, x) -> (y, mask_out, y_1)"));
    std::string outputs;
    for (const OutlinedCall& call : made.plan.edits.calls) {
        for (const ValueId output : call.outputs)
            outputs += output.valid() ? made.before->value(output).name + " " : "- ";
    }
    EXPECT_EQ(outputs, "b.weights - k a.weights - h ");
}

TEST(GivenValues, ComeBackAsTheyWere)
{
    for (const OutlineRequest& request : {OutlineRequest{.scopes = {"a"}}, OutlineRequest{.all = true}}) {
        const Outlined made = outlined(Net(), request, {ofA()});
        EXPECT_EQ(*test::writtenBytes(*made.before), *test::writtenBytes(*back(made.after)));
    }
}

TEST(GivenValues, AreWhereTheUserPutsThem)
{
    const Outlined made
        = outlined(Net(), {.scopes = {"a"}, .orders = {{"a", {"x", "mask"}, {"mask_out", "y_1", "y"}}}}, {ofA()});
    EXPECT_THAT(linesOf(made), ElementsAre("user a(x, mask) -> (mask_out, y_1, y)"));
    EXPECT_EQ(*test::writtenBytes(*made.before), *test::writtenBytes(*back(made.after)));
}

TEST(GivenValues, ThatAreReadByNowStay)
{
    const Outlined made = outlined(Net(), {.scopes = {"a"}}, {ofA()});
    onnx::ModelProto proto;
    ASSERT_TRUE(proto.ParseFromString(*test::writtenBytes(*made.after)));
    for (auto& node : *proto.mutable_graph()->mutable_node()) {
        if (node.op_type() == "a")
            node.set_output(1, "given_back");
        if (node.name() == "/Add")
            node.set_input(1, "given_back");
    }
    const auto owner = std::make_shared<const std::string>(proto.SerializeAsString());
    const auto read = readModelBytes({owner, std::as_bytes(std::span(owner->data(), owner->size()))}, "test.onnx");
    ASSERT_TRUE(read) << read.error().line();
    const auto lines = test::nodeLines(*back(*read));
    EXPECT_THAT(lines, testing::Contains("Identity /a/Identity(mask) -> given_back"));
    EXPECT_THAT(lines, testing::Contains("Add /Add(k, given_back) -> out"));
}

/// `forward(x, state)` of `a` returns its result and the state, which it does not read.
class Stateful : public ProtoBuilder
{
public:
    Stateful()
    {
        input("x").input("mask").output("out");
        node("Neg", "/b/Neg", {"mask"}, {"state"});
        node("Exp", "/a/Exp", {"x"}, {"h"});
        node("Add", "/b/Add", {"h", "state"}, {"late"});
        node("Abs", "/Abs", {"late"}, {"out"});
    }
};

/// @param given the name of the output that gives it back; "" as programs record it
CallSignature passing(const SignatureValue& value, const std::string& given = {})
{
    CallSignature signature{.module = "a",
        .inputs = {{.value = "x", .isInput = true}, value},
        .outputs = {{.value = "h", .module = "a"}, value}};
    signature.outputs.back().formal = given;
    return signature;
}

TEST(PassedValues, ThatTheCallDoesNotReadAreTakenByIt)
{
    const Outlined made
        = outlined(Stateful(), {.scopes = {"a"}}, {passing({.formal = "state", .value = "state", .module = "b"})});
    EXPECT_THAT(linesOf(made), ElementsAre("recorded a(x, state) -> (y, state_out)"));
    EXPECT_EQ(*test::writtenBytes(*made.before), *test::writtenBytes(*back(made.after)));
    const Outlined ofModel
        = outlined(Stateful(), {.scopes = {"a"}}, {passing({.formal = "mask", .value = "mask", .isInput = true})});
    EXPECT_THAT(linesOf(ofModel), ElementsAre("recorded a(x, mask) -> (y, mask_out)"));
}

TEST(PassedValues, HaveTheNamesOfTheirRecord)
{
    const Outlined made = outlined(
        Stateful(), {.scopes = {"a"}}, {passing({.formal = "state", .value = "state", .module = "b"}, "next")});
    EXPECT_THAT(linesOf(made), ElementsAre("recorded a(x, state) -> (y, next)"));
}

TEST(PassedValues, ThatAreNotThereBeforeTheCallAreNotTaken)
{
    const Outlined later = outlined(Stateful(), {.scopes = {"a"}}, {passing({.value = "late", .module = "b"})});
    EXPECT_THAT(linesOf(later), ElementsAre("only-one a(x) -> (y)"));
    const Outlined ofACallThatNeedsIt
        = outlined(Stateful(), {.scopes = {"a", "b"}}, {passing({.value = "state", .module = "b"})});
    EXPECT_THAT(linesOf(ofACallThatNeedsIt), testing::Contains("only-one a(x) -> (y)"));
}

TEST(PassedValues, ThatNoValueOfTheModelIsAreLeftOut)
{
    const Outlined made = outlined(Stateful(), {.scopes = {"a"}}, {passing({.value = "gone", .module = "b"})});
    EXPECT_THAT(linesOf(made), ElementsAre("only-one a(x) -> (y)"));
}

TEST(GivenValues, AreNoneWhereRecordsOfCallsThatShareDiffer)
{
    CallSignature ofB{.module = "b",
        .inputs = {{.value = "mask", .isInput = true}, {.value = "h", .module = "a"}},
        .outputs = {{.value = "k", .module = "b"}}};
    const Outlined made = outlined(Net(), {.scopes = {"a", "b"}}, {ofA(), ofB});
    EXPECT_THAT(linesOf(made), ElementsAre("first-use Module(x, x_1) -> (y)"));
    EXPECT_EQ(made.plan.functions[0].unrecorded, "calls that share it are recorded in different orders");
}

TEST(GivenValues, OfAMissingRecordAreSaidToBeMissing)
{
    CallSignature other = ofA();
    other.inputs[1].value = "z";
    CallSignature gone = ofA();
    gone.module = "dropout";
    const Outlined made = outlined(Net(), {.scopes = {"a"}}, {other, gone});
    EXPECT_THAT(linesOf(made), ElementsAre("first-use a(x, x_1) -> (y)"));
    EXPECT_EQ(made.plan.functions[0].unrecorded, "no record of the call has 'x' among what it takes");
    EXPECT_THAT(made.plan.dissolved, ElementsAre("dropout"));
}

} // namespace
} // namespace duo
