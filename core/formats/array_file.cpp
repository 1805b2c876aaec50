// SPDX-License-Identifier: Apache-2.0
#include "core/formats/array_file.h"

#include <algorithm>

namespace duo {
namespace {

constexpr std::string_view kSuffix = ".npy";
constexpr std::int64_t kLargeArray = 1 << 20; // bytes

} // namespace

ArrayFile::ArrayFile(std::shared_ptr<const MappedFile> file)
    : m_file(std::move(file))
{
}

Result<std::shared_ptr<const ArrayFile>> ArrayFile::open(const std::filesystem::path& path)
{
    return readMapped(path, &ArrayFile::of);
}

Result<std::shared_ptr<const ArrayFile>> ArrayFile::of(const std::shared_ptr<const MappedFile>& mapped)
{
    const std::filesystem::path& path = mapped->path();
    std::shared_ptr<ArrayFile> file(new ArrayFile(mapped));
    const auto bytes = mapped->bytes();
    if (StoredZip::isZip(bytes)) {
        DUO_TRY(archive, StoredZip::open(SharedBytes{mapped, bytes}, path.string()));
        file->m_archive = std::move(archive);
        file->listArchive();
        return std::shared_ptr<const ArrayFile>(file);
    }
    const auto start = bytes.first(std::min(bytes.size(), kMaxNpyHeaderBytes));
    auto header = parseNpyHeader(start, static_cast<std::int64_t>(bytes.size()), path.string());
    if (!header)
        return header.error();
    file->m_arrays.push_back({path.stem().string(), std::move(header), 0});
    return std::shared_ptr<const ArrayFile>(file);
}

void ArrayFile::listArchive()
{
    const auto& members = m_archive->members();
    for (std::size_t i = 0; i < members.size(); ++i) {
        const std::string_view name = members[i].name;
        if (name.ends_with(kSuffix))
            m_arrays.push_back({std::string(name.substr(0, name.size() - kSuffix.size())), readHeader(members[i]), i});
    }
}

Result<NpyHeader> ArrayFile::readHeader(const ZipMember& member) const
{
    DUO_TRY(start, m_archive->start(member, kMaxNpyHeaderBytes));
    const std::string name = member.name.substr(0, member.name.size() - kSuffix.size());
    return parseNpyHeader(start, member.bytes, path().string() + ": array '" + name + "'");
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
    if (!isArchive())
        return SharedBytes{m_file,
            m_file->bytes().subspan(
                static_cast<std::size_t>(header.dataOffset), static_cast<std::size_t>(header.dataBytes))};
    auto unpacked
        = m_archive->unpack(m_archive->members()[array.member], header.dataOffset, header.dataBytes, job, memoryLimit);
    if (header.dataBytes >= kLargeArray)
        m_file->dropPages(); // or all samples read so far would stay in memory
    return unpacked;
}

} // namespace duo
