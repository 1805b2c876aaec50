// SPDX-License-Identifier: Apache-2.0
// Files in the making: the names they have until they are put in place, and what killed processes left of them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>
#include <utility>
#include <vector>

namespace duo {

/// Beside `target`, of this process: ".NAME.duoscope-PID", a name that no user's file has.
std::filesystem::path temporaryFor(const std::filesystem::path& target);

/// Unknown: the file system has no locks.
enum class Holding : std::uint8_t { Held, Busy, Unknown };

/// Where a file is to come to be that is made in or below folders called as temporaryFor() does; any other path as it
/// is.
std::filesystem::path finalPlaceOf(const std::filesystem::path& file);

/// Takes the lock on an opened file or folder; the system gives it back when it is closed, or its process killed.
/// Busy also where `path` names another file by now.
Holding holdOpened(int fd, const std::filesystem::path& path);

/// A file or folder that is held while this lives.
class HeldPath
{
public:
    /// Of one that was there just now: Busy where it is gone already.
    explicit HeldPath(const std::filesystem::path& path);
    ~HeldPath();
    HeldPath(HeldPath&& other) noexcept
        : m_fd(std::exchange(other.m_fd, -1))
        , m_holding(std::exchange(other.m_holding, Holding::Unknown))
    {
    }
    HeldPath& operator=(HeldPath&&) = delete;
    HeldPath(const HeldPath&) = delete;

    [[nodiscard]] Holding holding() const { return m_holding; }

private:
    int m_fd = -1;
    Holding m_holding = Holding::Unknown;
};

struct Leftover {
    std::filesystem::path path;
    HeldPath held; // nobody else takes it for his
};

/// What processes that are gone have left of files called `name` (empty: of all) in a folder. Linear in its entries.
std::vector<Leftover> leftoversIn(const std::filesystem::path& folder, std::string_view name);

/// Removes those of them that are files.
void dropLeftovers(const std::filesystem::path& folder, std::string_view name);

} // namespace duo
