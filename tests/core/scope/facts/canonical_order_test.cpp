// SPDX-License-Identifier: Apache-2.0
// The canonical order of nodes: what they compute decides, not where they stand.
#include "core/scope/facts/canonical_order.h"
#include "tests/support/model_builder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace duo::test {
namespace {

std::vector<std::string> namesInOrder(const Model& model)
{
    std::vector<std::string> names;
    for (const NodeId id : canonicalOrder(model).sequence)
        names.push_back(model.node(id).name);
    return names;
}

TEST(CanonicalOrder, ChainsSideBySideComeOneAfterTheOther)
{
    ModelBuilder builder;
    builder.input("x", {1, 4}).input("z", {1, 4});
    builder.node("Relu", "a0", {"x"}, {"1"}).node("Relu", "b0", {"z"}, {"2"});
    builder.node("Neg", "a1", {"1"}, {"3"}).node("Neg", "b1", {"2"}, {"4"});
    builder.node("Add", "join", {"3", "4"}, {"y"}).output("y");
    EXPECT_THAT(namesInOrder(*builder.build()), testing::ElementsAre("a0", "a1", "b0", "b1", "join"));
}

TEST(CanonicalOrder, TheLongerWayComesFirst)
{
    ModelBuilder builder;
    builder.input("x", {1, 4}).node("Relu", "near", {"x"}, {"1"}).node("Neg", "far0", {"x"}, {"2"});
    builder.node("Neg", "far1", {"2"}, {"3"}).node("Add", "join", {"1", "3"}, {"y"}).output("y");
    EXPECT_THAT(namesInOrder(*builder.build()), testing::ElementsAre("far0", "far1", "near", "join"));
}

TEST(CanonicalOrder, ConstantsStandBeforeTheirFirstReaderAndMoveNothing)
{
    ModelBuilder builder;
    builder.input("x", {1, 4}).node("Constant", "one", {}, {"c"}).node("Relu", "a", {"x"}, {"1"});
    builder.node("Add", "b", {"1", "c"}, {"y"}).output("y");
    EXPECT_THAT(namesInOrder(*builder.build()), testing::ElementsAre("a", "one", "b"));
}

TEST(CanonicalOrder, WhatNothingReadsComesLast)
{
    ModelBuilder builder;
    builder.input("x", {1, 4}).node("Neg", "dead", {"x"}, {"1"}).node("Relu", "a", {"x"}, {"y"}).output("y");
    EXPECT_THAT(namesInOrder(*builder.build()), testing::ElementsAre("a", "dead"));
}

} // namespace
} // namespace duo::test
