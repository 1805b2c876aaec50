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
