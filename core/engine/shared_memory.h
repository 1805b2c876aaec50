// SPDX-License-Identifier: Apache-2.0
// Bytes that two processes see: memory made for it, and pieces of files.
#pragma once

#include "core/engine/wire.h"

#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>

namespace duo {

/// A mapping of an open file, ended with the object.
class SharedMapping
{
public:
    SharedMapping() = default;
    SharedMapping(SharedMapping&& other) noexcept;
    SharedMapping& operator=(SharedMapping&& other) noexcept;
    ~SharedMapping();

    enum class Access { Read, Write };
    /// `offset` need not be that of a page. @return nothing where the system has no room
    static std::optional<SharedMapping> of(int file, std::size_t offset, std::size_t size, Access access);

    [[nodiscard]] std::span<std::byte> bytes() const { return m_bytes; }
    /// Gives back the pages looked at so far; the next look at them finds what the file holds. Thread-safe.
    void dropPages() const;

private:
    std::byte* m_start = nullptr; // of the first page
    std::size_t m_length = 0;
    std::span<std::byte> m_bytes;
};

/// Memory as an open file without a name, of zeros. It takes none of the machine's until it is written, and can never
/// become shorter. @return nothing where the system has no room
std::optional<Descriptor> makeMemoryFile(std::size_t size);

/// Where bytes can be read by another process.
struct SharedPiece {
    Descriptor file;
    std::size_t offset = 0;
};

/// Finds the files behind bytes of this process.
class FilePieces
{
public:
    FilePieces(); // looks at what is mapped now
    ~FilePieces();
    FilePieces(const FilePieces&) = delete;
    FilePieces& operator=(const FilePieces&) = delete;

    /// Bytes of a mapped file are shared where they lie, others as a copy, and so are those of a file that has been
    /// replaced since. @return EngineFailed with the system's reason
    [[nodiscard]] Result<SharedPiece> share(std::span<const std::byte> bytes) const;

private:
    struct Mapped {
        std::size_t end = 0;
        std::size_t offset = 0;
        unsigned long inode = 0;
        std::string path;
    };
    [[nodiscard]] std::optional<SharedPiece> inFile(std::span<const std::byte> bytes) const;

    std::map<std::size_t, Mapped> m_mapped; // by address
};

} // namespace duo
