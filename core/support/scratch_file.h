// SPDX-License-Identifier: Apache-2.0
// ScratchFile: bytes in a temporary file that is gone with its owner, so that the system may take their memory back.
#pragma once

#include "core/support/file.h"
#include "core/support/scratch_folder.h"

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace duo {

class ScratchFile
{
public:
    /// The pieces one after the other. @return NotWritable, FileNotReadable
    static Result<std::shared_ptr<const ScratchFile>> of(const std::vector<std::span<const std::byte>>& pieces);

    [[nodiscard]] const MappedFile& file() const { return *m_file; }
    [[nodiscard]] std::span<const std::byte> piece(std::size_t index) const { return m_pieces.at(index); }

private:
    explicit ScratchFile(ScratchFolder folder)
        : m_folder(std::move(folder))
    {
    }
    ScratchFolder m_folder; // outlives what is mapped
    std::shared_ptr<const MappedFile> m_file;
    std::vector<std::span<const std::byte>> m_pieces; // of the mapping
};

} // namespace duo
