// SPDX-License-Identifier: Apache-2.0
// LabelPainter: text of boxes in whole pixels of the screen, never smaller than can be read, nor larger than helps.
#pragma once

#include <QColor>
#include <QFont>
#include <QFontMetricsF>
#include <QPainter>
#include <QString>

#include <string_view>

namespace duo::ui {

inline constexpr double kMostText = 32; // px on the screen: no text is drawn larger

/// What stands in a box, from top to bottom.
struct BoxLabel {
    QString title;
    QString subtitle;
    QString badge; // quantizer of the weight
    QString count = {}; // "5 nodes": what of the subtitle is said where it has no room; none for a node
};

/// A text of a model as it is drawn: in one line, without the middle where nobody would read all of it.
QString drawnText(std::string_view text);

/// How a box lies on the screen.
struct BoxPlace {
    QRectF rect; // scene px
    double zoom = 1; // screen px per scene px
    double scale = 1; // natural size of what is drawn, in scene px
};

class LabelPainter
{
public:
    explicit LabelPainter(const QFont& font = QFont());

    /// In the middle of a box: the title, and the rest as far as there is room.
    void paintInside(QPainter& painter, const BoxPlace& place, const BoxLabel& label, const QColor& color) const;
    /// Large in the middle of an open box that is drawn closed.
    void paintLarge(QPainter& painter, const BoxPlace& place, const BoxLabel& label, const QColor& color) const;
    /// In the title bar of an open box: `place.rect` is what no line crosses.
    void paintBar(QPainter& painter, const BoxPlace& place, const BoxLabel& label, const QColor& title,
        const QColor& subtitle) const;

    /// px of the scene that paintBar() writes on, from the upper left corner of the bar.
    [[nodiscard]] QSizeF barText(const BoxPlace& place, const BoxLabel& label) const;

    /// px of width on the screen that a box needs to show this title at the least size; of long names enough to know
    /// them by.
    [[nodiscard]] double leastWidth(const QString& title) const;
    /// Size of the title on the screen, px; the lines below it are smaller.
    [[nodiscard]] double titleSize(const BoxPlace& place) const;
    [[nodiscard]] QFont fontOf(double pixels, bool isBold) const;

private:
    void paintLines(
        QPainter& painter, const BoxPlace& place, const BoxLabel& label, const QColor& color, double titlePixels) const;

    QFont m_font;
    double m_natural; // px of the font at zoom 1
};

/// A name in less room than it needs: an operator keeps whole words ("Max…" of "MaxPool"); anything else its beginning
/// and its end, where numbers stand, as long as most of it is left, or enough to know it by. "" where nothing of that
/// fits: no stumps.
QString fittedName(const QString& name, const QFontMetricsF& metrics, double room);

} // namespace duo::ui
