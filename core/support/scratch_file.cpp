// SPDX-License-Identifier: Apache-2.0
#include "core/support/scratch_file.h"

#include <ostream>
#include <utility>

namespace duo {

Result<std::shared_ptr<const ScratchFile>> ScratchFile::of(const std::vector<std::span<const std::byte>>& pieces)
{
    DUO_TRY(folder, ScratchFolder::make());
    const std::shared_ptr<ScratchFile> made(new ScratchFile(std::move(folder)));
    const auto path = made->m_folder.path() / "bytes";
    DUO_CHECK(writeFileAtomically(path, [&](std::ostream& out) -> Status {
        for (const std::span<const std::byte> piece : pieces)
            out.write(reinterpret_cast<const char*>(piece.data()), static_cast<std::streamsize>(piece.size()));
        return success();
    }));
    DUO_TRY(file, MappedFile::open(path));
    std::size_t at = 0;
    for (const std::span<const std::byte> piece : pieces) {
        made->m_pieces.push_back(file->bytes().subspan(at, piece.size()));
        at += piece.size();
    }
    made->m_file = std::move(file);
    return std::shared_ptr<const ScratchFile>(made);
}

} // namespace duo
