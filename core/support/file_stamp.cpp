// SPDX-License-Identifier: Apache-2.0
#include "core/support/file_stamp.h"

namespace duo {

FileStamp stampOf(const std::filesystem::path& path)
{
    struct stat status {
    };
    return ::stat(path.c_str(), &status) == 0 ? stampOf(status) : FileStamp{};
}

FileStamp stampOf(const struct stat& status)
{
    constexpr std::int64_t kNanoseconds = 1'000'000'000; // of a second
    return {status.st_size, status.st_mtim.tv_sec * kNanoseconds + status.st_mtim.tv_nsec, status.st_ino};
}

} // namespace duo
