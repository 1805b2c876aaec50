// SPDX-License-Identifier: Apache-2.0
#include "core/calibrate/dataset.h"

#include "core/calibrate/arrays/array_dataset.h"
#include "core/calibrate/folders/data_folder.h"
#include "core/calibrate/folders/image_dataset.h"
#include "core/calibrate/folders/test_data_dataset.h"
#include "core/calibrate/generated/random_dataset.h"

#include <algorithm>

namespace duo {
namespace {

using Opened = Result<std::shared_ptr<const Dataset>>;
using Paths = std::vector<std::filesystem::path>;

Result<std::vector<ArraySet>> setPerFile(const std::vector<ModelInput>& inputs, const Paths& files)
{
    std::vector<ArraySet> sets;
    for (const auto& path : files) {
        DUO_TRY(file, ArrayFile::open(path));
        DUO_TRY(set, ArraySet::bind(inputs, {file}, path.string()));
        sets.push_back(std::move(set));
    }
    return sets;
}

/// .npy files named like the inputs are one set, as the members of an archive are; else each file is a stack.
Result<std::vector<ArraySet>> setsOfArrays(
    const std::vector<ModelInput>& inputs, const Paths& files, const std::filesystem::path& folder)
{
    const auto isInput = [&](const std::filesystem::path& path) {
        return std::ranges::find(inputs, path.stem().string(), &ModelInput::name) != inputs.end();
    };
    if (std::ranges::none_of(files, isInput))
        return setPerFile(inputs, files);
    std::vector<std::shared_ptr<const ArrayFile>> arrays;
    for (const auto& path : files) {
        DUO_TRY(file, ArrayFile::open(path));
        arrays.push_back(std::move(file));
    }
    DUO_TRY(set, ArraySet::bind(inputs, std::move(arrays), folder.string()));
    std::vector<ArraySet> sets;
    sets.push_back(std::move(set));
    return sets;
}

Opened openFolder(
    const std::filesystem::path& folder, const Model& model, const DatasetOptions& options, const JobContext& job)
{
    DUO_TRY(content, listDataFolder(folder));
    const auto inputs = modelInputs(model);
    if (!content.archives.empty()) {
        DUO_TRY(sets, setPerFile(inputs, content.archives));
        return arrayDataset(std::move(sets), options, job);
    }
    if (!content.arrays.empty()) {
        DUO_TRY(sets, setsOfArrays(inputs, content.arrays, folder));
        return arrayDataset(std::move(sets), options, job);
    }
    if (!content.testData.empty())
        return testDataDataset(std::move(content.testData), model);
    if (!content.images.empty())
        return imageDataset(std::move(content.images), model, options);
    return Error{ErrorCode::BadData, "folder holds no data", folder.string(),
        "put .npz, .npy, .png or .jpg files into it, or ONNX test data (input_0.pb)"};
}

} // namespace

Opened openDataset(const std::string& spec, const Model& model, const DatasetOptions& options, const JobContext& job)
{
    constexpr std::string_view kRandom = "random:";
    if (spec.starts_with(kRandom))
        return randomDataset(spec.substr(kRandom.size()), model, options);
    std::error_code ignored;
    const std::filesystem::path path(spec);
    if (std::filesystem::is_directory(path, ignored))
        return openFolder(path, model, options, job);
    DUO_TRY(sets, setPerFile(modelInputs(model), {path}));
    return arrayDataset(std::move(sets), options, job);
}

} // namespace duo
