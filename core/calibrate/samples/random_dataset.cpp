// SPDX-License-Identifier: Apache-2.0
#include "core/calibrate/samples/random_dataset.h"

#include "core/calibrate/samples/made_dataset.h"
#include "core/calibrate/samples/size_ladder.h"
#include "core/engine/open_model.h"
#include "core/support/job.h"

#include <algorithm>
#include <charconv>

namespace duo {
namespace {

struct ProbedSizes {
    Sizes sizes;
    std::size_t refused = 0; // steps tried before
};

constexpr std::int64_t kMostProbeBytes = std::int64_t{256} << 20; // of the feeds of one run

std::int64_t bytesOf(const std::vector<MadeInput>& inputs, const Sizes& sizes)
{
    std::int64_t sum = 0;
    for (const MadeInput& input : inputs) {
        const auto count = elementCount(input.dimsAt(sizes));
        const auto bytes = count ? packedBytes(input.type, *count) : std::nullopt;
        if (!bytes || *bytes > kMostProbeBytes)
            return kMostProbeBytes + 1;
        sum += *bytes;
    }
    return sum;
}

std::vector<HostTensor> feedsOf(const std::vector<MadeInput>& inputs, const Sizes& sizes, std::uint64_t seed)
{
    std::vector<HostTensor> feeds;
    for (std::size_t i = 0; i < inputs.size(); ++i)
        feeds.push_back(inputs[i].tensor(sizes, {seed, 0, i}));
    return feeds;
}

Status run(const Session& session, const std::vector<HostTensor>& feeds, const JobContext& job)
{
    if (session.outputs().empty())
        return success();
    const std::vector<std::string> first{session.outputs().front().name}; // every node is computed all the same
    return session.runVisiting(feeds, first, {}, job);
}

/// "h=64, w=64" of the names chosen by the ladder; between them what `separator` says.
std::string sizesText(
    const SizeLadder& ladder, const Sizes& sizes, const std::string& before = "", const std::string& separator = ", ")
{
    std::string text;
    for (const std::string& name : ladder.names)
        text += (text.empty() ? "" : separator) + before + name + "=" + std::to_string(sizes.at(name));
    return text;
}

/// Larger sizes than were tried, as somebody would pass them.
std::string adviceFor(const SizeLadder& ladder)
{
    Sizes larger;
    for (const std::string& name : ladder.names) {
        std::int64_t most = 0;
        for (const Sizes& step : ladder.steps)
            most = std::max(most, step.at(name));
        larger[name] = std::max<std::int64_t>(most, 1);
    }
    return sizesText(ladder, larger, "--dim ", " ");
}

Error refusal(const std::vector<MadeInput>& inputs, const SizeLadder& ladder, const std::string& reason)
{
    std::string fed;
    for (const MadeInput& input : inputs) {
        const bool isChosen = std::ranges::any_of(input.dims, [&](const SizeSum& dim) { return !dim.names.empty(); });
        if (isChosen)
            fed += (fed.empty() ? "input '" : ", input '") + input.name + "' as "
                + shapeText(input.dimsAt(ladder.steps.front()));
    }
    return {ErrorCode::EngineFailed,
        "the engine refuses samples of all " + std::to_string(ladder.steps.size()) + " sizes tried", fed,
        "pass sizes that the model takes, such as " + adviceFor(ladder)
            + ", or data in a file; of these it says: " + reason};
}

/// The first step of the ladder that the engine runs the model with.
/// A model that the engine cannot even open gets the first step: whoever runs it says why.
/// @return EngineFailed where every step is refused: an input, its shape, what to pass; Cancelled
Result<ProbedSizes> probeSizes(const Model& model, const std::vector<MadeInput>& inputs, const SizeLadder& ladder,
    std::uint64_t seed, const JobContext& job)
{
    ProbedSizes probed{ladder.steps.front()};
    if (ladder.names.empty())
        return probed;
    const auto session = openModel(model, {}, job);
    if (job.stopped())
        return cancelledError();
    if (!session)
        return probed;
    std::string reason;
    for (const Sizes& step : ladder.steps) {
        if (bytesOf(inputs, step) > kMostProbeBytes) {
            ++probed.refused;
            continue;
        }
        const Status ran = run(*session, feedsOf(inputs, step, seed), job);
        if (ran) {
            probed.sizes = step;
            return probed;
        }
        if (ran.error().code != ErrorCode::EngineFailed)
            return ran.error();
        if (reason.empty())
            reason = ran.error().whatToDo;
        ++probed.refused;
    }
    if (reason.empty())
        return ProbedSizes{ladder.steps.front()}; // too large to be tried
    return refusal(inputs, ladder, reason);
}

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

std::vector<std::string> sizesToChoose(const Model& model, const DatasetOptions& options)
{
    const auto inputs = modelInputs(model);
    return sizeLadder(model, inputs, madeInputs(model, inputs), options.dims).names;
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
