// SPDX-License-Identifier: Apache-2.0
#include "tests/core/transform/transformed.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using testing::ElementsAre;
using testing::SizeIs;

namespace duo::test {
namespace {

/// A number as a list of one.
void addNumbers(PassFile& file)
{
    file.ints("zero", {0}).ints("one", {1}).ints("two", {2}).ints("last", {-1}).ints("first", {-2});
}

TEST(JoinSlices, MakeOneOfCutsAlongDifferentAxes)
{
    PassFile file;
    addNumbers(file);
    file.op("Slice", "rows", {"x", "zero", "one", "zero"}, {"a"});
    file.op("Slice", "columns", {"a", "zero", "last", "last", "two"}, {"y"}).result();
    EXPECT_THAT(
        runOnce(joinSlices, file.read()).lines, ElementsAre("Slice columns(x, [0 0], [1 -1], [0 1], [1 2]) -> y"));
}

TEST(JoinSlices, LeaveCutsAlongTheSameAxis)
{
    PassFile file;
    addNumbers(file);
    file.op("Slice", "once", {"x", "one", "two", "zero"}, {"a"});
    file.op("Slice", "twice", {"a", "zero", "one", "first"}, {"y"}).result();
    EXPECT_THAT(runOnce(joinSlices, file.read()).lines, SizeIs(2));
}

TEST(JoinSlices, LeaveACutThatOthersRead)
{
    PassFile file;
    addNumbers(file);
    file.op("Slice", "rows", {"x", "zero", "one", "zero"}, {"a"})
        .op("Slice", "columns", {"a", "zero", "two", "one"}, {"y"});
    file.op("Relu", "relu", {"a"}, {"z"}).result().result("z");
    EXPECT_THAT(runOnce(joinSlices, file.read()).lines, SizeIs(3));
}

} // namespace
} // namespace duo::test
