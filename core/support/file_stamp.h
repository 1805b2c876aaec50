// SPDX-License-Identifier: Apache-2.0
// FileStamp: tells without reading whether a file is still the one that was seen before.
#pragma once

#include <cstdint>
#include <filesystem>

#include <sys/stat.h>

namespace duo {

struct FileStamp {
    std::int64_t bytes = -1; // -1: there is no such file
    std::int64_t modified = 0; // nanoseconds since 1970
    std::uint64_t inode = 0; // another one where a file took the place of the other; 0: not known
    [[nodiscard]] bool exists() const { return bytes >= 0; }
    /// As far as size and time tell, whatever copies and moves have done to it.
    [[nodiscard]] bool isSameContent(const FileStamp& other) const
    {
        return bytes == other.bytes && modified == other.modified;
    }
    bool operator==(const FileStamp&) const = default;
};

/// Links are followed.
FileStamp stampOf(const std::filesystem::path& path);
FileStamp stampOf(const struct stat& status);

} // namespace duo
