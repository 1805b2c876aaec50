// SPDX-License-Identifier: Apache-2.0
#include "tests/core/transform/transformed.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

namespace duo::test {
namespace {

/// uint8 codes of 0.01 each from `zero` on.
void addParameters(PassFile& file, int zero)
{
    file.weight("scale", {}, {0.01F});
    file.tensor("zero", {}, onnx::TensorProto::UINT8).add_int32_data(zero);
}

TEST(JoinQuantizers, AbsorbAReluThatTheCodesImply)
{
    PassFile file;
    addParameters(file, 0);
    file.op("Relu", "relu", {"x"}, {"a"}).op("QuantizeLinear", "q", {"a", "scale", "zero"}, {"c"});
    file.op("DequantizeLinear", "dq", {"c", "scale", "zero"}, {"y"}).result();
    EXPECT_THAT(runOnce(joinQuantizers, file.read()).lines,
        ElementsAre("QuantizeLinear q(x, [0.01], [0]) -> c", "DequantizeLinear dq(c, [0.01], [0]) -> y"));
}

TEST(JoinQuantizers, OfTwoAlikeTheSameOneStaysWhateverTheOrderOfTheFile)
{
    for (const bool isTurned : {false, true}) {
        PassFile file;
        addParameters(file, 3);
        file.op("QuantizeLinear", isTurned ? "q2" : "q1", {"x", "scale", "zero"}, {isTurned ? "c2" : "c1"});
        file.op("QuantizeLinear", isTurned ? "q1" : "q2", {"x", "scale", "zero"}, {isTurned ? "c1" : "c2"});
        file.op("DequantizeLinear", "left", {"c1", "scale", "zero"}, {"y"}).result();
        file.op("Cast", "right", {"c2"}, {"z"}, {{"to", std::int64_t{onnx::TensorProto::FLOAT}}}).result("z");
        EXPECT_EQ(runOnce(joinQuantizers, file.read()).lines.front(), "QuantizeLinear q1(x, [0.01], [3]) -> c1");
    }
}

TEST(JoinQuantizers, AbsorbAClipThatIsWiderThanTheCodesAndNoOther)
{
    for (const float most : {2.55F, 2.5F}) {
        PassFile file;
        addParameters(file, 100);
        file.weight("least", {}, {-1}).weight("most", {}, {most});
        file.op("Clip", "clip", {"x", "least", "most"}, {"a"});
        file.op("QuantizeLinear", "q", {"a", "scale", "zero"}, {"c"});
        file.op("DequantizeLinear", "dq", {"c", "scale", "zero"}, {"y"}).result();
        EXPECT_THAT(runOnce(joinQuantizers, file.read()).lines, SizeIs(2)) << "codes end at 1.55";
    }
    PassFile file;
    addParameters(file, 100);
    file.op("Relu", "relu", {"x"}, {"a"}).op("QuantizeLinear", "q", {"a", "scale", "zero"}, {"c"});
    file.op("DequantizeLinear", "dq", {"c", "scale", "zero"}, {"y"}).result();
    EXPECT_THAT(runOnce(joinQuantizers, file.read()).lines, SizeIs(3)) << "codes begin at -1";
}

/// The scale that the range of a ReLU6 gives is rounded up: the last code stands for a little more than 6.
TEST(JoinQuantizers, AbsorbAClipWhoseBoundsTheFirstAndTheLastCodeStandFor)
{
    for (const float most : {6.0F, 5.98F}) {
        PassFile file;
        file.weight("scale", {}, {6.0F / 255}).weight("least", {}, {0}).weight("most", {}, {most});
        file.tensor("zero", {}, onnx::TensorProto::UINT8).add_int32_data(0);
        file.op("Clip", "clip", {"x", "least", "most"}, {"a"});
        file.op("QuantizeLinear", "q", {"a", "scale", "zero"}, {"c"});
        file.op("DequantizeLinear", "dq", {"c", "scale", "zero"}, {"y"}).result();
        EXPECT_THAT(runOnce(joinQuantizers, file.read()).lines, SizeIs(most == 6.0F ? 2 : 3))
            << "5.98 has the code 254";
    }
}

/// Codes that are given back as they were, and codes that only move.
TEST(JoinQuantizers, LetCodesMoveInsteadOfNumbers)
{
    PassFile file;
    addParameters(file, 3);
    file.ints("flat", {6}).op("QuantizeLinear", "q", {"x", "scale", "zero"}, {"c"});
    file.op("DequantizeLinear", "dq", {"c", "scale", "zero"}, {"d"}).op("Reshape", "reshape", {"d", "flat"}, {"r"});
    file.op("QuantizeLinear", "again", {"r", "scale", "zero"}, {"e"});
    file.op("DequantizeLinear", "last", {"e", "scale", "zero"}, {"y"}).result();
    EXPECT_THAT(runOnce(joinQuantizers, file.read()).lines,
        ElementsAre("QuantizeLinear q(x, [0.01], [3]) -> c", "Reshape reshape(c, [6]) -> e_moved",
            "DequantizeLinear last(e_moved, [0.01], [3]) -> y"));
    PassFile other;
    addParameters(other, 3);
    other.weight("wider", {}, {0.02F});
    other.op("QuantizeLinear", "q", {"x", "scale", "zero"}, {"c"});
    other.op("DequantizeLinear", "dq", {"c", "scale", "zero"}, {"d"});
    other.op("QuantizeLinear", "again", {"d", "wider", "zero"}, {"e"});
    other.op("DequantizeLinear", "last", {"e", "wider", "zero"}, {"y"}).result();
    EXPECT_THAT(runOnce(joinQuantizers, other.read()).lines, SizeIs(4)) << "codes of another scale";
}

TEST(JoinQuantizers, LeaveWhatIsReadElsewhereOrNotKnown)
{
    PassFile file;
    addParameters(file, 0);
    file.op("Relu", "relu", {"x"}, {"a"}).op("QuantizeLinear", "q", {"a", "scale", "zero"}, {"c"});
    file.op("DequantizeLinear", "dq", {"c", "scale", "zero"}, {"d"}).op("Add", "add", {"d", "a"}, {"y"}).result();
    EXPECT_THAT(runOnce(joinQuantizers, file.read()).lines, SizeIs(4));
    PassFile other;
    addParameters(other, 0);
    other.op("ReduceMin", "bound", {"x"}, {"b"}, {{"keepdims", std::int64_t{0}}});
    other.op("Clip", "clip", {"x", "b"}, {"a"}).op("QuantizeLinear", "q", {"a", "scale", "zero"}, {"c"});
    other.op("DequantizeLinear", "dq", {"c", "scale", "zero"}, {"y"}).result();
    EXPECT_THAT(runOnce(joinQuantizers, other.read()).lines, SizeIs(4));
}

TEST(JoinQuantizers, TakeThoseForOneThatGiveTheSame)
{
    PassFile file;
    addParameters(file, 7);
    for (const std::string side : {"a", "b"})
        file.op("QuantizeLinear", "q" + side, {"x", "scale", "zero"}, {"c" + side})
            .op("DequantizeLinear", "dq" + side, {"c" + side, "scale", "zero"}, {"d" + side});
    file.op("Add", "add", {"da", "db"}, {"y"}).result();
    const Outcome outcome = runOnce(joinQuantizers, file.read());
    EXPECT_THAT(outcome.lines,
        ElementsAre("QuantizeLinear qa(x, [0.01], [7]) -> ca", "DequantizeLinear dqa(ca, [0.01], [7]) -> da",
            "Add add(da, da) -> y"));
    EXPECT_THAT(outcome.skipped, IsEmpty());
}

} // namespace
} // namespace duo::test
