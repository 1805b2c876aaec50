// SPDX-License-Identifier: Apache-2.0
#include "app/cli/graph_overlay.h"

#include "core/pipeline/calibration/known_statistics.h"
#include "core/pipeline/calibration/usable_statistics.h"
#include "core/pipeline/half_model.h"
#include "core/pipeline/sensitivity/foresight.h"
#include "core/report/overlay_values.h"

namespace duo::cli {
namespace {

Error missing(OverlayKind kind, const char* what, const char* remedy)
{
    return Error{ErrorCode::Usage, what, std::string(overlayKindText(kind)), remedy};
}

Result<StatisticsFile> statisticsFor(
    OverlayKind kind, const Snapshot& snapshot, const OverlayCall& call, const JobContext& job)
{
    if (!call.statistics.empty())
        return readStatisticsOf(*snapshot.model, call.statistics, job);
    if (call.data.data.empty())
        return missing(kind, "ranges are measured on data", "give --statistics or --data");
    DUO_TRY(dataset, openData(call.data, *snapshot.model, job));
    DUO_TRY(data, dataSource(call.data));
    DUO_TRY(measured,
        measureStatistics(snapshot, *dataset, measureOptions(snapshot, data, StatisticsCache::ofUser()),
            call.common.threadCount(), job));
    return std::move(measured.file);
}

Result<Overlay> rangeOverlay(OverlayKind kind, const Snapshot& snapshot, const OverlayCall& call, const JobContext& job)
{
    DUO_TRY(file, statisticsFor(kind, snapshot, call, job));
    return *makeOverlay(kind, {.model = *snapshot.model, .scopes = *snapshot.scopes, .statistics = &file.statistics});
}

/// Points have the numbers of the forecast's own setup, which may leave more in float than the one that is drawn.
Result<Overlay> errorOverlay(OverlayKind kind, const Snapshot& snapshot, const OverlayCall& call, const JobContext& job)
{
    if (!snapshot.placement)
        return missing(kind, "only the compressed graph has these values", "leave --as out");
    DUO_TRY(file, statisticsFor(kind, snapshot, call, job));
    DUO_TRY(foresight,
        foresee(std::make_shared<const Snapshot>(snapshot), std::make_shared<const StatisticsFile>(std::move(file)),
            nullptr, call.common.threadCount(), job));
    if (foresight->problem)
        return *foresight->problem;
    return *makeOverlay(kind,
        {.model = *snapshot.model,
            .scopes = *snapshot.scopes,
            .placement = foresight->snapshot->placement.get(),
            .forecast = foresight->forecast.get()});
}

Result<Overlay> sensitivityOverlay(
    OverlayKind kind, const Snapshot& snapshot, const OverlayCall& call, const JobContext& job)
{
    if (!snapshot.placement)
        return missing(kind, "only the compressed graph has these values", "leave --as out");
    if (call.data.data.empty())
        return missing(kind, "sensitivity is measured on data", "give --data");
    DUO_TRY(report, sensitivityOn(snapshot, call.common, call.data, SensitivityOptions(), true, job));
    return *makeOverlay(kind, {.model = *snapshot.model, .scopes = *snapshot.scopes, .sensitivity = &report});
}

Result<Overlay> timeOverlay(OverlayKind kind, const Snapshot& snapshot, const OverlayCall& call, const JobContext& job)
{
    if (call.data.data.empty())
        return missing(kind, "times are measured on data", "give --data");
    DUO_TRY(dataset, openData(call.data, *snapshot.model, job));
    DUO_TRY(times, measureNodeTimes(*snapshot.model, *dataset, call.common.threads, job));
    return *makeOverlay(kind, {.model = *snapshot.model, .scopes = *snapshot.scopes, .times = &times});
}

Result<Overlay> halfOverlay(OverlayKind kind, const Snapshot& snapshot, const OverlayCall& call, const JobContext& job)
{
    if (call.data.data.empty())
        return missing(kind, "whether values fit into 16 bits is told by data", "give --data");
    DUO_TRY(dataset, openData(call.data, *snapshot.model, job));
    HalfOptions options;
    options.threads = call.common.threadCount();
    DUO_TRY(halved, halvedModel({snapshot.model, {}}, *dataset, options, job));
    return *makeOverlay(
        kind, {.model = *snapshot.model, .scopes = *snapshot.scopes, .half = &halved.report.passes.back()});
}

} // namespace

std::vector<std::string> overlaysOfOne()
{
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < kOverlayKinds; ++i) {
        const auto kind = static_cast<OverlayKind>(i);
        if (overlayNeed(kind) != OverlayNeed::Comparison)
            texts.emplace_back(overlayKindText(kind));
    }
    return texts;
}

Result<Overlay> measuredOverlay(OverlayKind kind, const Snapshot& snapshot, const Placement* placement,
    const OverlayCall& call, const JobContext& job)
{
    switch (overlayNeed(kind)) {
    case OverlayNeed::Nothing:
    case OverlayNeed::Placement:
    case OverlayNeed::Comparison: // not of overlaysOfOne()
        break;
    case OverlayNeed::Statistics:
        return kind == OverlayKind::Error ? errorOverlay(kind, snapshot, call, job)
                                          : rangeOverlay(kind, snapshot, call, job);
    case OverlayNeed::Sensitivity:
        return sensitivityOverlay(kind, snapshot, call, job);
    case OverlayNeed::Times:
        return timeOverlay(kind, snapshot, call, job);
    case OverlayNeed::Halving:
        return halfOverlay(kind, snapshot, call, job);
    }
    if (auto overlay = makeOverlay(kind, {*snapshot.model, *snapshot.scopes, placement}))
        return std::move(*overlay);
    return missing(kind, "only the compressed graph has these values", "leave --as out");
}

Result<SensitivityReport> sensitivityOn(const Snapshot& snapshot, const CommonOptions& common, const DataOptions& data,
    const SensitivityOptions& options, bool isCached, const JobContext& job)
{
    const int threads = common.threadCount();
    DUO_TRY(dataset, openData(data, *snapshot.model, job));
    DUO_TRY(opened, dataSource(data));
    const auto cache = isCached ? StatisticsCache::ofUser() : std::nullopt;
    const CalibrationSource source{
        .data = opened, .dataset = dataset.get(), .measuring = measureOptions(snapshot, opened, cache)};
    DUO_TRY(calibration, calibrateFrom(snapshot, source, threads, job));
    return measureSensitivity(snapshot, calibration.compression, *dataset,
        recalibration(calibration.compression, source, threads, job), options, threads, job);
}

} // namespace duo::cli
