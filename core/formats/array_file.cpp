// SPDX-License-Identifier: Apache-2.0
#include "core/formats/array_file.h"

#include "core/formats/unpacked_bytes.h"

#include <algorithm>
#include <optional>
#include <set>

#include <zip.h>

namespace duo {
namespace {

constexpr std::int64_t kMaxMembers = 1 << 20;
constexpr std::uint64_t kMaxDeflateRatio = 1032; // zlib's technical notes: no deflate stream expands more

struct CloseArchive {
    void operator()(zip_t* archive) const { zip_discard(archive); }
};
struct CloseMember {
    void operator()(zip_file_t* member) const { zip_fclose(member); }
};
using Archive = std::unique_ptr<zip_t, CloseArchive>;
using Member = std::unique_ptr<zip_file_t, CloseMember>;

Error damaged(const std::string& where, const char* reason)
{
    return {ErrorCode::BadData, "archive cannot be read", where, reason};
}

/// libzip archives serve one thread, so every reader opens its own over the same mapped bytes.
Result<Archive> openArchive(const MappedFile& file)
{
    zip_error_t error;
    zip_error_init(&error);
    const auto fail = [&]() -> Error {
        const Error failure = damaged(file.path().string(), zip_error_strerror(&error));
        zip_error_fini(&error);
        return failure;
    };
    zip_source_t* source = zip_source_buffer_create(file.bytes().data(), file.bytes().size(), 0, &error);
    if (source == nullptr)
        return fail();
    Archive archive(zip_open_from_source(source, ZIP_RDONLY, &error));
    if (archive == nullptr) {
        zip_source_free(source);
        return fail();
    }
    return archive;
}

std::string arrayWhere(const std::filesystem::path& path, const std::string& name)
{
    return path.string() + ": array '" + name + "'";
}

/// A size the packed bytes can really have.
bool isPlausible(const zip_stat_t& stat)
{
    if (stat.size > static_cast<std::uint64_t>(INT64_MAX))
        return false;
    if (stat.comp_method == ZIP_CM_STORE)
        return stat.comp_size == stat.size;
    return stat.comp_method == ZIP_CM_DEFLATE && stat.size / kMaxDeflateRatio <= stat.comp_size;
}

Result<std::vector<std::byte>> readStart(
    zip_t* archive, std::uint64_t index, std::size_t bytes, const std::string& where)
{
    const Member member(zip_fopen_index(archive, index, 0));
    if (member == nullptr)
        return damaged(where, zip_strerror(archive));
    std::vector<std::byte> start(bytes);
    const auto read = zip_fread(member.get(), start.data(), start.size());
    if (read != static_cast<zip_int64_t>(bytes))
        return damaged(where, zip_file_strerror(member.get()));
    return start;
}

Result<NpyHeader> readHeader(zip_t* archive, const zip_stat_t& stat, const std::string& where)
{
    if (!isPlausible(stat))
        return damaged(where, "its sizes or packing are not what numpy.savez writes");
    const auto length = std::min<std::uint64_t>(stat.size, kMaxNpyHeaderBytes);
    DUO_TRY(start, readStart(archive, stat.index, static_cast<std::size_t>(length), where));
    return parseNpyHeader(start, static_cast<std::int64_t>(stat.size), where);
}

/// A member as an array, or nothing if its name does not end in ".npy".
Result<std::optional<StoredArray>> describeMember(
    zip_t* archive, std::uint64_t index, const std::filesystem::path& path)
{
    zip_stat_t stat;
    zip_stat_init(&stat);
    constexpr std::uint64_t kNeeded = ZIP_STAT_NAME | ZIP_STAT_SIZE | ZIP_STAT_COMP_SIZE | ZIP_STAT_COMP_METHOD;
    if (zip_stat_index(archive, index, 0, &stat) != 0 || (stat.valid & kNeeded) != kNeeded)
        return damaged(path.string(), zip_strerror(archive));
    std::string name = stat.name;
    constexpr std::string_view kSuffix = ".npy";
    if (!name.ends_with(kSuffix))
        return std::optional<StoredArray>();
    name.resize(name.size() - kSuffix.size());
    stat.index = index;
    auto header = readHeader(archive, stat, arrayWhere(path, name));
    return std::optional(StoredArray{std::move(name), std::move(header), index});
}

Status skipBytes(zip_file_t* member, std::int64_t bytes, const std::string& where)
{
    std::vector<std::byte> skipped(static_cast<std::size_t>(bytes));
    if (zip_fread(member, skipped.data(), skipped.size()) != bytes)
        return damaged(where, zip_file_strerror(member));
    return success();
}

/// Reading on to the end of the member lets libzip compare the checksum.
Status readToEnd(zip_file_t* member, const std::string& where)
{
    std::byte beyond{};
    if (zip_fread(member, &beyond, 1) != 0)
        return damaged(where, zip_file_strerror(member));
    return success();
}

} // namespace

ArrayFile::ArrayFile(std::shared_ptr<const MappedFile> file)
    : m_file(std::move(file))
{
}

Result<std::shared_ptr<const ArrayFile>> ArrayFile::open(const std::filesystem::path& path)
{
    DUO_TRY(mapped, MappedFile::open(path));
    std::shared_ptr<ArrayFile> file(new ArrayFile(mapped));
    const auto bytes = mapped->bytes();
    constexpr auto kZipStart = std::byte{'P'};
    file->m_isArchive = bytes.size() >= 4 && bytes[0] == kZipStart && bytes[1] == std::byte{'K'};
    if (file->m_isArchive) {
        DUO_CHECK(file->listArchive());
        return std::shared_ptr<const ArrayFile>(file);
    }
    const auto start = bytes.first(std::min(bytes.size(), kMaxNpyHeaderBytes));
    auto header = parseNpyHeader(start, static_cast<std::int64_t>(bytes.size()), path.string());
    if (!header)
        return header.error();
    file->m_arrays.push_back({path.stem().string(), std::move(header), 0});
    return std::shared_ptr<const ArrayFile>(file);
}

Status ArrayFile::listArchive()
{
    DUO_TRY(archive, openArchive(*m_file));
    const zip_int64_t members = zip_get_num_entries(archive.get(), 0);
    if (members > kMaxMembers)
        return damaged(path().string(), "it has more than a million members");
    std::set<std::string> names;
    for (zip_int64_t i = 0; i < members; ++i) {
        DUO_TRY(array, describeMember(archive.get(), static_cast<std::uint64_t>(i), path()));
        if (!array)
            continue;
        if (!names.insert(array->name).second)
            return Error{ErrorCode::BadData, "archive holds an array twice", arrayWhere(path(), array->name),
                "write it again with numpy.savez"};
        m_arrays.push_back(std::move(*array));
    }
    return success();
}

const StoredArray* ArrayFile::find(const std::string& name) const
{
    const auto found = std::ranges::find(m_arrays, name, &StoredArray::name);
    return found == m_arrays.end() ? nullptr : &*found;
}

Result<SharedBytes> ArrayFile::read(const StoredArray& array, const JobContext& job, std::int64_t memoryLimit) const
{
    if (!array.header)
        return array.header.error();
    const NpyHeader& header = *array.header;
    if (!m_isArchive)
        return SharedBytes{m_file,
            m_file->bytes().subspan(
                static_cast<std::size_t>(header.dataOffset), static_cast<std::size_t>(header.dataBytes))};
    const std::string where = arrayWhere(path(), array.name);
    DUO_TRY(archive, openArchive(*m_file));
    const Member member(zip_fopen_index(archive.get(), array.member, 0));
    if (member == nullptr)
        return damaged(where, zip_strerror(archive.get()));
    DUO_CHECK(skipBytes(member.get(), header.dataOffset, where));
    const auto readNext = [&](std::span<std::byte> target) -> Status {
        if (zip_fread(member.get(), target.data(), target.size()) != static_cast<zip_int64_t>(target.size()))
            return damaged(where, zip_file_strerror(member.get()));
        return success();
    };
    DUO_TRY(bytes, unpackBytes(header.dataBytes, header.dataBytes > memoryLimit, readNext, job));
    DUO_CHECK(readToEnd(member.get(), where));
    return bytes;
}

} // namespace duo
