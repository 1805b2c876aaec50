// SPDX-License-Identifier: Apache-2.0
#include "views/graph/box_sizes.h"

#include <QFontMetricsF>

#include <algorithm>
#include <string_view>

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

/// The last part of a node's name that is not the operator's type.
std::string_view tellingPart(const ViewBox& box)
{
    const auto lastOf = [](std::string_view path) { return path.substr(path.find_last_of('/') + 1); };
    const std::string_view name = box.subtitle;
    std::string_view last = lastOf(name);
    const std::string_view type = last.substr(0, last.find_last_not_of("_0123456789") + 1);
    if (!box.kernel.empty() && !type.empty() && name.size() > last.size() && box.title.ends_with(type))
        return lastOf(name.substr(0, name.size() - last.size() - 1)); // "QLinearConv" of "/stem/conv/Conv"
    if (last.starts_with(box.title)) { // "/stem/conv/Conv", "/stem/conv/Conv_1": the type stands above already
        const bool isNumbered = last.find_first_not_of("_0123456789", box.title.size()) == std::string_view::npos;
        if (isNumbered && name.size() > last.size())
            last = lastOf(name.substr(0, name.size() - last.size() - 1));
        else if (last == box.title)
            last = {};
    }
    return last;
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
    widths.other = metrics.horizontalAdvance(QChar(0x4e2d)); // a wide letter
    widths.lineHeight = metrics.height();
    widths.small = kSubtitleScale;
    return widths;
}

std::string shownSubtitle(const ViewBox& box)
{
    if (box.kind != ViewBox::Kind::Node)
        return box.subtitle;
    const std::string_view part = tellingPart(box);
    return part == box.around ? std::string() : std::string(part);
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
        return {std::max({content + 2 * kBoxPadding, title * kFarTitle, kLeastWidth}), height};
    };
}

} // namespace duo::ui
