// SPDX-License-Identifier: Apache-2.0
// Recipes opened, saved and carried to another export of the model in the real window.
#include "tests/app/gui/rules_window.h"

#include "core/quantize/recipe/recipe.h"

#include <QPushButton>

#include <gtest/gtest.h>

#include <fstream>
#include <string>

namespace duo::test {
namespace {

class RecipeInWindow : public RulesWindow
{
protected:
    [[nodiscard]] ui::Banner* banner() { return m_driver.find<ui::Banner>("banner"); }
    [[nodiscard]] QPushButton* offer() { return m_driver.find<QPushButton>("bannerOffer"); }

    /// Ignores a convolution by name, a scope, and a pattern; saves the recipe.
    std::filesystem::path saveRules()
    {
        select({kConv});
        m_driver.action("actionIgnore")->trigger();
        EXPECT_TRUE(m_driver.clickScope(ui::TreeKind::Execution, "head/squeeze"));
        m_driver.action("actionIgnore")->trigger();
        RuleSet rules = m_driver.window().session().rules();
        rules.rules.emplace_back();
        rules.rules.back().kind = RuleKind::Pattern;
        rules.rules.back().value = "/encoder/layer1/layer1\\.0/.*";
        m_driver.window().session().editRules(rules, QStringLiteral("Test"));
        EXPECT_TRUE(m_driver.settled());
        const auto path = m_driver.folder() / "mine.recipe.json";
        m_driver.action("actionSaveRecipe")->trigger();
        EXPECT_NO_FATAL_FAILURE(m_driver.answer("saveRecipeDialog", QDialogButtonBox::Save, path));
        return path;
    }
};

TEST_F(RecipeInWindow, SavedRecipeIsOpenedAgainAsOneStep)
{
    const auto path = saveRules();
    const Recipe saved = m_driver.window().session().recipe();
    const auto read = readRecipe(path);
    ASSERT_TRUE(read) << read.error().line();
    EXPECT_EQ(*read, saved);
    m_driver.window().session().undoStack()->setIndex(0);
    ASSERT_TRUE(rules().empty());
    ASSERT_TRUE(m_driver.settled());
    m_driver.action("actionOpenRecipe")->trigger();
    ASSERT_NO_FATAL_FAILURE(m_driver.answer("recipeDialog", QDialogButtonBox::Open, path));
    expectIgnored(kConv, true);
    EXPECT_EQ(m_driver.window().session().recipe(), saved);
    EXPECT_EQ(undoSteps(), 1);
    EXPECT_NE(banner()->text().indexOf(QStringLiteral("3 rules, all of them match")), -1)
        << banner()->text().toStdString();
    m_driver.action("actionUndo")->trigger();
    expectIgnored(kConv, false);
    EXPECT_EQ(m_driver.window().session().recipe(), m_opened->recipe);
}

TEST_F(RecipeInWindow, SaysOfNoRulesAndOfOneWhatThereIsToSay)
{
    const auto said = [&](const std::string& name, const char* rules) {
        const auto path = m_driver.folder() / name;
        std::ofstream(path) << R"({"format": "duoscope-recipe", "version": 1, "rules": )" << rules << "}";
        m_driver.drop({path});
        EXPECT_TRUE(WindowDriver::waitFor([&] { return banner()->text().startsWith(QString::fromStdString(name)); }));
        return banner()->text().toStdString();
    };
    EXPECT_EQ(said("none.json", "[]"), "none.json is in use: no rules.");
    EXPECT_EQ(said("one.json", R"([{"action": "ignore", "kind": "type", "value": "Conv"}])"),
        "one.json is in use: 1 rule, which matches.");
}

TEST_F(RecipeInWindow, RulesOfAnotherExportAreReportedAndTakenByTheirScopesWithOneClick)
{
    const auto path = saveRules();
    ASSERT_TRUE(m_driver.open(m_driver.copySample("digits_conv.dynamo.onnx")));
    m_driver.drop({path});
    ASSERT_TRUE(WindowDriver::waitFor([this] { return rules().size() == 3; }));
    ASSERT_TRUE(m_driver.settled());
    const std::string said = banner()->text().toStdString();
    EXPECT_NE(said.find("3 of 3 rules match nothing in this model"), std::string::npos) << said;
    EXPECT_NE(said.find("rule 1 (ignore name " + kConv + ")"), std::string::npos) << said;
    EXPECT_NE(said.find("For 3 rules the scope tells what is meant here"), std::string::npos) << said;
    const auto conv = nodeIn("encoder/stem/conv", "Conv");
    expectIgnored(conv, false);
    ASSERT_TRUE(offer()->isVisible());
    QTest::mouseClick(offer(), Qt::LeftButton);
    expectIgnored(conv, true);
    expectIgnored(nodeIn("encoder/layer1/0/second", "Conv"), true);
    expectIgnored(nodeIn("head/@encoder.squeeze/conv", "Conv"), true);
    expectIgnored(nodeIn("encoder/layer1/1/conv", "Conv"), false);
    EXPECT_EQ(undoSteps(), 2); // opened, translated
    m_driver.action("actionUndo")->trigger();
    expectIgnored(conv, false);
}

TEST_F(RecipeInWindow, RulesOfOtherToolsKeepTheSettings)
{
    Recipe recipe = m_driver.window().session().recipe();
    recipe.quantization.subsetSize = 7;
    m_driver.window().session().editRecipe(recipe, QStringLiteral("Test"));
    m_driver.drop({m_driver.write("rules.py", "nncf.IgnoredScope(types=[\"Conv\"])\n")});
    expectIgnored(kConv, true);
    EXPECT_EQ(rules(), std::vector<std::string>{"ignore type Conv"});
    EXPECT_EQ(m_driver.window().session().recipe().quantization.subsetSize, 7);
}

TEST_F(RecipeInWindow, WhatCannotBeReadIsSaidAndChangesNothing)
{
    m_driver.drop({m_driver.write(
        "broken.recipe.json", "{\"format\": \"duoscope-recipe\",\n \"version\": 1,\n \"rules\": [{]}")});
    EXPECT_NE(banner()->text().indexOf(QStringLiteral("line 3")), -1) << banner()->text().toStdString();
    EXPECT_EQ(undoSteps(), 0);
    EXPECT_TRUE(rules().empty());
}

} // namespace
} // namespace duo::test
