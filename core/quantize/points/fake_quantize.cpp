// SPDX-License-Identifier: Apache-2.0
#include "core/quantize/points/fake_quantize.h"

#include "core/model/code_range.h"

#include <algorithm>
#include <cstring>

namespace duo {
namespace {

/// Calls work(first element, elements, channel) for every run of elements that share their parameters.
template <typename Work>
void forEachRun(
    std::size_t count, std::span<const std::int64_t> dims, const QuantizationParameters& parameters, const Work& work)
{
    const std::size_t channels = parameters.scale.size();
    const auto axis = static_cast<std::size_t>(parameters.axis.value_or(0));
    if (!parameters.axis || channels == 1 || axis >= dims.size()) {
        work(0, count, 0);
        return;
    }
    std::size_t inner = 1;
    for (std::size_t i = axis + 1; i < dims.size(); ++i)
        inner *= static_cast<std::size_t>(dims[i]);
    std::size_t channel = 0;
    for (std::size_t first = 0; first + inner <= count && inner > 0; first += inner) {
        work(first, inner, channel);
        channel = (channel + 1) % channels;
    }
}

template <typename T>
void dequantizeAs(std::span<const std::byte> codes, std::span<const std::int64_t> dims,
    const QuantizationParameters& parameters, std::span<float> out)
{
    const std::size_t count = std::min(out.size(), codes.size() / sizeof(T));
    forEachRun(count, dims, parameters, [&](std::size_t first, std::size_t length, std::size_t channel) {
        const float scale = parameters.scale[channel];
        const std::int32_t zero = parameters.zeroPoint.empty() ? 0 : parameters.zeroPoint[channel];
        for (std::size_t i = first; i < first + length; ++i) {
            T code = 0;
            std::memcpy(&code, codes.data() + i * sizeof(T), sizeof(T));
            out[i] = static_cast<float>(static_cast<std::int32_t>(code) - zero) * scale;
        }
    });
}

/// Adding and taking away 1.5 * 2^23 rounds a float below 2^22 to an integer, half to even, in two vector operations.
constexpr float kRoundsToInteger = 12582912.0F;

} // namespace

void fakeQuantize(std::span<const float> values, std::span<const std::int64_t> dims,
    const QuantizationParameters& parameters, std::span<float> out)
{
    const CodeRange codes = codeRange(parameters.type).value_or(CodeRange());
    forEachRun(values.size(), dims, parameters, [&](std::size_t first, std::size_t length, std::size_t channel) {
        const float scale = parameters.scale[channel];
        const auto zero = static_cast<float>(parameters.zeroPoint[channel]);
        const float lowest
            = static_cast<float>(codes.lowest) - zero; // clamping to integers before rounding is clamping after it
        const float highest = static_cast<float>(codes.highest) - zero;
        for (std::size_t i = first; i < first + length; ++i) {
            const float steps = std::min(std::max(values[i] / scale, lowest), highest);
            out[i] = ((steps + kRoundsToInteger) - kRoundsToInteger) * scale;
        }
    });
}

void dequantize(std::span<const std::byte> codes, std::span<const std::int64_t> dims,
    const QuantizationParameters& parameters, std::span<float> out)
{
    switch (parameters.type) {
    case ElementType::Int8:
        return dequantizeAs<std::int8_t>(codes, dims, parameters, out);
    case ElementType::Int16:
        return dequantizeAs<std::int16_t>(codes, dims, parameters, out);
    case ElementType::UInt16:
        return dequantizeAs<std::uint16_t>(codes, dims, parameters, out);
    case ElementType::Int32:
        return dequantizeAs<std::int32_t>(codes, dims, parameters, out);
    default:
        return dequantizeAs<std::uint8_t>(codes, dims, parameters, out);
    }
}

} // namespace duo
