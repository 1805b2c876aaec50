// SPDX-License-Identifier: Apache-2.0
// ByteSource: what libzip reads an archive from; remembers where the last piece was taken, because libzip does not tell
// where a member's bytes begin.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include <zip.h>

namespace duo {

/// Must outlive the libzip source made of it. One thread at a time.
class ByteSource
{
public:
    explicit ByteSource(std::span<const std::byte> bytes);
    ~ByteSource();
    ByteSource(const ByteSource&) = delete;
    ByteSource& operator=(const ByteSource&) = delete;

    /// A libzip source that belongs to the caller, or null with `error` set.
    zip_source_t* make(zip_error_t* error);
    /// Offset of the last read if it asked for exactly `length` bytes.
    [[nodiscard]] std::optional<std::size_t> lastRead(std::size_t length) const;

private:
    static zip_int64_t answer(void* self, void* data, zip_uint64_t length, zip_source_cmd_t command);
    zip_int64_t read(void* target, std::size_t length);
    zip_int64_t seek(void* data, std::size_t length);
    zip_int64_t describe(void* target);

    std::span<const std::byte> m_bytes;
    std::size_t m_position = 0;
    std::size_t m_lastOffset = 0;
    std::size_t m_lastLength = 0;
    zip_error_t m_error{};
};

} // namespace duo
