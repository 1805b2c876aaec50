// SPDX-License-Identifier: Apache-2.0
// Zip archives written down in tests.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace duo::test {

enum class Packing { Stored, Deflated };

/// An archive of `members` (name, bytes) in this order.
void writeZip(const std::filesystem::path& path, const std::vector<std::pair<std::string, std::string>>& members,
    Packing packing = Packing::Stored);

} // namespace duo::test
