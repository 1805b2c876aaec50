// SPDX-License-Identifier: Apache-2.0
#include "core/calibrate/samples/data_folder.h"

#include "core/formats/file_formats.h"
#include "core/support/digits.h"
#include "core/support/letters.h"

#include <algorithm>
#include <string>

namespace duo {
namespace {

constexpr std::size_t kMaxEntries = 1'000'000;

std::string_view takeDigits(std::string_view& text)
{
    const auto end = std::ranges::find_if_not(text, isDigit);
    const auto length = static_cast<std::size_t>(end - text.begin());
    std::string_view digits = text.substr(0, length);
    text.remove_prefix(length);
    digits.remove_prefix(std::min(digits.find_first_not_of('0'), digits.size()));
    return digits;
}

void sortNaturally(std::vector<std::filesystem::path>& paths)
{
    std::ranges::sort(paths, [](const auto& a, const auto& b) { return naturalLess(a.native(), b.native()); });
}

/// What programs leave beside the files they show: "._a.npy", ".ipynb_checkpoints".
bool isHidden(const std::filesystem::path& path)
{
    return path.filename().native().starts_with('.');
}

/// Sorts an entry into the lists; arrays count only directly in the folder, since a set of them has no order below.
void addEntry(DataFolder& content, const std::filesystem::path& path, int depth)
{
    const FileFormat* data = depth == 0 ? dataFormatOf(path) : nullptr;
    if (data != nullptr)
        (data->namesInputs ? content.archives : content.arrays).push_back(path);
    else if (isPictureFile(path))
        content.images.push_back(path);
    else if (path.filename() == "input_0.pb" && depth <= 1)
        content.testData.push_back(path.parent_path());
}

} // namespace

bool isPictureFile(const std::filesystem::path& file)
{
    const std::string extension = lowered(file.extension().string());
    return extension == ".png" || extension == ".jpg" || extension == ".jpeg";
}

Result<DataFolder> listDataFolder(const std::filesystem::path& folder)
{
    const auto fail = [&](const std::error_code& reason) {
        return Error{ErrorCode::FileNotReadable, "cannot read folder", folder.string(), reason.message()};
    };
    DataFolder content;
    std::error_code error;
    if (std::filesystem::directory_iterator(folder, error); error) // the one below would skip it
        return fail(error);
    std::size_t seen = 0;
    std::filesystem::recursive_directory_iterator entry(
        folder, std::filesystem::directory_options::skip_permission_denied, error);
    if (error)
        return fail(error);
    for (; entry != std::filesystem::recursive_directory_iterator(); entry.increment(error)) {
        if (++seen > kMaxEntries)
            return Error{ErrorCode::BadData, "folder holds more than a million entries", folder.string(),
                "name a folder that holds the data only"};
        std::error_code ignored;
        if (isHidden(entry->path())) {
            if (entry->is_directory(ignored))
                entry.disable_recursion_pending();
            continue;
        }
        if (entry->is_regular_file(ignored))
            addEntry(content, entry->path(), entry.depth());
    }
    if (error)
        return fail(error);
    for (auto* paths : {&content.archives, &content.arrays, &content.images, &content.testData})
        sortNaturally(*paths);
    return content;
}

bool naturalLess(std::string_view a, std::string_view b)
{
    const std::string_view wholeA = a;
    const std::string_view wholeB = b;
    while (!a.empty() && !b.empty()) {
        if (isDigit(a[0]) && isDigit(b[0])) {
            const auto digitsA = takeDigits(a);
            const auto digitsB = takeDigits(b);
            if (digitsA.size() != digitsB.size())
                return digitsA.size() < digitsB.size();
            if (digitsA != digitsB)
                return digitsA < digitsB;
            continue;
        }
        if (a[0] != b[0])
            return a[0] < b[0];
        a.remove_prefix(1);
        b.remove_prefix(1);
    }
    if (a.empty() != b.empty())
        return a.empty();
    return wholeA < wholeB;
}

} // namespace duo
