// SPDX-License-Identifier: Apache-2.0
#include "core/calibrate/samples/probe_sizes.h"

#include "core/engine/open_model.h"

#include <algorithm>

namespace duo {
namespace {

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
    return session.runVisiting(
        feeds, first, [](std::size_t, const TensorView&) { return success(); }, job);
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

} // namespace

Result<ProbedSizes> probeSizes(const Model& model, const std::vector<MadeInput>& inputs, const SizeLadder& ladder,
    std::uint64_t seed, const JobContext& job)
{
    ProbedSizes probed{ladder.steps.front()};
    if (ladder.names.empty())
        return probed;
    const auto session = openModel(model, {});
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

std::string sizesText(
    const SizeLadder& ladder, const Sizes& sizes, const std::string& before, const std::string& separator)
{
    std::string text;
    for (const std::string& name : ladder.names)
        text += (text.empty() ? "" : separator) + before + name + "=" + std::to_string(sizes.at(name));
    return text;
}

} // namespace duo
