// SPDX-License-Identifier: Apache-2.0
#include "tests/app/gui/window_driver.h"
#include "tests/views/support/anchors.h"

#include <QFile>
#include <QMenu>
#include <QTextBlock>

#include <gtest/gtest.h>

namespace duo::test {
namespace {

QString contentOf(const QString& page)
{
    QFile file(QStringLiteral(":/docs/") + page);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

QStringList linksOf(const QTextDocument& document)
{
    QStringList links;
    for (QTextBlock block = document.begin(); block.isValid(); block = block.next()) {
        for (auto at = block.begin(); !at.atEnd(); ++at) {
            if (const QString link = at.fragment().charFormat().anchorHref(); !link.isEmpty())
                links += link;
        }
    }
    return links;
}

TEST(HelpTest, TheMenuHasEveryPageAndOpensIt)
{
    WindowDriver driver;
    const auto pages = ui::helpPages(QStringLiteral(":/docs"));
    ASSERT_FALSE(pages.empty());
    for (const ui::HelpPage& page : pages) {
        auto* action = driver.window().findChild<QAction*>(QStringLiteral("help:") + page.file);
        ASSERT_NE(action, nullptr) << page.file.toStdString();
        EXPECT_EQ(action->text(), page.title);
        action->trigger();
        auto* help = driver.find<ui::HelpWindow>("helpWindow");
        EXPECT_TRUE(help->isVisible());
        EXPECT_EQ(help->place().file, page.file);
    }
    EXPECT_EQ(driver.action("actionShortcuts")->shortcut(), QKeySequence(Qt::Key_F1));
}

TEST(HelpTest, EveryLinkBetweenPagesLeadsToAHeadingThatExists)
{
    const WindowDriver driver; // which loads the resources
    std::map<QString, QStringList> anchors;
    std::map<QString, QStringList> links;
    for (const ui::HelpPage& page : ui::helpPages(QStringLiteral(":/docs"))) {
        QTextDocument document;
        ui::fillHelpPage(document, contentOf(page.file), ui::lightTheme());
        anchors[page.file] = anchorsOf(document);
        links[page.file] = linksOf(document);
    }
    for (const auto& [page, all] : links) {
        for (const QString& link : all) {
            const QUrl url(link);
            const auto place = ui::placeOf(url, page);
            EXPECT_TRUE(place || !url.isRelative()) << page.toStdString() << ": " << link.toStdString();
            if (!place)
                continue;
            EXPECT_TRUE(anchors.contains(place->file)) << page.toStdString() << ": " << link.toStdString();
            EXPECT_TRUE(place->anchor.isEmpty() || anchors[place->file].contains(place->anchor))
                << page.toStdString() << ": " << link.toStdString();
        }
    }
}

} // namespace
} // namespace duo::test
