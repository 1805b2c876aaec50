// SPDX-License-Identifier: Apache-2.0
#include "core/outline/plan_outline.h"

#include "core/onnx/reader.h"
#include "core/scope/scope.h"
#include "tests/core/outline/with_signatures.h"
#include "tests/support/proto_builder.h"

#include <gtest/gtest.h>

namespace duo {
namespace {

using test::ProtoBuilder;

/// `attn(bias, hidden, *, mask)` returns weights and result; it uses hidden first.
class Net : public ProtoBuilder
{
public:
    Net()
    {
        input("x").input("mask").output("out");
        node("Neg", "/norm/Neg", {"x"}, {"hidden"});
        node("Abs", "/Abs", {"mask"}, {"relu"});
        node("Exp", "/attn/Exp", {"hidden"}, {"e"});
        node("Add", "/attn/Add", {"e", "mask"}, {"w"});
        node("Mul", "/attn/Mul", {"w", "relu"}, {"y"});
        node("Add", "/Add", {"w", "y"}, {"out"});
    }
};

CallSignature attention()
{
    return {.module = "attn",
        .inputs = {{.value = "relu"}, {.value = "hidden", .module = "norm"},
            {.formal = "mask", .value = "mask", .isInput = true}},
        .outputs = {{.value = "w", .module = "attn"}, {.value = "y", .module = "attn"}},
        .isClosed = true};
}

std::string planned(const ProtoBuilder& file, const std::vector<CallSignature>& signatures)
{
    const auto model = readModelBytes(file.bytes(), "test.onnx");
    EXPECT_TRUE(model) << model.error().line();
    const auto plan = planOutline(**model, test::scopesWith(**model, signatures), {.scopes = {"attn"}});
    EXPECT_TRUE(plan) << plan.error().line();
    if (!plan || plan->functions.size() != 1)
        return {};
    std::string text(orderText(plan->functions[0].order));
    for (const ValueId value : plan->edits.calls[0].inputs)
        text += " " + (*model)->value(value).name;
    text += " ->";
    for (const ValueId value : plan->edits.calls[0].outputs)
        text += " " + (*model)->value(value).name;
    return text + ": " + signatureText(plan->edits.functions[0], plan->functions[0]);
}

constexpr const char* kGuess = "first-use hidden mask relu -> y w: attn(x, x_1, x_2) -> (y, y_1)";

TEST(RecordedOrder, ACallIsMadeAsItsRecordHasIt)
{
    EXPECT_EQ(planned(Net(), {attention()}), "recorded relu hidden mask -> w y: attn(x, x_1, mask) -> (y, y_1)");
    EXPECT_EQ(planned(Net(), {}), kGuess);
}

TEST(RecordedOrder, ValuesOfOtherNamesAreToldByTheModulesThatMakeThem)
{
    CallSignature signature = attention();
    signature.inputs[0].value = "r";
    signature.inputs[1].value = "layer_norm";
    EXPECT_EQ(planned(Net(), {signature}), "recorded relu hidden mask -> w y: attn(x, x_1, mask) -> (y, y_1)");
}

TEST(RecordedOrder, TwoValuesOfOneModuleAreNotToldApartWithoutTheirNames)
{
    CallSignature signature = attention();
    signature.outputs[1].value = "result";
    EXPECT_EQ(planned(Net(), {signature}), "recorded relu hidden mask -> w y: attn(x, x_1, mask) -> (y, y_1)")
        << "of two outputs one is told, and the other is what is left";
    signature.outputs[0].value = "weights";
    EXPECT_EQ(planned(Net(), {signature}), kGuess);
}

TEST(RecordedOrder, ModulesTellValuesOnlyWhereNothingElseGoesInAndOut)
{
    CallSignature signature = attention();
    signature.inputs[0].value = "r";
    signature.isClosed
        = false; // a tensor that the module found elsewhere may stand in the place of one it does not read
    EXPECT_EQ(planned(Net(), {signature}), kGuess);
}

TEST(RecordedOrder, ModulesTellNoValueThatTheProgramDoesNotRead)
{
    CallSignature signature = attention();
    signature.inputs[0].value = "r";
    signature.inputs[0].isRead = false;
    EXPECT_EQ(planned(Net(), {signature}), kGuess);
}

TEST(RecordedOrder, ARecordThatLacksAValueIsNotOfThisCall)
{
    CallSignature signature = attention();
    signature.inputs.erase(signature.inputs.begin());
    EXPECT_EQ(planned(Net(), {signature}), kGuess);
}

TEST(RecordedOrder, WhatTheCallDoesNotReadIsPassedOver)
{
    CallSignature signature = attention();
    signature.inputs.insert(signature.inputs.begin(), {.formal = "dropout", .value = "d"});
    EXPECT_EQ(planned(Net(), {signature}), "recorded relu hidden mask -> w y: attn(x, x_1, mask) -> (y, y_1)");
}

TEST(RecordedOrder, AValueGivenTwiceIsOneInput)
{
    CallSignature signature = attention();
    signature.inputs.insert(signature.inputs.begin(), {.formal = "key", .value = "hidden", .module = "norm"});
    EXPECT_EQ(planned(Net(), {signature}), "recorded hidden relu mask -> w y: attn(key, x, mask) -> (y, y_1)");
}

TEST(RecordedOrder, AValueOfAnotherTypeIsNotTheOneOfTheRecord)
{
    CallSignature signature = attention();
    signature.inputs[2].type.element = ElementType::Int64;
    EXPECT_EQ(planned(Net(), {signature}), kGuess);
}

TEST(RecordedOrder, ASignatureOfAnotherModuleSaysNothing)
{
    CallSignature signature = attention();
    signature.module = "norm";
    EXPECT_EQ(planned(Net(), {signature}), kGuess);
}

TEST(RecordedOrder, OfTwoCallsEachIsFoundByTheNamesOfItsValues)
{
    CallSignature other = attention();
    other.inputs = {{.value = "a"}, {.value = "b", .module = "norm"}, {.formal = "mask", .value = "c"}};
    EXPECT_EQ(planned(Net(), {other, attention()}), "recorded relu hidden mask -> w y: attn(x, x_1, mask) -> (y, y_1)");
    EXPECT_EQ(planned(Net(), {other, other}), kGuess) << "which of two calls this is nobody says";
}

} // namespace
} // namespace duo
