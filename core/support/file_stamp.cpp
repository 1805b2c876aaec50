// SPDX-License-Identifier: Apache-2.0
#include "core/support/file_stamp.h"

#include <sys/stat.h>

namespace duo {

FileStamp stampOf(const std::filesystem::path& path)
{
    constexpr std::int64_t kNanoseconds = 1'000'000'000; // of a second
    struct stat status {
    };
    if (::stat(path.c_str(), &status) != 0)
        return {};
    return {status.st_size, status.st_mtim.tv_sec * kNanoseconds + status.st_mtim.tv_nsec, status.st_ino};
}

} // namespace duo
