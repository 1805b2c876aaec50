// SPDX-License-Identifier: Apache-2.0
#include "core/quantize/points/weight_error.h"

#include "core/quantize/points/scale_runs.h"

#include <algorithm>
#include <cmath>

namespace duo {
WeightError weightError(const Weight& weight, const QuantizationParameters& parameters)
{
    WeightError error;
    const CodeRange codes = weightCodes(parameters.type);
    const auto lowest = static_cast<float>(codes.lowest);
    const auto highest = static_cast<float>(codes.highest);
    forEachRun(weight.values.size(), weight.dims, parameters, [&](std::size_t i, std::size_t length, std::size_t at) {
        const float scale = parameters.scale[at];
        const auto zero = static_cast<float>(parameters.zeroPoint[at]);
        for (const std::size_t end = i + length; i < end; ++i) {
            const float value = weight.values[i];
            const float code = std::clamp(std::nearbyint(value / scale) + zero, lowest, highest);
            const double lost = static_cast<double>(value) - static_cast<double>((code - zero) * scale);
            error.signal += static_cast<double>(value) * value;
            error.noise += lost * lost;
        }
    });
    return error;
}

Range codeEnds(const QuantizationParameters& parameters, std::size_t channel)
{
    const CodeRange codes = codeRange(parameters.type).value_or(CodeRange());
    const std::int32_t zero = parameters.zeroPoint[channel];
    const auto valueOf = [&](std::int32_t code) { return static_cast<float>(code - zero) * parameters.scale[channel]; };
    return {valueOf(codes.lowest), valueOf(codes.highest)};
}

} // namespace duo
