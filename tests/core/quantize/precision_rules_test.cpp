// SPDX-License-Identifier: Apache-2.0
// Rules that give nodes another precision than the settings.
#include "core/quantize/rule_effects.h"
#include "core/report/match_report.h"
#include "core/scope/scope.h"
#include "tests/core/quantize/placed.h"
#include "tests/support/model_builder.h"
#include "tests/support/placing.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using duo::test::ModelBuilder;
using duo::test::pointLines;
using ::testing::Contains;
using ::testing::ElementsAre;

namespace duo {
namespace {

Rule wants(const std::string& node, const RulePrecision& precision)
{
    Rule rule;
    rule.action = RuleAction::Precision;
    rule.kind = RuleKind::Name;
    rule.value = node;
    rule.precision = precision;
    return rule;
}

RulePrecision activationBits(int bits)
{
    RulePrecision precision;
    precision.activations.numBits = bits;
    return precision;
}

/// Two products of the same input.
std::shared_ptr<const Model> twoProducts()
{
    return ModelBuilder()
        .input("x", {2, 4})
        .weight("w1", {4, 4})
        .weight("w2", {4, 4})
        .node("MatMul", "left", {"x", "w1"}, {"a"})
        .node("MatMul", "right", {"x", "w2"}, {"b"})
        .output("a")
        .output("b")
        .build();
}

Result<Placement> placedWith(const Model& model, std::vector<Rule> rules, const QuantizationSettings& settings = {})
{
    const RuleHits hits = matchRules(model, findScopes(model), {std::move(rules), true});
    return test::placeOnce(model, hits, settings);
}

TEST(PrecisionRules, GiveANodeQuantizersOfItsOwn)
{
    const auto model = twoProducts();
    const auto placement = placedWith(*model, {wants("right", activationBits(16))});
    ASSERT_TRUE(placement) << placement.error().line();
    EXPECT_THAT(pointLines(*model, placement->setup),
        ElementsAre("left input 0: A8 -> left", "left weight 1: S8 per channel -> left", "right input 0: A16 -> right",
            "right weight 1: S8 per channel -> right"));
}

TEST(PrecisionRules, LeaveOneQuantizerWhereAllReadersWantTheSame)
{
    const auto model = twoProducts();
    const auto placement = placedWith(*model, {wants("left", activationBits(16)), wants("right", activationBits(16))});
    ASSERT_TRUE(placement) << placement.error().line();
    EXPECT_THAT(pointLines(*model, placement->setup), Contains("model input x: A16 -> left right"));
}

TEST(PrecisionRules, ChooseWeightsAndModesToo)
{
    const auto model = twoProducts();
    RulePrecision precision;
    precision.weights.perChannel = false;
    precision.activations.mode = QuantizationMode::Symmetric;
    const auto placement = placedWith(*model, {wants("left", precision)});
    ASSERT_TRUE(placement) << placement.error().line();
    EXPECT_THAT(pointLines(*model, placement->setup), Contains("left weight 1: S8 -> left"));
    EXPECT_THAT(pointLines(*model, placement->setup), Contains("left input 0: S8 -> left"));
}

TEST(PrecisionRules, CombineToTheMoreExactInWhateverOrder)
{
    const auto model = twoProducts();
    RulePrecision symmetric = activationBits(8);
    symmetric.activations.mode = QuantizationMode::Symmetric;
    const std::vector<Rule> rules{wants("left", symmetric), wants("left", activationBits(16))};
    const auto one = placedWith(*model, rules);
    const auto other = placedWith(*model, {rules[1], rules[0]});
    ASSERT_TRUE(one && other);
    EXPECT_THAT(pointLines(*model, one->setup), Contains("left input 0: S16 -> left"));
    EXPECT_EQ(one->setup, other->setup);
}

/// What a node computes in where the model is written in 16 bits moves no quantizer, and is an effect all the same.
TEST(PrecisionRules, OfFloatsLeaveQuantizersAlone)
{
    const auto model = twoProducts();
    RulePrecision wide;
    wide.floatBits = 32;
    const RuleHits hits = matchRules(*model, findScopes(*model), {{wants("left", wide)}, true});
    const auto with = test::placeOnce(*model, hits, {});
    const auto without = placedWith(*model, {});
    ASSERT_TRUE(with && without);
    EXPECT_EQ(with->setup, without->setup);
    EXPECT_EQ(with->notes, without->notes);
    const auto effects = ruleEffects(*model, hits, &*with, &*without);
    EXPECT_EQ(effects[0].verdict, RuleVerdict::Works);
    EXPECT_THAT(effects[0].effective, ElementsAre(model->findNode("left")));
}

TEST(PrecisionRules, OfFloatsHaveNoEffectOnWhatHasNoFormOfSixteenBits)
{
    const auto model = ModelBuilder().input("x", {2}).node("Exp", "exp", {"x"}, {"y"}).output("y").build();
    RulePrecision wide;
    wide.floatBits = 32;
    const RuleHits hits = matchRules(*model, findScopes(*model), {{wants("exp", wide)}, true});
    const auto effects = ruleEffects(*model, hits, nullptr, nullptr);
    EXPECT_EQ(effects[0].verdict, RuleVerdict::NoEffect);
    ASSERT_EQ(effects[0].idle.size(), 1U);
    EXPECT_EQ(effects[0].idle[0].cause.kind, Idle::NoHalfForm);
}

TEST(PrecisionRules, NeitherIgnoreNorTarget)
{
    const auto model = twoProducts();
    const RuleHits hits = matchRules(*model, findScopes(*model), {{wants("left", activationBits(16))}, true});
    EXPECT_TRUE(hits.isCompressible(model->findNode("left")));
    EXPECT_TRUE(hits.isCompressible(model->findNode("right")));
}

TEST(PrecisionRules, SayWhatHappensWhereOtherBitsMeet)
{
    const auto model = twoProducts();
    const auto placement = placedWith(*model, {wants("right", activationBits(16))});
    ASSERT_TRUE(placement) << placement.error().line();
    EXPECT_EQ(test::decisionLine(*model, *placement, "left"),
        "quantized: its inputs and weights are quantized; input 0 is quantized in 8 bits for it, for others in other "
        "bits");
    EXPECT_EQ(test::decisionLine(*model, *placement, "right"),
        "quantized: its inputs and weights are quantized, as a rule wants: activations 16 bits; input 0 is quantized "
        "in 16 bits for it, for others in other bits; ONNX Runtime's CPU provider computes it in float, having no "
        "kernel for such codes");
}

/// Two convolutions in a row.
std::shared_ptr<const Model> twoConvolutions()
{
    return ModelBuilder()
        .input("x", {1, 2, 4, 4})
        .weight("w1", {2, 2, 1, 1})
        .weight("w2", {2, 2, 1, 1})
        .node("Conv", "first", {"x", "w1"}, {"a"})
        .node("Conv", "second", {"a", "w2"}, {"b"})
        .node("Conv", "third", {"b", "w2"}, {"c"})
        .node("Tanh", "end", {"c"}, {"y"})
        .output("y")
        .build();
}

TEST(PrecisionRules, OnOrtCpuNothingGivesEightBitsToWhatWantsSixteen)
{
    const auto model = twoConvolutions();
    const auto placement = placedWith(*model, {wants("second", activationBits(16))});
    ASSERT_TRUE(placement) << placement.error().line();
    EXPECT_THAT(pointLines(*model, placement->setup), Contains("first behind: A16 -> second"));
    EXPECT_EQ(test::decisionLine(*model, *placement, "first"),
        "weight-only: its result is read in 16 bits, which no int8 kernel gives");
}

TEST(PrecisionRules, OnQnnAnOperatorGivesItsOwnBitsAndTheNextConverts)
{
    const auto model = twoConvolutions();
    QuantizationSettings settings;
    settings.profile = Profile::Qnn;
    const auto placement = placedWith(*model, {wants("second", activationBits(16))}, settings);
    ASSERT_TRUE(placement) << placement.error().line();
    EXPECT_THAT(test::decisionLine(*model, *placement, "third"),
        testing::HasSubstr("; input 0, given in 16 bits, is quantized again in 8"));
}

TEST(PrecisionRules, HoldBehindWhatMovesTheCodes)
{
    const auto model = ModelBuilder()
                           .input("x", {2, 4})
                           .weight("w1", {4, 4})
                           .weight("w2", {4, 4})
                           .node("MatMul", "first", {"x", "w1"}, {"a"})
                           .node("Transpose", "turn", {"a"}, {"b"})
                           .node("MatMul", "second", {"b", "w2"}, {"y"})
                           .output("y")
                           .build();
    const auto placement = placedWith(*model, {wants("second", activationBits(16))});
    ASSERT_TRUE(placement) << placement.error().line();
    EXPECT_EQ(test::decisionLine(*model, *placement, "second"),
        "quantized: its inputs and weights are quantized, as a rule wants: activations 16 bits; ONNX Runtime's CPU "
        "provider computes it in float, having no kernel for such codes");
    const auto plain = placedWith(*model, {}, test::likeNncf());
    EXPECT_EQ(test::decisionLine(*model, *plain, "second"), "quantized: its inputs and weights are quantized");
}

TEST(PrecisionRules, ThatWantWhatIsSoAnywayHaveNoEffect)
{
    const auto model = twoProducts();
    const RuleSet rules{{wants("left", activationBits(8))}, true};
    const RuleHits hits = matchRules(*model, findScopes(*model), rules);
    const RuleHits none = matchRules(*model, findScopes(*model), {});
    const auto placement = test::placeOnce(*model, hits, {});
    const auto unruled = test::placeOnce(*model, none, {});
    ASSERT_TRUE(placement && unruled);
    const auto effects = ruleEffects(*model, hits, &*placement, &*unruled);
    EXPECT_EQ(ruleFinding({*model, rules, hits, effects, &*placement, &*unruled}, 0),
        "matches 1 node, but has no effect: its quantizers are the same without any rule");
}

TEST(PrecisionRules, MustBePossibleOnTheProfile)
{
    const auto model = twoProducts();
    RulePrecision asymmetric;
    asymmetric.activations.mode = QuantizationMode::Asymmetric;
    QuantizationSettings settings;
    settings.profile = Profile::TensorRt;
    const auto placement = placedWith(*model, {wants("left", asymmetric)}, settings);
    ASSERT_FALSE(placement);
    EXPECT_EQ(placement.error().line(),
        "profile tensorrt takes symmetric activations only: rule 'precision name left: activations asymmetric': leave "
        "the mode of activations out");
    const auto wide = placedWith(*model, {wants("left", activationBits(16))}, settings);
    ASSERT_FALSE(wide);
    EXPECT_EQ(wide.error().line(),
        "profile tensorrt has no 16-bit quantizers: rule 'precision name left: activations 16 bits': take 8 bits");
}

} // namespace
} // namespace duo
