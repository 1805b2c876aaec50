// SPDX-License-Identifier: Apache-2.0
#include "core/onnx/reader.h"
#include "core/rules/suggestions.h"
#include "tests/core/rules/rule_match.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace duo::test {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;

TEST(Suggestions, NearNodeNames)
{
    const auto match = RuleMatch::ofCase("a_sibling", {ignoreRule(RuleKind::Name, "/dec/own/Gem")});
    EXPECT_THAT(match.suggestions(), ElementsAre("name /dec/own/Gemm: did you mean node '/dec/own/Gemm'?"));
}

TEST(Suggestions, AScopeGivenAsAName)
{
    const auto match = RuleMatch::ofCase("a_sibling", {ignoreRule(RuleKind::Name, "enc.proj")});
    EXPECT_THAT(match.suggestions(),
        ElementsAre("execution-scope enc.proj: 'enc.proj' is an execution scope with 1 node",
            "storage-scope enc.proj: 'enc.proj' is a storage scope read by 2 nodes"));
}

TEST(Suggestions, AParameterGivenAsAName)
{
    const auto match = RuleMatch::ofCase("a_sibling", {ignoreRule(RuleKind::Name, "dec.own.weight")});
    EXPECT_THAT(match.suggestions(),
        Contains("name /dec/own/Gemm: 'dec.own.weight' is a parameter, read by node '/dec/own/Gemm'"));
}

TEST(Suggestions, AStorageScopeGivenAsExecutionScopeIsTranslated)
{
    const auto match = RuleMatch::ofCase("a2_handed", {ignoreRule(RuleKind::ExecutionScope, "fc")});
    EXPECT_THAT(match.suggestions(),
        ElementsAre("storage-scope fc: 'fc' is a storage scope of 1 node, not an execution scope",
            "execution-scope apply_/@fc: in execution scope it is 'apply_/@fc'"));
}

TEST(Suggestions, AnExecutionScopeGivenAsStorageScopeIsTranslated)
{
    const auto match = RuleMatch::ofCase("a2_handed", {ignoreRule(RuleKind::StorageScope, "apply_")});
    EXPECT_THAT(match.suggestions(),
        ElementsAre("execution-scope apply_: 'apply_' is an execution scope of 2 nodes, not a storage scope",
            "storage-scope fc: in storage scope it is 'fc'"));
}

TEST(Suggestions, AScopeWithTheSameEndElsewhere)
{
    // dec.proj is foreign there: 'dec/@enc.proj', with all of its atoms but one more
    const auto match = RuleMatch::ofCase("a_sibling",
        {ignoreRule(RuleKind::StorageScope, "net.enc.proj"), ignoreRule(RuleKind::ExecutionScope, "dec.blocks.own")});
    EXPECT_THAT(match.suggestions(0), Contains("storage-scope enc.proj: did you mean storage scope 'enc.proj'?"));
    EXPECT_THAT(match.suggestions(1), Contains("execution-scope dec/own: did you mean execution scope 'dec/own'?"));
}

TEST(Suggestions, SpeakOfEveryCallUnlessTheRuleAsksForOne)
{
    const auto nested = RuleMatch::ofCase("r_repeat_nested", {ignoreRule(RuleKind::ExecutionScope, "net.blk.lin")});
    EXPECT_THAT(nested.suggestions(), Contains("execution-scope blk/lin: did you mean execution scope 'blk/lin'?"));
    const auto match = RuleMatch::ofCase("b_shared_twice", {ignoreRule(RuleKind::ExecutionScope, "fc#2")});
    EXPECT_EQ(match.suggestions().front(), "execution-scope fc: every call of 'fc' has 2 nodes");
    EXPECT_THAT(match.suggestions(), Contains("execution-scope fc#1: did you mean execution scope 'fc#1'?"));
}

TEST(MeaningByScope, ANameMadeInOneCallIsLookedForInThatCall)
{
    Rule rule = ignoreRule(RuleKind::Name, "node_linear_1");
    rule.scope = "net/blk#1/lin#1";
    const auto match = RuleMatch::ofCase("r_repeat_nested", {rule});
    const auto meaning = meaningByScope(*match.model, match.scopes, rule);
    ASSERT_TRUE(meaning);
    EXPECT_EQ(meaning->value, "blk#1/lin#1");
}

TEST(Suggestions, AtLeastTheScopeAroundWhatIsNotThere)
{
    const auto match = RuleMatch::ofCase("a_sibling",
        {ignoreRule(RuleKind::ExecutionScope, "dec/refinement"),
            ignoreRule(RuleKind::Name, "/dec/refinement/lin/Add")});
    EXPECT_THAT(match.suggestions(0),
        ElementsAre("execution-scope dec: the model has execution scope 'dec' with 3 nodes, but not this one in it"));
    EXPECT_THAT(match.suggestions(1),
        ElementsAre("execution-scope dec: it speaks of scope 'dec.refinement.lin'; the model has 'dec' with 3 nodes, "
                    "but not that one in it"));
}

TEST(Suggestions, APatternThatWouldMatchAnywhere)
{
    const auto match = RuleMatch::ofCase("a_sibling", {ignoreRule(RuleKind::Pattern, "own|proj")});
    EXPECT_THAT(match.suggestions(),
        ElementsAre("pattern (?s:.*?)(?:own|proj): a pattern must match from the start of the name; anywhere in the "
                    "name it matches 3 nodes"));
}

TEST(Suggestions, TypesButForCase)
{
    const auto match = RuleMatch::ofCase("a_sibling", {ignoreRule(RuleKind::Type, "gemm")});
    EXPECT_THAT(match.suggestions(), ElementsAre("type Gemm: did you mean op type 'Gemm'?"));
}

TEST(Suggestions, EverySuggestionMatchesSomething)
{
    for (const char* value : {"enc", "proj", "own", "dec.proj", "Gem", "layer", "/", "enc/nrm"}) {
        for (const RuleKind kind : {RuleKind::Name, RuleKind::Type, RuleKind::ExecutionScope, RuleKind::StorageScope}) {
            const auto match = RuleMatch::ofCase("a_sibling", {ignoreRule(kind, value)});
            for (const Suggestion& suggestion : match.hits.hits[0].suggestions) {
                const auto retry = RuleMatch::ofCase("a_sibling", {ignoreRule(suggestion.kind, suggestion.value)});
                EXPECT_FALSE(retry.nodes().empty()) << value << " -> " << suggestion.value;
            }
        }
    }
}

TEST(Suggestions, ANameOfAnotherExportIsTakenApart)
{
    // The same two modules exported by dynamo, whose names say nothing of scopes.
    auto read = readModel(std::string(DUO_TEST_DATA) + "/dynamo/a_sibling.onnx");
    ASSERT_TRUE(read) << read.error().line();
    const RuleMatch match(*read,
        {ignoreRule(RuleKind::Name, "/dec/own/Gemm"), ignoreRule(RuleKind::Pattern, "/dec/.*"),
            ignoreRule(RuleKind::Name, "Net/Dec[dec]/NNCFLinear[own]/linear_0")});
    EXPECT_THAT(match.suggestions(0),
        ElementsAre(testing::StartsWith("name node_"),
            "execution-scope dec/own: it speaks of scope 'dec.own', here 'dec/own' with 1 node"));
    EXPECT_THAT(match.suggestions(1),
        ElementsAre(testing::StartsWith("execution-scope dec: it speaks of scope 'dec', here 'dec' with ")));
    EXPECT_THAT(match.suggestions(2),
        ElementsAre("execution-scope dec/own: it speaks of scope 'dec.own', here 'dec/own' with 1 node"));
}

TEST(Suggestions, ARuleThatSaysItsScopeIsFoundByIt)
{
    Rule rule = ignoreRule(RuleKind::Name, "node_linear_7");
    rule.scope = "dec/own";
    const auto match = RuleMatch::ofCase("a_sibling", {rule});
    EXPECT_THAT(match.suggestions(),
        ElementsAre("execution-scope dec/own: the rule was made in scope 'dec/own', here 'dec/own' with 1 node"));
}

TEST(MeaningByScope, TellsWhatARuleOfAnotherExportIsHereWhateverItsSpelling)
{
    Rule named = ignoreRule(RuleKind::Name, "/model/dec/own/Gemm");
    named.comment = "kept";
    const auto match = RuleMatch::ofCase("a_sibling", {named});
    const auto meaning = meaningByScope(*match.model, match.scopes, named);
    ASSERT_TRUE(meaning);
    const Rule here = withSuggestion(named, *meaning);
    EXPECT_EQ(ruleText(here), "ignore name /dec/own/Gemm");
    EXPECT_EQ(here.comment, "kept");
    const auto scope
        = meaningByScope(*match.model, match.scopes, ignoreRule(RuleKind::ExecutionScope, "model.dec.own"));
    ASSERT_TRUE(scope);
    EXPECT_EQ(scope->value, "dec/own");
    EXPECT_FALSE(meaningByScope(*match.model, match.scopes, ignoreRule(RuleKind::Name, "dec_own_Gemm")));
    EXPECT_FALSE(meaningByScope(*match.model, match.scopes, ignoreRule(RuleKind::Type, "gemm")));
}

TEST(Suggestions, ASubgraphWithNamesThatAreThere)
{
    Rule typo;
    typo.kind = RuleKind::Subgraph;
    typo.inputs = {"/enc/proj/Gem"};
    typo.outputs = {"/dec/own/Gemm"};
    Rule turned = typo;
    turned.inputs = {"/dec/own/Gemm"};
    turned.outputs = {"/dec/proj/Gemm"};
    const auto match = RuleMatch::ofCase("a_sibling", {typo, turned});
    EXPECT_EQ(match.problem(0), "no node is named '/enc/proj/Gem'");
    EXPECT_THAT(match.suggestions(0),
        ElementsAre(
            testing::StartsWith("subgraph [/enc/proj/Gemm] to [/dec/own/Gemm]: did you mean the subgraph with ")));
    EXPECT_EQ(match.hits.hits[0].suggestions[0].inputs, std::vector<std::string>{"/enc/proj/Gemm"});
    EXPECT_THAT(match.suggestions(1),
        ElementsAre(
            testing::StartsWith("subgraph [/dec/proj/Gemm] to [/dec/own/Gemm]: the paths lead the other way, over ")));
}

TEST(Suggestions, NothingNearMeansNone)
{
    const auto match = RuleMatch::ofCase("a_sibling", {ignoreRule(RuleKind::Name, "something else entirely")});
    EXPECT_THAT(match.suggestions(), IsEmpty());
}

} // namespace
} // namespace duo::test
