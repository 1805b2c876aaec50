// SPDX-License-Identifier: Apache-2.0
#include "core/onnx/reader.h"
#include "core/transform/half_ports.h"
#include "core/transform/halve.h"
#include "tests/core/transform/transformed.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using testing::ElementsAre;
using testing::UnorderedElementsAre;

namespace duo::test {
namespace {

std::shared_ptr<const Model> edited(const std::shared_ptr<const Model>& model, const EditList& edits)
{
    const auto made = convertedModel(model, edits, {});
    EXPECT_TRUE(made) << made.error().line();
    return made ? *made : model;
}

/// All values reach 2.
std::shared_ptr<const Model> halvedModelOf(const PassFile& file, const std::string& kept = {})
{
    const auto model = file.read();
    HalfRequest request{*model, ElementType::Float16, std::vector<std::string>(model->nodes.size()), {}};
    request.largest.assign(model->values.size(), 2.0F);
    if (!kept.empty())
        request.kept[model->findNode(kept).index] = "it is to stay float";
    return edited(model, *halve(request).edits);
}

TEST(HalvePorts, NoCastIsLeftWhereAllNodesComputeInSixteenBits)
{
    PassFile file;
    file.op("Relu", "relu", {"x"}, {"a"}).op("Add", "add", {"a", "x"}, {"y"}).output("y", {2, 3});
    const auto model = halvedModelOf(file);
    ASSERT_EQ(model->nodes.size(), 4U) << "casts at both ends";
    const HalvedPorts ports = halvePorts(*model, ElementType::Float16, {});
    EXPECT_TRUE(ports.floats.empty());
    const auto made = edited(model, ports.edits);
    EXPECT_THAT(nodeLines(*made), ElementsAre("Relu relu(x) -> a_half", "Add add(a_half, x) -> y"));
    for (const char* name : {"x", "y"})
        EXPECT_EQ(made->value(made->findValue(name)).type.element, ElementType::Float16) << name;
}

TEST(HalvePorts, AreNoneOfATypeThatTheOpsetCannotCastTo)
{
    for (const auto& [opset, why] :
        {std::pair(12, "opset 12 has no Cast of bfloat16, which came with 13"), std::pair(13, "")}) {
        PassFile file(opset);
        file.op("Exp", "exp", {"x"}, {"y"}).output("y", {2, 3});
        const auto model = file.read();
        HalfRequest request{*model, ElementType::BFloat16, {}, {}};
        request.largest.assign(model->values.size(), 2.0F);
        EXPECT_EQ(whyNotHalf(request)[model->findValue("x").index], why);
    }
}

/// A mean in 32 bits reads the input and goes out, as does what an Exp in 32 bits reads.
TEST(HalvePorts, WhatIsInThirtyTwoBitsHasACast)
{
    PassFile file;
    file.op("ReduceMean", "mean", {"x"}, {"m"}).op("Relu", "relu", {"x"}, {"a"});
    file.op("Exp", "exp", {"a"}, {"e"}).output("m", {1, 1}).output("a", {2, 3}).output("e", {2, 3});
    const auto model = halvedModelOf(file);
    const auto made = edited(model, halvePorts(*model, ElementType::Float16, {}).edits);
    EXPECT_THAT(nodeLines(*made),
        UnorderedElementsAre("Cast mean_to_float(x) -> x_float to=1", "ReduceMean mean(x_float) -> m_float",
            "Cast mean_to_half(m_float) -> m to=10", "Relu relu(x) -> a", "Cast relu_to_float(a) -> a_float to=1",
            "Exp exp(a_float) -> e_float", "Cast exp_to_half(e_float) -> e to=10"));
}

/// So that it can be fed, and looked at, beside the model it was made of.
TEST(RetypePorts, GiveBackInThirtyTwoBitsWhatIsOfSixteen)
{
    PassFile file;
    file.op("Relu", "relu", {"x"}, {"a"}).op("Add", "add", {"a", "x"}, {"y"}).output("y", {2, 3});
    const auto half = halvedModelOf(file);
    const auto typed = edited(half, halvePorts(*half, ElementType::Float16, {}).edits);
    std::vector<ElementType> wanted(typed->values.size(), ElementType::Undefined);
    for (const char* name : {"x", "y"})
        wanted[typed->findValue(name).index] = ElementType::Float32;
    const auto made = edited(typed, retypePorts(*typed, wanted, {}).edits);
    EXPECT_THAT(nodeLines(*made),
        UnorderedElementsAre("Cast relu_to_half(x) -> x_half to=10", "Relu relu(x_half) -> a_half",
            "Add add(a_half, x_half) -> y_half", "Cast add_to_float(y_half) -> y to=1"));
    for (const char* name : {"x", "y"})
        EXPECT_EQ(made->value(made->findValue(name)).type.element, ElementType::Float32) << name;
}

TEST(HalvePorts, SaysWhatCannotBeOfSixteenBits)
{
    PassFile file;
    file.op("Relu", "relu", {"x"}, {"y"}).output("y", {2, 3});
    const auto model = halvedModelOf(file);
    std::vector<std::string> whyNot(model->values.size());
    whyNot[model->findValue("x").index] = "which reaches 60000";
    const HalvedPorts ports = halvePorts(*model, ElementType::Float16, whyNot);
    ASSERT_EQ(ports.floats.size(), 1U);
    EXPECT_EQ(model->value(ports.floats.front().first).name, "x");
    EXPECT_EQ(ports.floats.front().second, "which reaches 60000");
}

} // namespace
} // namespace duo::test
