// SPDX-License-Identifier: Apache-2.0
#include "views/graph/box_sizes.h"

#include "core/graph/box_text.h"

#include <QFontInfo>
#include <QFontMetricsF>

#include <algorithm>
#include <string>

namespace duo::ui {
namespace {

constexpr double kSubtitleScale = 0.85;
constexpr double kVerticalPadding = 6;
constexpr double kLeastWidth = 70;
constexpr double kFarTitle = 1.34; // widths of a title that a box has: from afar it is drawn relatively larger

double widthOf(const TextWidths& widths, const std::string& text)
{
    double width = 0;
    for (const char letter : text) {
        const auto code = static_cast<unsigned char>(letter);
        if (code < 128)
            width += widths.ascii[code];
        else if ((code & 0xC0U) != 0x80U) // first byte of a UTF-8 sequence
            width += widths.other;
    }
    return width;
}

} // namespace

QFont subtitleFont(const QFont& font)
{
    QFont result = font;
    result.setPointSizeF(font.pointSizeF() * kSubtitleScale);
    return result;
}

TextWidths measureText(const QFont& font)
{
    QFont bold = font;
    bold.setBold(true);
    const QFontMetricsF metrics(bold);
    TextWidths widths;
    for (int code = 0; code < 128; ++code)
        widths.ascii.push_back(code < 32 ? 0 : metrics.horizontalAdvance(QChar(code)));
    const QChar wide(0x4e2d); // as wide as the font is high, and that where no font has it
    widths.other = std::max<double>(metrics.horizontalAdvance(wide), QFontInfo(bold).pixelSize());
    widths.lineHeight = metrics.height();
    widths.small = kSubtitleScale;
    return widths;
}

BoxSizes boxSizes(const TextWidths& widths)
{
    return [widths](const ViewBox& box) -> Size {
        const double title = std::min(widthOf(widths, box.title), kMostTextWidth);
        const double subtitle = std::min(widthOf(widths, shownSubtitle(box)) * widths.small, kMostTextWidth);
        if (box.open) // the least size of its title bar
            return {title + subtitle + 4 * kBoxPadding, kTitleBarHeight};
        const bool isSmall = box.kind == ViewBox::Kind::Stub || box.kind == ViewBox::Kind::Quantizer;
        const std::string& foot = box.badge.empty() ? box.kernel : box.badge;
        const double badge = widthOf(widths, foot) * widths.small;
        const double content = isSmall ? title : std::max({title, subtitle, badge});
        double height = widths.lineHeight + 2 * kVerticalPadding;
        if (!isSmall && !shownSubtitle(box).empty())
            height += widths.lineHeight * widths.small;
        if (!foot.empty())
            height += widths.lineHeight * widths.small;
        if (box.kind == ViewBox::Kind::Scope || box.kind == ViewBox::Kind::Group)
            height += kVerticalPadding; // the bar that shows its share
        if (isSmall)
            return {content + 2 * kBoxPadding, height};
        const bool isRound = box.kind == ViewBox::Kind::Input || box.kind == ViewBox::Kind::Output;
        const double padding = (isRound ? 3 : 2) * kBoxPadding; // its sides lean in where the lower line ends
        return {std::max({content + padding, title * kFarTitle, kLeastWidth}), height};
    };
}

} // namespace duo::ui
