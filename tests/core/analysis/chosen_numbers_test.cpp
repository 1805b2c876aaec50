// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/chosen_numbers.h"

#include "core/analysis/outputs_apart.h"
#include "core/onnx/reader.h"
#include "core/support/bytes_of.h"
#include "tests/support/proto_builder.h"

#include <gtest/gtest.h>

namespace duo {
namespace {

/// "found" is looked up in a table at the place that `op` chooses of "x"; "rest" is computed beside it.
std::shared_ptr<const Model> lookUp(const char* op, ElementType type = ElementType::Float32)
{
    test::ProtoBuilder network;
    network.input("x", {8}).output("found", {1}).output("rest", {8}).weight("table", {8});
    network.proto().mutable_input(0)->mutable_type()->mutable_tensor_type()->set_elem_type(static_cast<int>(type));
    network.node(op, "choose", {"x"}, {"place"});
    network.node("Gather", "look", {"table", "place"}, {"entry"});
    network.node("Exp", "last", {"entry"}, {"found"});
    network.node("Neg", "other", {"x"}, {"rest"});
    return *readModelBytes(network.bytes(), "m.onnx");
}

bool isChosen(const std::shared_ptr<const Model>& model, const char* output)
{
    return isChosen(*model, model->findValue(output));
}

TEST(ChosenNumbers, HangOnAPlaceThatIsChosen)
{
    EXPECT_TRUE(isChosen(lookUp("ArgMax"), "found"));
    EXPECT_TRUE(isChosen(lookUp("ArgMin"), "found"));
    EXPECT_FALSE(isChosen(lookUp("ArgMax"), "rest"));
    EXPECT_FALSE(isChosen(lookUp("Abs"), "found"));
}

TEST(ChosenNumbers, WhatWholeNumbersChooseHangsOnTheInputAlone)
{
    EXPECT_FALSE(isChosen(lookUp("ArgMax", ElementType::Int64), "found")); // the end of a sentence, say
}

HostTensor numbers(const std::vector<float>& values)
{
    return {"y", ElementType::Float32, {1, static_cast<std::int64_t>(values.size())}, bytesOf(values)};
}

TEST(ChosenNumbers, AreTheSameToWithinATenth)
{
    const HostTensor a = numbers({100, -100, 100, 0, 0});
    const HostTensor b = numbers({109, -91, 111, 0, 1});
    const OutputApart apart = apartIn(viewOf(a), viewOf(b), {.isChosen = true});
    EXPECT_EQ(apart.answers().kind, AnswerKind::ChosenNumber);
    EXPECT_EQ(apart.answers().all, 5);
    EXPECT_EQ(apart.answers().agreeing, 3);
}

TEST(ChosenNumbers, ClassScoresStayClasses)
{
    const HostTensor shares = numbers({0.25F, 0.75F});
    EXPECT_EQ(apartIn(viewOf(shares), viewOf(shares), {.isChosen = true}).answers().kind, AnswerKind::Class);
}

} // namespace
} // namespace duo
