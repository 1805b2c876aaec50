// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/sensitivity/suggested_scope.h"

namespace duo {
namespace {

constexpr SensitivityOptions kCoarse{.by = SensitivityDepth::Scopes, .samples = 2, .mostGroups = 24, .suggests = false};

} // namespace

Status suggestScope(ExportReport& report, const Snapshot& snapshot, const Compression& compression,
    const Dataset& dataset, int threads, const JobContext& job)
{
    if (report.verdict.kind != VerdictKind::Regression)
        return success();
    const auto measured = measureSensitivity(snapshot, compression, dataset, {}, kCoarse, threads, job);
    if (job.stopped())
        return cancelledError();
    if (!measured)
        return success();
    for (const std::size_t index : floatOrder(measured->groups)) {
        const GroupSensitivity& group = measured->groups[index];
        if (group.kind == GroupKind::Run || group.name.empty())
            continue;
        report.verdict.suggestedScope = group.name;
        report.verdict.isSuggestionNode = group.kind == GroupKind::Node;
        break;
    }
    return success();
}

} // namespace duo
