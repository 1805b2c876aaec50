// SPDX-License-Identifier: Apache-2.0
#include "views/shell/help_page.h"

#include <QDir>
#include <QFile>
#include <QFontDatabase>
#include <QMap>
#include <QTextBlock>
#include <QTextCursor>
#include <QTextFrame>
#include <QTextTable>

#include <algorithm>

namespace duo::ui {
namespace {

constexpr int kMargin = 16; // px around the page
constexpr int kLineHeight = 130; // percent
constexpr int kCellPadding = 5; // px
constexpr qreal kIndent = 12; // px of code

QString titleOf(const QString& path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return {};
    while (!file.atEnd()) {
        const QString line = QString::fromUtf8(file.readLine()).trimmed();
        if (line.startsWith(QStringLiteral("# ")))
            return line.mid(2).trimmed();
    }
    return {};
}

void formatBlock(const QTextBlock& block, const QTextBlockFormat& change)
{
    QTextCursor(block).mergeBlockFormat(change);
}

bool isCode(const QTextBlock& block)
{
    const QTextBlockFormat format = block.blockFormat();
    return format.hasProperty(QTextFormat::BlockCodeFence) || format.hasProperty(QTextFormat::BlockCodeLanguage);
}

void formatCode(const QTextBlock& block, const Theme& theme)
{
    QTextBlockFormat format;
    format.setBackground(theme.scope.fill);
    format.setLeftMargin(kIndent);
    format.setRightMargin(kIndent);
    formatBlock(block, format);
    QTextCursor cursor(block);
    cursor.select(QTextCursor::BlockUnderCursor);
    QTextCharFormat text;
    text.setFontFamilies({QFontDatabase::systemFont(QFontDatabase::FixedFont).family()});
    text.setForeground(theme.scope.text);
    cursor.mergeCharFormat(text);
}

/// Pieces of a paragraph in fixed width, and links.
void formatPieces(const QTextBlock& block, const Theme& theme)
{
    struct Change {
        int begin, end;
        QTextCharFormat format;
    };
    std::vector<Change> changes;
    for (auto at = block.begin(); !at.atEnd(); ++at) {
        const QTextFragment piece = at.fragment();
        QTextCharFormat format;
        if (piece.charFormat().isAnchor() && !piece.charFormat().anchorHref().isEmpty())
            format.setForeground(theme.states.front().ink);
        else if (piece.charFormat().fontFixedPitch())
            format.setBackground(theme.scope.fill);
        else
            continue;
        changes.push_back({piece.position(), piece.position() + piece.length(), format});
    }
    for (const Change& change : changes) {
        QTextCursor cursor(block);
        cursor.setPosition(change.begin);
        cursor.setPosition(change.end, QTextCursor::KeepAnchor);
        cursor.mergeCharFormat(change.format);
    }
}

void formatHeading(const QTextBlock& block, QMap<QString, int>& used)
{
    const QString plain = anchorOf(block.text());
    const int before = used[plain]++;
    QTextCharFormat anchor;
    anchor.setAnchor(true);
    anchor.setAnchorNames({before == 0 ? plain : QStringLiteral("%1-%2").arg(plain).arg(before)});
    QTextCursor cursor(block);
    cursor.select(QTextCursor::BlockUnderCursor);
    cursor.mergeCharFormat(anchor);
    QTextBlockFormat format;
    format.setTopMargin(block.blockNumber() == 0 ? 0 : kMargin);
    formatBlock(block, format);
}

void formatTables(QTextFrame* frame, const Theme& theme)
{
    for (QTextFrame* child : frame->childFrames()) {
        if (auto* table = qobject_cast<QTextTable*>(child)) {
            QTextTableFormat format = table->format();
            format.setBorder(1);
            format.setBorderBrush(theme.frame.border);
            format.setBorderStyle(QTextFrameFormat::BorderStyle_Solid);
            format.setBorderCollapse(true);
            format.setCellPadding(kCellPadding);
            format.setCellSpacing(0);
            format.setTopMargin(kCellPadding);
            format.setBottomMargin(kCellPadding);
            table->setFormat(format);
        }
        formatTables(child, theme);
    }
}

} // namespace

std::vector<HelpPage> helpPages(const QString& folder)
{
    std::vector<HelpPage> pages;
    for (const QString& file : QDir(folder).entryList({QStringLiteral("*.md")}, QDir::Files)) {
        if (const QString title = titleOf(QDir(folder).filePath(file)); !title.isEmpty())
            pages.push_back({file, title});
    }
    const auto key
        = [](const HelpPage& page) { return std::pair(page.file != QStringLiteral("index.md"), page.title.toLower()); };
    std::ranges::sort(pages, {}, key);
    return pages;
}

std::optional<HelpPlace> placeOf(const QUrl& link, const QString& page)
{
    const QString path = link.path();
    if (!link.isRelative() || path.contains(QLatin1Char('/')))
        return std::nullopt;
    if (!path.isEmpty() && !path.endsWith(QStringLiteral(".md")))
        return std::nullopt;
    return HelpPlace{path.isEmpty() ? page : path, link.fragment()};
}

QString anchorOf(const QString& heading)
{
    QString anchor;
    for (const QChar letter : heading.trimmed().toLower()) {
        if (letter.isLetterOrNumber() || letter == QLatin1Char('-') || letter == QLatin1Char('_'))
            anchor += letter;
        else if (letter.isSpace())
            anchor += QLatin1Char('-');
    }
    return anchor;
}

void fillHelpPage(QTextDocument& document, const QString& markdown, const Theme& theme)
{
    document.setMarkdown(markdown, QTextDocument::MarkdownDialectGitHub);
    document.setDocumentMargin(kMargin);
    QMap<QString, int> used;
    for (QTextBlock block = document.begin(); block.isValid(); block = block.next()) {
        if (isCode(block)) {
            formatCode(block, theme);
            continue;
        }
        QTextBlockFormat lines;
        lines.setLineHeight(kLineHeight, QTextBlockFormat::ProportionalHeight);
        formatBlock(block, lines);
        formatPieces(block, theme);
        if (block.blockFormat().headingLevel() > 0)
            formatHeading(block, used);
    }
    formatTables(document.rootFrame(), theme);
    document.clearUndoRedoStacks();
}

} // namespace duo::ui
