// SPDX-License-Identifier: Apache-2.0
#include "core/support/scratch_folder.h"

#include "core/support/disk.h"

#include <cstdlib>
#include <string>
#include <system_error>
#include <utility>

namespace duo {

namespace {

namespace fs = std::filesystem;

const std::string kName = "duoscope-scratch";

Error notMade(const fs::path& parent)
{
    return {ErrorCode::NotWritable, "cannot make a temporary folder", parent.string(), "free some space or set TMPDIR"};
}

/// Where programs put what they need for a while. An empty TMPDIR names no folder.
fs::path temporaryFolder()
{
    const char* named = std::getenv("TMPDIR");
    return named == nullptr || *named == '\0' ? "/tmp" : named;
}

} // namespace

Result<ScratchFolder> ScratchFolder::make()
{
    const fs::path parent = temporaryFolder();
    for (const Leftover& leftover : leftoversIn(parent, {})) {
        if (leftover.path.filename().string().starts_with("." + kName))
            removeFolder(leftover.path);
    }
    constexpr int kMost = 10'000; // at the same time, in one process
    for (int i = 0; i < kMost; ++i) {
        const fs::path path = temporaryFor(parent / (kName + std::to_string(i)));
        const std::error_code error = makeOwnFolder(path);
        if (error == std::errc::file_exists)
            continue;
        if (error)
            return notMade(parent);
        HeldPath held(path);
        if (held.holding() != Holding::Busy) // else somebody took it for a leftover
            return ScratchFolder(path, std::move(held));
    }
    return notMade(parent);
}

ScratchFolder::ScratchFolder(fs::path path, HeldPath held)
    : m_path(std::move(path))
    , m_held(std::move(held))
{
}

ScratchFolder::ScratchFolder(ScratchFolder&& other) noexcept
    : m_path(std::exchange(other.m_path, {}))
    , m_held(std::move(other.m_held))
{
}

ScratchFolder::~ScratchFolder()
{
    if (!m_path.empty())
        removeFolder(m_path);
}

} // namespace duo
