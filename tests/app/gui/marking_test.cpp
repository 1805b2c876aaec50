// SPDX-License-Identifier: Apache-2.0
// Marks in the real window: mark mode, undo, and rules made of marks.
#include "tests/app/gui/rules_window.h"
#include "views/trees/mark_bar.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QInputDialog>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace duo::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class MarkingWindow : public RulesWindow
{
protected:
    void SetUp() override
    {
        RulesWindow::SetUp();
        m_driver.key(tree(), Qt::Key_M);
        ASSERT_TRUE(waitForCounts("Click on the box before a module to mark it and all below."));
    }
    std::vector<std::string> marks()
    {
        std::vector<std::string> texts;
        for (const Mark& mark : m_driver.window().session().recipe().marks)
            texts.push_back(markText(mark));
        return texts;
    }
    std::string counts() { return m_driver.find<ui::MarkBar>("markBar")->text().toStdString(); }
    void markByKey(const std::string& path)
    {
        ASSERT_TRUE(m_driver.clickScope(ui::TreeKind::Storage, path));
        m_driver.key(tree(ui::TreeKind::Storage), Qt::Key_Space);
    }
    bool waitForCounts(const std::string& text)
    {
        return WindowDriver::waitFor([&] { return counts() == text; });
    }
};

TEST_F(MarkingWindow, MarkingCountsAtOnceAndIsUndone)
{
    markByKey("encoder.layer1");
    EXPECT_THAT(marks(), ElementsAre("mark encoder.layer1"));
    EXPECT_TRUE(WindowDriver::waitFor([&] { return counts().starts_with("Marked: "); })) << counts();
    const std::string before = counts();
    markByKey("encoder.layer1.0");
    EXPECT_THAT(marks(), ElementsAre("mark encoder.layer1 without encoder.layer1.0"));
    EXPECT_TRUE(WindowDriver::waitFor([&] { return counts() != before; }));
    m_driver.action("actionUndo")->trigger();
    EXPECT_THAT(marks(), ElementsAre("mark encoder.layer1"));
    EXPECT_TRUE(waitForCounts(before)) << counts();
    m_driver.action("actionUndo")->trigger();
    EXPECT_THAT(marks(), IsEmpty());
}

TEST_F(MarkingWindow, MarksBecomeRulesAndRulesMarks)
{
    markByKey("encoder.layer1");
    ASSERT_TRUE(WindowDriver::waitFor([&] { return counts().starts_with("Marked: "); }));
    m_driver.action("marks:ignore")->trigger();
    expectIgnored(kSecond, true);
    expectIgnored(kConv, false);
    m_driver.action("marks:clear")->trigger();
    EXPECT_THAT(marks(), IsEmpty());
    m_driver.action("marks:from-rules")->trigger();
    EXPECT_THAT(marks(), ElementsAre("mark encoder.layer1"));
}

TEST_F(MarkingWindow, SettingsAreGivenALineEach)
{
    markByKey("encoder.layer1");
    m_driver.action("marks:settings")->trigger();
    auto* dialog = m_driver.find<QInputDialog>("markSettingsDialog");
    ASSERT_NE(dialog, nullptr);
    dialog->setTextValue(QStringLiteral("use_orig_params=true\nunit=1\n"));
    dialog->accept();
    EXPECT_THAT(marks(), ElementsAre("mark encoder.layer1: use_orig_params=true, unit=1"));
}

TEST_F(MarkingWindow, MarksGoToPythonAndComeBack)
{
    markByKey("encoder.layer1");
    ASSERT_TRUE(WindowDriver::waitFor([&] { return counts().starts_with("Marked: "); }));
    m_driver.action("marks:annotate")->trigger();
    const QString text = QGuiApplication::clipboard()->text();
    EXPECT_TRUE(text.contains(QStringLiteral("_annotate_modules_for_dynamo("))) << text.toStdString();
    m_driver.action("marks:clear")->trigger();
    m_driver.action("marks:paste")->trigger();
    EXPECT_THAT(marks(), ElementsAre(testing::StartsWith("mark encoder.layer1")));
}

} // namespace
} // namespace duo::test
