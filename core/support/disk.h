// SPDX-License-Identifier: Apache-2.0
// Every change this program makes to a disk, as single steps of which a test can let any one fail.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <system_error>

namespace duo {

enum class DiskStep : std::uint8_t { MakeFolder, Create, Write, Flush, Link, Rename, Remove };

/// What a test sets in front of the steps.
class DiskFault
{
public:
    virtual ~DiskFault() = default;
    /// Asked before each step, by whichever thread takes it.
    /// @param bytes of a Write: may be made fewer, as a system may write less than it is asked to
    /// @return 0 to go on, or the errno that the step ends with instead
    virtual int before(DiskStep step, const std::filesystem::path& path, std::size_t& bytes) = 0;
};

/// For tests only, as a stand-in for a disk that fails; for all threads. Null: none. @return the one until now
DiskFault* setDiskFault(DiskFault* fault);

/// Of an errno.
inline std::error_code systemError(int reason)
{
    return {reason, std::generic_category()};
}

// Nothing and success where what is wanted is so already: a folder that is there, a file that is gone.
std::error_code makeFolders(const std::filesystem::path& folder); // with those it lies in
/// @return file_exists where anything has this name already
[[nodiscard]] std::error_code makeOwnFolder(const std::filesystem::path& folder); // that no other user may enter
[[nodiscard]] std::error_code linkFile(const std::filesystem::path& from, const std::filesystem::path& to);
[[nodiscard]] std::error_code pointTo(const std::filesystem::path& file, const std::filesystem::path& link); // by name
[[nodiscard]] std::error_code renameFile(const std::filesystem::path& from, const std::filesystem::path& to);
/// Until what was linked, renamed and removed in a folder has reached the disk: a file that was flushed keeps its old
/// name, or none, on a crash before that. Success where the system cannot say so of a folder.
std::error_code flushFolder(const std::filesystem::path& folder);
std::error_code removeFile(const std::filesystem::path& file);
std::error_code removeFolder(const std::filesystem::path& folder); // with all that lies in it

/// A file in the making, written from its start to its end and held (core/support/leftovers.h) meanwhile. After a
/// failure nothing more is done to it.
class NewFile
{
public:
    /// In place of what has this name already.
    explicit NewFile(std::filesystem::path path);
    ~NewFile();
    NewFile(const NewFile&) = delete;
    NewFile& operator=(const NewFile&) = delete;

    void write(std::span<const std::byte> bytes);
    /// Until it has reached the disk: a rename before that would replace an old file by nothing on a crash.
    void flush();
    [[nodiscard]] std::error_code error() const { return m_error; } // the first

private:
    std::filesystem::path m_path;
    int m_fd = -1;
    std::error_code m_error;
};

} // namespace duo
