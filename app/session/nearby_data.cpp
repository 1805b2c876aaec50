// SPDX-License-Identifier: Apache-2.0
#include "app/session/nearby_data.h"

#include "core/formats/file_formats.h"
#include "core/support/letters.h"

#include <algorithm>
#include <cctype>
#include <string>
#include <tuple>

namespace duo::app {
namespace {

constexpr std::size_t kMost = 8;
constexpr std::size_t kLookedAt = 10000; // entries of a folder

std::string firstWord(const std::string& stem)
{
    return stem.substr(0, stem.find_first_of("_-. "));
}

/// Smaller is likelier.
int rankOf(const std::string& stem, const std::string& model)
{
    int rank = 0;
    if (stem.find("calib") == std::string::npos)
        rank += 4;
    if (!firstWord(model).empty() && firstWord(stem) != firstWord(model))
        rank += 2;
    if (stem.find("test") != std::string::npos || stem.find("label") != std::string::npos
        || stem.find("weight") != std::string::npos)
        rank += 1;
    return rank;
}

bool isData(const std::filesystem::directory_entry& entry)
{
    std::error_code ignored;
    const std::string name = lowered(entry.path().filename().string());
    if (entry.is_directory(ignored))
        return name.starts_with("test_data_set");
    return dataFormatOf(entry.path()) != nullptr;
}

} // namespace

std::vector<std::filesystem::path> dataBeside(const std::filesystem::path& model)
{
    std::error_code error;
    std::vector<std::tuple<int, std::filesystem::path>> found;
    const std::string modelStem = lowered(model.stem().string());
    std::filesystem::directory_iterator entries(model.parent_path().empty() ? "." : model.parent_path(), error);
    for (std::size_t seen = 0; !error && entries != std::filesystem::directory_iterator() && seen < kLookedAt; ++seen) {
        if (isData(*entries))
            found.emplace_back(rankOf(lowered(entries->path().stem().string()), modelStem), entries->path());
        entries.increment(error);
    }
    std::sort(found.begin(), found.end());
    std::vector<std::filesystem::path> paths;
    for (auto& [rank, path] : found) {
        if (paths.size() < kMost)
            paths.push_back(std::move(path));
    }
    return paths;
}

} // namespace duo::app
