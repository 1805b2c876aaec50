// SPDX-License-Identifier: Apache-2.0
#include "core/calibrate/samples/random_dataset.h"

#include "core/calibrate/samples/made_dataset.h"
#include "core/calibrate/samples/probe_sizes.h"

#include <algorithm>
#include <charconv>

namespace duo {
namespace {

constexpr std::int64_t kMaxSamples = 1'000'000;
constexpr std::int64_t kMaxSampleBytes = std::int64_t{1} << 31;

struct Arguments {
    std::int64_t samples = 0;
    std::uint64_t seed = 0;
};

template <typename T> bool parseAll(std::string_view text, T& number)
{
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size();
}

Result<Arguments> parseArguments(const std::string& text)
{
    Arguments arguments;
    const std::size_t colon = text.find(':');
    const std::string_view all(text);
    const bool hasSeed = colon != std::string::npos;
    const bool good = parseAll(all.substr(0, colon), arguments.samples)
        && (!hasSeed || parseAll(all.substr(colon + 1), arguments.seed));
    if (!good || arguments.samples < 1 || arguments.samples > kMaxSamples)
        return Error{ErrorCode::Usage, "random data need a count from 1 to 1000000", "random:" + text,
            "write random:N or random:N:SEED"};
    return arguments;
}

Status checkNames(const std::vector<ModelInput>& inputs, const Sizes& given)
{
    std::vector<std::string> symbols;
    for (const ModelInput& input : inputs) {
        for (std::size_t axis = 0; input.shape && axis < input.shape->size(); ++axis) {
            const std::string name = dimName(input, axis);
            if (!(*input.shape)[axis].size && std::ranges::find(symbols, name) == symbols.end())
                symbols.push_back(name);
        }
    }
    for (const auto& [name, size] : given) {
        if (std::ranges::find(symbols, name) == symbols.end())
            return Error{ErrorCode::Usage, "no input has a dimension of this name", name,
                symbols.empty() ? "the inputs have no symbolic dimension" : "they have " + listText(symbols)};
        if (size < 0)
            return Error{ErrorCode::Usage, "a dimension cannot be negative", name, "give a size"};
    }
    return success();
}

Status checkFillable(const ModelInput& input)
{
    if (!input.shape)
        return Error{ErrorCode::BadData, "an input of unknown rank cannot be filled with random data", input.name,
            "give data in a file"};
    if (!canFill(input.type))
        return Error{ErrorCode::BadData, "an input of this type cannot be filled with random data", input.name,
            "its type is " + std::string(elementTypeName(input.type)) + "; give data in a file"};
    return success();
}

Status checkSize(const MadeInput& input, const Sizes& sizes)
{
    const auto dims = input.dimsAt(sizes);
    const auto count = elementCount(dims);
    const auto bytes = count ? packedBytes(input.type, *count) : std::nullopt;
    if (!bytes || *bytes > kMaxSampleBytes)
        return Error{ErrorCode::BadData, "one sample of random data would be larger than 2 GiB", input.name,
            "its shape is " + shapeText(dims) + "; set its symbolic dimensions"};
    return success();
}

/// States that nobody feeds back stay zero, which says little about their range.
void noteStates(const Model& model, const std::vector<ModelInput>& inputs, const std::vector<MadeInput>& made,
    const DatasetOptions& options, std::vector<Note>& notes)
{
    const auto next = nextStates(model, inputs);
    std::vector<std::string> names;
    std::string advice;
    for (const MadeInput& input : made) {
        const auto isThis = [&](const auto& pair) { return pair.second == input.name; };
        if (!input.isState || std::ranges::any_of(options.feedBack, isThis))
            continue;
        names.push_back(input.name);
        if (const auto found = next.find(input.name); found != next.end() && names.size() <= 4)
            advice += " --feed " + found->second + "=" + input.name;
    }
    if (!names.empty())
        notes.push_back({"states-zero",
            (names.size() == 1 ? "state " + listText(names) + " is" : "states " + listText(names) + " are")
                + " zero in every sample"
                + (advice.empty() ? std::string() : ";" + advice + " feeds back what the model gives"),
            names.front()});
}

std::string chosenText(const SizeLadder& ladder, const ProbedSizes& probed)
{
    return "samples are made with " + sizesText(ladder, probed.sizes)
        + (probed.refused > 0 ? " (the engine refused " + std::to_string(probed.refused)
                    + (probed.refused == 1 ? " other size before)" : " other sizes before)")
                              : "")
        + "; --dim NAME=SIZE sets another";
}

} // namespace

Result<std::shared_ptr<const Dataset>> randomDataset(
    const std::string& arguments, const Model& model, const DatasetOptions& options, const JobContext& job)
{
    DUO_TRY(parsed, parseArguments(arguments));
    const auto inputs = modelInputs(model);
    DUO_CHECK(checkNames(inputs, options.dims));
    for (const ModelInput& input : inputs)
        DUO_CHECK(checkFillable(input));
    MadePart part;
    part.inputs = madeInputs(model, inputs);
    const SizeLadder ladder = sizeLadder(model, inputs, part.inputs, options.dims);
    for (const MadeInput& input : part.inputs)
        DUO_CHECK(checkSize(input, ladder.steps.front()));
    DUO_TRY(probed, probeSizes(model, part.inputs, ladder, parsed.seed, job));
    part.notes.push_back({"random-data", "the data are random: they say nothing about accuracy", {}});
    if (!ladder.names.empty())
        part.notes.push_back({"sample-sizes", chosenText(ladder, probed), {}});
    noteStates(model, inputs, part.inputs, options, part.notes);
    part.sizes = std::move(probed.sizes);
    part.samples = parsed.samples;
    part.seed = parsed.seed;
    if (!part.sizes.empty())
        part.otherSizes = "other sizes are passed as --dim "
            + (ladder.names.empty() ? part.sizes.begin()->first : ladder.names.front()) + "=SIZE";
    return madeDataset(nullptr, std::move(part), model, options.feedBack);
}

Result<std::shared_ptr<const Dataset>> completedDataset(std::shared_ptr<const Dataset> given,
    const std::vector<std::string>& missing, const Model& model, const DatasetOptions& options)
{
    const auto inputs = modelInputs(model);
    MadePart part;
    part.inputs = madeInputs(model, inputs);
    part.sizes = sizeLadder(model, inputs, part.inputs, options.dims).steps.front();
    std::vector<MadeInput> made;
    std::vector<std::string> plain;
    for (const MadeInput& input : part.inputs) {
        if (std::ranges::find(missing, input.name) == missing.end())
            continue;
        made.push_back(input);
        if (!input.isState)
            plain.push_back(input.name);
    }
    if (!plain.empty())
        part.notes.push_back({"made-inputs",
            "the data do not hold " + listText(plain)
                + ": plausible values are fed (masks of ones, positions, lengths)",
            plain.front()});
    noteStates(model, inputs, made, options, part.notes);
    return madeDataset(std::move(given), std::move(part), model, options.feedBack);
}

std::vector<std::string> plainInputs(const Model& model)
{
    const auto inputs = modelInputs(model);
    const auto made = madeInputs(model, inputs);
    std::vector<std::string> names;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        if (inputs[i].shape && made[i].filling != Filling::Random && canFill(inputs[i].type))
            names.push_back(inputs[i].name);
    }
    return names;
}

} // namespace duo
