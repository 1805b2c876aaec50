// SPDX-License-Identifier: Apache-2.0
// Fake quantization: float values as they come back from their codes.
#pragma once

#include "core/quantize/points/parameters.h"

#include <cstddef>
#include <span>

namespace duo {

/// What DequantizeLinear(QuantizeLinear(x)) gives, for up to 16 bits: rounded half to even, clamped to the codes.
/// `dims` tells where the channels of per-channel parameters lie. O(elements).
void fakeQuantize(std::span<const float> values, std::span<const std::int64_t> dims,
    const QuantizationParameters& parameters, std::span<float> out);

/// What DequantizeLinear gives of packed codes of `parameters.type` (2, 4, 8, 16 or 32 bits). O(elements).
void dequantize(std::span<const std::byte> codes, std::span<const std::int64_t> dims,
    const QuantizationParameters& parameters, std::span<float> out);

} // namespace duo
