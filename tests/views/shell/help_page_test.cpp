// SPDX-License-Identifier: Apache-2.0
#include "tests/views/support/anchors.h"
#include "views/shell/help_page.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTextBlock>
#include <QTextTable>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace duo::ui {
namespace {

using testing::ElementsAre;

TEST(HelpPage, AnchorsAreThoseThatHostsOfMarkdownMake)
{
    EXPECT_EQ(anchorOf(QStringLiteral("What a rule catches")), QStringLiteral("what-a-rule-catches"));
    EXPECT_EQ(
        anchorOf(QStringLiteral(" Keys: `ignored_scope`, and why? ")), QStringLiteral("keys-ignored_scope-and-why"));
    EXPECT_EQ(anchorOf(QStringLiteral("half-range")), QStringLiteral("half-range"));
    EXPECT_EQ(anchorOf(QStringLiteral("A / B")), QStringLiteral("a--b"));
}

TEST(HelpPage, LinksLeadToPagesAndHeadingsOrOutOfTheHelp)
{
    const QString page = QStringLiteral("rules.md");
    const auto at = [&](const char* link) { return placeOf(QUrl(QString::fromLatin1(link)), page); };
    EXPECT_EQ(at("scopes.md"), (HelpPlace{QStringLiteral("scopes.md"), {}}));
    EXPECT_EQ(at("scopes.md#calls"), (HelpPlace{QStringLiteral("scopes.md"), QStringLiteral("calls")}));
    EXPECT_EQ(at("#kinds"), (HelpPlace{page, QStringLiteral("kinds")}));
    for (const char* link : {"https://example.org/a.md", "../schemas/plan.json", "../../README.md", "plan.json"})
        EXPECT_EQ(at(link), std::nullopt) << link;
}

TEST(HelpPage, PagesAreThoseOfTheFolderWithAHeadingTheIndexFirst)
{
    const QTemporaryDir folder;
    const auto write = [&](const char* name, const char* text) {
        QFile file(folder.filePath(QString::fromLatin1(name)));
        ASSERT_TRUE(file.open(QIODevice::WriteOnly));
        file.write(text);
    };
    write("b.md", "# Apples\n");
    write("a.md", "\n# pears\n\n# Not this\n");
    write("index.md", "# What it is\n");
    write("none.md", "no heading\n");
    write("c.txt", "# Not a page\n");
    QStringList found;
    for (const HelpPage& page : helpPages(folder.path()))
        found += page.file + QLatin1Char(' ') + page.title;
    EXPECT_EQ(found,
        QStringList(
            {QStringLiteral("index.md What it is"), QStringLiteral("b.md Apples"), QStringLiteral("a.md pears")}));
}

TEST(HelpPage, HeadingsGetAnchorsAndARepeatedOneANumber)
{
    QTextDocument document;
    fillHelpPage(document, QStringLiteral("# Top\n\ntext\n\n## Notes\n\n## `code` of it\n\n## Notes\n"), lightTheme());
    EXPECT_EQ(test::anchorsOf(document),
        QStringList(
            {QStringLiteral("top"), QStringLiteral("notes"), QStringLiteral("code-of-it"), QStringLiteral("notes-1")}));
}

TEST(HelpPage, TablesAreTablesAndCodeStandsOnAGroundOfItsOwn)
{
    QTextDocument document;
    fillHelpPage(
        document, QStringLiteral("# Top\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```sh\nrun it\n```\n"), darkTheme());
    const auto frames = document.rootFrame()->childFrames();
    ASSERT_EQ(frames.size(), 1);
    const auto* table = qobject_cast<QTextTable*>(frames.front());
    ASSERT_NE(table, nullptr);
    EXPECT_EQ(table->rows(), 2);
    EXPECT_GT(table->format().border(), 0);
    QTextBlock code;
    for (QTextBlock block = document.begin(); block.isValid(); block = block.next()) {
        if (block.text() == QStringLiteral("run it"))
            code = block;
    }
    ASSERT_TRUE(code.isValid());
    EXPECT_EQ(code.blockFormat().background().color(), darkTheme().scope.fill);
    EXPECT_EQ(code.begin().fragment().charFormat().foreground().color(), darkTheme().scope.text);
}

} // namespace
} // namespace duo::ui
