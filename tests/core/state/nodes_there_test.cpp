// SPDX-License-Identifier: Apache-2.0
#include "core/state/nodes_there.h"

#include "tests/support/model_builder.h"

#include <gtest/gtest.h>

namespace duo {
namespace {

using test::ModelBuilder;

/// Each of two inputs through a node of its own.
std::shared_ptr<const Model> ofTwoInputs(const std::string& first, const std::string& second)
{
    ModelBuilder model;
    model.input(first, {1, 4}).input(second, {1, 4}).output("u").output("v");
    model.node("Relu", "n" + first, {"x"}, {"u"}).node("Tanh", "n" + second, {"y"}, {"v"});
    return model.build();
}

Scopes noScopes(const Model& model)
{
    Scopes scopes;
    scopes.nodes.resize(model.nodes.size());
    return scopes;
}

TEST(NodesThere, InputsOfTheModelAreThoseOfTheirNames)
{
    const auto then = ofTwoInputs("x", "y");
    const auto now = ofTwoInputs("y", "x");
    const GraphRecord recorded = graphRecord(*then, noScopes(*then));
    const NodesThere there(*now, noScopes(*now), recorded);
    EXPECT_EQ(now->value(there.input(0)).name, "x");
    EXPECT_EQ(now->value(there.input(1)).name, "y");
    EXPECT_FALSE(there.input(2).valid());
    EXPECT_EQ(there.inputFoundBy(0), FoundBy::Name);
    EXPECT_EQ(now->node(there.find("nx")).opType, "Relu");
    EXPECT_TRUE(there.isRecorded(there.input(0)));
}

TEST(NodesThere, CountsInputsWhereTheirNamesAreOtherOnesOrWereNotRecorded)
{
    const auto then = ofTwoInputs("x", "y");
    ModelBuilder model;
    model.input("p", {1, 4}).input("q", {1, 4}).output("u").output("v");
    model.node("Relu", "a", {"p"}, {"u"}).node("Tanh", "b", {"q"}, {"v"});
    const auto now = model.build();
    GraphRecord recorded = graphRecord(*then, noScopes(*then));
    const NodesThere there(*now, noScopes(*now), recorded);
    EXPECT_EQ(now->value(there.input(1)).name, "q");
    EXPECT_EQ(there.inputFoundBy(1), FoundBy::Position);
    recorded.inputNames.reset();
    const NodesThere older(*now, noScopes(*now), recorded);
    EXPECT_EQ(now->value(older.input(1)).name, "q");
    EXPECT_EQ(older.inputFoundBy(1), FoundBy::Name);
}

TEST(NodesThere, FindsTheSameNodesInAModelThatWasChanged)
{
    const auto then = ofTwoInputs("x", "y");
    ModelBuilder model;
    model.input("x", {1, 4}).input("y", {1, 4}).output("u").output("v");
    model.node("Abs", "added", {"x"}, {"h"}).node("Relu", "nx", {"h"}, {"u"}).node("Tanh", "ny", {"y"}, {"v"});
    const auto changed = model.build();
    const GraphRecord recorded = graphRecord(*changed, noScopes(*changed));
    const NodesThere before(*then, noScopes(*then), recorded);
    EXPECT_FALSE(before.find("added").valid());
    const NodesThere there = before.in(*changed, {{"added", "added", "nx"}});
    EXPECT_EQ(changed->node(there.find("added")).opType, "Abs");
    EXPECT_EQ(changed->node(there.find("ny")).opType, "Tanh");
    EXPECT_TRUE(there.isRecorded(there.find("added")));
}

/// The changed model numbers its nodes otherwise than the one that is looked through.
TEST(NodesThere, TheNearestNodesAreFreeOnesAlsoWhereTheModelWasChanged)
{
    ModelBuilder recorded;
    recorded.input("x", {1, 4}).output("u").output("v");
    recorded.node("Relu", "a", {"x"}, {"u"}).node("Tanh", "t", {"u"}, {"w"}).node("Relu", "gone", {"w"}, {"v"});
    const auto then = recorded.build();
    ModelBuilder present;
    present.input("x", {1, 4}).output("u").node("Relu", "a", {"x"}, {"u"});
    const auto now = present.build();
    ModelBuilder withMore;
    withMore.input("x", {1, 4}).output("u");
    withMore.node("Abs", "added", {"x"}, {"h"}).node("Relu", "a", {"h"}, {"u"});
    const auto changed = withMore.build();
    const NodesThere before(*now, noScopes(*now), graphRecord(*then, noScopes(*then)));
    EXPECT_EQ(before.nearest("gone"), "");
    EXPECT_EQ(before.in(*changed, {}).nearest("gone"), "");
}

} // namespace
} // namespace duo
