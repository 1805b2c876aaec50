// SPDX-License-Identifier: Apache-2.0
#include "core/support/leftovers.h"

#include "core/support/disk.h"

#include <algorithm>
#include <cerrno>
#include <string>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace duo {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kMark = ".duoscope-";

bool isTemporary(std::string_view file, std::string_view name)
{
    const std::size_t mark = file.rfind(kMark);
    if (mark == std::string_view::npos || mark < 1 || file.front() != '.')
        return false;
    const std::string_view number = file.substr(mark + kMark.size());
    const auto isDigit = [](char c) { return c >= '0' && c <= '9'; };
    return !number.empty() && std::ranges::all_of(number, isDigit)
        && (name.empty() || file.substr(1, mark - 1) == name);
}

} // namespace

fs::path temporaryFor(const fs::path& target)
{
    return target.parent_path() / ("." + target.filename().string() + std::string(kMark) + std::to_string(::getpid()));
}

fs::path finalPlaceOf(const fs::path& file)
{
    fs::path place;
    for (const fs::path& part : file.parent_path()) {
        if (!isTemporary(part.string(), {}))
            place /= part;
    }
    return place / file.filename();
}

Holding holdOpened(int fd, const fs::path& path)
{
    if (::flock(fd, LOCK_EX | LOCK_NB) != 0)
        return errno == EWOULDBLOCK ? Holding::Busy : Holding::Unknown;
    struct stat held {
    };
    struct stat named {
    };
    const bool isSame = ::fstat(fd, &held) == 0 && ::lstat(path.c_str(), &named) == 0 && held.st_ino == named.st_ino
        && held.st_dev == named.st_dev;
    return isSame ? Holding::Held : Holding::Busy;
}

HeldPath::HeldPath(const fs::path& path)
{
    m_fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (m_fd >= 0)
        m_holding = holdOpened(m_fd, path);
    else if (errno == ENOENT) // who took it for a leftover was quicker
        m_holding = Holding::Busy;
}

HeldPath::~HeldPath()
{
    if (m_fd >= 0)
        ::close(m_fd);
}

std::vector<Leftover> leftoversIn(const fs::path& folder, std::string_view name)
{
    std::vector<Leftover> found;
    std::error_code error;
    for (fs::directory_iterator entry(folder.empty() ? "." : folder, error), end; !error && entry != end;
         entry.increment(error)) {
        const fs::path path = folder / entry->path().filename();
        if (!isTemporary(path.filename().string(), name))
            continue;
        HeldPath held(path);
        if (held.holding() == Holding::Held)
            found.push_back({path, std::move(held)});
    }
    return found;
}

void dropLeftovers(const fs::path& folder, std::string_view name)
{
    for (const Leftover& leftover : leftoversIn(folder, name)) {
        std::error_code unknown;
        if (fs::is_regular_file(fs::symlink_status(leftover.path, unknown)))
            removeFile(leftover.path);
    }
}

} // namespace duo
