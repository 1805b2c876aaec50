// SPDX-License-Identifier: Apache-2.0
// Floats of 16 bits as they are stored.
#pragma once

#include <cstdint>

namespace duo {

/// The largest magnitude of an IEEE binary16, and the smallest that keeps all its digits.
inline constexpr float kLargestHalf = 65504.0F;
inline constexpr float kSmallestHalf = 0x1p-14F;
inline constexpr float kLargestBfloat = 0x1.FEp127F; // of the upper half of a float

/// IEEE binary16, rounded to nearest even; too large: infinity. NaN stays NaN.
std::uint16_t toHalf(float value);
/// The upper half of the float, rounded to nearest even. NaN stays NaN.
std::uint16_t toBfloat(float value);

} // namespace duo
