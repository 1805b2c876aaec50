// SPDX-License-Identifier: Apache-2.0
#include "core/engine/shared_memory.h"

#include <array>
#include <cerrno>
#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <fstream>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace duo {

SharedMapping::SharedMapping(SharedMapping&& other) noexcept
    : m_start(std::exchange(other.m_start, nullptr))
    , m_length(std::exchange(other.m_length, 0))
    , m_bytes(std::exchange(other.m_bytes, {}))
{
}

SharedMapping& SharedMapping::operator=(SharedMapping&& other) noexcept
{
    std::swap(m_start, other.m_start);
    std::swap(m_length, other.m_length);
    std::swap(m_bytes, other.m_bytes);
    return *this;
}

SharedMapping::~SharedMapping()
{
    if (m_start != nullptr)
        ::munmap(m_start, m_length);
}

void SharedMapping::dropPages() const
{
    if (m_start != nullptr)
        ::madvise(m_start, m_length, MADV_DONTNEED);
}

std::optional<SharedMapping> SharedMapping::of(int file, std::size_t offset, std::size_t size, Access access)
{
    SharedMapping mapping;
    if (size == 0)
        return mapping;
    const std::size_t lead = offset % static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    const int rights = access == Access::Write ? PROT_READ | PROT_WRITE : PROT_READ;
    void* start
        = ::mmap(nullptr, lead + size, rights, MAP_SHARED | MAP_NORESERVE, file, static_cast<off_t>(offset - lead));
    if (start == MAP_FAILED)
        return std::nullopt;
    mapping.m_start = static_cast<std::byte*>(start);
    mapping.m_length = lead + size;
    mapping.m_bytes = {mapping.m_start + lead, size};
    return mapping;
}

std::optional<Descriptor> makeMemoryFile(std::size_t size)
{
    Descriptor file(::memfd_create("duoscope", MFD_CLOEXEC | MFD_ALLOW_SEALING));
    if (!file.valid() || ::ftruncate(file.number(), static_cast<off_t>(size)) != 0
        || ::fcntl(file.number(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_SEAL) != 0)
        return std::nullopt;
    return file;
}

FilePieces::~FilePieces() = default;

FilePieces::FilePieces()
{
    std::ifstream maps("/proc/self/maps");
    for (std::string line; std::getline(maps, line);) {
        std::uint64_t begin = 0;
        std::uint64_t end = 0;
        std::uint64_t offset = 0;
        unsigned long inode = 0;
        int path = 0;
        constexpr const char* kForm = "%" SCNx64 "-%" SCNx64 " %*s %" SCNx64 " %*s %lu %n";
        if (std::sscanf(line.c_str(), kForm, &begin, &end, &offset, &inode, &path) == 4 && inode != 0 && path > 0)
            m_mapped.emplace(begin, Mapped{end, offset, inode, line.substr(static_cast<std::size_t>(path))});
    }
}

/// While a file is mapped no other one of its file system gets its number: a path that leads to it leads to the file.
std::optional<SharedPiece> FilePieces::inFile(std::span<const std::byte> bytes) const
{
    const auto address = reinterpret_cast<std::uintptr_t>(bytes.data());
    auto found = m_mapped.upper_bound(address);
    if (found == m_mapped.begin())
        return std::nullopt;
    const auto& [begin, mapped] = *--found;
    if (address + bytes.size() > mapped.end)
        return std::nullopt;
    SharedPiece piece{
        Descriptor(::open(mapped.path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)), mapped.offset + (address - begin)};
    struct stat status {
    };
    if (!piece.file.valid() || ::fstat(piece.file.number(), &status) != 0 || !S_ISREG(status.st_mode)
        || status.st_ino != mapped.inode || static_cast<std::size_t>(status.st_size) < piece.offset + bytes.size())
        return std::nullopt;
    return piece;
}

Result<SharedPiece> FilePieces::share(std::span<const std::byte> bytes) const
{
    if (auto piece = inFile(bytes))
        return std::move(*piece);
    auto file = makeMemoryFile(bytes.size());
    const auto mapping
        = file ? SharedMapping::of(file->number(), 0, bytes.size(), SharedMapping::Access::Write) : std::nullopt;
    if (!mapping)
        return Error{ErrorCode::EngineFailed, "there is no memory to show the engine what is to be run", {},
            std::strerror(errno)};
    if (!bytes.empty())
        std::memcpy(mapping->bytes().data(), bytes.data(), bytes.size());
    return SharedPiece{std::move(*file), 0};
}

} // namespace duo
