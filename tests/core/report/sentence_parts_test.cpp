// SPDX-License-Identifier: Apache-2.0
#include "core/report/sentence_parts.h"

#include "core/rules/match.h"
#include "core/scope/scope.h"
#include "tests/support/model_builder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

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

TEST(SentenceParts, NodesAreCutOutWhereTheyAreNamedAndNothingElseIs)
{
    const auto model = convAndRelu();
    const std::vector<NodeId> nodes{NodeId(0)};
    EXPECT_THAT(sentenceParts("runs with 'conv's' (a), not 'with'; 'conv's'", nodes, *model),
        ElementsAre(SentencePart{"runs with "}, SentencePart{"conv's", NodeId(0)}, SentencePart{" (a), not 'with'; "},
            SentencePart{"conv's", NodeId(0)}));
}

TEST(SentenceParts, WithoutNodesASentenceIsOnePart)
{
    const auto model = convAndRelu();
    EXPECT_THAT(
        sentenceParts("rule 'conv's' names it", {}, *model), ElementsAre(SentencePart{"rule 'conv's' names it"}));
    EXPECT_THAT(sentenceParts("", {NodeId(0)}, *model), IsEmpty());
}

TEST(SentenceParts, ADecisionCarriesTheNodesThatItsReasonNames)
{
    const auto model = convAndRelu();
    const Scopes scopes = findScopes(*model);
    const auto placement = placeQuantizers(*model, matchRules(*model, scopes, {}), {});
    ASSERT_TRUE(placement);
    const Decision& relu = placement->decisions[1];
    EXPECT_THAT(nodesNamed(relu), ElementsAre(NodeId(0)));
    EXPECT_EQ(sentenceParts(relu.reason, nodesNamed(relu), *model)[1].node, NodeId(0)) << relu.reason;
    EXPECT_FALSE(relu.namesRule);
    EXPECT_THAT(nodesNamed(placement->decisions[0]), IsEmpty());
}

TEST(SentenceParts, ADecisionKnowsWhetherItsReasonNamesTheRule)
{
    const auto model = convAndRelu();
    const Scopes scopes = findScopes(*model);
    RuleSet rules;
    rules.rules.emplace_back();
    rules.rules.front().kind = RuleKind::Type;
    for (const char* type : {"Conv", "Relu"}) { // of the group, and of what it takes in
        rules.rules.front().value = type;
        const auto placement = placeQuantizers(*model, matchRules(*model, scopes, rules), {});
        ASSERT_TRUE(placement);
        const NodeId caught(type == std::string("Conv") ? 0 : 1);
        const Decision& decision = placement->decisions[caught.index];
        EXPECT_TRUE(decision.namesRule) << decision.reason;
        EXPECT_NE(decision.reason.find(ruleText(rules.rules.front())), std::string::npos) << decision.reason;
    }
}

} // namespace
} // namespace duo
