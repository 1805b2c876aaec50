// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/error_start.h"

#include "core/onnx/reader.h"
#include "tests/support/proto_builder.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

namespace duo {
namespace {

/// x -> a -> b -> c -> y, and x -> d beside them; `order` is that of the nodes in the file.
std::shared_ptr<const Model> chain(bool isReversed)
{
    test::ProtoBuilder network;
    network.input("x").output("y").output("d");
    const std::vector<std::pair<std::string, std::string>> steps{{"x", "a"}, {"a", "b"}, {"b", "c"}, {"c", "y"}};
    if (isReversed)
        network.node("Abs", "to_d", {"x"}, {"d"});
    for (const auto& [from, to] : steps)
        network.node("Relu", "to_" + to, {from}, {to});
    if (!isReversed)
        network.node("Abs", "to_d", {"x"}, {"d"});
    return *readModelBytes(network.bytes(), "m.onnx");
}

ValueDifference at(const std::string& name, double db)
{
    ValueDifference difference;
    difference.name = name;
    difference.sqnrDb = db;
    return difference;
}

/// As if every node made what is measured of it.
std::vector<OwnError> allOwn(
    const std::vector<NodeId>& nodes, const std::vector<ValueDifference>& values, const Model& model)
{
    std::vector<OwnError> errors;
    for (const NodeId id : nodes) {
        const auto value
            = std::ranges::find(values, model.value(model.node(id).outputs.front()).name, &ValueDifference::name);
        if (value == values.end())
            continue;
        const double noise = std::pow(10, -*value->sqnrDb / 10);
        errors.push_back({id, noise, noise, {}});
    }
    return errors;
}

std::vector<ErrorStart> startsOf(const Model& model, const std::vector<ValueDifference>& values)
{
    return errorStarts(model, values, [&](const std::vector<NodeId>& nodes) { return allOwn(nodes, values, model); });
}

/// Of "to_b": `own` of its noise is its own, the rest comes by `a`; "to_a" makes `ownOfA` of its own.
MeasureOwnErrors mixed(const Model& model, double own, double ownOfA)
{
    return [&model, own, ownOfA](const std::vector<NodeId>&) {
        const double ofB = std::pow(10, -0.8);
        const double ofA = std::pow(10, -2.5);
        const NodeId toA = model.findNode("to_a");
        const NodeId toB = model.findNode("to_b");
        return std::vector<OwnError>{
            {toA, ofA, ownOfA * ofA, {}}, {toB, ofB, own * ofB, {{model.findValue("a"), (1 - own) * ofB}}}};
    };
}

TEST(ErrorStart, WholeNumbersThatDifferAreNoStart)
{
    const auto model = chain(false);
    std::vector<ValueDifference> values{at("a", 40), at("b", 0), at("c", 5)};
    values[1].sqnrDb.reset();
    values[1].equal = 0.9;
    const auto starts = errorStarts(*model, values, [](const auto&) { return std::vector<OwnError>(); });
    ASSERT_EQ(starts.size(), 1U);
    EXPECT_EQ(starts[0].value, "c");
    EXPECT_EQ(starts[0].inputDb, 40);
}

TEST(ErrorStart, WhatIsNotFiniteStartsOnce)
{
    const auto model = chain(false);
    std::vector<ValueDifference> values{at("a", 40), at("b", 0), at("c", 0), at("y", 0)};
    for (std::size_t i = 1; i < values.size(); ++i)
        values[i].sqnrDb.reset();
    const auto starts = errorStarts(*model, values, [](const auto&) { return std::vector<OwnError>(); });
    ASSERT_EQ(starts.size(), 1U);
    EXPECT_EQ(starts[0].value, "b");
    EXPECT_EQ(starts[0].sqnrDb, kNotFiniteDb);
}

TEST(ErrorStart, IsFollowedThroughANodeThatOnlyMagnifies)
{
    const auto model = chain(false);
    const std::vector<ValueDifference> values{at("a", 25), at("b", 8), at("c", 7), at("y", 6)};
    const auto starts = errorStarts(*model, values, mixed(*model, 0, 1));
    ASSERT_EQ(starts.size(), 1U);
    EXPECT_EQ(starts[0].value, "a");
    EXPECT_EQ(starts[0].kind, StartKind::Starts);
    EXPECT_NEAR(starts[0].sqnrDb, 25, 1e-9);
    EXPECT_FALSE(starts[0].inputDb) << "the model's input is exact";
    EXPECT_EQ(starts[0].magnifier, "to_b");
    EXPECT_EQ(starts[0].magnifiedDb, 8);
}

TEST(ErrorStart, IsNotKnownWhereItIsMadeByDegrees)
{
    const auto model = chain(false);
    const std::vector<ValueDifference> values{at("a", 25), at("b", 8), at("c", 7), at("y", 6)};
    const auto starts = errorStarts(*model, values, mixed(*model, 0, 0.3));
    ASSERT_EQ(starts.size(), 1U);
    EXPECT_EQ(starts[0].value, "b");
    EXPECT_EQ(starts[0].kind, StartKind::Jumps);
    const auto unseen = errorStarts(*model, values, [](const auto&) { return std::vector<OwnError>(); });
    EXPECT_EQ(unseen[0].kind, StartKind::Jumps);
}

TEST(ErrorStart, IsTheNodeItselfWhereItMakesAQuarterOfTheNoise)
{
    const auto model = chain(false);
    const auto starts = errorStarts(*model, {at("a", 25), at("b", 8), at("y", 6)}, mixed(*model, 0.3, 1));
    ASSERT_EQ(starts.size(), 1U);
    EXPECT_EQ(starts[0].value, "b");
    EXPECT_EQ(starts[0].kind, StartKind::Starts);
}

TEST(ErrorStart, IsTheFirstValueWhoseErrorJumps)
{
    const auto starts = startsOf(*chain(false), {at("a", 40), at("b", 8), at("c", 7), at("y", 6)});
    ASSERT_EQ(starts.size(), 1U);
    EXPECT_EQ(starts[0].value, "b");
    EXPECT_EQ(starts[0].node, "to_b");
    EXPECT_EQ(starts[0].sqnrDb, 8);
    EXPECT_EQ(starts[0].inputDb, 40);
}

TEST(ErrorStart, ValuesNotMeasuredPassOnWhatTheyAreComputedFrom)
{
    const auto starts = startsOf(*chain(false), {at("a", 9), at("c", 8), at("y", 7)});
    ASSERT_EQ(starts.size(), 1U);
    EXPECT_EQ(starts[0].value, "a");
    EXPECT_FALSE(starts[0].inputDb) << "the model's input is exact";
}

TEST(ErrorStart, WithoutAJumpItIsTheFirstValueBelowTheBound)
{
    const auto starts = startsOf(*chain(false), {at("a", 22), at("b", 18), at("c", 14), at("y", 10)});
    ASSERT_EQ(starts.size(), 1U);
    EXPECT_EQ(starts[0].value, "b");
    EXPECT_EQ(starts[0].kind, StartKind::Grows);
}

TEST(ErrorStart, DoesNotDependOnTheOrderOfNodesInTheFile)
{
    const std::vector<ValueDifference> values{at("a", 5), at("d", 4)};
    for (const bool isReversed : {false, true}) {
        const auto starts = startsOf(*chain(isReversed), values);
        ASSERT_EQ(starts.size(), 2U);
        EXPECT_EQ(starts[0].value, "a");
        EXPECT_EQ(starts[1].value, "d");
    }
}

TEST(ErrorStart, GoodValuesHaveNone)
{
    EXPECT_TRUE(startsOf(*chain(false), {at("a", 40), at("y", 30)}).empty());
}

} // namespace
} // namespace duo
