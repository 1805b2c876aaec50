// SPDX-License-Identifier: Apache-2.0
// Numbers as the bytes that a tensor keeps them in, little-endian on every machine this program runs on.
#pragma once

#include <cstddef>
#include <cstring>
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

} // namespace duo
