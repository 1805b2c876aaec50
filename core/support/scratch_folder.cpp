// SPDX-License-Identifier: Apache-2.0
#include "core/support/scratch_folder.h"

#include <utility>

#include <unistd.h>

namespace duo {

Result<ScratchFolder> ScratchFolder::make()
{
    std::error_code error;
    const std::filesystem::path parent = std::filesystem::temp_directory_path(error);
    std::string pattern = (parent / "duoscope-XXXXXX").string();
    if (error || ::mkdtemp(pattern.data()) == nullptr)
        return Error{
            ErrorCode::NotWritable, "cannot make a temporary folder", parent.string(), "free some space or set TMPDIR"};
    return ScratchFolder(pattern);
}

ScratchFolder::ScratchFolder(std::filesystem::path path)
    : m_path(std::move(path))
{
}

ScratchFolder::ScratchFolder(ScratchFolder&& other) noexcept
    : m_path(std::exchange(other.m_path, {}))
{
}

ScratchFolder::~ScratchFolder()
{
    std::error_code ignored;
    if (!m_path.empty())
        std::filesystem::remove_all(m_path, ignored);
}

} // namespace duo
