// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/error_start.h"

#include "core/onnx/reader.h"
#include "tests/support/proto_builder.h"

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

TEST(ErrorStart, IsTheFirstValueWhoseErrorJumps)
{
    const auto starts = errorStarts(*chain(false), {at("a", 40), at("b", 8), at("c", 7), at("y", 6)});
    ASSERT_EQ(starts.size(), 1U);
    EXPECT_EQ(starts[0].value, "b");
    EXPECT_EQ(starts[0].node, "to_b");
    EXPECT_EQ(starts[0].sqnrDb, 8);
    EXPECT_EQ(starts[0].inputDb, 40);
}

TEST(ErrorStart, ValuesNotMeasuredPassOnWhatTheyAreComputedFrom)
{
    const auto starts = errorStarts(*chain(false), {at("a", 9), at("c", 8), at("y", 7)});
    ASSERT_EQ(starts.size(), 1U);
    EXPECT_EQ(starts[0].value, "a");
    EXPECT_FALSE(starts[0].inputDb) << "the model's input is exact";
}

TEST(ErrorStart, WithoutAJumpItIsTheFirstValueBelowTheBound)
{
    const auto starts = errorStarts(*chain(false), {at("a", 22), at("b", 18), at("c", 14), at("y", 10)});
    ASSERT_EQ(starts.size(), 1U);
    EXPECT_EQ(starts[0].value, "b");
}

TEST(ErrorStart, DoesNotDependOnTheOrderOfNodesInTheFile)
{
    const std::vector<ValueDifference> values{at("a", 5), at("d", 4)};
    for (const bool isReversed : {false, true}) {
        const auto starts = errorStarts(*chain(isReversed), values);
        ASSERT_EQ(starts.size(), 2U);
        EXPECT_EQ(starts[0].value, "a");
        EXPECT_EQ(starts[1].value, "d");
    }
}

TEST(ErrorStart, GoodValuesHaveNone)
{
    EXPECT_TRUE(errorStarts(*chain(false), {at("a", 40), at("y", 30)}).empty());
}

} // namespace
} // namespace duo
