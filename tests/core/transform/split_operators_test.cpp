// SPDX-License-Identifier: Apache-2.0
#include "tests/core/transform/transformed.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using testing::ElementsAre;
using testing::IsEmpty;

namespace duo::test {
namespace {

TEST(SplitGemms, WriteFactorsAndTransposes)
{
    PassFile file;
    file.weight("w", {2, 3}, {1, 2, 3, 4, 5, 6}).weight("b", {2}, {1, 2});
    file.op("Gemm", "fc", {"x", "w", "b"}, {"y"}, {{"transB", std::int64_t{1}}, {"alpha", 0.5F}, {"beta", 2.0F}});
    file.result();
    EXPECT_THAT(runOnce(splitGemms, file.read()).lines,
        ElementsAre("Transpose fc_Transpose([1 2 3 4 5 6]) -> y_Transpose perm=[1 0]",
            "MatMul fc_MatMul(x, y_Transpose) -> y_MatMul", "Mul fc_Mul(y_MatMul, [0.5]) -> y_Mul",
            "Mul fc_Mul_1([1 2], [2]) -> y_Mul_1", "Add fc(y_Mul, y_Mul_1) -> y"));
    PassFile plain;
    plain.weight("w", {3, 2}, {1, 2, 3, 4, 5, 6});
    plain.op("Gemm", "fc", {"x", "w"}, {"y"}).result();
    EXPECT_THAT(runOnce(splitGemms, plain.read()).lines, ElementsAre("MatMul fc(x, [1 2 3 4 5 6]) -> y"));
}

TEST(SplitNorms, LeavesOneThatWorksInMoreBitsThanItsValues)
{
    PassFile file;
    file.model().mutable_graph()->mutable_input(0)->mutable_type()->mutable_tensor_type()->set_elem_type(
        onnx::TensorProto::FLOAT16);
    auto& scale = file.tensor("scale", {3}, onnx::TensorProto::FLOAT16);
    for (int i = 0; i < 3; ++i)
        scale.add_int32_data(0x3c00); // 1
    file.op("LayerNormalization", "norm", {"x", "scale"}, {"y"}).result();
    const PassResult result = splitNorms(PassScene{*file.read(), {}});
    EXPECT_FALSE(result.edits);
    ASSERT_EQ(result.skipped.size(), 1U);
    EXPECT_EQ(result.skipped.front().why, "it works in 32 bits inside, on values of 16");
}

/// Two queries heads for each of keys, of joined heads; what comes later is not seen.
TEST(SplitAttention, WritesSharedHeadsAndWhatIsNotSeen)
{
    PassFile file(23);
    file.ints("three", {1, 3, 2}).ints("wide", {1, 3, 1}).ints("end", {1}).ints("start", {0}).ints("axis", {2});
    file.op("Reshape", "cut", {"x", "three"}, {"q"}).op("Slice", "narrow", {"q", "start", "end", "axis"}, {"k"});
    file.op("Attention", "attend", {"q", "k", "k"}, {"y"},
        {{"q_num_heads", std::int64_t{2}}, {"kv_num_heads", std::int64_t{1}}, {"is_causal", std::int64_t{1}},
            {"scale", 0.7F}});
    file.result();
    const Outcome outcome = runOnce(splitAttention, file.read());
    EXPECT_THAT(outcome.skipped, IsEmpty());
    EXPECT_EQ(outcome.lines.back(), "Reshape attend(y_Transpose_4, [0 0 -1]) -> y");
    EXPECT_THAT(outcome.lines, testing::Contains(testing::StartsWith("Trilu")));
}

TEST(SplitAttention, AddsAMaskAndKeepsWhatWasBefore)
{
    PassFile file(23);
    file.ints("four", {1, 2, 3, 1}).weight("mask", {3, 4}, {0, 0, 0, 0, 0, -9, 0, 0, 0, 0, -9, 0});
    file.weight("past", {1, 2, 1, 1}, {0.3F, -0.4F});
    file.op("Reshape", "cut", {"x", "four"}, {"q"});
    file.op("Attention", "attend", {"q", "q", "q", "mask", "past", "past"}, {"y", "keys", "values"}, {{"scale", 0.5F}});
    file.result().result("keys");
    const Outcome outcome = runOnce(splitAttention, file.read());
    EXPECT_THAT(outcome.skipped, IsEmpty());
    EXPECT_THAT(outcome.lines, testing::Contains("Concat attend_Concat([0.3 -0.4], q) -> keys axis=2"));
}

/// A query that sees nothing gets zeros.
TEST(SplitAttention, ChoosesByAMaskOfTrueAndFalse)
{
    PassFile file(23);
    file.ints("four", {1, 2, 3, 1}).op("Reshape", "cut", {"x", "four"}, {"q"});
    onnx::TensorProto& mask = file.tensor("mask", {3, 3}, onnx::TensorProto::BOOL);
    for (const int seen : {0, 0, 0, 1, 0, 1, 1, 1, 1})
        mask.add_int32_data(seen);
    file.op("Attention", "attend", {"q", "q", "q", "mask"}, {"y"}, {{"scale", 0.5F}}).result();
    const Outcome outcome = runOnce(splitAttention, file.read());
    EXPECT_THAT(outcome.skipped, IsEmpty());
    EXPECT_EQ(outcome.lines.back(), "MatMul attend(y_Mul_1, q) -> y");
}

TEST(SplitAttention, NamesWhatItCannotWrite)
{
    PassFile file(23);
    file.ints("four", {1, 2, 3, 1}).op("Reshape", "cut", {"x", "four"}, {"q"});
    file.op("Attention", "attend", {"q", "q", "q"}, {"y"}, {{"scale", 0.5F}, {"softcap", 2.0F}});
    file.result();
    const Outcome outcome = runOnce(splitAttention, file.read());
    EXPECT_THAT(outcome.skipped, ElementsAre("attend: it caps scores"));
    EXPECT_EQ(outcome.lines.size(), 2U);
}

TEST(SplitNorms, WriteGroupsOfChannels)
{
    PassFile file(21);
    file.ints("picture", {1, 2, 3}).weight("scale", {2}, {1.5F, -2}).weight("bias", {2}, {0.1F, 0.2F});
    file.op("Reshape", "cut", {"x", "picture"}, {"p"});
    file.op("GroupNormalization", "norm", {"p", "scale", "bias"}, {"y"}, {{"num_groups", std::int64_t{2}}}).result();
    const Outcome outcome = runOnce(splitNorms, file.read());
    EXPECT_THAT(outcome.skipped, IsEmpty());
    EXPECT_EQ(outcome.lines.size(), 15U);
    EXPECT_EQ(outcome.lines.back(), "Add norm(y_Mul_1, y_Unsqueeze_1) -> y");
}

TEST(SplitActivations, GoAroundWhatIsKept)
{
    PassFile file(20);
    file.op("Gelu", "one", {"x"}, {"a"}).op("Mish", "two", {"a"}, {"y"}).result();
    EXPECT_EQ(runOnce(splitActivations, file.read(), {true, false}).lines.size(), 4U);
}

} // namespace
} // namespace duo::test
