// SPDX-License-Identifier: Apache-2.0
// Numbers as the bytes that a tensor keeps them in, little-endian on every machine this program runs on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>
#include <vector>

namespace duo {

template <typename T> std::vector<std::byte> bytesOf(const std::vector<T>& values)
{
    static_assert(std::is_arithmetic_v<T>);
    std::vector<std::byte> bytes(values.size() * sizeof(T));
    if (!bytes.empty())
        std::memcpy(bytes.data(), values.data(), bytes.size());
    return bytes;
}

/// The number at an index, wherever it is aligned.
template <typename T> T loadAt(const std::byte* bytes, std::ptrdiff_t index)
{
    T value;
    std::memcpy(&value, bytes + index * static_cast<std::ptrdiff_t>(sizeof(T)), sizeof(T));
    return value;
}

/// The code at an index where several share a byte, the first in its low bits. @param bits 2, 4 or 8
inline int codeAt(const std::byte* bytes, std::size_t index, int bits, bool isSigned)
{
    const auto perByte = static_cast<std::size_t>(8 / bits);
    const unsigned shift = static_cast<unsigned>(index % perByte) * static_cast<unsigned>(bits);
    const int count = 1 << bits;
    const int code = static_cast<int>(std::to_integer<unsigned>(bytes[index / perByte]) >> shift) & (count - 1);
    return isSigned && code >= count / 2 ? code - count : code;
}

/// Puts a code there, where the bytes are zero. @param bits 2, 4, 8 or 16
inline void setCodeAt(std::byte* bytes, std::size_t index, int bits, int code)
{
    const auto pattern = static_cast<unsigned>(code);
    if (bits == 8) { // most are: no division for each
        bytes[index] = static_cast<std::byte>(pattern & 0xFFU);
        return;
    }
    if (bits == 16) {
        bytes[2 * index] = static_cast<std::byte>(pattern & 0xFFU);
        bytes[2 * index + 1] = static_cast<std::byte>((pattern >> 8U) & 0xFFU);
        return;
    }
    const auto perByte = static_cast<std::size_t>(8 / bits);
    const unsigned shift = static_cast<unsigned>(index % perByte) * static_cast<unsigned>(bits);
    bytes[index / perByte] |= static_cast<std::byte>((pattern & ((1U << static_cast<unsigned>(bits)) - 1U)) << shift);
}

/// Bytes that so many codes take. @param bits 2, 4, 8 or 16
inline std::size_t codeBytes(std::size_t count, int bits)
{
    return (count * static_cast<std::size_t>(bits) + 7) / 8;
}

inline std::vector<std::byte> bytesOfCodes(std::span<const std::int32_t> codes, int bits)
{
    std::vector<std::byte> bytes(codeBytes(codes.size(), bits));
    for (std::size_t i = 0; i < codes.size(); ++i)
        setCodeAt(bytes.data(), i, bits, codes[i]);
    return bytes;
}

/// So many of them back. @param bits 2, 4 or 8
inline std::vector<std::int32_t> codesOfBytes(
    std::span<const std::byte> bytes, std::size_t count, int bits, bool isSigned)
{
    std::vector<std::int32_t> codes(count);
    for (std::size_t i = 0; i < count; ++i)
        codes[i] = codeAt(bytes.data(), i, bits, isSigned);
    return codes;
}

} // namespace duo
