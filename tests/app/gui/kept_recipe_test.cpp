// SPDX-License-Identifier: Apache-2.0
// What is edited is there again when the window is opened the next time, and the title says what is not saved.
#include "tests/app/gui/rules_window.h"

#include <QPushButton>

#include <gtest/gtest.h>

namespace duo::test {
namespace {

class KeptRecipeInWindow : public RulesWindow
{
protected:
    [[nodiscard]] QPushButton* offer() { return m_driver.find<QPushButton>("bannerOffer"); }
    [[nodiscard]] std::string said() { return m_driver.find<ui::Banner>("banner")->text().toStdString(); }
    [[nodiscard]] bool hasStar()
    {
        return m_driver.window().isWindowModified()
            && m_driver.window().windowTitle() == QStringLiteral("digits_conv.onnx[*] — Duoscope");
    }
    void ignoreAndRestart()
    {
        select({kConv});
        m_driver.action("actionIgnore")->trigger();
        EXPECT_TRUE(m_driver.settled());
        m_driver.restart();
        ASSERT_TRUE(m_driver.open(m_driver.folder() / "digits_conv.onnx"));
    }
};

TEST_F(KeptRecipeInWindow, RulesAreThereAgainAndCanBeLeftWithOneClick)
{
    EXPECT_FALSE(hasStar());
    ASSERT_NO_FATAL_FAILURE(ignoreAndRestart());
    expectIgnored(kConv, true);
    EXPECT_TRUE(hasStar());
    EXPECT_NE(said().find("The last recipe of this model is in use again: 1 rule."), std::string::npos) << said();
    ASSERT_TRUE(offer()->isVisible());
    EXPECT_EQ(offer()->text(), QStringLiteral("Start without"));
    QTest::mouseClick(offer(), Qt::LeftButton);
    expectIgnored(kConv, false);
    EXPECT_FALSE(m_driver.window().isWindowModified());
    m_driver.action("actionUndo")->trigger();
    expectIgnored(kConv, true);
}

TEST_F(KeptRecipeInWindow, ACheckpointFoundBesideTheModelSaysItToo)
{
    (void)m_driver.copySample("digits_conv.safetensors");
    ASSERT_NO_FATAL_FAILURE(ignoreAndRestart());
    ASSERT_TRUE(WindowDriver::waitFor([this] { return snapshot()->checkpoint != nullptr; }));
    EXPECT_NE(said().find("found beside the model"), std::string::npos) << said();
    EXPECT_NE(said().find("The last recipe of this model is in use again: 1 rule."), std::string::npos) << said();
}

TEST_F(KeptRecipeInWindow, SavingTakesTheStarAway)
{
    select({kConv});
    m_driver.action("actionIgnore")->trigger();
    EXPECT_TRUE(hasStar());
    m_driver.action("actionSaveRecipe")->trigger();
    ASSERT_NO_FATAL_FAILURE(
        m_driver.answer("saveRecipeDialog", QDialogButtonBox::Save, m_driver.folder() / "mine.recipe.json"));
    EXPECT_FALSE(m_driver.window().isWindowModified());
    m_driver.action("actionUndo")->trigger();
    EXPECT_TRUE(hasStar());
}

} // namespace
} // namespace duo::test
