// SPDX-License-Identifier: Apache-2.0
#include "tests/core/transform/transformed.h"

#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using testing::ElementsAre;
using testing::SizeIs;

namespace duo::test {
namespace {

/// A Pad before a convolution of a picture of one channel.
void addPaddedConv(PassFile& file, const Ints& pads, const std::vector<Attribute>& attributes)
{
    file.ints("picture", {1, 1, 2, 3}).ints("pads", pads).weight("w", {1, 1, 2, 2}, {1, 2, 3, 4});
    file.op("Reshape", "reshape", {"x", "picture"}, {"p"}).op("Pad", "pad", {"p", "pads"}, {"q"});
    file.op("Conv", "conv", {"q", "w"}, {"y"}, attributes).result();
}

TEST(JoinPads, GiveZerosToTheConvolution)
{
    PassFile file;
    addPaddedConv(file, {0, 0, 1, 0, 0, 0, 0, 2}, {{"pads", Ints{0, 1, 0, 1}}});
    EXPECT_THAT(runOnce(joinPads, file.read()).lines,
        ElementsAre("Reshape reshape(x, [1 1 2 3]) -> p", "Conv conv(p, [1 2 3 4]) -> y pads=[1 1 0 3]"));
}

TEST(JoinPads, TakeTheAxesThatAPadNames)
{
    PassFile file(18);
    file.ints("picture", {1, 1, 2, 3}).ints("pads", {2, 1, 0, 0}).ints("axes", {-1, 2}).weight("w", {1, 1, 2, 2});
    file.op("Reshape", "reshape", {"x", "picture"}, {"p"}).op("Pad", "pad", {"p", "pads", "", "axes"}, {"q"});
    file.op("Conv", "conv", {"q", "w"}, {"y"}).result();
    EXPECT_EQ(runOnce(joinPads, file.read()).lines.back(), "Conv conv(p, [0.5 0.5 0.5 0.5]) -> y pads=[1 2 0 0]");
}

TEST(JoinPads, SayWhyNot)
{
    PassFile cut;
    addPaddedConv(cut, {0, 0, -1, 0, 0, 0, 1, 0}, {});
    EXPECT_THAT(runOnce(joinPads, cut.read()).skipped,
        ElementsAre("pad: it cuts off, or reaches beyond the axes of the window behind it, or that has pads of its own "
                    "kind"));
    PassFile mirrored;
    mirrored.ints("picture", {1, 1, 2, 3}).ints("pads", {0, 0, 1, 1, 0, 0, 0, 0}).weight("w", {1, 1, 2, 2});
    mirrored.op("Reshape", "reshape", {"x", "picture"}, {"p"});
    mirrored.op("Pad", "pad", {"p", "pads"}, {"q"}, {{"mode", std::string("reflect")}});
    mirrored.op("Conv", "conv", {"q", "w"}, {"y"}).result();
    EXPECT_THAT(runOnce(joinPads, mirrored.read()).skipped,
        ElementsAre("pad: it puts no constant number around, or how much is not told by constants"));
}

TEST(JoinPads, LeaveChannelsAndPadsThatAreChosenByTheOperator)
{
    PassFile channels;
    addPaddedConv(channels, {0, 0, -1, 0, 0, 0, 1, 0}, {});
    EXPECT_THAT(runOnce(joinPads, channels.read()).lines, SizeIs(3));
    PassFile automatic;
    addPaddedConv(automatic, {0, 0, 1, 0, 0, 0, 1, 0}, {{"auto_pad", std::string("SAME_UPPER")}});
    EXPECT_THAT(runOnce(joinPads, automatic.read()).lines, SizeIs(3));
}

/// A Relu, and a Pad of `value` before a pool of windows of two by two.
void addPaddedPool(PassFile& file, const std::string& pool, float value, const std::vector<Attribute>& attributes = {})
{
    std::vector<Attribute> all{{"kernel_shape", Ints{2, 2}}};
    all.insert(all.end(), attributes.begin(), attributes.end());
    file.ints("picture", {1, 1, 2, 3}).ints("pads", {0, 0, 1, 0, 0, 0, 0, 1}).weight("value", {}, {value});
    file.op("Reshape", "reshape", {"x", "picture"}, {"p"}).op("Relu", "relu", {"p"}, {"r"});
    file.op("Pad", "pad", {"r", "pads", "value"}, {"q"}).op(pool, "pool", {"q"}, {"y"}, all).result();
}

TEST(JoinPads, GiveThemToPools)
{
    PassFile average;
    addPaddedPool(average, "AveragePool", 0);
    EXPECT_THAT(runOnce(joinPads, average.read()).lines.back(),
        testing::AllOf(testing::HasSubstr("pads=[1 0 0 1]"), testing::HasSubstr("count_include_pad=1")));
    for (const float value : {0.0F, -std::numeric_limits<float>::infinity()}) {
        PassFile largest;
        addPaddedPool(largest, "MaxPool", value);
        EXPECT_THAT(runOnce(joinPads, largest.read()).lines, SizeIs(3));
    }
}

TEST(JoinPads, LeavePoolsThatDoNotCountThemAlike)
{
    PassFile other;
    addPaddedPool(other, "AveragePool", 1);
    EXPECT_THAT(runOnce(joinPads, other.read()).lines, SizeIs(4));
    PassFile own; // its own border is not counted
    addPaddedPool(own, "AveragePool", 0, {{"pads", Ints{0, 0, 1, 0}}});
    EXPECT_THAT(runOnce(joinPads, own.read()).lines, SizeIs(4));
    PassFile large; // a window of nothing but border
    addPaddedPool(large, "MaxPool", 0, {{"pads", Ints{1, 0, 0, 0}}});
    EXPECT_THAT(runOnce(joinPads, large.read()).lines, SizeIs(4));
}

TEST(JoinBiases, MakeAGemm)
{
    PassFile file;
    file.weight("w", {3, 2}, {1, 2, 3, 4, 5, 6}).weight("b", {2}, {0.5F, -0.5F});
    file.op("MatMul", "product", {"x", "w"}, {"p"}).op("Add", "add", {"b", "p"}, {"y"}).result();
    EXPECT_THAT(runOnce(joinBiases, file.read()).lines, ElementsAre("Gemm product(x, [1 2 3 4 5 6], [0.5 -0.5]) -> y"));
}

TEST(JoinBiases, LeaveProductsOfMoreDimensions)
{
    PassFile file;
    file.ints("axes", {0}).weight("w", {3, 2}, {1, 2, 3, 4, 5, 6}).weight("b", {2}, {0.5F, -0.5F});
    file.op("Unsqueeze", "deep", {"x", "axes"}, {"d"}).op("MatMul", "product", {"d", "w"}, {"p"});
    file.op("Add", "add", {"p", "b"}, {"y"}).result();
    EXPECT_THAT(runOnce(joinBiases, file.read()).lines, SizeIs(3));
}

} // namespace
} // namespace duo::test
