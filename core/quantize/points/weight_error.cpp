// SPDX-License-Identifier: Apache-2.0
#include "core/quantize/points/weight_error.h"

#include <algorithm>
#include <cmath>

namespace duo {
namespace {

/// Elements of one channel that follow each other; all of them where there is one scale.
std::size_t runLength(const Weight& weight, const QuantizationParameters& parameters)
{
    if (!parameters.axis || parameters.scale.size() < 2)
        return weight.values.size();
    std::size_t inner = 1;
    for (std::size_t i = static_cast<std::size_t>(*parameters.axis) + 1; i < weight.dims.size(); ++i)
        inner *= static_cast<std::size_t>(weight.dims[i]);
    return inner;
}

} // namespace

WeightError weightError(const Weight& weight, const QuantizationParameters& parameters)
{
    WeightError error;
    const std::size_t run = runLength(weight, parameters);
    const CodeRange codes = weightCodes(parameters.type);
    const auto lowest = static_cast<float>(codes.lowest);
    const auto highest = static_cast<float>(codes.highest);
    for (std::size_t i = 0, channel = 0; i < weight.values.size() && run > 0; ++channel) {
        const std::size_t at = channel % parameters.scale.size();
        const float scale = parameters.scale[at];
        const auto zero = static_cast<float>(parameters.zeroPoint[at]);
        for (const std::size_t end = std::min(i + run, weight.values.size()); i < end; ++i) {
            const float value = weight.values[i];
            const float code = std::clamp(std::nearbyint(value / scale) + zero, lowest, highest);
            const double lost = static_cast<double>(value) - static_cast<double>((code - zero) * scale);
            error.signal += static_cast<double>(value) * value;
            error.noise += lost * lost;
        }
    }
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
