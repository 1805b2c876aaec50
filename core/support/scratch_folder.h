// SPDX-License-Identifier: Apache-2.0
// ScratchFolder: a folder for files that are gone with their owner.
#pragma once

#include "core/support/leftovers.h"
#include "core/support/result.h"

#include <filesystem>

namespace duo {

class ScratchFolder
{
public:
    /// Below the system's folder for temporary files, of which those of killed processes are removed. @return
    /// NotWritable
    static Result<ScratchFolder> make();
    ~ScratchFolder();
    ScratchFolder(ScratchFolder&& other) noexcept;
    ScratchFolder& operator=(ScratchFolder&&) = delete;
    ScratchFolder(const ScratchFolder&) = delete;

    [[nodiscard]] const std::filesystem::path& path() const { return m_path; }

private:
    ScratchFolder(std::filesystem::path path, HeldPath held);
    std::filesystem::path m_path; // empty once moved from
    HeldPath m_held; // it is nobody's leftover
};

} // namespace duo
