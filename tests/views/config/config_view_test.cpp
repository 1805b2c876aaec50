// SPDX-License-Identifier: Apache-2.0
#include "views/config/config_view.h"

#include "tests/support/settings.h"
#include "tests/views/support/config_form.h"
#include "tests/views/support/snapshot_builder.h"
#include "views/config/settings_form.h"
#include "views/intent/rule_intent.h"

#include <QApplication>
#include <QComboBox>
#include <QHelpEvent>
#include <QLabel>
#include <QSignalSpy>
#include <QSplitter>
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

TEST(SettingsForm, WhatIsTooLongEndsInAnEllipsisAndIsWholeInTheTip)
{
    SettingsForm form;
    form.resize(form.minimumWidth(), 400);
    form.show();
    ASSERT_TRUE(QTest::qWaitForWindowExposed(&form));
    int cut = 0;
    for (QComboBox* choices : form.findChildren<QComboBox*>()) {
        QHelpEvent help(QEvent::ToolTip, {5, 5}, choices->mapToGlobal(QPoint(5, 5)));
        QApplication::sendEvent(choices, &help);
        const bool isCut = choices->fontMetrics().horizontalAdvance(choices->currentText()) > choices->width();
        cut += isCut ? 1 : 0;
        if (isCut)
            EXPECT_EQ(choices->toolTip(), choices->currentText());
    }
    EXPECT_GT(cut, 0);
    for (const QLabel* label : form.findChildren<QLabel*>()) {
        if (label->buddy() != nullptr)
            EXPECT_GE(label->width(), label->minimumSizeHint().width()) << label->text().toStdString();
    }
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
    /// Of a setting in the form.
    template <typename Editor> Editor* editor(const char* key)
    {
        return m_view.findChild<Editor*>(QLatin1String("setting:") + QLatin1String(key));
    }
    [[nodiscard]] QString about(const char* key)
    {
        return m_view.findChild<QLabel*>(QLatin1String("about:") + QLatin1String(key))->text();
    }
    [[nodiscard]] QString message() { return m_view.findChild<QLabel*>(QStringLiteral("configMessage"))->text(); }
    void type(const QString& before, const QString& after)
    {
        text()->setPlainText(text()->toPlainText().replace(before, after));
    }

    std::shared_ptr<const Snapshot> m_snapshot = test::exampleSnapshot();
    ConfigView m_view;
    QSignalSpy m_edits{&m_view, &ConfigView::recipeEdited};
};

TEST_F(ConfigViewTest, FormAndTextStandBesideEachOtherOnlyWhereBothHaveRoom)
{
    const auto* parts = m_view.findChild<QSplitter*>(QStringLiteral("configParts"));
    for (int width = m_view.minimumSizeHint().width(); width < 1200; width += 50) {
        m_view.resize(width, 500);
        for (int i = 0; i < parts->count(); ++i) {
            const QWidget* part = parts->widget(i);
            EXPECT_GE(part->width(), part->minimumSizeHint().width()) << i << " at " << width;
            EXPECT_LE(part->geometry().right(), parts->width()) << i << " at " << width;
        }
        EXPECT_FALSE(parts->widget(0)->geometry().intersects(parts->widget(1)->geometry())) << width;
    }
    EXPECT_EQ(parts->orientation(), Qt::Horizontal);
}

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

/// As the user takes an entry from the list.
void take(QComboBox* choices, const QString& value)
{
    choices->setCurrentIndex(value.isEmpty() ? 0 : choices->findData(value));
    Q_EMIT choices->activated(choices->currentIndex());
}

TEST_F(ConfigViewTest, AnotherProfileIsOneStepAndSaysWhatItMeans)
{
    auto* profiles = editor<QComboBox>("profile");
    EXPECT_EQ(profiles->currentText(), QStringLiteral("ort-cpu"));
    take(profiles, QStringLiteral("tensorrt"));
    ASSERT_EQ(m_edits.count(), 1);
    EXPECT_EQ(m_edits.front().at(0).value<Recipe>().quantization.profile, Profile::TensorRt);
    EXPECT_EQ(m_edits.front().at(1).toString(), QStringLiteral("profile: tensorrt"));
    EXPECT_TRUE(about("profile").contains(
        QStringLiteral("NVIDIA TensorRT; symmetric activations in int8; quantizers on inputs only; biases stay float; "
                       "additions quantize the skip connection only")))
        << about("profile").toStdString();
    EXPECT_TRUE(text()->toPlainText().contains(QStringLiteral("tensorrt")));
    m_view.setRecipe({});
    EXPECT_EQ(profiles->currentText(), QStringLiteral("ort-cpu"));
    EXPECT_EQ(m_edits.count(), 1);
}

TEST_F(ConfigViewTest, FormAndTextAgreeWhicheverIsEdited)
{
    take(editor<QComboBox>("preset"), QStringLiteral("mixed"));
    EXPECT_TRUE(text()->toPlainText().contains(QStringLiteral("\"preset\": \"mixed\"")));
    type(QStringLiteral("\"mixed\""), QStringLiteral("\"performance\""));
    EXPECT_TRUE(QTest::qWaitFor(
        [this] { return editor<QComboBox>("preset")->currentText() == QStringLiteral("performance"); }));
    take(editor<QComboBox>("preset"), {});
    EXPECT_FALSE(text()->toPlainText().contains(QStringLiteral("preset")));
    EXPECT_EQ(m_edits.count(), 3);
}

TEST_F(ConfigViewTest, WhatIsTypedInTheTextCountsBeforeAChoiceInTheForm)
{
    take(editor<QComboBox>("preset"), QStringLiteral("mixed"));
    type(QStringLiteral("\"mixed\""), QStringLiteral("\"performance\""));
    take(editor<QComboBox>("overflow_fix"), QStringLiteral("enable"));
    ASSERT_EQ(m_edits.count(), 3);
    const auto settings = m_edits.back().at(0).value<Recipe>().quantization;
    EXPECT_EQ(settings.preset, Preset::Performance);
    EXPECT_EQ(settings.overflowFix, OverflowFix::Enable);
}

TEST_F(ConfigViewTest, NumbersAreTakenOnceTheyAreWrittenAndRefusedWithAReason)
{
    auto* subset = editor<QLineEdit>("subset_size");
    QTest::keyClicks(subset, QStringLiteral("12"));
    EXPECT_EQ(m_edits.count(), 0);
    QTest::keyClick(subset, Qt::Key_Return);
    ASSERT_EQ(m_edits.count(), 1);
    EXPECT_EQ(m_edits.back().at(0).value<Recipe>().quantization.subsetSize, 12);
    QTest::keyClicks(subset, QStringLiteral(" samples"));
    QTest::keyClick(subset, Qt::Key_Return);
    EXPECT_EQ(m_edits.count(), 1);
    EXPECT_TRUE(about("subset_size").contains(QStringLiteral("not a count: write a whole number from 1")))
        << about("subset_size").toStdString();
    subset->clear();
    QTest::keyClick(subset, Qt::Key_Return);
    ASSERT_EQ(m_edits.count(), 2);
    EXPECT_EQ(m_edits.back().at(0).value<Recipe>().quantization.subsetSize, std::nullopt);
    EXPECT_FALSE(about("subset_size").contains(QStringLiteral("not a count")));
}

TEST_F(ConfigViewTest, AnEstimatorThatIsNoSetIsShownAndKept)
{
    Recipe recipe;
    recipe.quantization.activationsRangeEstimator.emplace();
    recipe.quantization.activationsRangeEstimator->min.aggregatorType = AggregatorType::Median;
    m_view.setRecipe(recipe);
    auto* estimator = editor<QComboBox>("activations_range_estimator_params");
    EXPECT_EQ(estimator->currentText(), QStringLiteral("custom"));
    take(editor<QComboBox>("preset"), QStringLiteral("mixed"));
    EXPECT_EQ(m_edits.back().at(0).value<Recipe>().quantization.activationsRangeEstimator,
        recipe.quantization.activationsRangeEstimator);
    take(estimator, QStringLiteral("MSE"));
    EXPECT_EQ(estimator->currentText(), QStringLiteral("MSE"));
    EXPECT_EQ(estimator->findText(QStringLiteral("custom")), -1);
}

TEST_F(ConfigViewTest, EachRowSaysWhatItDoesAndWhatOtherValuesWouldChange)
{
    const Setting& preset = test::setting("preset");
    EXPECT_TRUE(about("preset").contains(QStringLiteral("Activations symmetric (performance) or asymmetric (mixed)")));
    m_view.setEffects(
        preset, {{"performance", "12 of 40 quantizers become symmetric"}, {"mixed", "nothing changes here"}});
    EXPECT_TRUE(about("preset").contains(QStringLiteral("<b>performance</b>: 12 of 40 quantizers become symmetric")))
        << about("preset").toStdString();
    m_view.setEffects(preset, {{std::nullopt, "nothing changes here"}, {"mixed", "nothing changes here"}});
    EXPECT_TRUE(about("preset").contains(QStringLiteral("<b>not set, mixed</b>: nothing changes here")))
        << about("preset").toStdString();
    m_view.setRecipe({}); // what was said is of other rules
    EXPECT_FALSE(about("preset").contains(QStringLiteral("nothing changes here")));
    EXPECT_TRUE(about("preset").contains(QStringLiteral("…")));
}

} // namespace
} // namespace duo::ui
