// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/rule_findings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace duo {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Rule ignoring(const std::string& type)
{
    Rule rule;
    rule.kind = RuleKind::Type;
    rule.value = type;
    return rule;
}

class RuleFindingsTest : public testing::Test
{
protected:
    void use(std::vector<Rule> rules, bool validate = true)
    {
        Recipe recipe;
        recipe.rules.rules = std::move(rules);
        recipe.rules.validate = validate;
        const auto opened = openSnapshot(std::filesystem::path(DUO_SAMPLES) / "digits_conv.onnx");
        ASSERT_TRUE(opened);
        auto made = withRecipe(*opened, recipe);
        ASSERT_TRUE(made);
        m_snapshot = *std::move(made);
    }

    Snapshot m_snapshot;
};

TEST_F(RuleFindingsTest, OnlyEnabledRulesWithoutNodesCount)
{
    Rule disabled = ignoring("NoSuchType");
    disabled.enabled = false;
    use({ignoring("Conv"), disabled, ignoring("NoSuchType")});
    EXPECT_THAT(rulesWithoutNodes(m_snapshot), ElementsAre(2U));
    EXPECT_FALSE(mayWorkUnderRules(m_snapshot));
    EXPECT_EQ(checkRulesMatch(m_snapshot, "nothing was written", "correct it").error().line(),
        "a rule matches no node, so nothing was written: ignore type NoSuchType: correct it");
    const UnmatchedRules found = unmatchedRules(m_snapshot);
    EXPECT_THAT(found.rules, ElementsAre(2U));
    EXPECT_EQ(found.known, 0U);
    EXPECT_EQ(found.here, m_snapshot.recipe);
}

TEST_F(RuleFindingsTest, ARecipeMaySayThatTheyDoNotMatter)
{
    use({ignoring("NoSuchType")}, false);
    EXPECT_TRUE(mayWorkUnderRules(m_snapshot));
    EXPECT_TRUE(checkRulesMatch(m_snapshot, {}, {}));
    EXPECT_THAT(rulesWithoutNodes(m_snapshot), ElementsAre(0U)); // it is said all the same
}

TEST_F(RuleFindingsTest, APatternThatCannotBeReadStopsEverything)
{
    Rule rule = ignoring("a(");
    rule.kind = RuleKind::Pattern;
    for (const bool validate : {true, false}) {
        use({ignoring("Conv"), rule}, validate);
        EXPECT_FALSE(mayWorkUnderRules(m_snapshot));
        EXPECT_EQ(checkRulesMatch(m_snapshot, "nothing was written", {}).error().line(),
            "pattern is not valid at 1, missing ), unterminated subpattern: recipe rules[1].value 'a(': correct it as "
            "Python's re has it, or disable the rule");
    }
    rule.enabled = false;
    EXPECT_TRUE(checkPatterns({{rule}}, "recipe"));
}

/// As any other rule, the ones of what transforms leave as it is.
TEST_F(RuleFindingsTest, RulesThatKeepNothingCount)
{
    const auto opened = openSnapshot(std::filesystem::path(DUO_SAMPLES) / "digits_conv.onnx");
    ASSERT_TRUE(opened);
    Recipe recipe;
    recipe.transforms.emplace().keep.rules = {ignoring("Identity"), ignoring("NoSuchType")};
    const auto made = withRecipe(*opened, recipe);
    ASSERT_TRUE(made) << made.error().line();
    EXPECT_THAT(
        keepsWithoutNodes(*made), ElementsAre("transforms.keep: rule 'ignore type NoSuchType' matches nothing"));
    EXPECT_FALSE(mayWorkUnderRules(*made));
    EXPECT_EQ(checkRulesMatch(*made, "nothing was written", {}).error().line(),
        "a rule of what is to be kept matches no node, so nothing was written: transforms.keep: rule 'ignore type "
        "NoSuchType' matches nothing: correct or remove it where the transforms are");
    recipe.rules.validate = false;
    const auto lenient = withRecipe(*opened, recipe);
    ASSERT_TRUE(lenient) << lenient.error().line();
    EXPECT_TRUE(mayWorkUnderRules(*lenient));
    EXPECT_THAT(keepsWithoutNodes(*lenient), testing::SizeIs(1));
}

TEST_F(RuleFindingsTest, NothingStopsWhereAllRulesMatch)
{
    use({ignoring("Conv")});
    EXPECT_THAT(rulesWithoutNodes(m_snapshot), IsEmpty());
    EXPECT_TRUE(mayWorkUnderRules(m_snapshot));
}

} // namespace
} // namespace duo
