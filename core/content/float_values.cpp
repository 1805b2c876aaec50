// SPDX-License-Identifier: Apache-2.0
#include "core/content/float_values.h"

#include "core/support/bytes_of.h"

#include <Eigen/Core>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

namespace duo {
namespace {

constexpr std::size_t kBlock = 4096;

template <typename Stored, typename Out> void copyAs(const std::byte* bytes, std::size_t first, std::span<Out> out)
{
    for (std::size_t i = 0; i < out.size(); ++i)
        out[i] = static_cast<Out>(loadAt<Stored>(bytes, first + i));
}

template <typename Out> void unpack(const Tensor& tensor, std::size_t first, bool isSigned, std::span<Out> out)
{
    for (std::size_t i = 0; i < out.size(); ++i)
        out[i] = static_cast<Out>(codeAt(tensor.bytes().data(), first + i, elementBits(tensor.type), isSigned));
}

template <typename Out> void readAs(const Tensor& tensor, std::size_t first, std::span<Out> out)
{
    const std::byte* bytes = tensor.bytes().data();
    switch (tensor.type) {
    case ElementType::Float32:
        return copyAs<float>(bytes, first, out);
    case ElementType::Float64:
        return copyAs<double>(bytes, first, out);
    case ElementType::Float16:
        return copyAs<Eigen::half>(bytes, first, out);
    case ElementType::BFloat16:
        return copyAs<Eigen::bfloat16>(bytes, first, out);
    case ElementType::Int8:
        return copyAs<std::int8_t>(bytes, first, out);
    case ElementType::Int16:
        return copyAs<std::int16_t>(bytes, first, out);
    case ElementType::UInt16:
        return copyAs<std::uint16_t>(bytes, first, out);
    case ElementType::Int32:
        return copyAs<std::int32_t>(bytes, first, out);
    case ElementType::UInt32:
        return copyAs<std::uint32_t>(bytes, first, out);
    case ElementType::Int64:
        return copyAs<std::int64_t>(bytes, first, out);
    case ElementType::UInt64:
        return copyAs<std::uint64_t>(bytes, first, out);
    case ElementType::Int4:
    case ElementType::Int2:
        return unpack(tensor, first, true, out);
    case ElementType::UInt4:
    case ElementType::UInt2:
        return unpack(tensor, first, false, out);
    default:
        if (elementBits(tensor.type) == 8)
            return copyAs<std::uint8_t>(bytes, first, out);
        std::ranges::fill(out, Out{});
    }
}

template <typename To> void convertBlock(std::span<const double> from, std::span<std::byte> out, std::size_t at)
{
    for (std::size_t i = 0; i < from.size(); ++i) {
        const To value = static_cast<To>(static_cast<float>(from[i]));
        std::memcpy(out.data() + (at + i) * sizeof(To), &value, sizeof(To));
    }
}

} // namespace

float floatAt(const Tensor& tensor, std::size_t index)
{
    float value = 0;
    readFloats(tensor, index, {&value, 1});
    return value;
}

void readFloats(const Tensor& tensor, std::size_t first, std::span<float> out)
{
    readAs<float>(tensor, first, out);
}

FloatValues::FloatValues(const Tensor& tensor)
{
    const std::byte* bytes = tensor.bytes().data();
    const auto count = static_cast<std::size_t>(tensor.elements());
    if (tensor.type == ElementType::Float32 && reinterpret_cast<std::uintptr_t>(bytes) % alignof(float) == 0) {
        m_all = {reinterpret_cast<const float*>(bytes), count};
        return;
    }
    m_copy.resize(count);
    readFloats(tensor, 0, m_copy);
    m_all = m_copy;
}

bool isConvertible(ElementType type)
{
    return type == ElementType::Float32 || type == ElementType::Float64 || type == ElementType::Float16
        || type == ElementType::BFloat16;
}

void convertElements(const Tensor& tensor, std::size_t first, ElementType to, std::span<std::byte> out)
{
    const std::size_t count = out.size() / static_cast<std::size_t>(elementBits(to) / 8);
    std::array<double, kBlock> block{};
    for (std::size_t at = 0; at < count; at += kBlock) {
        const std::span<double> piece(block.data(), std::min(kBlock, count - at));
        readAs<double>(tensor, first + at, piece);
        switch (to) {
        case ElementType::Float16:
            convertBlock<Eigen::half>(piece, out, at);
            break;
        case ElementType::BFloat16:
            convertBlock<Eigen::bfloat16>(piece, out, at);
            break;
        case ElementType::Float32:
            convertBlock<float>(piece, out, at);
            break;
        default:
            std::memcpy(out.data() + at * sizeof(double), piece.data(), piece.size() * sizeof(double));
        }
    }
}

} // namespace duo
