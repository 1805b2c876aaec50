// SPDX-License-Identifier: Apache-2.0
#include "core/report/decisions_below.h"

#include "core/report/decision_sentences.h"
#include "core/rules/match.h"
#include "tests/core/scope/found_scopes.h"
#include "tests/support/placing.h"

#include <gtest/gtest.h>

#include <numeric>
#include <set>

namespace duo::test {
namespace {

/// Two rules that both catch something in most models.
RuleSet ignoring(const std::string& type, const std::string& otherType)
{
    RuleSet rules;
    for (const std::string& value : {type, otherType}) {
        Rule& rule = rules.rules.emplace_back();
        rule.kind = RuleKind::Type;
        rule.value = value;
    }
    return rules;
}

TEST(DecisionsBelow, AGroupIsWhatIsSaidInTheSameWords)
{
    for (const char* file : {"cases/a_sibling.onnx", "cases/i_transformer.onnx", "cases/h_lstm.onnx",
             "cases/j2_scripted.onnx", "dynamo/b2_shared_alias.onnx", "exports/functions.onnxscript.onnx"}) {
        const auto found = FoundScopes::ofFile(file);
        for (const RuleSet& rules : {RuleSet(), ignoring("MatMul", "Add"), ignoring("Gemm", "Softmax")}) {
            const auto placement = placeOnce(*found.model, matchRules(*found.model, found.scopes, rules), {});
            ASSERT_TRUE(placement) << file;
            std::vector<NodeId> nodes;
            for (std::size_t n = 0; n < found.model->nodes.size(); ++n)
                nodes.emplace_back(n);
            std::set<std::pair<NodeState, std::string>> said;
            std::size_t told = 0;
            for (const DecisionGroup& group : groupDecisions(*found.model, *placement, nodes)) {
                const std::string words = whyText(*found.model, *placement, group.nodes.front());
                EXPECT_TRUE(said.emplace(group.state, words).second) << file << ": " << words;
                for (const NodeId node : group.nodes) {
                    EXPECT_EQ(whyText(*found.model, *placement, node), words) << file;
                    EXPECT_EQ(placement->decisions[node.index].state, group.state) << file;
                }
                told += group.nodes.size();
            }
            EXPECT_EQ(told, nodes.size()) << file;
        }
    }
}

} // namespace
} // namespace duo::test
