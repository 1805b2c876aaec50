// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/sensitivity/measure_sensitivity.h"

#include "core/pipeline/sensitivity/group_errors.h"
#include "core/pipeline/sensitivity/suggest_floats.h"
#include "core/pipeline/snapshot/exported_edits.h"
#include "core/support/file.h"

#include <algorithm>

namespace duo {
namespace {

constexpr std::size_t kCoarseGroups = 24;
constexpr double kWorthSplitting = 0.05; // of the noise

/// The most sensitive group that was not split yet and has parts; the number of groups if there is none.
std::size_t nextToSplit(const std::vector<MeasuredGroup>& groups)
{
    std::size_t next = groups.size();
    for (std::size_t i = 0; i < groups.size(); ++i) {
        const MeasuredGroup& group = groups[i];
        const bool isCandidate
            = !group.isSplit && group.group.nodes.size() > 1 && group.sensitivity.score() >= kWorthSplitting;
        if (isCandidate && (next == groups.size() || comesBefore(group.sensitivity, groups[next].sensitivity)))
            next = i;
    }
    return next;
}

Status refine(GroupErrors& errors, std::size_t most)
{
    for (;;) {
        const std::size_t next = nextToSplit(errors.groups());
        if (next == errors.groups().size())
            return success();
        auto parts = errors.nodeGroups().partsOf(errors.groups()[next].group);
        errors.markSplit(next);
        if (errors.groups().size() + parts.size() > most)
            continue; // a smaller one may still fit
        DUO_CHECK(errors.measure(std::move(parts), next));
    }
}

std::vector<Note> depthNotes(const GroupErrors& errors, const SensitivityOptions& options)
{
    const auto& groups = errors.groups();
    if (options.by == SensitivityDepth::Nodes)
        return {};
    const auto refined = std::ranges::count_if(
        groups, [](const MeasuredGroup& group) { return group.sensitivity.partOf.has_value(); });
    std::string text = std::to_string(groups.size() - static_cast<std::size_t>(refined)) + " groups were measured";
    if (refined > 0)
        text += ", then the most sensitive ones were split into " + std::to_string(refined) + " more";
    return {{"coarse-first", std::move(text), {}}};
}

/// Ranked; `partOf` becomes an index in the ranking.
std::vector<GroupSensitivity> ranked(const std::vector<MeasuredGroup>& groups)
{
    std::vector<std::size_t> order(groups.size());
    for (std::size_t i = 0; i < order.size(); ++i)
        order[i] = i;
    std::ranges::stable_sort(
        order, [&](std::size_t a, std::size_t b) { return comesBefore(groups[a].sensitivity, groups[b].sensitivity); });
    std::vector<std::size_t> place(groups.size());
    for (std::size_t i = 0; i < order.size(); ++i)
        place[order[i]] = i;
    std::vector<GroupSensitivity> result;
    for (const std::size_t i : order) {
        result.push_back(groups[i].sensitivity);
        if (auto& whole = result.back().partOf)
            whole = place[*whole];
    }
    return result;
}

} // namespace

Result<SensitivityReport> measureSensitivity(const Snapshot& snapshot, const Compression& compression,
    const Dataset& dataset, const Recalibrate& recalibrate, const SensitivityOptions& options, int threads,
    const JobContext& job)
{
    job.tell({"sensitivity", 0, 0});
    DUO_TRY(model, SwitchableModel::open(snapshot, compression, dataset, options.samples, threads, job));
    const Snapshot& exported = placedBy(compression, snapshot);
    GroupErrors errors(exported, model, threads, job);
    const bool single = options.by == SensitivityDepth::Nodes;
    auto groups = single ? errors.nodeGroups().singleNodes()
                         : errors.nodeGroups().coarse(std::min(kCoarseGroups, options.mostGroups));
    if (groups.empty())
        return Error{ErrorCode::Unsupported, "no node is quantized: there is no error to look for", {},
            "see duoscope-cli plan for the reasons"};
    DUO_CHECK(errors.measure(std::move(groups), std::nullopt));
    if (!single)
        DUO_CHECK(refine(errors, options.mostGroups));
    SensitivityReport report;
    report.outputs = model.outputs();
    report.samples = model.samples();
    report.all = errors.all();
    report.agreement = errors.agreement();
    DUO_TRY(bytes, plannedBytes(snapshot, compression, job));
    report.bytes = bytes;
    report.notes = depthNotes(errors, options);
    report.groups = ranked(errors.groups());
    if (options.suggests) {
        DUO_TRY(meter, ForeseenSpeed::open(snapshot, dataset, job));
        DUO_TRY(speed, meter.of(snapshot, compression));
        report.speed = speed;
        DUO_TRY(
            suggestions, suggestFloats(snapshot, report, dataset, meter, recalibrate, options.samples, threads, job));
        report.suggestions = std::move(suggestions);
    }
    DUO_CHECK(checkMappedFiles());
    return report;
}

} // namespace duo
