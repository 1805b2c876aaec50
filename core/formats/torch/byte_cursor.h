// SPDX-License-Identifier: Apache-2.0
// ByteCursor: little-endian numbers, counted bytes and lines, one after the other.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace duo {

/// Every take gives nothing, and moves nothing, where fewer bytes are left than it needs.
class ByteCursor
{
public:
    explicit ByteCursor(std::span<const std::byte> bytes)
        : m_bytes(bytes)
    {
    }
    [[nodiscard]] std::size_t position() const { return m_position; }

    std::optional<std::string_view> take(std::uint64_t count)
    {
        if (count > m_bytes.size() - m_position)
            return std::nullopt;
        const auto* start = reinterpret_cast<const char*>(m_bytes.data() + m_position); // NOLINT
        m_position += static_cast<std::size_t>(count);
        return std::string_view(start, static_cast<std::size_t>(count));
    }
    /// An unsigned number of 1 to 8 bytes.
    std::optional<std::uint64_t> number(unsigned width)
    {
        const auto bytes = take(width);
        if (!bytes)
            return std::nullopt;
        std::uint64_t value = 0;
        for (unsigned i = 0; i < width; ++i)
            value |= static_cast<std::uint64_t>(static_cast<unsigned char>((*bytes)[i])) << (8U * i);
        return value;
    }
    /// Up to the next line feed, which is taken too.
    std::optional<std::string_view> line()
    {
        const auto rest = m_bytes.subspan(m_position);
        const auto end = std::ranges::find(rest, std::byte{'\n'});
        if (end == rest.end())
            return std::nullopt;
        const auto length = static_cast<std::size_t>(end - rest.begin());
        const auto text = take(length + 1);
        return text->substr(0, length);
    }

private:
    std::span<const std::byte> m_bytes;
    std::size_t m_position = 0;
};

} // namespace duo
