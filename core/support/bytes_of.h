// SPDX-License-Identifier: Apache-2.0
// Numbers as the bytes that a tensor keeps them in.
#pragma once

#include <cstddef>
#include <cstring>
#include <type_traits>
#include <vector>

namespace duo {

/// Packed in the order of memory, which is little-endian on every machine this program runs on.
template <typename T> std::vector<std::byte> bytesOf(const std::vector<T>& values)
{
    static_assert(std::is_arithmetic_v<T>);
    std::vector<std::byte> bytes(values.size() * sizeof(T));
    if (!bytes.empty())
        std::memcpy(bytes.data(), values.data(), bytes.size());
    return bytes;
}

} // namespace duo
