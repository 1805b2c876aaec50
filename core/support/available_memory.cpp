// SPDX-License-Identifier: Apache-2.0
#include "core/support/available_memory.h"

#include <algorithm>
#include <fstream>
#include <limits>
#include <string>
#include <string_view>

namespace duo {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kAll = std::numeric_limits<std::uint64_t>::max();

/// How the two kinds of control groups call what they tell.
struct GroupFiles {
    std::string_view hierarchy; // below which the group lies
    const char* most;
    const char* used;
    std::string_view freed; // in memory.stat: of `used` what can be freed at once
};

constexpr GroupFiles kUnified{"sys/fs/cgroup", "memory.max", "memory.current", "inactive_file"};
constexpr GroupFiles kOlder{
    "sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"};

/// The number behind a word, as in "MemAvailable:   23026 kB".
std::optional<std::uint64_t> numberBehind(const fs::path& file, std::string_view word)
{
    std::ifstream in(file);
    std::string found;
    std::uint64_t number = 0;
    while (in >> found) {
        if (found == word && in >> number)
            return number;
        in.clear();
    }
    return std::nullopt;
}

/// Of a file that holds nothing else; nothing also for "max".
std::optional<std::uint64_t> numberIn(const fs::path& file)
{
    std::ifstream in(file);
    std::uint64_t number = 0;
    return in >> number ? std::optional(number) : std::nullopt;
}

std::uint64_t leftIn(const fs::path& group, const GroupFiles& files)
{
    const auto most = numberIn(group / files.most);
    if (!most)
        return kAll;
    const std::uint64_t used = numberIn(group / files.used).value_or(0);
    const std::uint64_t freed = std::min(used, numberBehind(group / "memory.stat", files.freed).value_or(0));
    return *most - std::min(*most, used - freed);
}

/// Of a group and of all that it lies in.
std::uint64_t leftInAll(const fs::path& root, fs::path group, const GroupFiles& files)
{
    const fs::path top = root / files.hierarchy;
    std::uint64_t left = leftIn(top, files);
    for (group = group.relative_path(); !group.empty(); group = group.parent_path())
        left = std::min(left, leftIn(top / group, files));
    return left;
}

/// @return kAll where no group has a limit
std::uint64_t leftByGroups(const fs::path& root)
{
    std::uint64_t left = kAll;
    std::ifstream groups(root / "proc/self/cgroup"); // "0::/path" or "4:memory:/path"
    for (std::string line; std::getline(groups, line);) {
        const std::size_t first = line.find(':');
        const std::size_t second = first == line.npos ? first : line.find(':', first + 1);
        if (second == line.npos)
            continue;
        const std::string kinds = "," + line.substr(first + 1, second - first - 1) + ",";
        const fs::path group = line.substr(second + 1);
        if (kinds == ",,")
            left = std::min(left, leftInAll(root, group, kUnified));
        else if (kinds.find(",memory,") != kinds.npos)
            left = std::min(left, leftInAll(root, group, kOlder));
    }
    return left;
}

} // namespace

std::optional<std::uint64_t> availableMemory(const fs::path& root)
{
    constexpr std::uint64_t kUnit = 1024; // of the file
    const fs::path file = root / "proc/meminfo";
    const auto available = numberBehind(file, "MemAvailable:");
    if (!available)
        return std::nullopt;
    return std::min((*available + numberBehind(file, "SwapFree:").value_or(0)) * kUnit, leftByGroups(root));
}

std::uint64_t takeableOf(std::uint64_t available)
{
    constexpr std::uint64_t kMostLeft = std::uint64_t{1} << 31U;
    return available - std::min(kMostLeft, available / 8);
}

} // namespace duo
