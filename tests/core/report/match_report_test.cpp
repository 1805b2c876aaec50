// SPDX-License-Identifier: Apache-2.0
#include "core/report/match_report.h"

#include "tests/core/rules/rule_match.h"
#include "tests/support/placing.h"
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

struct Report {
    RuleSet rules = mixedRules();
    RuleMatch match = RuleMatch::ofCase("a_sibling", rules.rules);
    Placement placement = *test::placeOnce(*match.model, match.hits, {});
    Placement unruled = *test::placeOnce(*match.model, RuleMatch::ofCase("a_sibling", {}).hits, {});
    std::vector<RuleEffect> effects = ruleEffects(*match.model, match.hits, &placement, &unruled);

    [[nodiscard]] MatchedRules matched() const
    {
        return {*match.model, rules, match.hits, effects, &placement, &unruled};
    }
};

TEST(MatchReport, JsonFitsItsSchema)
{
    const Report report;
    EXPECT_EQ(schemaComplaints(matchJson(report.matched()), "match"), "");
}

TEST(MatchReport, JsonListsNodesEffectsAndSuggestions)
{
    const Report report;
    const auto json = matchJson(report.matched());
    EXPECT_EQ(json["rules"][0]["effective"], std::vector<std::string>{"/dec/own/Gemm"});
    EXPECT_EQ(json["rules"][0]["no_effect"][0]["reason"], "rule 2 ignores it, and ignoring wins");
    EXPECT_EQ(json["rules"][1]["nodes"], (std::vector<std::string>{"/enc/proj/Gemm", "/dec/proj/Gemm"}));
    EXPECT_EQ(json["rules"][1]["effective"], (std::vector<std::string>{"/enc/proj/Gemm", "/dec/proj/Gemm"}));
    EXPECT_EQ(json["rules"][1]["verdict"], "works");
    EXPECT_EQ(json["rules"][1]["finding"], nullptr);
    EXPECT_EQ(json["rules"][1]["problem"], nullptr);
    EXPECT_EQ(json["rules"][1]["shadowed_by"], nullptr);
    EXPECT_EQ(json["rules"][2]["verdict"], "matches-nothing");
    EXPECT_EQ(json["rules"][2]["suggestions"][0]["value"], "/dec/own/Gemm");
    EXPECT_EQ(json["rules"][3]["problem"], "pattern is not valid at 0: missing ), unterminated subpattern");
    EXPECT_EQ(json["ignored"], (std::vector<std::string>{"/enc/proj/Gemm", "/dec/proj/Gemm"}));
    EXPECT_EQ(json["targeted"], (std::vector<std::string>{"/enc/proj/Gemm", "/dec/proj/Gemm", "/dec/own/Gemm"}));
}

TEST(MatchReport, TextSaysTheSame)
{
    const Report report;
    EXPECT_EQ(matchText(report.matched()),
        "rule 1: target type Gemm: 3 nodes, effective on 1\n"
        "    /enc/proj/Gemm\n"
        "    /dec/proj/Gemm\n"
        "    /dec/own/Gemm\n"
        "    no effect on 2 nodes: rule 2 ignores it, and ignoring wins\n"
        "rule 2: ignore storage-scope enc.proj: 2 nodes, effective on 2\n"
        "    /enc/proj/Gemm\n"
        "    /dec/proj/Gemm\n"
        "rule 3: ignore name /dec/own/Gem: matches nothing\n"
        "    did you mean node '/dec/own/Gemm'? (name /dec/own/Gemm)\n"
        "rule 4: ignore pattern (: pattern is not valid at 0: missing ), unterminated subpattern\n"
        "rule 5: ignore type Relu: disabled\n"
        "ignored: 2 nodes; targeted: 3 nodes of 15\n");
}

} // namespace
} // namespace duo::test
