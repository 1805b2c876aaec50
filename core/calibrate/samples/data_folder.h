// SPDX-License-Identifier: Apache-2.0
// What a folder given as --data holds, in natural order of names (a2 before a10).
#pragma once

#include "core/support/result.h"

#include <filesystem>
#include <string_view>
#include <vector>

namespace duo {

/// Without what is hidden, files and folders.
struct DataFolder {
    std::vector<std::filesystem::path> archives; // .npz
    std::vector<std::filesystem::path> arrays; // .npy
    std::vector<std::filesystem::path> images; // .png, .jpg, .jpeg, of folders below too
    std::vector<std::filesystem::path> testData; // folders that hold input_0.pb: the folder itself or those in it
};

/// By its name: .png, .jpg or .jpeg in any case.
bool isPictureFile(const std::filesystem::path& file);

/// @return FileNotReadable with the system's reason; BadData beyond a million entries
Result<DataFolder> listDataFolder(const std::filesystem::path& folder);

/// Order in which runs of digits count as numbers.
bool naturalLess(std::string_view a, std::string_view b);

} // namespace duo
