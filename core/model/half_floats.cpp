// SPDX-License-Identifier: Apache-2.0
#include "core/model/half_floats.h"

#include <bit>
#include <cmath>

namespace duo {

std::uint16_t toHalf(float value)
{
    const auto bits = std::bit_cast<std::uint32_t>(value);
    const std::uint32_t sign = (bits >> 16U) & 0x8000U;
    const std::uint32_t magnitude = bits & 0x7FFFFFFFU;
    if (std::isnan(value))
        return static_cast<std::uint16_t>(sign | 0x7E00U);
    if (magnitude >= 0x477FF000U) // 65520, which rounds up to infinity
        return static_cast<std::uint16_t>(sign | 0x7C00U);
    if (magnitude < 0x38800000U) // multiples of 2^-24
        return static_cast<std::uint16_t>(sign | static_cast<std::uint32_t>(std::nearbyint(std::abs(value) * 0x1p24F)));
    const std::uint32_t rounded = magnitude + 0xFFFU + ((magnitude >> 13U) & 1U);
    return static_cast<std::uint16_t>(sign | ((rounded - 0x38000000U) >> 13U));
}

std::uint16_t toBfloat(float value)
{
    const auto bits = std::bit_cast<std::uint32_t>(value);
    if (std::isnan(value))
        return static_cast<std::uint16_t>((bits >> 16U) | 0x40U);
    return static_cast<std::uint16_t>((bits + 0x7FFFU + ((bits >> 16U) & 1U)) >> 16U);
}

} // namespace duo
