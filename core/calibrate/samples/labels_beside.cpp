// SPDX-License-Identifier: Apache-2.0
#include "core/calibrate/samples/labels_beside.h"

#include "core/calibrate/samples/data_folder.h"
#include "core/calibrate/samples/model_input.h"
#include "core/formats/array_file.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace duo {
namespace {

using Path = std::filesystem::path;
using Found = std::vector<LabelsBeside>;

constexpr std::array<std::string_view, 7> kNames{"label", "labels", "target", "targets", "classes", "y", "y_true"};
constexpr std::array<std::string_view, 3> kEndings{".labels.npy", "_labels.npy", "-labels.npy"};

/// One number after the other, not one row of several.
bool holdsClassNumbers(const StoredArray& array)
{
    if (!array.header)
        return false;
    const NpyHeader& header = *array.header;
    switch (header.type) {
    case ElementType::Int8:
    case ElementType::Int16:
    case ElementType::Int32:
    case ElementType::Int64:
    case ElementType::UInt8:
    case ElementType::UInt16:
    case ElementType::UInt32:
        break;
    default:
        return false;
    }
    const bool isList = header.dims.size() == 1 || (header.dims.size() == 2 && header.dims[1] == 1);
    return isList && header.dims[0] > 0;
}

std::shared_ptr<const ArrayFile> opened(const Path& path)
{
    auto file = ArrayFile::open(path);
    return file ? *std::move(file) : nullptr;
}

bool isInput(const std::vector<ModelInput>& inputs, const std::string& name)
{
    return std::ranges::find(inputs, name, &ModelInput::name) != inputs.end();
}

/// Of one file, where nobody else has to have them too.
void addOfFile(const ArrayFile& file, const std::vector<ModelInput>& inputs, const Path& told, Found& found)
{
    for (const StoredArray& array : file.arrays()) {
        if (isNameOfLabels(array.name) && !isInput(inputs, array.name) && holdsClassNumbers(array))
            found.push_back({array.name, told});
    }
}

/// Arrays that every archive of the folder holds.
void addOfArchives(
    const std::vector<Path>& archives, const std::vector<ModelInput>& inputs, const Path& folder, Found& found)
{
    Found common;
    for (const Path& path : archives) {
        const auto file = opened(path);
        Found here;
        if (file)
            addOfFile(*file, inputs, folder, here);
        if (&path == &archives.front())
            common = std::move(here);
        else
            std::erase_if(
                common, [&](const LabelsBeside& labels) { return std::ranges::find(here, labels) == here.end(); });
        if (common.empty())
            return;
    }
    found.insert(found.end(), common.begin(), common.end());
}

void addOfFolder(const Path& folder, const std::vector<ModelInput>& inputs, Found& found)
{
    const auto content = listDataFolder(folder);
    if (!content)
        return;
    if (!content->archives.empty()) {
        addOfArchives(content->archives, inputs, folder, found);
        return;
    }
    const auto& arrays = content->arrays; // files named like the inputs are one set
    if (std::ranges::none_of(arrays, [&](const Path& path) { return isInput(inputs, path.stem().string()); }))
        return;
    for (const Path& path : arrays) {
        if (!isNameOfLabels(path.stem().string()))
            continue;
        if (const auto file = opened(path))
            addOfFile(*file, inputs, folder, found);
    }
}

/// In files named after the data.
void addBeside(const Path& data, Found& found)
{
    std::error_code unknown;
    const Path whole = data.has_filename() ? data : data.parent_path(); // "folder/"
    const std::string stem
        = std::filesystem::is_directory(whole, unknown) ? whole.filename().string() : whole.stem().string();
    for (const std::string_view ending : kEndings) {
        const Path path = whole.parent_path() / (stem + std::string(ending));
        if (!std::filesystem::is_regular_file(path, unknown))
            continue;
        const auto file = opened(path);
        if (file && file->arrays().size() == 1 && holdsClassNumbers(file->arrays().front()))
            found.push_back({{}, path});
    }
}

} // namespace

std::string LabelsBeside::text() const
{
    const Path whole = file.has_filename() ? file : file.parent_path();
    const std::string name = whole.filename().string();
    return array.empty() ? "file " + name : "array '" + array + "' of " + name;
}

bool isNameOfLabels(std::string_view array)
{
    std::string name(array);
    std::ranges::transform(
        name, name.begin(), [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
    return std::ranges::find(kNames, name) != kNames.end();
}

FoundLabels findLabels(const std::string& spec, const Model& model)
{
    if (spec.empty() || spec.starts_with("random:"))
        return {};
    const Path path(spec);
    const auto inputs = modelInputs(model);
    std::error_code unknown;
    Found found;
    if (std::filesystem::is_directory(path, unknown))
        addOfFolder(path, inputs, found);
    else if (const auto file = opened(path); file && file->isArchive())
        addOfFile(*file, inputs, path, found);
    addBeside(path, found);
    if (found.size() == 1)
        return {found.front(), {}};
    FoundLabels several;
    std::ranges::transform(found, std::back_inserter(several.several), &LabelsBeside::text);
    return several;
}

Result<HostTensor> readLabels(const LabelsBeside& labels, const Dataset& dataset)
{
    if (!labels.array.empty())
        return dataset.array(labels.array);
    DUO_TRY(file, ArrayFile::open(labels.file));
    if (file->arrays().size() != 1 || !holdsClassNumbers(file->arrays().front()))
        return Error{ErrorCode::BadData, "the file holds no class numbers any more", labels.file.string(), {}};
    const StoredArray& array = file->arrays().front();
    DUO_TRY(bytes, file->read(array));
    return HostTensor{array.name, array.header->type, array.header->dims, {bytes.bytes.begin(), bytes.bytes.end()}};
}

} // namespace duo
