// SPDX-License-Identifier: Apache-2.0
#include "core/scope/make_record.h"
#include "tests/core/rules/rule_match.h"
#include "tests/support/model_builder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace duo::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(MatchRules, NamesAreExact)
{
    const auto match = RuleMatch::ofCase(
        "b_shared_twice", {ignoreRule(RuleKind::Name, "/fc/Gemm"), ignoreRule(RuleKind::Name, "fc/Gemm")});
    EXPECT_THAT(match.nodes(0), ElementsAre("/fc/Gemm"));
    EXPECT_THAT(match.nodes(1), IsEmpty());
}

TEST(MatchRules, PatternsMatchFromTheStart)
{
    const auto match = RuleMatch::ofCase(
        "b_shared_twice", {ignoreRule(RuleKind::Pattern, "/fc"), ignoreRule(RuleKind::Pattern, "fc")});
    EXPECT_THAT(match.nodes(0), ElementsAre("/fc/Gemm", "/fc_1/Gemm"));
    EXPECT_THAT(match.nodes(1), IsEmpty());
}

TEST(MatchRules, NamesAndPatternsCatchWhatTookTheirNodesInWhenTheFileWasWritten)
{
    const auto model = ModelBuilder()
                           .input("x", {2, 2})
                           .weight("w", {2, 2})
                           .node("MatMul", "/fc/MatMul", {"x", "w"}, {"h"})
                           .metadata("duoscope.fused", "/fc/Mul\n/norm/Mul")
                           .node("Relu", "/act/Relu", {"h"}, {"y"})
                           .output("y")
                           .build();
    RuleSet rules;
    for (const auto& [kind, value] : {std::pair(RuleKind::Name, "/norm/Mul"), std::pair(RuleKind::Pattern, "/norm/.*"),
             std::pair(RuleKind::Name, "/norm"), std::pair(RuleKind::Name, "/act/Relu")})
        rules.rules.push_back(ignoreRule(kind, value));
    const RuleHits hits = matchRules(*model, findScopes(*model), rules);
    EXPECT_THAT(hits.hits[0].nodes, ElementsAre(NodeId(0)));
    EXPECT_THAT(hits.hits[1].nodes, ElementsAre(NodeId(0)));
    EXPECT_THAT(hits.hits[2].nodes, IsEmpty());
    EXPECT_THAT(hits.hits[3].nodes, ElementsAre(NodeId(1)));
}

/// 32 bits win over 16, and where some nodes are to compute in 16 the others stay in 32.
TEST(MatchRules, PrecisionRulesSayWhatComputesInThirtyTwoBitsAndNothingOfQuantizers)
{
    const auto model = ModelBuilder()
                           .input("x", {2})
                           .node("Relu", "one", {"x"}, {"a"})
                           .node("Sigmoid", "two", {"a"}, {"b"})
                           .node("Tanh", "three", {"b"}, {"y"})
                           .output("y")
                           .build();
    const auto wants = [](const char* type, int bits) {
        Rule rule = ignoreRule(RuleKind::Type, type);
        rule.action = RuleAction::Precision;
        rule.precision.floatBits = bits;
        return rule;
    };
    const auto keptOf = [&](std::vector<Rule> rules) {
        const RuleHits hits = matchRules(*model, findScopes(*model), {std::move(rules), true});
        EXPECT_THAT(hits.precisions, IsEmpty());
        EXPECT_THAT(hits.precisionOf, IsEmpty());
        return keptInFloat32(hits, model->nodes.size());
    };
    EXPECT_THAT(
        keptOf({wants("Sigmoid", 32)}), ElementsAre("", "rule 'precision type Sigmoid: floats of 32 bits'", ""));
    EXPECT_THAT(keptOf({wants("Sigmoid", 32), wants("Sigmoid", 16), wants("Tanh", 16)}),
        ElementsAre(
            "no rule that wants floats of 16 bits catches it", "rule 'precision type Sigmoid: floats of 32 bits'", ""));
    Rule off = wants("Sigmoid", 32);
    off.enabled = false;
    EXPECT_THAT(keptOf({off}), ElementsAre("", "", ""));
}

/// The record tells where a node ran that another one took in; nothing runs there any more.
TEST(MatchRules, ScopesAndClassesCatchWhatTookTheirNodesInWhenTheFileWasWritten)
{
    const std::string record
        = R"({"version":1,"flags":1,"root":0,"classes":["nn.Linear","nn.BatchNorm1d"],"paths":[[0,"fc",1],[0,"norm",2]],)"
          R"("same":[],"never":[],"modules":[],"keys":[],"order":[],"calls":[[0,1],[0,2]],)"
          R"("nodes":[[1,8,"/fc/MatMul"],[0,8,"/act/Relu"],[2,8,"/norm/Mul"]],"reads":[],"merged":[]})";
    Model model = *ModelBuilder()
                       .input("x", {2, 2})
                       .weight("w", {2, 2})
                       .node("MatMul", "/fc/MatMul", {"x", "w"}, {"h"})
                       .metadata("duoscope.fused", "/norm/Mul")
                       .node("Relu", "/act/Relu", {"h"}, {"y"})
                       .output("y")
                       .build();
    model.metadata.emplace_back(kScopeRecordKey, record);
    const Scopes scopes = findScopes(model);
    EXPECT_FALSE(scopes.execution.find("norm").valid());
    RuleSet rules;
    for (const auto& [kind, value] : {std::pair(RuleKind::ExecutionScope, "norm"),
             std::pair(RuleKind::Class, "BatchNorm1d"), std::pair(RuleKind::ExecutionScope, "norm#1")})
        rules.rules.push_back(ignoreRule(kind, value));
    const RuleHits hits = matchRules(model, scopes, rules);
    EXPECT_THAT(hits.hits[0].nodes, ElementsAre(NodeId(0)));
    EXPECT_THAT(hits.hits[1].nodes, ElementsAre(NodeId(0)));
    EXPECT_THAT(hits.hits[2].nodes, IsEmpty());
    EXPECT_EQ(scopeRecordText(scopeRecord(model, scopes)), record) << "and it is handed on";
}

TEST(MatchRules, TypesAreExact)
{
    const auto match
        = RuleMatch::ofCase("b_shared_twice", {ignoreRule(RuleKind::Type, "Gemm"), ignoreRule(RuleKind::Type, "gemm")});
    EXPECT_THAT(match.nodes(0), ElementsAre("/fc/Gemm", "/fc_1/Gemm"));
    EXPECT_THAT(match.nodes(1), IsEmpty());
}

TEST(MatchRules, AStorageScopeFollowsTheParametersAnExecutionScopeTheCalls)
{
    const auto match = RuleMatch::ofCase("a_sibling",
        {ignoreRule(RuleKind::StorageScope, "enc.proj"), ignoreRule(RuleKind::ExecutionScope, "enc.proj"),
            ignoreRule(RuleKind::ExecutionScope, "dec"), ignoreRule(RuleKind::ExecutionScope, "dec/@enc.proj")});
    EXPECT_THAT(match.nodes(0), ElementsAre("/enc/proj/Gemm", "/dec/proj/Gemm"));
    EXPECT_THAT(match.nodes(1), ElementsAre("/enc/proj/Gemm"));
    EXPECT_THAT(match.nodes(2), ElementsAre("/dec/proj/Gemm", "/dec/Relu", "/dec/own/Gemm"));
    EXPECT_THAT(match.nodes(3), ElementsAre("/dec/proj/Gemm"));
}

TEST(MatchRules, AScopeWithoutANumberIsEveryCallAndARecipeMaySayWhich)
{
    const auto match = RuleMatch::ofCase("b_shared_twice",
        {ignoreRule(RuleKind::ExecutionScope, "fc"), ignoreRule(RuleKind::ExecutionScope, "fc#0"),
            ignoreRule(RuleKind::ExecutionScope, "fc#1"), targetRule(RuleKind::ExecutionScope, "fc")});
    EXPECT_THAT(match.nodes(0), ElementsAre("/fc/Gemm", "/fc_1/Gemm"));
    EXPECT_THAT(match.nodes(1), ElementsAre("/fc/Gemm"));
    EXPECT_THAT(match.nodes(2), ElementsAre("/fc_1/Gemm"));
    EXPECT_THAT(match.nodes(3), ElementsAre("/fc/Gemm", "/fc_1/Gemm"));
}

TEST(MatchRules, TheEmptyScopeIsTheWholeModel)
{
    const auto match = RuleMatch::ofCase(
        "b_shared_twice", {ignoreRule(RuleKind::ExecutionScope, ""), ignoreRule(RuleKind::StorageScope, "")});
    EXPECT_EQ(match.nodes(0).size(), 3U);
    EXPECT_EQ(match.nodes(1).size(), 3U);
    EXPECT_THAT(match.compressible(), IsEmpty());
}

TEST(MatchRules, AScopeOfSeparatorsOnlyIsAProblem)
{
    const auto match = RuleMatch::ofCase("b_shared_twice", {ignoreRule(RuleKind::ExecutionScope, "./")});
    EXPECT_EQ(match.problem(), "scope './' has separators only: the whole model is the empty text");
    EXPECT_THAT(match.nodes(), IsEmpty());
}

TEST(MatchRules, AClassInAFileWithoutClassesCannotBeUsed)
{
    const auto match = RuleMatch::ofCase("a_sibling", {ignoreRule(RuleKind::Class, "Linear")});
    EXPECT_EQ(match.problem(0), "the file does not tell the classes of its modules: name scopes instead");
}

TEST(MatchRules, ClassesAreShortOrQualifiedAndCatchWhatIsBelow)
{
    const auto match = RuleMatch::ofCase("n_functions_all",
        {ignoreRule(RuleKind::Class, "Linear"), ignoreRule(RuleKind::Class, "torch.nn.modules.linear.Linear"),
            ignoreRule(RuleKind::Class, "TwoIn"), ignoreRule(RuleKind::Class, "near")});
    EXPECT_EQ(match.nodes(0).size(), 4U); // two calls and their Gemm
    EXPECT_EQ(match.nodes(1), match.nodes(0));
    EXPECT_EQ(match.nodes(2).size(), 12U); // each call, its own three nodes, Linear with its Gemm
    EXPECT_THAT(match.nodes(3), IsEmpty());
}

TEST(MatchRules, DenyWinsAndTheFirstIgnoringRuleIsNamed)
{
    const auto match = RuleMatch::ofCase("b_shared_twice",
        {targetRule(RuleKind::Type, "Gemm"), ignoreRule(RuleKind::Name, "/fc_1/Gemm"),
            ignoreRule(RuleKind::StorageScope, "fc")});
    EXPECT_THAT(match.compressible(), IsEmpty());
    EXPECT_EQ(match.hits.ignoredBy, (std::vector<int>{2, RuleHits::kNoRule, 1}));
    EXPECT_EQ(match.hits.targeted, (std::vector<bool>{true, false, true}));
}

TEST(MatchRules, WithoutAnEnabledTargetRuleEverythingIsTargeted)
{
    Rule disabled = targetRule(RuleKind::Type, "Gemm");
    disabled.enabled = false;
    const auto match = RuleMatch::ofCase("b_shared_twice", {disabled, ignoreRule(RuleKind::Type, "Relu")});
    EXPECT_THAT(match.nodes(0), IsEmpty());
    EXPECT_THAT(match.suggestions(0), IsEmpty());
    EXPECT_THAT(match.compressible(), ElementsAre("/fc/Gemm", "/fc_1/Gemm"));
}

TEST(MatchRules, KnownHitsAreTakenOverForRulesThatAreStillThere)
{
    const auto before = RuleMatch::ofCase(
        "b_shared_twice", {ignoreRule(RuleKind::Type, "Gemm"), ignoreRule(RuleKind::Name, "/Relu")});
    const RuleSet after{
        {targetRule(RuleKind::Type, "Relu"), ignoreRule(RuleKind::Type, "Gemm"), ignoreRule(RuleKind::Name, "/Relu")},
        true};
    const RuleHits fresh = matchRules(*before.model, before.scopes, after);
    const RuleHits reused = matchRules(*before.model, before.scopes, after, &before.hits);
    for (std::size_t rule = 0; rule < after.rules.size(); ++rule)
        EXPECT_EQ(reused.hits[rule].nodes, fresh.hits[rule].nodes);
    EXPECT_EQ(reused.ignoredBy, fresh.ignoredBy);
    EXPECT_EQ(reused.targeted, fresh.targeted);
}

TEST(MatchRules, ABadPatternSaysWhereAndSparesTheOthers)
{
    const auto match = RuleMatch::ofCase(
        "b_shared_twice", {ignoreRule(RuleKind::Pattern, "fc(["), ignoreRule(RuleKind::Type, "Relu")});
    EXPECT_EQ(match.problem(0), "pattern is not valid at 3: unterminated character set");
    EXPECT_THAT(match.nodes(1), ElementsAre("/Relu"));
}

TEST(MatchRules, ACostlyPatternIsGivenUp)
{
    const auto match = RuleMatch::ofCase("i2_bertlike", {ignoreRule(RuleKind::Pattern, "(\\S+)+(\\S+)+(\\S+)+\\s")});
    EXPECT_THAT(match.problem(), testing::StartsWith("pattern takes too many steps on node '"));
    EXPECT_THAT(match.nodes(), IsEmpty());
}

} // namespace
} // namespace duo::test
