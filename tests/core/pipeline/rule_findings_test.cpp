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
    EXPECT_EQ(checkRulesMatch(m_snapshot, "correct it").error().line(),
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
    EXPECT_TRUE(checkRulesMatch(m_snapshot, {}));
    EXPECT_THAT(rulesWithoutNodes(m_snapshot), ElementsAre(0U)); // it is said all the same
}

TEST_F(RuleFindingsTest, NothingStopsWhereAllRulesMatch)
{
    use({ignoring("Conv")});
    EXPECT_THAT(rulesWithoutNodes(m_snapshot), IsEmpty());
    EXPECT_TRUE(mayWorkUnderRules(m_snapshot));
}

} // namespace
} // namespace duo
