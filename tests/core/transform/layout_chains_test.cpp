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
    EXPECT_THAT(runOnce(joinReshapes, file.read()).lines.back(), "Reshape three(x, [6]) -> y");
    PassFile open; // rows and columns of x are not known
    open.ints("axes", {1}).ints("flat", {-1}).op("Unsqueeze", "one", {"x", "axes"}, {"a"});
    open.op("Transpose", "two", {"a"}, {"b"}, {order({2, 1, 0})}).op("Reshape", "three", {"b", "flat"}, {"y"}).result();
    EXPECT_THAT(runOnce(joinReshapes, open.read()).lines.back(), "Reshape three(b, [-1]) -> y");
}

/// Counted from the last axis, and of one around the other; whatever the sizes are.
TEST(JoinSqueezes, TakeOutAxesThatComeAndGo)
{
    PassFile file;
    file.ints("last", {-1}).ints("third", {2});
    file.op("Unsqueeze", "one", {"x", "last"}, {"a"}).op("Relu", "relu", {"a"}, {"r"}).result("r");
    file.op("Squeeze", "two", {"a", "third"}, {"b"}).op("Neg", "neg", {"b"}, {"y"}).result();
    EXPECT_THAT(runOnce(joinSqueezes, file.read()).lines,
        ElementsAre("Unsqueeze one(x, [-1]) -> a", "Relu relu(a) -> r", "Neg neg(x) -> y"));
    PassFile back;
    back.ints("first", {0}).ints("picture", {1, 2, 3}).op("Reshape", "cut", {"x", "picture"}, {"p"});
    back.op("Squeeze", "one", {"p", "first"}, {"a"}).op("Unsqueeze", "two", {"a", "first"}, {"b"});
    back.op("Relu", "relu", {"b"}, {"y"}).result();
    EXPECT_EQ(runOnce(joinSqueezes, back.read()).lines.back(), "Relu relu(p) -> y");
}

/// `first` and `second` behind each other, on x or on a picture of 1 x 2 x 1 x 3.
std::vector<std::string> chainOf(const std::pair<std::string, Ints>& first, const std::pair<std::string, Ints>& second)
{
    PassFile file;
    file.ints("picture", {1, 2, 1, 3}).ints("A", first.second).ints("B", second.second);
    file.op("Reshape", "cut", {"x", "picture"}, {"p"});
    file.op(first.first, "one", {"p", "A"}, {"a"}).op(second.first, "two", {"a", "B"}, {"y"}).result();
    const Outcome outcome = runOnce(joinSqueezes, file.read());
    return {outcome.lines.begin() + 1, outcome.lines.end()};
}

TEST(JoinSqueezes, MakeOneOfTwo)
{
    EXPECT_THAT(chainOf({"Unsqueeze", {1}}, {"Unsqueeze", {0, 2}}), ElementsAre("Unsqueeze two(p, [0 2 3]) -> y"));
    EXPECT_THAT(chainOf({"Unsqueeze", {-1}}, {"Unsqueeze", {0}}), ElementsAre("Unsqueeze two(p, [0 5]) -> y"));
    EXPECT_THAT(chainOf({"Squeeze", {0}}, {"Squeeze", {1}}), ElementsAre("Squeeze two(p, [0 2]) -> y"));
    EXPECT_THAT(chainOf({"Unsqueeze", {0, 2, 5}}, {"Squeeze", {2}}), ElementsAre("Unsqueeze two(p, [0 4]) -> y"));
    EXPECT_THAT(chainOf({"Unsqueeze", {2}}, {"Squeeze", {0}}), testing::SizeIs(2));
    EXPECT_THAT(chainOf({"Squeeze", {2}}, {"Unsqueeze", {1}}), testing::SizeIs(2));
}

/// As a Transpose and a Reshape behind an LSTM of one direction.
TEST(JoinReshapes, SaysSizesAnewThatItCopied)
{
    PassFile file;
    file.ints("deep", {3, 1, -1, 1}).ints("sizes", {3, 0, 1});
    file.op("Reshape", "one", {"x", "deep"}, {"a"}).op("Relu", "relu", {"a"}, {"r"});
    file.op("Transpose", "two", {"r"}, {"b"}, {order({0, 2, 1, 3})});
    file.op("Reshape", "three", {"b", "sizes"}, {"y"}).result();
    EXPECT_THAT(runOnce(joinReshapes, file.read()).lines.back(), "Reshape three(r, [3 -1 1]) -> y");
}

TEST(JoinReshapes, LeaveOneThatTakesSizesThatAreNotKnown)
{
    PassFile file;
    file.ints("axes", {0}).ints("sizes", {0, 0, -1});
    file.op("Unsqueeze", "one", {"x", "axes"}, {"a"}).op("Reshape", "two", {"a", "sizes"}, {"y"}).result();
    EXPECT_THAT(runOnce(joinReshapes, file.read()).lines,
        ElementsAre("Unsqueeze one(x, [0]) -> a", "Reshape two(a, [0 0 -1]) -> y"));
}

} // namespace
} // namespace duo::test
