// SPDX-License-Identifier: Apache-2.0
// Quantization parameters: from ranges to scales and zero points as QuantizeLinear wants them.
#pragma once

#include "core/model/element_type.h"
#include "core/quantize/quantizer_setup.h"
#include "core/support/result.h"

#include <cstdint>
#include <map>
#include <span>
#include <vector>

namespace duo {

/// Observed range of a tensor or a channel.
struct Range {
    float min = 0;
    float max = 0;
};

/// q = clamp(round(x / scale) + zeroPoint). One entry per channel, or exactly one per tensor.
struct QuantizationParameters {
    ElementType type = ElementType::UInt8; // of the quantized tensor
    std::vector<float> scale; // [C] or [1], > 0 and finite
    std::vector<std::int32_t> zeroPoint; // same size, inside the code range of `type`
    std::optional<std::int64_t> axis; // per channel only
    bool operator==(const QuantizationParameters&) const = default;
};

using ParametersByPoint = std::map<PointId, QuantizationParameters>;

} // namespace duo
