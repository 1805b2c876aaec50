// SPDX-License-Identifier: Apache-2.0
#include "core/model/model.h"

#include "tests/support/model_builder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using duo::test::ModelBuilder;
using ::testing::ElementsAre;

namespace duo {
namespace {

std::vector<std::string> names(const Model& model, const std::vector<NodeId>& ids)
{
    std::vector<std::string> result;
    for (const NodeId id : ids)
        result.push_back(model.node(id).name);
    return result;
}

TEST(SealModel, OrdersAnUnsortedFileAndKeepsASortedOne)
{
    const auto model = ModelBuilder()
                           .input("x")
                           .node("Relu", "second", {"a"}, {"y"})
                           .node("Abs", "first", {"x"}, {"a"})
                           .output("y")
                           .build();
    EXPECT_THAT(names(*model, model->order), ElementsAre("first", "second"));
}

TEST(SealModel, RefusesACycleAndNamesANodeOnIt)
{
    const auto model = ModelBuilder()
                           .input("x")
                           .node("Relu", "before", {"x"}, {"p"})
                           .node("Add", "a", {"p", "c"}, {"b"})
                           .node("Abs", "b", {"b"}, {"c"})
                           .node("Abs", "behind", {"c"}, {"y"})
                           .output("y")
                           .tryBuild();
    ASSERT_FALSE(model);
    EXPECT_EQ(model.error().what, "the graph has a cycle");
    EXPECT_THAT(model.error().where, ::testing::AnyOf("node 'a'", "node 'b'"));
}

TEST(SealModel, NamesUnnamedAndRepeatedNodesAfterTypeAndFirstOutput)
{
    const auto model = ModelBuilder()
                           .input("x")
                           .node("Relu", "", {"x"}, {"r"})
                           .node("Abs", "same", {"r"}, {"s"})
                           .node("Abs", "same", {"s"}, {"t"})
                           .output("t")
                           .build();
    EXPECT_THAT(names(*model, model->order), ElementsAre("Relu:r", "same", "Abs:t"));
    ASSERT_EQ(model->notes.size(), 2U);
    EXPECT_EQ(model->notes[0],
        (Note{"renamed-node", "a node has no name in the file; it is called by its type and first output here",
            "Relu:r"}));
    EXPECT_EQ(model->notes[1].text,
        "a node has the name of another one in the file; it is called by its type and first output here");
    EXPECT_EQ(model->notes[1].where, "Abs:t");
}

TEST(SealModel, AnInventedNameNeverPushesARealOneAway)
{
    const auto model = ModelBuilder()
                           .input("x")
                           .node("Relu", "", {"x"}, {"r"})
                           .node("Abs", "Relu:r", {"r"}, {"y"})
                           .output("y")
                           .build();
    EXPECT_THAT(names(*model, model->order), ElementsAre("Relu:r:0", "Relu:r"));
}

TEST(SealModel, LinksProducersAndUses)
{
    const auto model
        = ModelBuilder().input("x").weight("w", {2, 2}).node("MatMul", "m", {"x", "w"}, {"y"}).output("y").build();
    const Value& y = model->value(model->findValue("y"));
    EXPECT_EQ(y.producer, model->findNode("m"));
    EXPECT_THAT(model->value(model->findValue("w")).uses, ElementsAre(Use{model->findNode("m"), 1}));
}

TEST(SealModel, InfersElementTypes)
{
    const auto model = ModelBuilder()
                           .input("x")
                           .node("Shape", "shape", {"x"}, {"s"})
                           .node("Relu", "relu", {"x"}, {"y"})
                           .node("Equal", "equal", {"x", "y"}, {"e"})
                           .output("e")
                           .build();
    EXPECT_EQ(model->value(model->findValue("s")).type.element, ElementType::Int64);
    EXPECT_EQ(model->value(model->findValue("y")).type.element, ElementType::Float32);
    EXPECT_EQ(model->value(model->findValue("e")).type.element, ElementType::Bool);
}

} // namespace
} // namespace duo
