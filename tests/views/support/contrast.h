// SPDX-License-Identifier: Apache-2.0
// contrast: how well one colour is read on another.
#pragma once

#include <QColor>

#include <algorithm>
#include <cmath>

namespace duo::test {

/// Relative luminance, 0..1 (WCAG 2.1).
inline double luminance(const QColor& color)
{
    const auto linear = [](float channel) {
        const double value = static_cast<double>(channel);
        return value <= 0.03928 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
    };
    return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) + 0.0722 * linear(color.blueF());
}

/// Ratio of two opaque colours, 1..21 (WCAG 2.1).
inline double contrast(const QColor& a, const QColor& b)
{
    const double one = luminance(a);
    const double other = luminance(b);
    return (std::max(one, other) + 0.05) / (std::min(one, other) + 0.05);
}

} // namespace duo::test
