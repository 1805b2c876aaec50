// SPDX-License-Identifier: Apache-2.0
#include "core/model/tensor.h"

#include "core/support/bytes_of.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace duo {
namespace {

constexpr std::int64_t kMaxElements = std::int64_t{1} << 62;

template <typename Stored, typename Out> std::vector<Out> convertAll(const Tensor& tensor)
{
    const auto count = static_cast<std::size_t>(tensor.elements());
    std::vector<Out> out(count);
    for (std::size_t i = 0; i < count; ++i)
        out[i] = static_cast<Out>(loadAt<Stored>(tensor.bytes().data(), i));
    return out;
}

std::vector<std::int64_t> unpackAll(const Tensor& tensor, bool isSigned)
{
    std::vector<std::int64_t> out(static_cast<std::size_t>(tensor.elements()));
    for (std::size_t i = 0; i < out.size(); ++i)
        out[i] = codeAt(tensor.bytes().data(), i, elementBits(tensor.type), isSigned);
    return out;
}

/// IEEE 754 binary16 to binary32, subnormals and non-finite values included.
float halfToFloat(std::uint16_t half)
{
    const std::uint32_t sign = static_cast<std::uint32_t>(half & 0x8000U) << 16U;
    const std::uint32_t exponent = (half >> 10U) & 0x1FU;
    const std::uint32_t mantissa = half & 0x3FFU;
    if (exponent == 0) {
        const float magnitude = static_cast<float>(mantissa) * 0x1p-24F;
        return sign != 0 ? -magnitude : magnitude;
    }
    const std::uint32_t wide = exponent == 31 ? 0xFFU : exponent + 112U;
    return std::bit_cast<float>(sign | (wide << 23U) | (mantissa << 13U));
}

template <float (*Widen)(std::uint16_t)> std::vector<float> widenAll(const Tensor& tensor)
{
    const auto count = static_cast<std::size_t>(tensor.elements());
    std::vector<float> out(count);
    for (std::size_t i = 0; i < count; ++i)
        out[i] = Widen(loadAt<std::uint16_t>(tensor.bytes().data(), i));
    return out;
}

float bfloatToFloat(std::uint16_t value)
{
    return std::bit_cast<float>(static_cast<std::uint32_t>(value) << 16U);
}

bool holdsAllElements(const Tensor& tensor)
{
    const auto needed = packedBytes(tensor.type, tensor.elements());
    return needed && static_cast<std::size_t>(*needed) <= tensor.bytes().size();
}

} // namespace

std::int64_t Tensor::elements() const
{
    return elementCount(dims).value_or(0);
}

std::optional<std::int64_t> elementCount(std::span<const std::int64_t> dims)
{
    std::int64_t count = 1;
    if (std::ranges::any_of(dims, [](std::int64_t dim) { return dim < 0; }))
        return std::nullopt;
    if (std::ranges::find(dims, 0) != dims.end())
        return 0;
    for (const std::int64_t dim : dims) {
        if (count > kMaxElements / dim)
            return std::nullopt;
        count *= dim;
    }
    return count;
}

std::optional<std::int64_t> packedBytes(ElementType type, std::int64_t count)
{
    const int bits = elementBits(type);
    if (bits == 0 || count < 0 || count > kMaxElements / bits)
        return std::nullopt;
    return (count * bits + 7) / 8;
}

std::vector<float> toFloats(const Tensor& tensor)
{
    if (!holdsAllElements(tensor))
        return {};
    switch (tensor.type) {
    case ElementType::Float32:
        return convertAll<float, float>(tensor);
    case ElementType::Float64:
        return convertAll<double, float>(tensor);
    case ElementType::Float16:
        return widenAll<halfToFloat>(tensor);
    case ElementType::BFloat16:
        return widenAll<bfloatToFloat>(tensor);
    default:
        break;
    }
    const auto ints = toInts(tensor);
    return {ints.begin(), ints.end()};
}

std::vector<std::int64_t> toInts(const Tensor& tensor)
{
    if (!holdsAllElements(tensor))
        return {};
    switch (tensor.type) {
    case ElementType::Int64:
        return convertAll<std::int64_t, std::int64_t>(tensor);
    case ElementType::Int32:
        return convertAll<std::int32_t, std::int64_t>(tensor);
    case ElementType::Int16:
        return convertAll<std::int16_t, std::int64_t>(tensor);
    case ElementType::Int8:
        return convertAll<std::int8_t, std::int64_t>(tensor);
    case ElementType::UInt64:
        return convertAll<std::uint64_t, std::int64_t>(tensor);
    case ElementType::UInt32:
        return convertAll<std::uint32_t, std::int64_t>(tensor);
    case ElementType::UInt16:
        return convertAll<std::uint16_t, std::int64_t>(tensor);
    case ElementType::UInt8:
        return convertAll<std::uint8_t, std::int64_t>(tensor);
    case ElementType::Bool: {
        std::vector<std::int64_t> truths = convertAll<std::uint8_t, std::int64_t>(tensor);
        std::ranges::for_each(truths, [](std::int64_t& truth) { truth = truth != 0 ? 1 : 0; }); // files have others
        return truths;
    }
    case ElementType::Int4:
    case ElementType::Int2:
        return unpackAll(tensor, true);
    case ElementType::UInt4:
    case ElementType::UInt2:
        return unpackAll(tensor, false);
    default:
        return {};
    }
}

} // namespace duo
