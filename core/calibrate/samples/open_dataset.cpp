// SPDX-License-Identifier: Apache-2.0
#include "core/calibrate/samples/dataset.h"

#include "core/calibrate/samples/array_dataset.h"
#include "core/calibrate/samples/data_folder.h"
#include "core/calibrate/samples/image_dataset.h"
#include "core/calibrate/samples/random_dataset.h"
#include "core/calibrate/samples/test_data_dataset.h"
#include "core/support/file.h"

#include <algorithm>

namespace duo {
namespace {

using Opened = Result<std::shared_ptr<const Dataset>>;
using Paths = std::vector<std::filesystem::path>;
using ArrayFiles = std::vector<std::shared_ptr<const ArrayFile>>;

/// What the data feed, and what is left to be made.
struct Inputs {
    std::vector<ModelInput> fed;
    std::vector<std::string> missing;
};

Result<ArrayFiles> openFiles(const Paths& paths)
{
    ArrayFiles files;
    for (const auto& path : paths) {
        DUO_TRY(file, ArrayFile::open(path));
        files.push_back(std::move(file));
    }
    return files;
}

/// Inputs that the data need not hold are left out where `isHeld` does not find them; one input at least is fed.
template <typename IsHeld> Inputs inputsHeld(const Model& model, const IsHeld& isHeld)
{
    const auto plain = plainInputs(model);
    Inputs inputs;
    for (const ModelInput& input : modelInputs(model)) {
        if (std::ranges::find(plain, input.name) == plain.end() || isHeld(input.name))
            inputs.fed.push_back(input);
        else
            inputs.missing.push_back(input.name);
    }
    if (inputs.fed.empty())
        return {modelInputs(model), {}};
    return inputs;
}

Opened completed(Opened given, const Inputs& inputs, const Model& model, const DatasetOptions& options)
{
    if (!given || (inputs.missing.empty() && options.feedBack.empty()))
        return given;
    return completedDataset(*std::move(given), inputs.missing, model, options);
}

Opened openPerFile(const ArrayFiles& files, const Model& model, const DatasetOptions& options, const JobContext& job)
{
    const Inputs inputs = inputsHeld(model, [&](const std::string& name) {
        return std::ranges::all_of(files, [&](const auto& file) { return file->find(name) != nullptr; });
    });
    std::vector<ArraySet> sets;
    for (const auto& file : files) {
        DUO_TRY(set, ArraySet::bind(inputs.fed, {file}, file->path().string()));
        sets.push_back(std::move(set));
    }
    return completed(arrayDataset(std::move(sets), options, job), inputs, model, options);
}

/// .npy files named like the inputs are one set, as the members of an archive are; else each file is a stack.
Opened openArrays(const Paths& paths, const std::filesystem::path& folder, const Model& model,
    const DatasetOptions& options, const JobContext& job)
{
    const auto all = modelInputs(model);
    DUO_TRY(files, openFiles(paths));
    const auto isInput = [&](const std::filesystem::path& path) {
        return std::ranges::find(all, path.stem().string(), &ModelInput::name) != all.end();
    };
    if (std::ranges::none_of(paths, isInput))
        return openPerFile(files, model, options, job);
    const Inputs inputs = inputsHeld(model, [&](const std::string& name) {
        return std::ranges::any_of(files, [&](const auto& file) { return file->find(name) != nullptr; });
    });
    DUO_TRY(set, ArraySet::bind(inputs.fed, std::move(files), folder.string()));
    std::vector<ArraySet> sets;
    sets.push_back(std::move(set));
    return completed(arrayDataset(std::move(sets), options, job), inputs, model, options);
}

Opened openTestData(Paths folders, const Model& model, const DatasetOptions& options)
{
    DUO_TRY(dataset, testDataDataset(std::move(folders), model, plainInputs(model)));
    DUO_TRY(first, dataset->sample(0));
    const Inputs inputs = inputsHeld(model,
        [&](const std::string& name) { return std::ranges::find(first, name, &HostTensor::name) != first.end(); });
    return completed(std::move(dataset), inputs, model, options);
}

Opened openFolder(
    const std::filesystem::path& folder, const Model& model, const DatasetOptions& options, const JobContext& job)
{
    DUO_TRY(content, listDataFolder(folder));
    if (!content.archives.empty()) {
        DUO_TRY(files, openFiles(content.archives));
        return ifFilesWhole(openPerFile(files, model, options, job));
    }
    if (!content.arrays.empty())
        return openArrays(content.arrays, folder, model, options, job);
    if (!content.testData.empty())
        return openTestData(std::move(content.testData), model, options);
    if (!content.images.empty()) {
        const Inputs inputs = inputsHeld(model, [&](const std::string&) { return modelInputs(model).size() == 1; });
        return completed(imageDataset(std::move(content.images), model, options), inputs, model, options);
    }
    return Error{ErrorCode::BadData, "folder holds no data", folder.string(),
        "put .npz, .npy, .png or .jpg files into it, or ONNX test data (input_0.pb)"};
}

} // namespace

Error refusedSample(const Error& error, std::int64_t sample, std::span<const HostTensor> feeds, const Dataset& dataset)
{
    const bool isOfSample = error.where.empty() || error.code == ErrorCode::EngineEnded;
    if (!isOfEngine(error.code) || !isOfSample)
        return error;
    Error refused = error;
    refused.where
        += (refused.where.empty() ? "sample " : ", sample ") + std::to_string(sample) + ", fed " + feedsText(feeds);
    if (const std::string advice = dataset.sizeAdvice(); !advice.empty())
        refused.whatToDo += "; " + advice;
    return refused;
}

Opened openDataset(const std::string& spec, const Model& model, const DatasetOptions& options, const JobContext& job)
{
    constexpr std::string_view kRandom = "random:";
    if (spec.starts_with(kRandom))
        return randomDataset(spec.substr(kRandom.size()), model, options, job);
    std::error_code ignored;
    const std::filesystem::path path(spec);
    if (std::filesystem::is_directory(path, ignored))
        return openFolder(path, model, options, job);
    DUO_TRY(file, ArrayFile::open(path));
    return ifFilesWhole(openPerFile({file}, model, options, job));
}

} // namespace duo
