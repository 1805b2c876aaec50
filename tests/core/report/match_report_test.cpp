// SPDX-License-Identifier: Apache-2.0
#include "core/report/match_report.h"

#include "tests/core/rules/rule_match.h"
#include "tests/support/schema_check.h"

#include <gtest/gtest.h>

namespace duo::test {
namespace {

/// Two rules that match, one with a near miss, one that cannot be read.
RuleSet mixedRules()
{
    Rule disabled = ignoreRule(RuleKind::Type, "Relu");
    disabled.enabled = false;
    return {{targetRule(RuleKind::Type, "Gemm"), ignoreRule(RuleKind::StorageScope, "enc.proj"),
                ignoreRule(RuleKind::Name, "/dec/own/Gem"), ignoreRule(RuleKind::Pattern, "("), disabled},
        true};
}

TEST(MatchReport, JsonFitsItsSchema)
{
    const RuleSet rules = mixedRules();
    const auto match = RuleMatch::ofCase("a_sibling", rules.rules);
    EXPECT_EQ(schemaComplaints(matchJson(*match.model, rules, match.hits, {}), "match"), "");
}

TEST(MatchReport, JsonListsNodesEffectsAndSuggestions)
{
    const RuleSet rules = mixedRules();
    const auto match = RuleMatch::ofCase("a_sibling", rules.rules);
    const auto json = matchJson(*match.model, rules, match.hits, {{}, {match.model->findNode("/dec/proj/Gemm")}});
    EXPECT_EQ(json["rules"][1]["nodes"], (std::vector<std::string>{"/enc/proj/Gemm", "/dec/proj/Gemm"}));
    EXPECT_EQ(json["rules"][1]["effective"], std::vector<std::string>{"/dec/proj/Gemm"});
    EXPECT_EQ(json["rules"][1]["problem"], nullptr);
    EXPECT_EQ(json["rules"][2]["suggestions"][0]["value"], "/dec/own/Gemm");
    EXPECT_EQ(json["rules"][3]["problem"], "pattern is not valid at 1: missing closing parenthesis");
    EXPECT_EQ(json["ignored"], (std::vector<std::string>{"/enc/proj/Gemm", "/dec/proj/Gemm"}));
    EXPECT_EQ(json["targeted"], (std::vector<std::string>{"/enc/proj/Gemm", "/dec/proj/Gemm", "/dec/own/Gemm"}));
}

TEST(MatchReport, TextSaysTheSame)
{
    const RuleSet rules = mixedRules();
    const auto match = RuleMatch::ofCase("a_sibling", rules.rules);
    const std::string text
        = matchText(*match.model, rules, match.hits, {{}, {match.model->findNode("/dec/proj/Gemm")}});
    EXPECT_EQ(text,
        "target type Gemm: 3 nodes, effective on 0\n"
        "    /enc/proj/Gemm\n"
        "    /dec/proj/Gemm\n"
        "    /dec/own/Gemm\n"
        "ignore storage-scope enc.proj: 2 nodes, effective on 1\n"
        "    /enc/proj/Gemm\n"
        "    /dec/proj/Gemm\n"
        "ignore name /dec/own/Gem: 0 nodes\n"
        "    did you mean node '/dec/own/Gemm'? (name /dec/own/Gemm)\n"
        "ignore pattern (: pattern is not valid at 1: missing closing parenthesis\n"
        "ignore type Relu: disabled\n"
        "ignored: 2 nodes; targeted: 3 nodes of 15\n");
}

} // namespace
} // namespace duo::test
