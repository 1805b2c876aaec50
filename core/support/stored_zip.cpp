// SPDX-License-Identifier: Apache-2.0
#include "core/support/stored_zip.h"

#include "core/support/byte_source.h"
#include "core/support/unpacked_bytes.h"

#include <algorithm>
#include <limits>
#include <mutex>
#include <unordered_set>

#include <zip.h>

namespace duo {
namespace {

constexpr std::int64_t kMaxMembers = 1 << 20;
constexpr std::uint64_t kMaxDeflateRatio = 1032; // zlib's technical notes: no deflate stream expands more

struct DiscardArchive {
    void operator()(zip_t* archive) const { zip_discard(archive); }
};
struct CloseMember {
    void operator()(zip_file_t* member) const { zip_fclose(member); }
};
using OpenMember = std::unique_ptr<zip_file_t, CloseMember>;

Error damagedArchive(const std::string& where, const char* reason)
{
    return {ErrorCode::BadData, "archive cannot be read", where,
        std::string(reason) + ": it is damaged or cut off; copy it again"};
}

/// Packing we read, and sizes the packed bytes can really have.
bool canBeTrue(const zip_stat_t& stat)
{
    if (stat.size > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
        return false;
    if (stat.comp_method == ZIP_CM_STORE)
        return stat.comp_size == stat.size;
    return stat.comp_method == ZIP_CM_DEFLATE && stat.size / kMaxDeflateRatio <= stat.comp_size;
}

} // namespace

/// libzip's archive serves one thread at a time.
struct StoredZip::Archive {
    explicit Archive(std::span<const std::byte> bytes)
        : source(bytes)
    {
    }
    /// With the mutex held.
    Result<OpenMember> open(const ZipMember& member, const StoredZip& owner)
    {
        if (!member.isPlausible)
            return owner.damaged(member, "its sizes cannot be true, or it is packed in an unknown way");
        OpenMember opened(zip_fopen_index(zip.get(), member.index, 0));
        if (opened == nullptr)
            return owner.damaged(member, zip_strerror(zip.get()));
        return opened;
    }

    std::mutex mutex;
    ByteSource source;
    std::unique_ptr<zip_t, DiscardArchive> zip;
};

StoredZip::StoredZip(SharedBytes bytes, std::string where)
    : m_bytes(std::move(bytes))
    , m_where(std::move(where))
    , m_archive(std::make_unique<Archive>(m_bytes.bytes))
{
}

StoredZip::~StoredZip() = default;

bool StoredZip::isZip(std::span<const std::byte> bytes)
{
    return bytes.size() >= 4 && bytes[0] == std::byte{'P'} && bytes[1] == std::byte{'K'};
}

Result<std::shared_ptr<const StoredZip>> StoredZip::open(const std::filesystem::path& path)
{
    DUO_TRY(file, MappedFile::open(path));
    return open(SharedBytes{file, file->bytes()}, path.string());
}

Result<std::shared_ptr<const StoredZip>> StoredZip::open(SharedBytes bytes, std::string where)
{
    const std::shared_ptr<StoredZip> zip(new StoredZip(std::move(bytes), std::move(where)));
    DUO_CHECK(zip->openArchive());
    DUO_CHECK(zip->listMembers());
    return std::shared_ptr<const StoredZip>(zip);
}

Status StoredZip::openArchive()
{
    zip_error_t error;
    zip_error_init(&error);
    zip_source_t* source = m_archive->source.make(&error);
    if (source != nullptr) {
        m_archive->zip.reset(zip_open_from_source(source, ZIP_RDONLY, &error));
        if (m_archive->zip == nullptr)
            zip_source_free(source);
    }
    Status status = success();
    if (m_archive->zip == nullptr)
        status = damagedArchive(m_where, zip_error_strerror(&error));
    zip_error_fini(&error);
    return status;
}

Status StoredZip::listMembers()
{
    zip_t* zip = m_archive->zip.get();
    const zip_int64_t count = zip_get_num_entries(zip, 0);
    if (count > kMaxMembers)
        return damagedArchive(m_where, "it has more than a million members");
    std::unordered_set<std::string> names;
    std::uint64_t room = m_bytes.bytes.size(); // for members that lie apart
    for (zip_uint64_t i = 0; i < static_cast<zip_uint64_t>(count); ++i) {
        zip_stat_t stat;
        zip_stat_init(&stat);
        constexpr std::uint64_t kNeeded = ZIP_STAT_NAME | ZIP_STAT_SIZE | ZIP_STAT_COMP_SIZE | ZIP_STAT_COMP_METHOD;
        if (zip_stat_index(zip, i, 0, &stat) != 0 || (stat.valid & kNeeded) != kNeeded)
            return damagedArchive(m_where, zip_strerror(zip));
        const bool plausible = canBeTrue(stat);
        if (plausible && stat.comp_size <= m_bytes.bytes.size()) { // else it is damaged when it is read
            if (stat.comp_size > room)
                return damagedArchive(m_where, "its members lie over each other");
            room -= stat.comp_size;
        }
        m_members.push_back({.name = stat.name,
            .path = {},
            .bytes = plausible ? static_cast<std::int64_t>(stat.size) : 0,
            .isStored = stat.comp_method == ZIP_CM_STORE,
            .isPlausible = plausible,
            .index = i});
        if (!names.insert(stat.name).second)
            return Error{ErrorCode::BadData, "archive holds a member twice", m_where + ": '" + stat.name + "'",
                "write it again"};
    }
    nameRoot();
    return success();
}

void StoredZip::nameRoot()
{
    if (!m_members.empty())
        m_root = m_members.front().name.substr(0, m_members.front().name.find('/') + 1);
    if (!std::ranges::all_of(m_members, [&](const ZipMember& member) { return member.name.starts_with(m_root); }))
        m_root.clear();
    for (std::size_t i = 0; i < m_members.size(); ++i) {
        m_members[i].path = m_members[i].name.substr(m_root.size());
        m_index.emplace(m_members[i].path, i);
    }
}

const ZipMember* StoredZip::find(std::string_view path) const
{
    const auto found = m_index.find(path);
    return found == m_index.end() ? nullptr : &m_members[found->second];
}

Error StoredZip::damaged(const ZipMember& member, const char* reason) const
{
    return damagedArchive(m_where + ": '" + member.name + "'", reason);
}

Result<SharedBytes> StoredZip::bytes(const ZipMember& member, const JobContext& job, std::int64_t memoryLimit) const
{
    if (!member.isStored || member.bytes == 0)
        return unpack(member, 0, member.bytes, job, memoryLimit);
    std::optional<std::size_t> offset;
    {
        const std::scoped_lock lock(m_archive->mutex);
        DUO_TRY(opened, m_archive->open(member, *this));
        std::byte first{};
        if (zip_fread(opened.get(), &first, 1) != 1)
            return damaged(member, zip_file_strerror(opened.get()));
        offset = m_archive->source.lastRead(1);
    }
    if (!offset) // libzip read ahead, so where the member begins is not known
        return unpack(member, 0, member.bytes, job, memoryLimit);
    const auto size = static_cast<std::size_t>(member.bytes);
    if (size > m_bytes.bytes.size() - *offset)
        return damaged(member, "it ends beyond the file");
    return SharedBytes{m_bytes.owner, m_bytes.bytes.subspan(*offset, size)};
}

bool StoredZip::isPackedBeyond(const ZipMember& member, std::uint64_t times) const
{
    if (member.isStored)
        return false;
    const std::lock_guard lock(m_archive->mutex);
    zip_stat_t stat;
    zip_stat_init(&stat);
    const bool isKnown = zip_stat_index(m_archive->zip.get(), member.index, 0, &stat) == 0;
    return !isKnown || static_cast<std::uint64_t>(member.bytes) / times > stat.comp_size;
}

Result<std::vector<std::byte>> StoredZip::start(const ZipMember& member, std::size_t count) const
{
    const std::scoped_lock lock(m_archive->mutex);
    DUO_TRY(opened, m_archive->open(member, *this));
    std::vector<std::byte> start(std::min(count, static_cast<std::size_t>(member.bytes)));
    if (zip_fread(opened.get(), start.data(), start.size()) != static_cast<zip_int64_t>(start.size()))
        return damaged(member, zip_file_strerror(opened.get()));
    return start;
}

Result<SharedBytes> StoredZip::unpack(const ZipMember& member, std::int64_t skip, std::int64_t count,
    const JobContext& job, std::int64_t memoryLimit) const
{
    const std::scoped_lock lock(m_archive->mutex);
    DUO_TRY(opened, m_archive->open(member, *this));
    const auto readNext = [&](std::span<std::byte> target) -> Status {
        if (zip_fread(opened.get(), target.data(), target.size()) != static_cast<zip_int64_t>(target.size()))
            return damaged(member, zip_file_strerror(opened.get()));
        return success();
    };
    std::vector<std::byte> skipped(static_cast<std::size_t>(skip));
    DUO_CHECK(readNext(skipped));
    DUO_TRY(bytes, unpackBytes(count, count > memoryLimit, readNext, job));
    std::byte beyond{}; // reading on to the end lets libzip compare the checksum
    if (zip_fread(opened.get(), &beyond, 1) != 0)
        return damaged(member, zip_file_strerror(opened.get()));
    return bytes;
}

} // namespace duo
