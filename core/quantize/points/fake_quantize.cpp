// SPDX-License-Identifier: Apache-2.0
#include "core/quantize/points/fake_quantize.h"

#include "core/model/code_range.h"
#include "core/quantize/points/scale_runs.h"
#include "core/support/bytes_of.h"

#include <algorithm>
#include <cstring>

namespace duo {
namespace {

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

void dequantizePacked(std::span<const std::byte> codes, std::span<const std::int64_t> dims,
    const QuantizationParameters& parameters, std::span<float> out)
{
    const int bits = elementBits(parameters.type);
    const bool isSigned = codeRange(parameters.type).value_or(CodeRange()).isSigned();
    const std::size_t count = std::min(out.size(), codes.size() * static_cast<std::size_t>(8 / bits));
    forEachRun(count, dims, parameters, [&](std::size_t first, std::size_t length, std::size_t at) {
        for (std::size_t i = first; i < first + length; ++i)
            out[i] = static_cast<float>(codeAt(codes.data(), i, bits, isSigned) - parameters.zeroPoint[at])
                * parameters.scale[at];
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
    case ElementType::UInt4:
    case ElementType::Int4:
    case ElementType::UInt2:
    case ElementType::Int2:
        return dequantizePacked(codes, dims, parameters, out);
    default:
        return dequantizeAs<std::uint8_t>(codes, dims, parameters, out);
    }
}

} // namespace duo
