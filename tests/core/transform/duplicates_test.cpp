// SPDX-License-Identifier: Apache-2.0
#include "tests/core/transform/transformed.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using testing::ElementsAre;

namespace duo::test {
namespace {

TEST(JoinDuplicates, ComputeOnceWhatIsComputedTwice)
{
    PassFile file;
    file.op("Relu", "one", {"x"}, {"a"}).op("Relu", "two", {"x"}, {"b"});
    file.op("Sigmoid", "left", {"a"}, {"c"}).op("Sigmoid", "right", {"b"}, {"d"}).op("Add", "add", {"c", "d"}, {"y"});
    file.result();
    EXPECT_THAT(runOnce(joinDuplicates, file.read()).lines,
        ElementsAre("Relu one(x) -> a", "Sigmoid left(a) -> c", "Add add(c, c) -> y"));
}

TEST(JoinDuplicates, KeepTheSameOnesWhateverTheOrderOfTheFile)
{
    PassFile file;
    file.op("Relu", "two", {"x"}, {"b"}).op("Sigmoid", "left", {"b"}, {"d"}).op("Relu", "one", {"x"}, {"a"});
    file.op("Sigmoid", "right", {"a"}, {"c"}).op("Add", "add", {"c", "d"}, {"y"}).result();
    EXPECT_THAT(runOnce(joinDuplicates, file.read()).lines,
        ElementsAre("Relu one(x) -> a", "Sigmoid left(a) -> d", "Add add(d, d) -> y"));
}

TEST(JoinDuplicates, MoveOneThatStandsBehindTheReaders)
{
    PassFile file;
    file.op("LeakyRelu", "b", {"x"}, {"p"}, {{"alpha", 0.5F}}).op("Sigmoid", "reader", {"p"}, {"q"});
    file.op("LeakyRelu", "a", {"x"}, {"r"}, {{"alpha", 0.5F}}).op("Add", "add", {"q", "r"}, {"y"}).result();
    EXPECT_THAT(runOnce(joinDuplicates, file.read()).lines,
        ElementsAre("LeakyRelu a(x) -> r alpha=0.5", "Sigmoid reader(r) -> q", "Add add(q, r) -> y"));
}

TEST(JoinDuplicates, TellAttributesApart)
{
    PassFile file;
    file.op("LeakyRelu", "one", {"x"}, {"a"}, {{"alpha", 0.1F}})
        .op("LeakyRelu", "two", {"x"}, {"b"}, {{"alpha", 0.2F}});
    file.op("Add", "add", {"a", "b"}, {"y"}).result();
    EXPECT_EQ(runOnce(joinDuplicates, file.read()).lines.size(), 3U);
}

/// Axes and bounds, which exporters write for each node anew; not parameters, by which modules are told.
TEST(JoinDuplicates, ComparesFewWholeNumbersByWhatTheyAre)
{
    PassFile file;
    file.ints("s1", {0}).ints("e1", {2}).ints("s2", {0}).ints("e2", {2}).ints("e3", {1});
    file.op("Slice", "one", {"x", "s1", "e1", "s1"}, {"a"}).op("Slice", "two", {"x", "s2", "e2", "s2"}, {"b"});
    file.op("Slice", "other", {"x", "s1", "e3", "s1"}, {"c"});
    file.weight("w1", {3}, {1, 2, 3}).weight("w2", {3}, {1, 2, 3});
    file.op("Mul", "left", {"a", "w1"}, {"d"}).op("Mul", "right", {"b", "w2"}, {"e"});
    file.op("Add", "sum", {"d", "e"}, {"f"}).op("Add", "add", {"f", "c"}, {"y"}).result();
    EXPECT_THAT(runOnce(joinDuplicates, file.read()).lines,
        ElementsAre("Slice one(x, [0], [2], [0]) -> a", "Slice other(x, [0], [1], [0]) -> c",
            "Mul left(a, [1 2 3]) -> d", "Mul right(a, [1 2 3]) -> e", "Add sum(d, e) -> f", "Add add(f, c) -> y"));
}

TEST(JoinDuplicates, KeepBothOutputsOfAGraph)
{
    PassFile file;
    file.op("Relu", "one", {"x"}, {"y"}).op("Relu", "two", {"x"}, {"z"}).result("y").result("z");
    EXPECT_EQ(runOnce(joinDuplicates, file.read()).lines.size(), 2U);
}

TEST(JoinDuplicates, LeaveRandomNumbersAlone)
{
    PassFile file;
    file.op("RandomNormalLike", "one", {"x"}, {"a"}).op("RandomNormalLike", "two", {"x"}, {"b"});
    file.op("Sub", "sub", {"a", "b"}, {"y"}).result();
    const std::set<NodeId> none;
    EXPECT_FALSE(joinDuplicates({*file.read(), none}).edits);
}

} // namespace
} // namespace duo::test
