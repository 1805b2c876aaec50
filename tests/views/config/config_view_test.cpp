// SPDX-License-Identifier: Apache-2.0
#include "views/config/config_view.h"

#include "tests/views/support/config_form.h"
#include "tests/views/support/snapshot_builder.h"
#include "views/intent/rule_intent.h"

#include <QSignalSpy>
#include <QTest>

#include <gtest/gtest.h>

namespace duo::ui {
namespace {

Recipe ignoring(const std::vector<RuleSubject>& subjects)
{
    Recipe recipe;
    for (const auto& subject : subjects)
        recipe.rules.rules.push_back(ruleAbout(subject, RuleAction::Ignore));
    return recipe;
}

class ConfigViewTest : public testing::Test
{
protected:
    void SetUp() override
    {
        m_view.resize(600, 300);
        m_view.setSnapshot(m_snapshot);
        m_view.setRecipe(ignoring({{RuleKind::Name, "/conv1/Conv"}}));
        m_view.show();
        ASSERT_TRUE(QTest::qWaitForWindowExposed(&m_view));
        QObject::connect(&m_view, &ConfigView::recipeEdited, &m_view, [this](const Recipe& recipe) {
            m_view.setRecipe(recipe); // as the window does
        });
    }

    [[nodiscard]] QPlainTextEdit* text() { return m_view.findChild<QPlainTextEdit*>(QStringLiteral("configText")); }
    [[nodiscard]] QString message() { return m_view.findChild<QLabel*>(QStringLiteral("configMessage"))->text(); }
    void type(const QString& before, const QString& after)
    {
        text()->setPlainText(text()->toPlainText().replace(before, after));
    }

    std::shared_ptr<const Snapshot> m_snapshot = test::exampleSnapshot();
    ConfigView m_view;
    QSignalSpy m_edits{&m_view, &ConfigView::recipeEdited};
};

TEST_F(ConfigViewTest, ValidTextChangesTheRulesAndStaysAsItWasTyped)
{
    type(QStringLiteral("\"/conv1/Conv\""), QStringLiteral("   \"/Softmax\""));
    const QString typed = text()->toPlainText();
    ASSERT_TRUE(m_edits.wait());
    EXPECT_EQ(m_edits.front().at(0).value<Recipe>(), ignoring({{RuleKind::Name, "/Softmax"}}));
    EXPECT_EQ(text()->toPlainText(), typed);
    type(QStringLiteral("/Softmax"), QStringLiteral("/blk/Relu"));
    ASSERT_TRUE(m_edits.wait());
    EXPECT_EQ(m_edits.at(0).at(2), m_edits.at(1).at(2)); // one step
}

TEST_F(ConfigViewTest, InvalidTextIsMarkedWithItsLineAndLosesNothing)
{
    type(QStringLiteral("\"ignore\""), QStringLiteral("\"ignor\""));
    const QString typed = text()->toPlainText();
    ASSERT_TRUE(QTest::qWaitFor([this] { return !text()->extraSelections().isEmpty(); }));
    EXPECT_EQ(m_edits.count(), 0);
    EXPECT_TRUE(message().contains(QStringLiteral("Line 6, column"))) << message().toStdString();
    EXPECT_TRUE(message().contains(QStringLiteral("ignor"))) << message().toStdString();
    EXPECT_EQ(text()->extraSelections().front().cursor.blockNumber(), 5);
    // A change from elsewhere, and a look at another form, leave it.
    m_view.setRecipe(ignoring({{RuleKind::Type, "Relu"}}));
    EXPECT_EQ(text()->toPlainText(), typed);
    test::chooseForm(m_view, ConfigForm::NncfJson);
    EXPECT_TRUE(text()->toPlainText().contains(QStringLiteral("Relu")));
    test::chooseForm(m_view, ConfigForm::Recipe);
    EXPECT_EQ(text()->toPlainText(), typed);
    EXPECT_FALSE(text()->extraSelections().isEmpty());
    QTest::mouseClick(m_view.findChild<QPushButton*>(QStringLiteral("configRevert")), Qt::LeftButton);
    EXPECT_TRUE(text()->toPlainText().contains(QStringLiteral("Relu")));
    EXPECT_TRUE(text()->extraSelections().isEmpty());
}

TEST_F(ConfigViewTest, ChangesFromElsewhereBeginANewStep)
{
    type(QStringLiteral("/conv1/Conv"), QStringLiteral("/Softmax"));
    ASSERT_TRUE(m_edits.wait());
    m_view.setRecipe(ignoring({{RuleKind::Name, "/conv1/Conv"}}));
    EXPECT_TRUE(text()->toPlainText().contains(QStringLiteral("/conv1/Conv")));
    type(QStringLiteral("/conv1/Conv"), QStringLiteral("/Softmax"));
    ASSERT_TRUE(m_edits.wait());
    EXPECT_NE(m_edits.at(0).at(2), m_edits.at(1).at(2));
}

TEST(ConfigText, EveryFormShowsTheRulesAndSaysWhatItCannot)
{
    const auto snapshot = test::exampleSnapshot();
    Recipe recipe = ignoring({{RuleKind::ExecutionScope, "conv1"}});
    recipe.rules.rules.push_back(ruleAbout({RuleKind::Type, "Softmax"}, RuleAction::Target));
    for (const ConfigForm form : kConfigForms) {
        const ConfigText written = configText(form, recipe, *snapshot);
        EXPECT_TRUE(written.text.contains(QStringLiteral("conv1"))) << written.text.toStdString();
        EXPECT_EQ(written.losses.isEmpty(), form == ConfigForm::Recipe) << configFormLabel(form).toStdString();
    }
}

TEST(ConfigText, OtherFormsKeepWhatTheyHaveNoWordFor)
{
    const auto snapshot = test::exampleSnapshot();
    Recipe recipe = ignoring({{RuleKind::ExecutionScope, "blk"}, {RuleKind::Name, "/conv1/Conv"}});
    recipe.rules.rules.push_back(ruleAbout({RuleKind::Type, "Softmax"}, RuleAction::Ignore));
    recipe.rules.rules.back().enabled = false;
    recipe.quantization.subsetSize = 7;
    QString text = configText(ConfigForm::NncfJson, recipe, *snapshot).text;
    const auto same = readConfig(ConfigForm::NncfJson, text, recipe, *snapshot);
    ASSERT_TRUE(std::holds_alternative<Recipe>(same)) << std::get<ConfigProblem>(same).text.toStdString();
    EXPECT_EQ(std::get<Recipe>(same), recipe);
    text.replace(QStringLiteral("/conv1/Conv"), QStringLiteral("/Softmax"));
    const auto changed = readConfig(ConfigForm::NncfJson, text, recipe, *snapshot);
    ASSERT_TRUE(std::holds_alternative<Recipe>(changed));
    Recipe expected = recipe;
    expected.rules.rules.erase(expected.rules.rules.begin() + 1);
    expected.rules.rules.push_back(ruleAbout({RuleKind::Name, "/Softmax"}, RuleAction::Ignore));
    expected.rules.rules.back().origin = std::get<Recipe>(changed).rules.rules.back().origin;
    EXPECT_EQ(std::get<Recipe>(changed), expected);
}

TEST_F(ConfigViewTest, AnotherProfileIsOneStepAndSaysWhatItMeans)
{
    auto* profiles = m_view.findChild<QComboBox*>(QStringLiteral("profiles"));
    EXPECT_EQ(profiles->currentText(), QStringLiteral("ort-cpu"));
    profiles->setCurrentText(QStringLiteral("tensorrt"));
    ASSERT_EQ(m_edits.count(), 1);
    EXPECT_EQ(m_edits.front().at(0).value<Recipe>().quantization.profile, Profile::TensorRt);
    EXPECT_EQ(m_edits.front().at(1).toString(), QStringLiteral("Use the profile tensorrt"));
    EXPECT_EQ(m_view.findChild<QLabel*>(QStringLiteral("profileSummary"))->text(),
        QStringLiteral("NVIDIA TensorRT; symmetric activations in int8; quantizers on inputs only; biases stay float; "
                       "additions quantize the skip connection only"));
    EXPECT_TRUE(text()->toPlainText().contains(QStringLiteral("tensorrt")));
    m_view.setRecipe({});
    EXPECT_EQ(profiles->currentText(), QStringLiteral("ort-cpu"));
    EXPECT_EQ(m_edits.count(), 1);
}

} // namespace
} // namespace duo::ui
