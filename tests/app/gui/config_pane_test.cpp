// SPDX-License-Identifier: Apache-2.0
// The Config pane of the real window: each form shown, the JSON forms edited in place, what is wrong said.
#include "tests/app/gui/rules_window.h"
#include "tests/views/support/config_form.h"

#include <QComboBox>
#include <QDockWidget>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>

#include <algorithm>
#include <array>

#include <gtest/gtest.h>

namespace duo::test {
namespace {

class ConfigPane : public RulesWindow
{
protected:
    void SetUp() override
    {
        RulesWindow::SetUp();
        m_driver.find<QDockWidget>("dockConfig")->raise();
        ASSERT_TRUE(WindowDriver::waitFor([this] { return text()->isVisible(); }));
    }

    [[nodiscard]] QPlainTextEdit* text() { return m_driver.find<QPlainTextEdit>("configText"); }
    [[nodiscard]] std::string shown() { return text()->toPlainText().toStdString(); }
    [[nodiscard]] std::string message() { return m_driver.find<QLabel>("configMessage")->text().toStdString(); }
    void show(ui::ConfigForm form) { chooseForm(m_driver.window(), form); }

    void ignoreByKey(const std::string& scope)
    {
        ASSERT_TRUE(m_driver.clickScope(ui::TreeKind::Execution, scope));
        m_driver.key(tree(), Qt::Key_I);
        ASSERT_TRUE(m_driver.settled());
    }

    /// Selects `before` in the text and types over it, key by key.
    void type(const std::string& before, const std::string& after)
    {
        text()->setFocus();
        const auto at = shown().find(before);
        ASSERT_NE(at, std::string::npos) << shown();
        QTextCursor cursor = text()->textCursor();
        cursor.setPosition(static_cast<int>(at));
        cursor.setPosition(static_cast<int>(at + before.size()), QTextCursor::KeepAnchor);
        text()->setTextCursor(cursor);
        QTest::keyClicks(text(), QString::fromStdString(after));
    }

    [[nodiscard]] bool become(const std::vector<std::string>& expected)
    {
        return WindowDriver::waitFor([&] { return rules() == expected; });
    }
};

TEST_F(ConfigPane, EveryFormShowsTheRulesAndSaysWhatItCannot)
{
    ignoreByKey("encoder/stem");
    m_driver.find<QDockWidget>("dockConfig")->raise();
    struct Case {
        ui::ConfigForm form;
        std::string shown;
        std::string said;
        bool isEditable;
    };
    const std::array cases = {
        Case{ui::ConfigForm::Recipe, "\"kind\": \"execution-scope\"", "This form says everything", true},
        Case{ui::ConfigForm::NncfJson, "\"names\": [", "Rule 1: ", true},
        Case{ui::ConfigForm::NncfPython, "nncf.IgnoredScope(", "Rule 1: ", false},
        Case{ui::ConfigForm::LegacyJson, "\"ignored_scopes\": [", "Rule 1: ", true},
        Case{ui::ConfigForm::Ort, "nodes_to_exclude", "Rule 1: ", false},
        Case{ui::ConfigForm::Fsdp, "ignored_modules", "Rule 1: ", false},
    };
    for (const Case& expected : cases) {
        SCOPED_TRACE(ui::configFormLabel(expected.form).toStdString());
        show(expected.form);
        EXPECT_NE(shown().find(expected.shown), std::string::npos) << shown();
        EXPECT_NE(message().find(expected.said), std::string::npos) << message();
        EXPECT_EQ(text()->isReadOnly(), !expected.isEditable);
    }
    EXPECT_EQ(undoSteps(), 1); // looking changes nothing
}

TEST_F(ConfigPane, RecipeEditedInPlaceChangesTableTreesAndGraphInOneStep)
{
    ignoreByKey("head");
    m_driver.find<QDockWidget>("dockConfig")->raise();
    expectIgnored(kConv, false);
    type("\"head\"", "\"encoder.stem\"");
    ASSERT_TRUE(become({"ignore execution-scope encoder.stem"}));
    expectIgnored(kConv, true);
    expectIgnored("/head/fc/Gemm", false);
    type("\"ignore\"", "\"target\"");
    ASSERT_TRUE(become({"target execution-scope encoder.stem"}));
    expectIgnored(kConv, false);
    EXPECT_EQ(undoSteps(), 2); // the key, and what was typed
    m_driver.key(text(), Qt::Key_Z, Qt::ControlModifier);
    ASSERT_TRUE(become({"ignore execution-scope head"}));
    EXPECT_NE(shown().find("\"head\""), std::string::npos) << shown();
    expectIgnored("/head/fc/Gemm", true);
}

TEST_F(ConfigPane, NncfJsonEditedInPlace)
{
    select({kConv});
    m_driver.action("actionIgnore")->trigger();
    m_driver.find<QDockWidget>("dockConfig")->raise();
    show(ui::ConfigForm::NncfJson);
    type(kConv, kSecond);
    ASSERT_TRUE(become({"ignore name " + kSecond}));
    expectIgnored(kConv, false);
    expectIgnored(kSecond, true);
}

TEST_F(ConfigPane, LegacyJsonEditedInPlace)
{
    select({kConv});
    m_driver.action("actionIgnore")->trigger();
    m_driver.find<QDockWidget>("dockConfig")->raise();
    show(ui::ConfigForm::LegacyJson);
    type(kConv, "{re}second/Conv");
    ASSERT_TRUE(become({"ignore pattern (?s:.*?)(?:second/Conv)"}));
    expectIgnored(kConv, false);
    expectIgnored(kSecond, true);
}

TEST_F(ConfigPane, InvalidTextIsMarkedAndNothingIsLost)
{
    for (const auto form : {ui::ConfigForm::Recipe, ui::ConfigForm::NncfJson, ui::ConfigForm::LegacyJson}) {
        SCOPED_TRACE(ui::configFormLabel(form).toStdString());
        m_driver.window().session().undoStack()->setIndex(0);
        select({kConv});
        m_driver.action("actionIgnore")->trigger();
        m_driver.find<QDockWidget>("dockConfig")->raise();
        show(form);
        const std::string whole = shown();
        const auto line = std::count(whole.begin(), whole.begin() + static_cast<long>(whole.find(kConv)), '\n') + 1;
        type("\"" + kConv + "\"", "\"" + kSecond + "\"]]");
        const std::string typed = shown();
        ASSERT_TRUE(WindowDriver::waitFor([this] { return !text()->extraSelections().isEmpty(); }));
        EXPECT_NE(message().find("Line " + std::to_string(line)), std::string::npos) << message() << typed;
        EXPECT_NE(message().find("The rules stay as they were"), std::string::npos) << message();
        EXPECT_EQ(text()->extraSelections().front().cursor.blockNumber(), line - 1);
        EXPECT_EQ(rules(), std::vector<std::string>{"ignore name " + kConv});
        // Other forms, undo and redo leave what was typed.
        show(ui::ConfigForm::Ort);
        EXPECT_NE(shown().find(kConv), std::string::npos);
        show(form);
        EXPECT_EQ(shown(), typed);
        m_driver.action("actionUndo")->trigger();
        m_driver.action("actionRedo")->trigger();
        expectIgnored(kConv, true);
        EXPECT_EQ(shown(), typed);
        EXPECT_FALSE(text()->extraSelections().isEmpty());
        // Corrected, it counts.
        type("]]", {});
        m_driver.key(text(), Qt::Key_Delete);
        ASSERT_TRUE(become({"ignore name " + kSecond}));
        EXPECT_TRUE(text()->extraSelections().isEmpty());
        expectIgnored(kSecond, true);
        expectIgnored(kConv, false);
    }
}

TEST_F(ConfigPane, RevertShowsTheRulesAgain)
{
    select({kConv});
    m_driver.action("actionIgnore")->trigger();
    m_driver.find<QDockWidget>("dockConfig")->raise();
    const std::string before = shown();
    type("{", "{{");
    auto* revert = m_driver.find<QPushButton>("configRevert");
    ASSERT_TRUE(WindowDriver::waitFor([&] { return revert->isVisible(); }));
    QTest::mouseClick(revert, Qt::LeftButton);
    EXPECT_EQ(shown(), before);
    EXPECT_FALSE(revert->isVisible());
    expectIgnored(kConv, true);
}

} // namespace
} // namespace duo::test
