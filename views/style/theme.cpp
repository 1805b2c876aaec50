// SPDX-License-Identifier: Apache-2.0
#include "views/style/theme.h"

#include "core/graph/overlay_colours.h"

#include <algorithm>
#include <cmath>

namespace duo::ui {
namespace {

QColor rgb(QRgb value)
{
    return QColor::fromRgb(value);
}

Shade shade(QRgb fill, QRgb border, QRgb text, QRgb ink)
{
    return {rgb(fill), rgb(border), rgb(text), rgb(ink)};
}

Theme makeLight()
{
    Theme theme;
    theme.base = rgb(0xffffff);
    theme.text = rgb(0x1d2329);
    theme.muted = rgb(0x56616b);
    theme.edge = rgb(0x7b8794);
    theme.selection = rgb(0xd81b60);
    theme.hover = rgb(0x8e24aa);
    theme.states = {
        shade(0xcfe4fb, 0x2a74b8, 0x0b3a63, 0x1560a3), // quantized
        shade(0xffdcb0, 0xb35900, 0x532a00, 0x9a4d00), // ignored
        shade(0xffeed8, 0xb98243, 0x5c3a10, 0x80561c), // ignored-inherited
        shade(0xe6dcf7, 0x6d4bb0, 0x3b2370, 0x5d3ca0), // preset
        shade(0xeceff2, 0x8b97a3, 0x3a444d, 0x56616b), // unsupported
        shade(0xf7d9dc, 0xb3424e, 0x6a1a23, 0xa12f3c), // blocked
        shade(0xd9efe9, 0x3d8a75, 0x15483a, 0x1f6b57), // fused
        shade(0xd8ecf5, 0x3f86a6, 0x144258, 0x20677f), // weight-only
    };
    theme.scope = shade(0xf3f5f7, 0x67727d, 0x1d2329, 0x1d2329);
    theme.frame = shade(0xfafbfc, 0xaab4be, 0x3a444d, 0x3a444d);
    theme.port = shade(0xe6f2d9, 0x5c8a2f, 0x2c4a10, 0x3f6a15);
    theme.badge = shade(0x2a6db0, 0x2a6db0, 0xffffff, 0x1560a3);
    theme.preview = shade(0xfff3b0, 0xa87b00, 0x3d3000, 0x7a5a00);
    std::ranges::transform(kOverlayColours, theme.heat.begin(),
        [](const OverlayColour& colour) { return shade(colour.fill, colour.border, colour.text, colour.ink); });
    theme.found = shade(0xe6f7a8, 0x6b8a00, 0x2c3a00, 0x4f6600);
    theme.good = shade(0xdff3e3, 0x2e7d43, 0x174d26, 0x216b36);
    theme.warning = shade(0xfff1cc, 0xb58500, 0x533d00, 0x7a5a00);
    theme.bad = shade(0xfbdfe0, 0xb3261e, 0x6b130e, 0xa5211a);
    return theme;
}

Theme makeDark()
{
    Theme theme;
    theme.isDark = true;
    theme.base = rgb(0x1b1f24);
    theme.text = rgb(0xe6eaee);
    theme.muted = rgb(0xa3aeb9);
    theme.edge = rgb(0x7f8b97);
    theme.selection = rgb(0xff6fa3);
    theme.hover = rgb(0xc792ea);
    theme.states = {
        shade(0x17405f, 0x5aa7e6, 0xdcefff, 0x86c2f5), // quantized
        shade(0x5a3505, 0xf0a04b, 0xffe8cc, 0xf4ae63), // ignored
        shade(0x403019, 0xc99d62, 0xf6e4cb, 0xd9b17c), // ignored-inherited
        shade(0x3a2c5c, 0xa98be0, 0xece3ff, 0xbfa6ee), // preset
        shade(0x2b3239, 0x7a8692, 0xd3dae1, 0xa3aeb9), // unsupported
        shade(0x55222a, 0xe27d88, 0xffe1e4, 0xee98a1), // blocked
        shade(0x17453a, 0x5dbca3, 0xd6f5ec, 0x7ccfb8), // fused
        shade(0x1a4150, 0x67b3cf, 0xd8f1fb, 0x88c9e0), // weight-only
    };
    theme.scope = shade(0x2c333b, 0x93a0ad, 0xe6eaee, 0xe6eaee);
    theme.frame = shade(0x21262c, 0x56616b, 0xc3ccd5, 0xc3ccd5);
    theme.port = shade(0x2f431a, 0x93c05c, 0xe5f4d2, 0xa9d273);
    theme.badge = shade(0x86c2f5, 0x86c2f5, 0x0b2740, 0x86c2f5);
    theme.preview = shade(0x3d360c, 0xe6d45c, 0xfff6c2, 0xe6d45c);
    theme.heat = {shade(0x1f3f4a, 0x6f9fae, 0xd5ebf2, 0x8fbccb), shade(0x4a3d10, 0xb99a3a, 0xfdeec4, 0xe2bd5c),
        shade(0x6e4612, 0xe09a45, 0xffecd2, 0xf4ae63), shade(0x96400f, 0xf08a5d, 0xffffff, 0xf5a67f),
        shade(0xf0776c, 0xffb3ab, 0x2b0502, 0xf49c97)};
    theme.found = shade(0x36440a, 0xb9dc4f, 0xf0fbc8, 0xc5e35f);
    theme.good = shade(0x17402a, 0x5fbf7c, 0xd5f5de, 0x7fd098);
    theme.warning = shade(0x453708, 0xd9ae3c, 0xfdeec4, 0xe2bd5c);
    theme.bad = shade(0x5a1b19, 0xf08a84, 0xffe3e1, 0xf49c97);
    return theme;
}

double luminance(const QColor& color)
{
    const auto linear = [](float channel) {
        const double value = static_cast<double>(channel);
        return value <= 0.03928 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
    };
    return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) + 0.0722 * linear(color.blueF());
}

QPalette paletteOf(const Theme& theme, QRgb window, QRgb button, QRgb alternate, QRgb highlight, QRgb disabled)
{
    QPalette palette;
    palette.setColor(QPalette::Window, rgb(window));
    palette.setColor(QPalette::WindowText, theme.text);
    palette.setColor(QPalette::Base, theme.base);
    palette.setColor(QPalette::AlternateBase, rgb(alternate));
    palette.setColor(QPalette::Text, theme.text);
    palette.setColor(QPalette::PlaceholderText, theme.muted);
    palette.setColor(QPalette::Button, rgb(button));
    palette.setColor(QPalette::ButtonText, theme.text);
    palette.setColor(QPalette::BrightText, theme.bad.ink);
    palette.setColor(QPalette::ToolTipBase, theme.frame.fill);
    palette.setColor(QPalette::ToolTipText, theme.text);
    palette.setColor(QPalette::Highlight, rgb(highlight));
    palette.setColor(QPalette::HighlightedText, rgb(0xffffff));
    palette.setColor(QPalette::Link, theme.states[0].ink);
    palette.setColor(QPalette::LinkVisited, theme.states[3].ink);
    palette.setColor(QPalette::Light, rgb(button).lighter(theme.isDark ? 130 : 105));
    palette.setColor(QPalette::Midlight, rgb(button).lighter(theme.isDark ? 115 : 102));
    palette.setColor(QPalette::Mid, rgb(window).darker(theme.isDark ? 130 : 125));
    palette.setColor(QPalette::Dark, rgb(window).darker(theme.isDark ? 160 : 150));
    palette.setColor(QPalette::Shadow, rgb(0x000000));
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        palette.setColor(QPalette::Disabled, role, rgb(disabled));
    return palette;
}

} // namespace

const Theme& lightTheme()
{
    static const Theme theme = makeLight();
    return theme;
}

const Theme& darkTheme()
{
    static const Theme theme = makeDark();
    return theme;
}

const Theme& themeFor(const QPalette& palette)
{
    const bool isDark = luminance(palette.color(QPalette::Base)) < luminance(palette.color(QPalette::Text));
    return isDark ? darkTheme() : lightTheme();
}

QPalette lightPalette()
{
    return paletteOf(lightTheme(), 0xf0f2f4, 0xf7f8f9, 0xf6f8fa, 0x1f6fb5, 0x8a949e);
}

QPalette darkPalette()
{
    return paletteOf(darkTheme(), 0x262b31, 0x30373f, 0x20252a, 0x2568a0, 0x75808b);
}

} // namespace duo::ui
