// SPDX-License-Identifier: Apache-2.0
#include "tests/core/transform/transformed.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using testing::ElementsAre;

namespace duo::test {
namespace {

Attribute order(const Ints& axes)
{
    return {"perm", axes};
}

TEST(JoinTransposes, TakeOutAPairThatTurnsBack)
{
    PassFile file;
    file.op("Transpose", "one", {"x"}, {"a"}, {order({1, 0})}).op("Transpose", "two", {"a"}, {"b"}, {order({1, 0})});
    file.op("Relu", "relu", {"b"}, {"y"}).result();
    EXPECT_THAT(runOnce(joinTransposes, file.read()).lines,
        ElementsAre("Transpose one(x) -> a perm=[1 0]", "Relu relu(x) -> y")); // dead code is another pass
}

TEST(JoinTransposes, MakeOneOfAChain)
{
    PassFile file;
    file.ints("axes", {0});
    file.op("Unsqueeze", "deep", {"x", "axes"}, {"d"}).op("Transpose", "one", {"d"}, {"a"}, {order({1, 2, 0})});
    file.op("Transpose", "two", {"a"}, {"b"}, {order({1, 0, 2})})
        .op("Transpose", "three", {"b"}, {"y"}, {order({0, 2, 1})});
    file.result();
    EXPECT_THAT(runOnce(joinTransposes, file.read()).lines,
        ElementsAre("Unsqueeze deep(x, [0]) -> d", "Transpose one(d) -> a perm=[1 2 0]",
            "Transpose two(d) -> b perm=[2 1 0]", "Transpose three(d) -> y perm=[2 0 1]"));
}

TEST(JoinTransposes, LeaveOnesThatDoNotSayTheirOrder)
{
    PassFile file;
    file.op("Transpose", "one", {"x"}, {"a"}).op("Transpose", "two", {"a"}, {"y"}).result();
    EXPECT_EQ(runOnce(joinTransposes, file.read()).lines.size(), 2U);
}

TEST(JoinReshapes, ReadWhatTheFirstOneReads)
{
    PassFile file;
    file.ints("flat", {-1}).ints("axes", {0}).ints("sizes", {3, -1});
    file.op("Reshape", "one", {"x", "flat"}, {"a"}).op("Unsqueeze", "two", {"a", "axes"}, {"b"});
    file.op("Reshape", "three", {"b", "sizes"}, {"y"}).result();
    EXPECT_THAT(runOnce(joinReshapes, file.read()).lines.back(), "Reshape three(x, [3 -1]) -> y");
}

TEST(JoinReshapes, LookThroughATransposeThatMovesASizeOfOne)
{
    PassFile file;
    file.ints("deep", {2, 1, 3}).ints("flat", {6});
    file.op("Reshape", "one", {"x", "deep"}, {"a"}).op("Transpose", "two", {"a"}, {"b"}, {order({1, 0, 2})});
    file.op("Reshape", "three", {"b", "flat"}, {"y"}).result();
    EXPECT_THAT(runOnce(joinReshapes, file.read(), {}, true).lines.back(), "Reshape three(x, [6]) -> y");
    EXPECT_THAT(runOnce(joinReshapes, file.read()).lines.back(), "Reshape three(b, [6]) -> y");
}

TEST(JoinReshapes, LeaveOneThatTakesASizeOfItsInput)
{
    PassFile file;
    file.ints("turned", {3, 2}).ints("sizes", {0, -1});
    file.op("Reshape", "one", {"x", "turned"}, {"a"}).op("Reshape", "two", {"a", "sizes"}, {"y"}).result();
    EXPECT_THAT(runOnce(joinReshapes, file.read()).lines,
        ElementsAre("Reshape one(x, [3 2]) -> a", "Reshape two(a, [0 -1]) -> y"));
}

} // namespace
} // namespace duo::test
