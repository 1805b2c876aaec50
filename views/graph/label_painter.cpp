// SPDX-License-Identifier: Apache-2.0
#include "views/graph/label_painter.h"

#include "core/support/visible_text.h"
#include "views/graph/box_sizes.h"
#include "views/graph/detail.h"
#include "views/style/format.h"

#include <QFontInfo>
#include <QStringList>

#include <algorithm>
#include <array>
#include <cmath>

namespace duo::ui {
namespace {

constexpr double kMostLarge = 26; // px on the screen
constexpr double kLargeShare = 0.34; // of the height of a box that is drawn closed
constexpr double kSmall = 0.85; // of the title
constexpr double kSubtitleGap = 0.8; // of the title's size, between the two in a bar
constexpr double kSideShare = 0.94; // of the width that text may take
constexpr double kLeastShown = 0.65; // of a name
constexpr qsizetype kLongName = 14; // letters from which a name may lose its middle
constexpr qsizetype kEnough = 16; // letters by which a name is known, however long it is
constexpr qsizetype kMostWord = 40; // letters: no operator's name is longer
constexpr std::array kWidths = {100, 80, 66}; // % of the usual width of letters: the first that fits

bool isWord(const QString& name)
{
    return name.size() <= kMostWord && std::ranges::all_of(name, [](QChar letter) { return letter.isLetter(); });
}

/// Width of what must be left of a name that may lose its middle.
double knownWidth(const QString& name, const QFontMetricsF& metrics)
{
    const double share = metrics.horizontalAdvance(name) * kLeastShown;
    if (name.size() <= kEnough)
        return share;
    const QString ends = name.left(kEnough / 2) + QChar(0x2026) + name.right(kEnough / 2);
    return std::min(share, metrics.horizontalAdvance(ends));
}

/// Whether a line says something in that room: a long name may lose its middle, a number, a type or a short name
/// nothing.
bool isWorthDrawing(const QString& line, const QFont& font, double room)
{
    const QFontMetricsF metrics(font);
    if (metrics.horizontalAdvance(line) <= room)
        return true;
    const bool mayLose = line.size() >= kLongName && !line.front().isDigit() && !line.contains(QLatin1Char(' '));
    const qsizetype left = mayLose ? fittedName(line, metrics, room).size() - 1 : 0; // a number in it goes as a whole
    return left >= std::min(line.size() / 2, kEnough / 2);
}

/// The line, else its first two words ("W s8" of "W s8 per channel"), else nothing.
QString fittedBadge(const QString& line, const QFontMetricsF& metrics, double room)
{
    for (const QString& shown : {line, line.section(QLatin1Char(' '), 0, 1)}) {
        if (metrics.horizontalAdvance(shown) <= room)
            return shown;
    }
    return {};
}

/// A text that lost its middle where it has no room; a number goes as a whole.
QString withoutMiddle(const QString& text, const QFontMetricsF& metrics, double room)
{
    const QString shown = metrics.elidedText(text, Qt::ElideMiddle, room);
    const qsizetype at = shown.indexOf(QChar(0x2026));
    if (shown == text || at < 0)
        return shown;
    qsizetype left = at;
    qsizetype right = shown.size() - at - 1;
    while (left > 0 && text[left].isDigit() && text[left - 1].isDigit())
        --left;
    while (right > 0 && text[text.size() - right - 1].isDigit() && text[text.size() - right].isDigit())
        --right;
    return text.left(left) + QChar(0x2026) + text.right(right);
}

/// What a page holds, without which of it: "Relu ×20" of "Relu ×20: act_0–19"; other titles as they are.
QString withoutRange(const QString& title)
{
    return title.section(QStringLiteral(": "), 0, 0);
}

/// Of a quantizer the code alone: "W s8" of "W s8 per channel".
QString codeOf(const QString& title)
{
    return title.section(QStringLiteral(" per "), 0, 0);
}

/// The title, or what alone has room of it: without its range, or the code of a quantizer.
QString shownTitle(const QString& title, QFont font, double room)
{
    font.setStretch(kWidths.back());
    const QFontMetricsF metrics(font);
    if (metrics.horizontalAdvance(title) > room && codeOf(title) != title)
        return codeOf(title);
    const bool isStump = metrics.horizontalAdvance(title) * kLeastShown > room;
    const bool saysMore = isStump && !fittedName(withoutRange(title), metrics, room).isEmpty();
    return saysMore ? withoutRange(title) : title;
}

/// Narrower letters where the text takes them.
QFont fittedFont(QFont font, const QString& text, double room)
{
    for (const int stretch : kWidths) {
        font.setStretch(stretch);
        if (QFontMetricsF(font).horizontalAdvance(text) <= room)
            break;
    }
    return font;
}

/// A painter in screen px with the place's upper left corner as its origin, as long as it lives.
class OnScreen
{
public:
    OnScreen(QPainter& painter, const BoxPlace& place)
        : m_painter(painter)
    {
        painter.save();
        painter.translate(place.rect.topLeft());
        painter.scale(1 / place.zoom, 1 / place.zoom);
    }
    ~OnScreen() { m_painter.restore(); }
    OnScreen(const OnScreen&) = delete;
    OnScreen& operator=(const OnScreen&) = delete;

private:
    QPainter& m_painter;
};

} // namespace

LabelPainter::LabelPainter(const QFont& font)
    : m_font(font)
    , m_natural(QFontInfo(font).pixelSize())
{
}

QFont LabelPainter::fontOf(double pixels, bool isBold) const
{
    QFont font = m_font;
    font.setPixelSize(std::clamp(qRound(pixels), static_cast<int>(kLeastText), static_cast<int>(kMostText)));
    font.setBold(isBold);
    return font;
}

double LabelPainter::leastWidth(const QString& title) const
{
    QFont font = fontOf(kLeastText, true);
    font.setStretch(kWidths.back());
    const QFontMetricsF metrics(font);
    const auto widthOf = [&](const QString& name) {
        const bool mayLose = name.size() >= kLongName && !isWord(name);
        return std::ceil(mayLose ? knownWidth(name, metrics) : metrics.horizontalAdvance(name)) / kSideShare;
    };
    return std::min({widthOf(title), widthOf(withoutRange(title)), widthOf(codeOf(title))});
}

double LabelPainter::titleSize(const BoxPlace& place) const
{
    return std::clamp(m_natural * place.scale * place.zoom, kLeastText, kMostText);
}

void LabelPainter::paintInside(
    QPainter& painter, const BoxPlace& place, const BoxLabel& label, const QColor& color) const
{
    paintLines(painter, place, label, color, titleSize(place));
}

void LabelPainter::paintLarge(
    QPainter& painter, const BoxPlace& place, const BoxLabel& label, const QColor& color) const
{
    const double width = place.rect.width() * place.zoom * kSideShare;
    const double title = QFontMetricsF(fontOf(10, true)).horizontalAdvance(label.title) / 10; // at 1 px
    const double count = QFontMetricsF(fontOf(10, false)).horizontalAdvance(label.count) / 10 * kSmall;
    const double pixels
        = std::min({place.rect.height() * place.zoom * kLargeShare, width / std::max({title, count, 0.1}), kMostLarge});
    paintLines(painter, place, label, color, std::max(pixels, std::min(titleSize(place), kMostLarge)));
}

void LabelPainter::paintLines(
    QPainter& painter, const BoxPlace& place, const BoxLabel& label, const QColor& color, double titlePixels) const
{
    const QSizeF room = place.rect.size() * place.zoom;
    const double width = room.width() * kSideShare;
    const QString name = shownTitle(label.title, fontOf(titlePixels, true), width);
    const QFont title = fittedFont(fontOf(titlePixels, true), name, width);
    const QFont small = fontOf(titlePixels * kSmall, false);
    const QFontMetricsF titleMetrics(title);
    const QFontMetricsF smallMetrics(small);
    if (room.height() < kLeastText)
        return;
    QStringList rest;
    const QString badge = fittedBadge(label.badge, smallMetrics, width);
    const auto isWorth
        = [&](const QString& line) { return isWorthDrawing(line, fittedFont(small, line, width), width); };
    const bool saysAll = label.count.isEmpty() || isWorth(label.subtitle);
    for (const QString& line : {saysAll ? label.subtitle : label.count, badge}) {
        const double height = titleMetrics.height() + smallMetrics.height() * static_cast<double>(rest.size() + 1);
        if (!line.isEmpty() && height <= room.height() && isWorth(line))
            rest += line;
    }
    const OnScreen screen(painter, place);
    painter.setPen(color);
    const double gap = titlePixels * kSubtitleGap;
    const double nameWidth = titleMetrics.horizontalAdvance(name);
    const QString number = QStringLiteral("· ") + label.count.section(QLatin1Char(' '), 0, 0);
    for (const QString& count : {label.count, number}) { // a flat box has room beside the name alone
        const double beside = nameWidth + gap + smallMetrics.horizontalAdvance(count);
        if (!rest.isEmpty() || label.count.isEmpty() || beside > width)
            continue;
        const QRectF line((room.width() - beside) / 2, 0, beside, room.height());
        painter.setFont(title);
        painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter, name);
        painter.setFont(small);
        painter.drawText(line, Qt::AlignRight | Qt::AlignVCenter, count);
        return;
    }
    double y = (room.height() - titleMetrics.height() - smallMetrics.height() * static_cast<double>(rest.size())) / 2;
    const auto draw = [&](const QFont& font, const QString& text) {
        const QFontMetricsF metrics(font);
        painter.setFont(font);
        painter.drawText(
            QRectF(0, y, room.width(), metrics.height()), Qt::AlignCenter, fittedName(text, metrics, width));
        y += metrics.height();
    };
    draw(title, name);
    for (const QString& line : rest)
        draw(fittedFont(small, line, width), line);
}

void LabelPainter::paintBar(QPainter& painter, const BoxPlace& place, const BoxLabel& label, const QColor& titleColor,
    const QColor& subtitleColor) const
{
    const double pixels = titleSize(place);
    QRectF bar(QPointF(), place.rect.size() * place.zoom);
    const QFont title = fittedFont(fontOf(pixels, true), label.title, bar.width());
    const QFontMetricsF titleMetrics(title);
    bar.setHeight(std::max(bar.height(), titleMetrics.height()));
    const OnScreen screen(painter, place);
    painter.setFont(title);
    painter.setPen(titleColor);
    const QString shown = withoutMiddle(label.title, titleMetrics, bar.width());
    painter.drawText(bar, Qt::AlignLeft | Qt::AlignVCenter, shown);
    const QFont small = fontOf(pixels * kSmall, false);
    const QFontMetricsF smallMetrics(small);
    bar.setLeft(bar.left() + titleMetrics.horizontalAdvance(shown) + pixels * kSubtitleGap);
    if (bar.width() < smallMetrics.horizontalAdvance(label.subtitle)) // cut text beside a title says little
        return;
    painter.setFont(small);
    painter.setPen(subtitleColor);
    painter.drawText(bar, Qt::AlignLeft | Qt::AlignVCenter, label.subtitle);
}

QSizeF LabelPainter::barText(const BoxPlace& place, const BoxLabel& label) const
{
    const double pixels = titleSize(place);
    const QSizeF bar = place.rect.size() * place.zoom;
    const QFontMetricsF title(fittedFont(fontOf(pixels, true), label.title, bar.width()));
    const double name = std::min(title.horizontalAdvance(label.title), bar.width());
    const double rest
        = pixels * kSubtitleGap + QFontMetricsF(fontOf(pixels * kSmall, false)).horizontalAdvance(label.subtitle);
    const double width = label.subtitle.isEmpty() || name + rest > bar.width() ? name : name + rest;
    return QSizeF(width, std::max(bar.height(), title.height())) / place.zoom;
}

QString drawnText(std::string_view text)
{
    constexpr qsizetype kMost = 400; // letters; a box is some 60 wide
    const QString whole = toQt(visibleText(text));
    return whole.size() <= kMost ? whole : whole.left(kMost / 2) + QChar(0x2026) + whole.right(kMost / 2);
}

QString fittedName(const QString& name, const QFontMetricsF& metrics, double room)
{
    if (metrics.horizontalAdvance(name) <= room)
        return name;
    if (!isWord(name))
        return knownWidth(name, metrics) <= room ? withoutMiddle(name, metrics, room) : QString();
    for (qsizetype end = name.size() - 1; end > 1; --end) {
        const bool isWordEnd = name[end].isUpper() && name[end - 1].isLower();
        if (const QString words = name.left(end) + QChar(0x2026); isWordEnd && metrics.horizontalAdvance(words) <= room)
            return words;
    }
    return {};
}

} // namespace duo::ui
