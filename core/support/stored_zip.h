// SPDX-License-Identifier: Apache-2.0
// StoredZip: a zip archive in mapped bytes, whose unpacked members are seen where they lie.
#pragma once

#include "core/support/file.h"
#include "core/support/job.h"
#include "core/support/shared_bytes.h"

#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace duo {

struct ZipMember {
    std::string name; // as in the archive, unique
    std::string path; // without the root folder, where all members lie under one ("archive/data.pkl": "data.pkl")
    std::int64_t bytes = 0; // unpacked, as the archive says; compared with what is there when it is read
    bool isStored = false; // not packed: read without a copy
    bool isPlausible = false; // stored or deflated, with sizes that can be true; others cannot be read
    std::uint64_t index = 0; // in the archive
};

/// Safe for several threads, of which one at a time unpacks.
class StoredZip
{
public:
    static constexpr std::int64_t kMemoryLimit = std::int64_t{512} << 20; // bytes

    /// @return FileNotReadable; BadData for a damaged archive, repeated names, more than a million members, and members
    /// that together are larger than the archive: they share bytes, so that a small file would unpack without end
    static Result<std::shared_ptr<const StoredZip>> open(const std::filesystem::path& path);
    /// An archive in bytes, for example a member of another; `where` names it in errors. @return BadData
    static Result<std::shared_ptr<const StoredZip>> open(SharedBytes bytes, std::string where);
    /// "PK" and two bytes that make it a zip archive.
    static bool isZip(std::span<const std::byte> bytes);

    ~StoredZip();
    StoredZip(const StoredZip&) = delete;
    StoredZip& operator=(const StoredZip&) = delete;

    [[nodiscard]] const std::vector<ZipMember>& members() const { return m_members; } // in archive order
    /// By ZipMember::path. Null if absent.
    [[nodiscard]] const ZipMember* find(std::string_view path) const;
    [[nodiscard]] const std::string& root() const { return m_root; } // "archive/"; "" if there is none
    [[nodiscard]] const std::string& where() const { return m_where; }
    [[nodiscard]] std::size_t archiveBytes() const { return m_bytes.bytes.size(); }

    /// The whole member: a view into the archive's bytes if it is stored (its checksum is not computed, for it may be
    /// gigabytes), else unpacked, above `memoryLimit` bytes into a file without name in the folder for temporary files.
    /// @return BadData naming the member; NotWritable, Cancelled
    [[nodiscard]] Result<SharedBytes> bytes(
        const ZipMember& member, const JobContext& job = {}, std::int64_t memoryLimit = kMemoryLimit) const;
    /// Whether the archive holds `times` times fewer bytes of the member than there are unpacked.
    [[nodiscard]] bool isPackedBeyond(const ZipMember& member, std::uint64_t times) const;
    /// The first `count` bytes, or all if there are fewer. @return BadData
    [[nodiscard]] Result<std::vector<std::byte>> start(const ZipMember& member, std::size_t count) const;
    /// A copy of `count` bytes behind the first `skip`, which must be the member's end; compares the checksum.
    /// @return as `bytes`
    [[nodiscard]] Result<SharedBytes> unpack(const ZipMember& member, std::int64_t skip, std::int64_t count,
        const JobContext& job = {}, std::int64_t memoryLimit = kMemoryLimit) const;

private:
    struct Archive;
    StoredZip(SharedBytes bytes, std::string where);
    Status openArchive();
    Status listMembers();
    void nameRoot();
    [[nodiscard]] Error damaged(const ZipMember& member, const char* reason) const;

    SharedBytes m_bytes;
    std::string m_where;
    std::string m_root;
    std::unique_ptr<Archive> m_archive;
    std::vector<ZipMember> m_members;
    std::unordered_map<std::string_view, std::size_t> m_index; // by path
};

} // namespace duo
