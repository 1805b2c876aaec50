// SPDX-License-Identifier: Apache-2.0
#include "core/onnx/reader.h"
#include "core/transform/halve.h"
#include "tests/core/transform/transformed.h"

#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using testing::ElementsAre;
using testing::IsEmpty;

namespace duo::test {
namespace {

struct HalfOutcome {
    std::vector<std::string> lines;
    std::vector<std::string> floats; // `id: why`
};

/// Every value was measured to reach `all`, those named otherwise what they say.
HalfOutcome halved(const PassFile& file, float all, const std::map<std::string, float>& others = {},
    const std::vector<std::string>& kept = {}, ElementType type = ElementType::Float16,
    const std::map<std::string, float>& smallest = {})
{
    const auto model = file.read();
    HalfRequest request{*model, type, std::vector<std::string>(model->nodes.size()), {}};
    request.largest.assign(model->values.size(), all);
    for (const auto& [name, largest] : others)
        request.largest[model->findValue(name).index] = largest;
    request.smallest.resize(model->values.size());
    for (const auto& [name, magnitude] : smallest)
        request.smallest[model->findValue(name).index] = magnitude;
    for (const std::string& name : kept)
        request.kept[model->findNode(name).index] = "it is to stay float";
    const Halved result = halve(request);
    HalfOutcome outcome;
    for (const PassSkip& skip : result.floats)
        outcome.floats.push_back(model->node(skip.node).name + ": " + skip.why);
    const auto changed = result.edits ? convertedModel(model, *result.edits, {}) : model;
    EXPECT_TRUE(changed) << changed.error().line();
    outcome.lines = nodeLines(**changed);
    return outcome;
}

TEST(Halve, CastsWhatComesInAndGoesOut)
{
    PassFile file;
    file.weight("w", {3}, {1, 2, 3});
    file.op("Mul", "mul", {"x", "w"}, {"m"}).op("Relu", "relu", {"m"}, {"y"}).result();
    EXPECT_THAT(halved(file, 10).lines,
        ElementsAre("Cast mul_to_half(x) -> x_half to=10", "Mul mul(x_half, [1 2 3]) -> m_half",
            "Relu relu(m_half) -> y_half", "Cast relu_to_float(y_half) -> y to=1"));
}

/// Of the list of passes: nodes stay where they are, and casts stand in the scope of the node that they are for.
TEST(Halve, IsAPassThatDoesWhatIsAskedAndElseNothing)
{
    PassFile file;
    file.op("Relu", "relu", {"x"}, {"y"}).result();
    onnx::NodeProto& relu = *file.model().mutable_graph()->mutable_node(0);
    onnx::StringStringEntryProto& scope = *relu.add_metadata_props();
    scope.set_key("pkg.torch.onnx.name_scopes");
    scope.set_value("['', 'act', 'relu']");
    const auto model = file.read();
    const auto pass = std::ranges::find(passes(), kHalfPass, &Pass::id);
    ASSERT_NE(pass, passes().end());
    EXPECT_EQ(pass->stage, PassStage::Target);
    PassScene scene{*model, {}};
    EXPECT_FALSE(pass->run(scene).edits);
    HalfRequest request{*model, ElementType::Float16, {}, {}};
    request.largest.assign(model->values.size(), 10.0F);
    scene.half = &request;
    const PassResult done = pass->run(scene);
    ASSERT_TRUE(done.edits);
    EXPECT_THAT(done.applied, ElementsAre(model->findNode("relu")));
    EXPECT_THAT(done.skipped, IsEmpty());
    ASSERT_EQ(done.edits->newNodes.size(), 2U);
    for (const NewNode& cast : done.edits->newNodes)
        EXPECT_EQ(cast.metadata, model->node(model->findNode("relu")).metadata);
    request.kept = {"rule 'precision type Relu: floats of 32 bits'"};
    EXPECT_THAT(pass->run(scene).skipped, testing::SizeIs(1));
}

/// What is read by two is rounded once, and who reads what was given reads it rounded.
TEST(Halve, RoundsWhatWouldBeReadAndGiven)
{
    PassFile file;
    file.weight("w", {3}, {1, 2, 3});
    file.op("Mul", "mul", {"x", "w"}, {"m"}).op("Add", "add", {"m", "x"}, {"y"}).result();
    const auto model = file.read();
    HalfRequest request{*model, ElementType::BFloat16, {}, {}};
    request.largest.assign(model->values.size(), 10.0F);
    const auto edits = roundedAsHalved(request);
    ASSERT_TRUE(edits);
    const auto changed = convertedModel(model, *edits, {});
    ASSERT_TRUE(changed) << changed.error().line();
    EXPECT_THAT(nodeLines(**changed),
        testing::UnorderedElementsAre("Cast mul_to_half_1(x) -> x_rounded_half to=16",
            "Cast mul_to_float_1(x_rounded_half) -> x_rounded to=1",
            "Cast mul_to_half_2([1 2 3]) -> w_rounded_half to=16",
            "Cast mul_to_float_2(w_rounded_half) -> w_rounded to=1", "Mul mul(x_rounded, w_rounded) -> m_exact",
            "Cast mul_to_half(m_exact) -> m_half to=16", "Cast mul_to_float(m_half) -> m to=1",
            "Add add(m, x_rounded) -> y_exact", "Cast add_to_half(y_exact) -> y_half to=16",
            "Cast add_to_float(y_half) -> y to=1"));
    request.largest.assign(model->values.size(), std::nullopt);
    EXPECT_FALSE(roundedAsHalved(request));
}

TEST(Halve, LeaveExactlyTheNodesFloatWhoseValuesDoNotFit)
{
    PassFile file;
    file.weight("large", {1}, {30000}).weight("small", {1}, {1e-4F});
    file.op("Sigmoid", "before", {"x"}, {"a"}).op("Mul", "up", {"a", "large"}, {"b"});
    file.op("Mul", "down", {"b", "small"}, {"c"}).op("Relu", "behind", {"c"}, {"y"}).result();
    const HalfOutcome outcome = halved(file, 2, {{"b", 60000}});
    EXPECT_THAT(outcome.floats,
        ElementsAre("up: gives 'b', which reaches 60000 (at most 32752, half of what fits)",
            "down: reads 'b', which reaches 60000 (at most 32752, half of what fits)"));
    EXPECT_THAT(outcome.lines,
        ElementsAre("Cast before_to_half(x) -> x_half to=10", "Sigmoid before(x_half) -> a_half",
            "Cast before_to_float(a_half) -> a to=1", "Mul up(a, [30000]) -> b", "Mul down(b, [0.0001]) -> c",
            "Cast down_to_half(c) -> c_half to=10", "Relu behind(c_half) -> y_half",
            "Cast behind_to_float(y_half) -> y to=1"));
}

TEST(Halve, ANumberThatIsNotWrittenOutHasAnExponent)
{
    PassFile file;
    file.op("Sigmoid", "mask", {"x"}, {"a"}).op("Relu", "behind", {"a"}, {"y"}).result();
    const HalfOutcome outcome = halved(file, 2, {{"a", 3.4028235e38F}});
    EXPECT_THAT(outcome.floats,
        testing::Contains("mask: gives 'a', which reaches 3.4028235e+38 (at most 32752, half of what fits)"));
}

TEST(Halve, LeaveWhatIsNotKnownNotFiniteOrTooSmall)
{
    PassFile file;
    file.weight("mask", {1}, {-3.4e38F}).weight("epsilon", {1}, {1e-12F});
    file.op("Add", "masked", {"x", "mask"}, {"a"}).op("Add", "raised", {"x", "epsilon"}, {"b"});
    file.op("Add", "both", {"a", "b"}, {"y"}).result();
    EXPECT_THAT(halved(file, 2, {{"y", std::numeric_limits<float>::infinity()}}).floats,
        ElementsAre("masked: reads 'mask', which is beyond 65504",
            "raised: reads 'epsilon', all of which is below 2^-14", "both: gives 'y', which is not always finite"));
    EXPECT_THAT(halved(file, 1e-4F).floats,
        ElementsAre("masked: reads 'x', all of which is below 2^-10", "raised: reads 'x', all of which is below 2^-10",
            "both: reads 'a', all of which is below 2^-10"));
}

/// A loudness: of silence as well as of noise.
TEST(Halve, LeaveWhatALogarithmReadsWhereTheSmallestElementsCount)
{
    PassFile file;
    file.weight("w", {3}, {1, 2, 3}).weight("e", {1}, {1e-3F});
    file.op("Sigmoid", "bound", {"x"}, {"a"})
        .op("Mul", "square", {"a", "a"}, {"b"})
        .op("Add", "raise", {"b", "e"}, {"c"});
    file.op("Log", "log", {"c"}, {"d"}).op("Mul", "behind", {"d", "w"}, {"y"}).result();
    const auto floats = [&](float smallest) {
        return halved(file, 2, {}, {}, ElementType::Float16, {{"a", 1e-5F}, {"c", smallest}}).floats;
    };
    EXPECT_THAT(floats(1e-4F),
        ElementsAre("bound: Log 'log' goes by ratios, also of the smallest of what it makes",
            "square: Log 'log' goes by ratios, also of the smallest of what it makes",
            "raise: Log 'log' goes by ratios, also of the smallest of what it makes",
            "log: Log loses most in 16 bits"));
    EXPECT_THAT(floats(1e-2F), ElementsAre("log: Log loses most in 16 bits")); // sixteen bits hold the rest
}

TEST(Halve, WhatIsDividedByMayBeOfAWideRangeWhereItIsLarge)
{
    PassFile file;
    file.weight("w", {3}, {1, 2, 3});
    file.op("Add", "add", {"x", "w"}, {"a"}).op("Div", "ratio", {"x", "a"}, {"y"}).result();
    const auto floats = [&](const std::map<std::string, float>& smallest) {
        return halved(file, 1e4F, {}, {}, ElementType::Float16, smallest).floats;
    };
    EXPECT_THAT(floats({{"a", 1}}), IsEmpty());
    EXPECT_THAT(floats({}), IsEmpty()); // both signs
    EXPECT_THAT(
        floats({{"a", 0}}), ElementsAre("add: Div 'ratio' goes by ratios, also of the smallest of what it makes"));
}

TEST(Halve, LeaveWhatIsToStayAndGiveBothReadersTheirType)
{
    PassFile file;
    file.weight("w", {3}, {1, 2, 3});
    file.op("Add", "add", {"x", "w"}, {"a"}).op("Mul", "mul", {"a", "w"}, {"y"}).result();
    const HalfOutcome outcome = halved(file, 2, {}, {"mul"});
    EXPECT_THAT(outcome.floats, ElementsAre("mul: it is to stay float"));
    EXPECT_THAT(outcome.lines,
        ElementsAre("Cast add_to_half(x) -> x_half to=10", "Add add(x_half, [1 2 3]) -> a_half",
            "Cast add_to_float(a_half) -> a to=1", "Mul mul(a, [1 2 3]) -> y"));
}

TEST(Halve, BfloatHoldsWhatHalfDoesNotWhereTheOpsetHasIt)
{
    PassFile file;
    file.weight("mask", {1}, {-1e38F});
    file.op("Add", "masked", {"x", "mask"}, {"a"}).op("HardSwish", "swish", {"a"}, {"y"}).result();
    const HalfOutcome outcome = halved(file, 1e30F, {}, {}, ElementType::BFloat16);
    EXPECT_THAT(outcome.floats, ElementsAre("swish: opset 17 has no HardSwish of bfloat16, which came with 22"));
    EXPECT_THAT(outcome.lines,
        ElementsAre("Cast masked_to_half(x) -> x_half to=16", testing::StartsWith("Add masked(x_half, "),
            "Cast masked_to_float(a_half) -> a to=1", "HardSwish swish(a) -> y"));
}

TEST(Halve, LeaveWhatIsComputedBeforehand)
{
    PassFile file;
    file.weight("w", {3, 1}, {1, 2, 3});
    file.op("Transpose", "turn", {"w"}, {"t"}, {{"perm", Ints{1, 0}}}).op("Add", "add", {"x", "t"}, {"y"}).result();
    EXPECT_THAT(halved(file, 2).lines,
        ElementsAre("Cast add_to_half(x) -> x_half to=10", "Transpose turn([1 2 3]) -> t perm=[1 0]",
            "Cast turn_to_half(t) -> t_half to=10", "Add add(x_half, t_half) -> y_half",
            "Cast add_to_float(y_half) -> y to=1"));
}

/// What computes no floats is not told of, nor what only says which floats it gives.
TEST(Halve, SayOfOperatorsThatHaveNoFormWhyTheyStay)
{
    PassFile file;
    file.op("ReduceMean", "mean", {"x"}, {"m"}).op("Resize", "resize", {"m", "", "", "size"}, {"r"});
    file.ints("size", {1, 1})
        .op("Shape", "shape", {"r"}, {"s"})
        .op("Cast", "cast", {"s"}, {"c"}, {{"to", std::int64_t{1}}});
    onnx::NodeProto& choose = file.node("If", "choose", {"condition"}, {"b"});
    file.tensor("condition", {}, onnx::TensorProto::BOOL).add_int32_data(1);
    for (const std::string branch : {"then_branch", "else_branch"}) {
        GraphProtoBuilder body = addBody(choose, branch);
        body.node("Relu", "relu", {"r"}, {branch});
        body.proto().add_output()->set_name(branch);
    }
    file.op("Add", "add", {"b", "c"}, {"y"}).result();
    EXPECT_THAT(halved(file, 2).floats,
        testing::UnorderedElementsAre("mean: ReduceMean loses most in 16 bits",
            "resize: no form of 16 bits is known of Resize", "choose: what is in bodies stays in 32 bits",
            "choose::then_branch::relu: what is in bodies stays in 32 bits",
            "choose::else_branch::relu: what is in bodies stays in 32 bits"));
}

TEST(Halve, LargeConstantsAreNotWrittenInBothWidths)
{
    PassFile file;
    file.weight("w", {3, 400}, std::vector<float>(1200, 1)).weight("v", {3, 400}, std::vector<float>(1200, 2));
    file.op("MatMul", "one", {"x", "w"}, {"a"}).op("MatMul", "two", {"x", "w"}, {"b"});
    file.op("MatMul", "three", {"x", "v"}, {"c"}).op("Sum", "sum", {"a", "b", "c"}, {"y"}).result();
    EXPECT_THAT(halved(file, 2, {}, {"two"}).floats,
        ElementsAre("two: it is to stay float", "sum: no form of 16 bits is known of Sum",
            "one: reads 'w', which is read in 32 bits as well"));
}

TEST(Halve, BfloatDoesNotHoldTheVeryLargestFloats)
{
    PassFile file;
    file.weight("mask", {1}, {-3.4e38F});
    file.op("Add", "masked", {"x", "mask"}, {"y"}).result();
    EXPECT_THAT(halved(file, 2, {}, {}, ElementType::BFloat16).floats,
        ElementsAre("masked: reads 'mask', which is beyond 3.38e38"));
}

void addCodes(PassFile& file, const std::string& name, const std::vector<std::int64_t>& dims, const std::string& bytes)
{
    file.tensor(name, dims, onnx::TensorProto::INT8).set_raw_data(bytes);
}

/// x -> Relu -> codes -> MatMul with weights of codes -> codes -> Exp.
void addQuantizedProduct(PassFile& file, const std::vector<float>& weightScales)
{
    file.weight("s", {}, {0.5F}).weight("ws", {2}, weightScales);
    addCodes(file, "z", {}, std::string(1, '\0'));
    addCodes(file, "w", {3, 2}, "abcdef");
    file.op("Relu", "relu", {"x"}, {"r"}).op("QuantizeLinear", "q", {"r", "s", "z"}, {"rc"});
    file.op("DequantizeLinear", "dq", {"rc", "s", "z"}, {"rd"}).op("DequantizeLinear", "wdq", {"w", "ws"}, {"wd"});
    file.op("MatMul", "product", {"rd", "wd"}, {"p"}).op("QuantizeLinear", "pq", {"p", "s", "z"}, {"pc"});
    file.op("DequantizeLinear", "pdq", {"pc", "s", "z"}, {"pd"}).op("Exp", "exp", {"pd"}, {"y"}).result();
}

TEST(Halve, QuantizersHaveTheTypeOfWhatTheyStandAt)
{
    PassFile file(19);
    addQuantizedProduct(file, {0.1F, 0.2F});
    EXPECT_THAT(halved(file, 10).lines,
        ElementsAre("Cast relu_to_half(x) -> x_half to=10", "Relu relu(x_half) -> r_half",
            "QuantizeLinear q(r_half, [0.5], [0]) -> rc", "DequantizeLinear dq(rc, [0.5], [0]) -> rd_half",
            "DequantizeLinear wdq([97 98 99 100 101 102], [0.0999756 0.199951]) -> wd_half", // their scales in 16 bits
            "MatMul product(rd_half, wd_half) -> p_half", "QuantizeLinear pq(p_half, [0.5], [0]) -> pc",
            "DequantizeLinear pdq(pc, [0.5], [0]) -> pd", "Exp exp(pd) -> y"));
}

TEST(Halve, AProductStaysWhereTheScalesOfItsWeightsAreTooSmall)
{
    PassFile file(19);
    addQuantizedProduct(file, {0.1F, 1e-6F});
    EXPECT_THAT(halved(file, 10).floats,
        ElementsAre("product: reads 'wd', a scale of which 16 bits do not hold", "exp: Exp loses most in 16 bits"));
}

TEST(Halve, NoCastComesBetweenAProductAndItsQuantizersInOlderOpsets)
{
    PassFile file(17);
    addQuantizedProduct(file, {0.1F, 0.2F});
    EXPECT_THAT(halved(file, 10).floats,
        ElementsAre("product: reads 'rd', whose DequantizeLinear has no form of 16 bits (from opset 19 on)",
            "exp: Exp loses most in 16 bits"));
}

} // namespace
} // namespace duo::test
