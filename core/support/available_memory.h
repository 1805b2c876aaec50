// SPDX-License-Identifier: Apache-2.0
// How much memory the system has left.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

namespace duo {

/// What may still be taken before the system has to kill a process: what is free or can be freed at once, swap among
/// it, and no more than the control groups leave that this process is in, as a container's. Asks the system each time,
/// a fraction of a millisecond. @param root where its files are, for tests. @return bytes; nothing: it does not tell
std::optional<std::uint64_t> availableMemory(const std::filesystem::path& root = "/");

/// As much of it as may be taken so that something is left for all other programs.
std::uint64_t takeableOf(std::uint64_t available);

} // namespace duo
