// SPDX-License-Identifier: Apache-2.0
#include "core/report/decision_sentences.h"

#include "core/quantize/points/decision_terms.h"
#include "core/rules/match.h"
#include "core/scope/scope.h"
#include "tests/support/model_builder.h"
#include "tests/support/placing.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

namespace duo {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// A convolution that takes its activation in; the activation has the name of a word of sentences.
std::shared_ptr<const Model> convAndRelu()
{
    return test::ModelBuilder()
        .input("x", {1, 3, 8, 8})
        .weight("w", {4, 3, 3, 3})
        .node("Conv", "conv's", {"x", "w"}, {"c"})
        .node("Relu", "with", {"c"}, {"y"})
        .output("y")
        .build();
}

/// One decision about the convolution, and nothing else that sentences name.
Placement placementWith(const Decision& decision)
{
    Placement placement;
    placement.decisions.assign(2, decision);
    return placement;
}

RuleSet ignoringType(const std::string& type)
{
    RuleSet rules;
    rules.rules.emplace_back();
    rules.rules.front().kind = RuleKind::Type;
    rules.rules.front().value = type;
    return rules;
}

TEST(DecisionSentences, NamesStandInQuotesAndCarryWhatTheyName)
{
    const auto model = convAndRelu();
    const auto placement = test::placeOnce(*model, matchRules(*model, findScopes(*model), {}), {});
    ASSERT_TRUE(placement);
    EXPECT_EQ(whyText(*model, *placement, NodeId(1)), "it is computed together with 'conv's' (linear, activation)");
    EXPECT_THAT(wouldSentence(*model, *placement, NodeId(1)),
        ElementsAre(SentencePart{.text = "it would stay in float if "},
            SentencePart{.text = "conv's", .node = NodeId(0)}, SentencePart{.text = " were ignored"}));
    EXPECT_EQ(wouldText(*model, *placement, NodeId(1)), "it would stay in float if 'conv's' were ignored");
}

TEST(DecisionSentences, ARuleIsNamedByItsPlaceInTheList)
{
    const auto model = convAndRelu();
    const RuleHits hits = matchRules(*model, findScopes(*model), ignoringType("Conv"));
    const auto placement = test::placeOnce(*model, hits, {});
    ASSERT_TRUE(placement);
    EXPECT_THAT(whySentence(*model, *placement, NodeId(0)),
        ElementsAre(SentencePart{.text = "rule "}, SentencePart{.text = "ignore type Conv", .rule = 0},
            SentencePart{.text = " names it"}));
}

TEST(DecisionSentences, OfAGroupTheFirstNodesReasonIsTold)
{
    const auto model = convAndRelu();
    const RuleHits hits = matchRules(*model, findScopes(*model), ignoringType("Conv"));
    const auto placement = test::placeOnce(*model, hits, {});
    ASSERT_TRUE(placement);
    EXPECT_THAT(
        whyText(*model, *placement, NodeId(1)), testing::EndsWith(", and there rule 'ignore type Conv' names it"));
    EXPECT_FALSE(namesItsRule(*placement, NodeId(1))); // it is caught by none
    EXPECT_TRUE(namesItsRule(*placement, NodeId(0)));
}

TEST(DecisionSentences, ARuleWithoutEffectIsNamedToo)
{
    const auto model = convAndRelu();
    const RuleHits hits = matchRules(*model, findScopes(*model), ignoringType("Relu"));
    const auto placement = test::placeOnce(*model, hits, {});
    ASSERT_TRUE(placement);
    EXPECT_THAT(
        whyText(*model, *placement, NodeId(1)), testing::EndsWith("; rule 'ignore type Relu' has no effect on it"));
    EXPECT_TRUE(namesItsRule(*placement, NodeId(1)));
}

TEST(DecisionSentences, NumbersAndValuesAreTold)
{
    const auto model = convAndRelu();
    const ValueId weight = model->findValue("w");
    const Placement placement = placementWith({NodeState::Preset,
        {.code = ReasonCode::WeightHolds, .value = weight, .number = {-std::numeric_limits<float>::infinity()}},
        WouldBe::QuantizedIfFinite});
    EXPECT_EQ(whyText(*model, placement, NodeId(0)), "its weight 'w' holds -inf");
    EXPECT_EQ(whySentence(*model, placement, NodeId(0))[1].value, weight);
    EXPECT_EQ(wouldText(*model, placement, NodeId(0)),
        "it would be quantized if the constant held finite numbers of the size of the others");
}

TEST(DecisionSentences, OfADecisionThatSaysNothingThereIsNoSentence)
{
    const auto model = convAndRelu();
    const Placement placement = placementWith({NodeState::Quantized});
    EXPECT_THAT(whySentence(*model, placement, NodeId(0)), IsEmpty());
    EXPECT_THAT(wouldSentence(*model, placement, NodeId(0)), IsEmpty());
}

TEST(DecisionSentences, EveryReasonAndEveryChangeHasWords)
{
    const auto model = convAndRelu();
    for (auto code = ReasonCode::NeverRuns; code <= ReasonCode::TableOnly;
         code = static_cast<ReasonCode>(static_cast<int>(code) + 1)) {
        Decision decision{NodeState::Preset, {.code = code, .about = NodeId(0), .value = ValueId(0)}};
        decision.fusedWith = NodeId(0);
        Placement placement = placementWith(decision);
        placement.kept = std::make_shared<const KeptFloats>(KeptFloats{{NodeId(1), HadNoRange()}});
        EXPECT_NE(whyText(*model, placement, NodeId(1)), "") << static_cast<int>(code);
    }
    for (auto would = WouldBe::ConsideredInMainGraph; would <= WouldBe::KeptOtherwise;
         would = static_cast<WouldBe>(static_cast<int>(would) + 1)) {
        Decision decision{NodeState::Preset, {}, would};
        decision.fusedWith = NodeId(0);
        Placement placement = placementWith(decision);
        placement.kept = std::make_shared<const KeptFloats>(KeptFloats{{NodeId(1), RecordedKept{"a", "b"}}});
        EXPECT_NE(wouldText(*model, placement, NodeId(1)), "") << static_cast<int>(would);
    }
}

TEST(DecisionSentences, WhatWasKeptInFloatSaysWhyAndWhatWouldHelp)
{
    const auto model = convAndRelu();
    const RecordedKept ran = keptTexts(*model, RanInFloat{"ONNX Runtime 1.2", Fallback::FloatInput});
    EXPECT_EQ(ran.reason, "ONNX Runtime 1.2 runs it in float here: one of its inputs is not quantized");
    EXPECT_EQ(ran.counterfactual, "it would be quantized where this can be changed: quantize what gives the input");
    const RecordedKept unknown = keptTexts(*model, RanInFloat{"ONNX Runtime 1.2", Fallback::Unknown});
    EXPECT_EQ(
        unknown.reason, "ONNX Runtime 1.2 runs it in float here, between quantizers that it does not fuse with it");
    EXPECT_EQ(unknown.counterfactual, "");
    const RangeTrouble masked{RangeTrouble::Kind::Masked, 50, {-10000}, 3};
    EXPECT_EQ(keptTexts(*model, WithoutRange{model->findValue("x"), false, masked}).reason,
        "value 'x' holds 50 % of its numbers near -10000 and the others within 3, so that it has no range");
}

TEST(DecisionSentences, ADecisionIsSmall)
{
    EXPECT_LE(sizeof(Decision), 36U); // there is one for every node
}

} // namespace
} // namespace duo
