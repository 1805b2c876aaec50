// SPDX-License-Identifier: Apache-2.0
#include "core/quantize/points/weight_error.h"

#include <algorithm>
#include <cmath>

namespace duo {
namespace {

struct Codes {
    float lowest;
    float highest;
};

Codes codesOf(ElementType type)
{
    const bool isWide = type == ElementType::Int16 || type == ElementType::UInt16;
    const float top = isWide ? 65535.0F : 255.0F;
    if (type == ElementType::Int8 || type == ElementType::Int16)
        return {-(top + 1.0F) / 2.0F, (top - 1.0F) / 2.0F};
    return {0.0F, top};
}

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
    Codes codes = codesOf(parameters.type);
    if (codes.lowest < 0)
        codes.lowest = -codes.highest; // weights leave the lowest code out
    for (std::size_t i = 0, channel = 0; i < weight.values.size() && run > 0; ++channel) {
        const std::size_t at = channel % parameters.scale.size();
        const float scale = parameters.scale[at];
        const auto zero = static_cast<float>(parameters.zeroPoint[at]);
        for (const std::size_t end = std::min(i + run, weight.values.size()); i < end; ++i) {
            const float value = weight.values[i];
            const float code = std::clamp(std::nearbyint(value / scale) + zero, codes.lowest, codes.highest);
            const double lost = static_cast<double>(value) - static_cast<double>((code - zero) * scale);
            error.signal += static_cast<double>(value) * value;
            error.noise += lost * lost;
        }
    }
    return error;
}

Range codeEnds(const QuantizationParameters& parameters, std::size_t channel)
{
    const Codes codes = codesOf(parameters.type);
    const auto zero = static_cast<float>(parameters.zeroPoint[channel]);
    return {(codes.lowest - zero) * parameters.scale[channel], (codes.highest - zero) * parameters.scale[channel]};
}

} // namespace duo
