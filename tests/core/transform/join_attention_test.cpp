// SPDX-License-Identifier: Apache-2.0
#include "tests/core/transform/transformed.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using testing::ElementsAre;
using testing::IsEmpty;

namespace duo::test {
namespace {

constexpr int kOpset = 23;

/// q of [1, 2, 3, 1]: two heads, three places.
void addHeads(PassFile& file)
{
    file.weight("half", {}, {0.5F});
    file.ints("four", {1, 2, 3, 1}).op("Reshape", "cut", {"x", "four"}, {"q"});
}

void attend(PassFile& file, const std::string& keys, const std::string& scores = "m")
{
    file.op("MatMul", "scores", {"q", keys}, {"s"}).op("Mul", "scale", {"s", "half"}, {"m"});
    file.op("Softmax", "shares", {scores}, {"p"}).op("MatMul", "seen", {"p", "q"}, {"y"}).result();
}

TEST(JoinAttention, MakesOneOperatorOfItsProducts)
{
    PassFile file(kOpset);
    addHeads(file);
    file.op("Transpose", "turn", {"q"}, {"k"}, {{"perm", Ints{0, 1, 3, 2}}});
    attend(file, "k");
    EXPECT_THAT(runOnce(joinAttention, file.read()).lines,
        ElementsAre("Reshape cut(x, [1 2 3 1]) -> q", "Attention seen(q, q, q) -> y scale=0.5"));
}

TEST(JoinAttention, TakesAMaskAsLargeAsScores)
{
    PassFile file(kOpset);
    addHeads(file);
    file.weight("mask", {3, 3}, {0, -9, -9, 0, 0, -9, 0, 0, 0});
    file.op("Transpose", "turn", {"q"}, {"k"}, {{"perm", Ints{0, 1, 3, 2}}}).op("Add", "masked", {"m", "mask"}, {"a"});
    attend(file, "k", "a");
    EXPECT_EQ(runOnce(joinAttention, file.read()).lines.back(),
        "Attention seen(q, q, q, [0 -9 -9 0 0 -9 0 0 0]) -> y scale=0.5");
    PassFile spread(kOpset);
    addHeads(spread);
    spread.weight("mask", {3, 1}, {0, -9, -9});
    spread.op("Transpose", "turn", {"q"}, {"k"}, {{"perm", Ints{0, 1, 3, 2}}})
        .op("Add", "masked", {"m", "mask"}, {"a"});
    attend(spread, "k", "a");
    EXPECT_EQ(runOnce(joinAttention, spread.read()).lines.size(), 7U) << "runtimes need not spread it";
}

TEST(JoinAttention, TurnsKeysWhoseHeadsStandBehindPlaces)
{
    PassFile file(kOpset);
    file.weight("half", {}, {0.5F});
    file.ints("four", {1, 3, 2, 1}).op("Reshape", "cut", {"x", "four"}, {"r"});
    file.op("Transpose", "heads", {"r"}, {"q"}, {{"perm", Ints{0, 2, 1, 3}}});
    file.op("Transpose", "turn", {"r"}, {"k"}, {{"perm", Ints{0, 2, 3, 1}}});
    attend(file, "k");
    EXPECT_THAT(runOnce(joinAttention, file.read()).lines,
        ElementsAre("Reshape cut(x, [1 3 2 1]) -> r", "Transpose heads(r) -> q perm=[0 2 1 3]",
            "Transpose turn(r) -> k_turned perm=[0 2 1 3]", "Attention seen(q, k_turned, q) -> y scale=0.5"));
}

TEST(JoinAttention, LeavesScoresThatAreTurnedAround)
{
    PassFile file(kOpset);
    file.weight("half", {}, {-0.5F});
    file.ints("four", {1, 2, 3, 1}).op("Reshape", "cut", {"x", "four"}, {"q"});
    file.op("Transpose", "turn", {"q"}, {"k"}, {{"perm", Ints{0, 1, 3, 2}}});
    attend(file, "k");
    EXPECT_EQ(runOnce(joinAttention, file.read()).lines.size(), 6U) << "the operator takes no scale below zero";
}

TEST(JoinAttention, LeavesWhatSomethingElseReads)
{
    PassFile file(kOpset);
    addHeads(file);
    file.op("Transpose", "turn", {"q"}, {"k"}, {{"perm", Ints{0, 1, 3, 2}}});
    attend(file, "k");
    file.op("Neg", "other", {"p"}, {"z"}).result("z");
    EXPECT_EQ(runOnce(joinAttention, file.read()).lines.size(), 7U);
    PassFile old(17);
    addHeads(old);
    old.op("Transpose", "turn", {"q"}, {"k"}, {{"perm", Ints{0, 1, 3, 2}}});
    attend(old, "k");
    EXPECT_THAT(
        runOnce(joinAttention, old.read()).skipped, ElementsAre("seen: opset 17 has no Attention, which came with 23"));
}

/// Of a batch that may be any, cut into heads by sizes that name it.
TEST(JoinAttention, SaysWhatIsNotKnownAndWhatIsNotAlike)
{
    PassFile file(kOpset);
    file.weight("half", {}, {0.5F});
    file.ints("four", {-1, 1, 3, 2}).op("Reshape", "cut", {"x", "four"}, {"q"});
    file.ints("two", {1, 2, 3, 1}).op("Reshape", "other", {"x", "two"}, {"r"});
    file.op("Transpose", "turn", {"q"}, {"k"}, {{"perm", Ints{0, 1, 3, 2}}});
    file.op("MatMul", "scores", {"q", "k"}, {"s"}).op("Softmax", "shares", {"s"}, {"p"});
    file.op("MatMul", "seen", {"p", "r"}, {"y"}).result();
    EXPECT_THAT(runOnce(joinAttention, file.read()).skipped,
        ElementsAre("seen: its queries, keys and values are not of as many batches, heads and places"));
    PassFile open(kOpset);
    open.input("w", {2, 3});
    open.weight("half", {}, {0.5F});
    open.ints("four", {-1, 2, 3, 1}).op("Reshape", "cut", {"x", "four"}, {"q"});
    open.op("Reshape", "cut2", {"w", "four"}, {"v"});
    open.op("Transpose", "turn", {"q"}, {"k"}, {{"perm", Ints{0, 1, 3, 2}}});
    open.op("MatMul", "scores", {"q", "k"}, {"s"}).op("Softmax", "shares", {"s"}, {"p"});
    open.op("MatMul", "seen", {"p", "v"}, {"y"}).result();
    EXPECT_THAT(runOnce(joinAttention, open.read()).skipped,
        ElementsAre("seen: whether its queries, keys and values are of as many batches, heads and places is not known, "
                    "as the model is to stay open to other sizes (--static-shapes)"));
}

} // namespace
} // namespace duo::test
