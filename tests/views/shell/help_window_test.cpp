// SPDX-License-Identifier: Apache-2.0
#include "views/shell/help_window.h"

#include <QFile>
#include <QPointer>
#include <QScrollBar>
#include <QTemporaryDir>
#include <QTest>
#include <QTextBlock>

#include <gtest/gtest.h>

namespace duo::ui {
namespace {

class HelpWindowTest : public testing::Test
{
protected:
    HelpWindowTest()
    {
        QString text
            = QStringLiteral("# Rules\n\nSee [calls](scopes.md#calls), [below](#end) or [more](missing.md).\n\n");
        for (int i = 0; i < 200; ++i)
            text += QStringLiteral("Line %1.\n\n").arg(i);
        write(QStringLiteral("rules.md"), text + QStringLiteral("## End\n\nneedle one, needle two\n"));
        write(QStringLiteral("scopes.md"),
            text.replace(QStringLiteral("# Rules"), QStringLiteral("# Scopes"))
                + QStringLiteral("## Calls\n\nof it\n"));
        m_window = std::make_unique<HelpWindow>(m_folder.path());
        m_window->resize(700, 400);
        m_window->show();
    }

    void write(const QString& name, const QString& text)
    {
        QFile file(m_folder.filePath(name));
        ASSERT_TRUE(file.open(QIODevice::WriteOnly));
        file.write(text.toUtf8());
    }
    [[nodiscard]] int scrolled() { return m_window->text()->verticalScrollBar()->value(); }
    void follow(const char* link) { Q_EMIT m_window->text()->anchorClicked(QUrl(QString::fromLatin1(link))); }
    template <typename T> [[nodiscard]] T* find(const char* name)
    {
        return m_window->findChild<T*>(QLatin1String(name));
    }

    QTemporaryDir m_folder;
    std::unique_ptr<HelpWindow> m_window;
    const HelpPlace m_rules{QStringLiteral("rules.md"), {}};
};

TEST_F(HelpWindowTest, NoTitleInTheListOfPagesIsCut)
{
    write(
        QStringLiteral("long.md"), QStringLiteral("# What the window says of a model that is as long as this title\n"));
    HelpWindow window(m_folder.path());
    window.show();
    const auto* pages = window.findChild<QListWidget*>(QStringLiteral("helpPages"));
    ASSERT_EQ(pages->count(), 3);
    for (int row = 0; row < pages->count(); ++row)
        EXPECT_LE(pages->visualItemRect(pages->item(row)).width(), pages->viewport()->width());
    EXPECT_GE(pages->viewport()->width(),
        pages->fontMetrics().horizontalAdvance(
            QStringLiteral("What the window says of a model that is as long as this title")));
}

TEST_F(HelpWindowTest, ALinkLeadsToTheHeadingOfAnotherPage)
{
    ASSERT_TRUE(m_window->open(m_rules));
    EXPECT_EQ(scrolled(), 0);
    follow("scopes.md#calls");
    EXPECT_EQ(m_window->place(), (HelpPlace{QStringLiteral("scopes.md"), QStringLiteral("calls")}));
    EXPECT_GT(scrolled(), 1000);
    EXPECT_EQ(find<QListWidget>("helpPages")->currentItem()->text(), QStringLiteral("Scopes"));
}

TEST_F(HelpWindowTest, BackAndForwardGoWhereOneWasAndHowFarDown)
{
    EXPECT_FALSE(find<QAction>("helpBack")->isEnabled());
    ASSERT_TRUE(m_window->open(m_rules));
    m_window->text()->verticalScrollBar()->setValue(77);
    follow("scopes.md#calls");
    const int below = scrolled();
    find<QAction>("helpBack")->trigger();
    EXPECT_EQ(m_window->place(), m_rules);
    EXPECT_EQ(scrolled(), 77);
    EXPECT_FALSE(find<QAction>("helpBack")->isEnabled());
    find<QAction>("helpForward")->trigger();
    EXPECT_EQ(m_window->place().file, QStringLiteral("scopes.md"));
    EXPECT_EQ(scrolled(), below);
    find<QAction>("helpBack")->trigger();
    follow("#end"); // from here on there is another way forward
    EXPECT_FALSE(find<QAction>("helpForward")->isEnabled());
}

TEST_F(HelpWindowTest, APageIsMadeBeforeItIsShown)
{
    ASSERT_TRUE(m_window->open(m_rules));
    const QPointer<QTextDocument> before = m_window->text()->document();
    int changed = 0; // of a document that is shown, each change lays out all of it
    QObject::connect(before, &QTextDocument::contentsChange, m_window.get(), [&changed] { ++changed; });
    ASSERT_TRUE(m_window->open({QStringLiteral("scopes.md"), {}}));
    EXPECT_EQ(changed, 0);
    EXPECT_FALSE(before);
    EXPECT_EQ(m_window->text()->document()->firstBlock().text(), QStringLiteral("Scopes"));
    EXPECT_EQ(m_window->text()->document()->defaultFont(), m_window->text()->font());
}

TEST_F(HelpWindowTest, APageThatDoesNotExistChangesNothing)
{
    ASSERT_TRUE(m_window->open(m_rules));
    follow("missing.md");
    EXPECT_EQ(m_window->place(), m_rules);
    EXPECT_FALSE(find<QAction>("helpBack")->isEnabled());
}

TEST_F(HelpWindowTest, APageOfTheListIsOpened)
{
    ASSERT_TRUE(m_window->open(m_rules));
    auto* pages = find<QListWidget>("helpPages");
    ASSERT_EQ(pages->count(), 2);
    pages->setCurrentRow(1);
    EXPECT_EQ(m_window->place().file, QStringLiteral("scopes.md"));
}

TEST_F(HelpWindowTest, WordsAreFoundAroundThePage)
{
    ASSERT_TRUE(m_window->open(m_rules));
    find<QAction>("helpFind")->trigger();
    auto* words = find<QLineEdit>("helpWords");
    QTest::keyClicks(words, QStringLiteral("needle"));
    EXPECT_EQ(find<QLabel>("helpCount")->text(), QStringLiteral("2 found"));
    EXPECT_EQ(m_window->text()->textCursor().selectedText(), QStringLiteral("needle"));
    const int first = m_window->text()->textCursor().position();
    QTest::keyClick(words, Qt::Key_Return);
    EXPECT_GT(m_window->text()->textCursor().position(), first);
    QTest::keyClick(words, Qt::Key_Return); // around
    EXPECT_EQ(m_window->text()->textCursor().position(), first);
    QTest::keyClick(words, Qt::Key_Return, Qt::ShiftModifier);
    EXPECT_GT(m_window->text()->textCursor().position(), first);
    QTest::keyClicks(words, QStringLiteral("x"));
    EXPECT_EQ(find<QLabel>("helpCount")->text(), QStringLiteral("not found"));
    QTest::keyClick(words, Qt::Key_Escape);
    EXPECT_TRUE(m_window->isVisible());
    EXPECT_TRUE(m_window->text()->extraSelections().isEmpty());
    QTest::keyClick(m_window->text(), Qt::Key_Escape);
    EXPECT_FALSE(m_window->isVisible());
}

TEST_F(HelpWindowTest, AnotherPageIsSeenFromItsTopAndTheSearchGoesOnFromThere)
{
    ASSERT_TRUE(m_window->open(m_rules));
    find<QAction>("helpFind")->trigger();
    auto* words = find<QLineEdit>("helpWords");
    QTest::keyClicks(words, QStringLiteral("line 15"));
    ASSERT_TRUE(m_window->open({QStringLiteral("scopes.md"), {}}));
    EXPECT_EQ(find<QLabel>("helpCount")->text(), QStringLiteral("11 found"));
    EXPECT_FALSE(m_window->text()->extraSelections().isEmpty());
    EXPECT_EQ(scrolled(), 0);
    QTest::keyClick(words, Qt::Key_Return);
    EXPECT_EQ(m_window->text()->textCursor().block().text(), QStringLiteral("Line 15."));
}

} // namespace
} // namespace duo::ui
