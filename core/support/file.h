// SPDX-License-Identifier: Apache-2.0
// Files: mapped for reading, written beside the target and renamed.
#pragma once

#include "core/support/file_stamp.h"
#include "core/support/mapping_guard.h"
#include "core/support/result.h"

#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <ostream>
#include <span>
#include <system_error>
#include <vector>

namespace duo {

/// The bytes of a regular file, which stay valid while the object lives: of a small one a copy, of others a read-only
/// mapping. Where a mapped file is cut off or its drive goes away, the bytes it lost are zeros; where it is written
/// into, they are what it holds now. `checkWhole` tells both. A file that takes its place changes nothing.
class MappedFile
{
public:
    /// @return FileNotReadable with the system's reason; directories and special files are refused
    static Result<std::shared_ptr<const MappedFile>> open(const std::filesystem::path& path);
    ~MappedFile();
    MappedFile(const MappedFile&) = delete;
    MappedFile& operator=(const MappedFile&) = delete;

    [[nodiscard]] std::span<const std::byte> bytes() const { return {m_data, m_size}; }
    [[nodiscard]] const std::filesystem::path& path() const { return m_path; }
    /// Whether the bytes are still those of the file that was opened. Work that read any of them asks at its end.
    /// @return FileNotReadable naming the file
    [[nodiscard]] Status checkWhole() const;
    /// Gives back the memory of the pages read so far; the next look at them reads them again.
    void dropPages() const;

private:
    MappedFile(std::filesystem::path path, std::vector<std::byte> copy);
    MappedFile(std::filesystem::path path, FileStamp stamp, const std::byte* data, std::size_t size);
    std::filesystem::path m_path;
    std::vector<std::byte> m_copy; // of a small file
    FileStamp m_stamp;
    const std::byte* m_data;
    std::size_t m_size;
    MappingGuard m_guard;
};

/// checkWhole() of all files that are mapped now, by whoever. O(files)
Status checkMappedFiles();

/// What work made that read mapped files: also where it failed for another reason, their loss is the first one.
template <typename T> Result<T> ifFilesWhole(Result<T> made)
{
    if (!made && made.error().code == ErrorCode::Cancelled)
        return made;
    if (const Status whole = checkMappedFiles(); !whole)
        return whole.error();
    return made;
}

/// What `read` makes of the file at `path`: it is open until then, so that its loss is known where `read` fails for it.
/// @param read takes the file, and gives a Result @return errors of MappedFile::open and of `read`
template <typename Read> auto readMapped(const std::filesystem::path& path, const Read& read)
{
    using Made = decltype(read(std::shared_ptr<const MappedFile>()));
    auto file = MappedFile::open(path);
    if (!file)
        return Made(std::move(file).error());
    Made made = read(*file);
    return made ? std::move(made) : ifFilesWhole(std::move(made));
}

/// Writes `target` through a temporary file beside it that is flushed and renamed over it at the end, so that a full
/// disk, an error of `write` or a kill leaves the old file whole. `write` may return an error, which is passed on.
/// Removes what was left of this file by processes that were killed.
/// @return NotWritable with the system's reason, or for a device, a pipe or a socket, which a rename would replace
Status writeFileAtomically(const std::filesystem::path& target, const std::function<Status(std::ostream&)>& write);

/// That `target` cannot be written.
Error notWritable(const std::filesystem::path& target, const std::error_code& reason);

/// Whether both paths name one file, links followed; either may not exist.
bool isSameFile(const std::filesystem::path& a, const std::filesystem::path& b);

/// Whether `target` could be written now. @return NotWritable with the system's reason for a folder in its place, a
/// folder that is missing or one that may not be written
Status checkWritable(const std::filesystem::path& target);

/// A whole text file of at most `limit` bytes. @return FileNotReadable; BadData if longer than the limit
Result<std::string> readTextFile(const std::filesystem::path& path, std::size_t limit);

} // namespace duo
