// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/node_times.h"

#include "core/analysis/kernel_origins.h"
#include "core/engine/open_model.h"
#include "core/onnx/reader.h"
#include "core/support/linear_quantile.h"
#include "core/support/scratch_folder.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>
#include <numeric>
#include <string_view>
#include <unordered_map>

namespace duo {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::string_view kKernelEnd = "_kernel_time";
constexpr std::string_view kRun = "model_run";

/// What the engine wrote of all runs.
struct Events {
    std::unordered_map<std::string, std::vector<double>> kernels; // microseconds by name, in order
    std::vector<double> runs;
};

void addEvent(Events& events, const nlohmann::json& event)
{
    const auto name = event.find("name");
    const auto duration = event.find("dur");
    if (name == event.end() || duration == event.end() || !name->is_string() || !duration->is_number())
        return;
    const auto& text = name->get_ref<const std::string&>();
    if (text == kRun)
        events.runs.push_back(duration->get<double>());
    else if (text.ends_with(kKernelEnd))
        events.kernels[text.substr(0, text.size() - kKernelEnd.size())].push_back(duration->get<double>());
}

/// A list of events; each is forgotten once it was looked at, for there can be gigabytes of them.
Result<Events> readEvents(const std::filesystem::path& path)
{
    std::ifstream file(path);
    Events events;
    const auto take = [&](int depth, nlohmann::json::parse_event_t what, nlohmann::json& parsed) {
        if (depth != 1 || what != nlohmann::json::parse_event_t::object_end)
            return true;
        addEvent(events, parsed);
        return false;
    };
    const auto whole = nlohmann::json::parse(file, take, false);
    if (whole.is_discarded() || events.runs.empty())
        return Error{ErrorCode::EngineFailed, "the engine's profile cannot be read", path.string(), {}};
    return events;
}

/// The first run warms up. @return how often it ran besides
Result<int> runOften(const Session& session, std::span<const HostTensor> feeds, const TimesBudget& budget,
    std::int64_t nodes, const JobContext& job)
{
    const auto ignore = [](std::size_t, const TensorView&) { return success(); };
    DUO_CHECK(session.runVisiting(feeds, {}, ignore, job));
    const auto mostRuns
        = std::max<std::int64_t>(budget.leastRuns, budget.mostEvents / std::max<std::int64_t>(nodes, 1));
    const auto start = Clock::now();
    for (int runs = 1;; ++runs) {
        DUO_CHECK(session.runVisiting(feeds, {}, ignore, job));
        const auto spent = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - start);
        job.tell({"time", std::min(spent, budget.time).count(), budget.time.count()});
        if (runs >= mostRuns || (runs >= budget.leastRuns && spent >= budget.time))
            return runs;
    }
}

/// Microseconds of one run, all times that it takes the kernel there together: the median of runs that take it equally
/// often, the first of them left out, else the mean.
double ofOneRun(const std::vector<double>& durations, std::size_t runs)
{
    const std::size_t each = durations.size() / runs;
    if (runs < 2 || durations.size() % runs != 0)
        return std::accumulate(durations.begin(), durations.end(), 0.0) / static_cast<double>(runs);
    std::vector<double> sums;
    for (auto run = durations.begin() + static_cast<std::ptrdiff_t>(each); run != durations.end();
         run += static_cast<std::ptrdiff_t>(each))
        sums.push_back(std::accumulate(run, run + static_cast<std::ptrdiff_t>(each), 0.0));
    return upperMedian(sums);
}

/// Whose body it is in; invalid in the main graph.
NodeId ownerOf(const Model& model, const Node& node)
{
    return model.region(node.region).owner;
}

/// [nodes of `optimized`] nothing where the profile does not tell: of what did not run, is without a name, or has one
/// that others have too.
std::vector<std::optional<double>> timesOfNodes(const Model& optimized, const Events& events)
{
    std::unordered_map<std::string_view, int> namesakes;
    for (const Node& node : optimized.nodes)
        ++namesakes[node.localName];
    std::vector<std::optional<double>> times(optimized.nodes.size());
    for (std::size_t i = 0; i < times.size(); ++i) {
        const Node& node = optimized.nodes[i];
        const auto found = events.kernels.find(node.localName);
        const bool isTold = found != events.kernels.end() && namesakes.at(node.localName) == 1;
        if (isTold && (ownerOf(optimized, node).valid() || found->second.size() == events.runs.size()))
            times[i] = ofOneRun(found->second, events.runs.size());
    }
    return times;
}

/// A body's kernels run within the time of the node that the body belongs to.
void takeBodiesOut(const Model& optimized, std::vector<std::optional<double>>& times)
{
    const auto whole = times;
    for (std::size_t i = 0; i < whole.size(); ++i) {
        const NodeId owner = ownerOf(optimized, optimized.nodes[i]);
        if (whole[i] && owner.valid() && times[owner.index])
            *times[owner.index] = std::max(0.0, *times[owner.index] - *whole[i]);
    }
}

std::vector<KernelTime> kernelTimes(const Model& model, const Model& optimized, const Events& events)
{
    const auto origins = kernelOrigins(model, optimized);
    auto times = timesOfNodes(optimized, events);
    takeBodiesOut(optimized, times);
    std::vector<KernelTime> kernels;
    for (std::size_t i = 0; i < times.size(); ++i) {
        if (times[i])
            kernels.push_back({optimized.nodes[i].name, optimized.nodes[i].opType, *times[i], origins[i]});
    }
    std::ranges::stable_sort(kernels, [](const KernelTime& a, const KernelTime& b) {
        return a.microseconds != b.microseconds ? a.microseconds > b.microseconds : a.name < b.name;
    });
    return kernels;
}

} // namespace

void spreadOverNodes(const Model& model, NodeTimes& times)
{
    times.ofNode.assign(model.nodes.size(), std::nullopt);
    times.ledBy.assign(model.nodes.size(), {});
    times.kernelMicroseconds = 0;
    for (const KernelTime& kernel : times.kernels) {
        times.kernelMicroseconds += kernel.microseconds;
        const NodeId leader = leadingNode(model, kernel.nodes);
        if (!leader.valid())
            continue;
        times.ofNode[leader.index] = times.ofNode[leader.index].value_or(0) + kernel.microseconds;
        for (const NodeId node : kernel.nodes) {
            if (!times.ledBy[node.index].valid())
                times.ledBy[node.index] = leader;
        }
    }
}

Result<NodeTimes> measureNodeTimes(const Model& model, std::span<const HostTensor> feeds, const TimesBudget& budget,
    int threads, const JobContext& job)
{
    DUO_TRY(scratch, ScratchFolder::make());
    job.tell({"time", 0, 0});
    DUO_TRY(session, openProfiled(model, scratch.path(), threads, job));
    NodeTimes times;
    times.threads = threads;
    DUO_TRY(runs, runOften(session, feeds, budget, static_cast<std::int64_t>(model.nodes.size()), job));
    times.runs = runs;
    DUO_TRY(written, session.endProfile());
    DUO_TRY(events, readEvents(written));
    DUO_TRY(optimized, readModel(scratch.path() / "optimized.onnx", {}, job));
    times.kernels = kernelTimes(model, *optimized, events);
    times.runMicroseconds = events.runs.size() > 1 ? upperMedian({events.runs.begin() + 1, events.runs.end()}) : 0;
    spreadOverNodes(model, times);
    return times;
}

Result<NodeTimes> measureNodeTimes(const Model& model, const Dataset& dataset, int threads, const JobContext& job)
{
    DUO_TRY(feeds, dataset.sample(0));
    return measureNodeTimes(model, feeds, {}, std::max(1, threads), job);
}

} // namespace duo
