// SPDX-License-Identifier: Apache-2.0
#include "app/session/calibration.h"

#include "core/pipeline/calibration/calibrate.h"
#include "core/pipeline/calibration/known_statistics.h"
#include "core/pipeline/calibration/usable_statistics.h"
#include "core/pipeline/rule_findings.h"
#include "core/support/parallel.h"

#include <utility>

namespace duo::app {
namespace {

MeasureOptions measureOptions(const Snapshot& snapshot, const CalibrationInputs& inputs)
{
    MeasureOptions options;
    options.samples = subsetSize(snapshot);
    options.data = dataDigest(inputs.data.spec, inputs.data.options, false);
    options.freshData = dataDigest(inputs.data.spec, inputs.data.options, true);
    options.cache = inputs.cache;
    return options;
}

bool areOfData(const KnownStatistics& known, const Snapshot& snapshot, const DataSource& data)
{
    return known.file && known.path.empty() && known.data == data && known.subset == subsetSize(snapshot)
        && (!known.stopsEarly || snapshot.recipe.quantization.stopWhenConverged);
}

/// Notes about the data, as a run that measures gives them. @param dataset null: none
void addDataNotes(
    Compression& compression, const Snapshot& snapshot, const Dataset* dataset, const std::optional<Error>& gone)
{
    std::vector<Note> notes = dataset ? dataset->notes() : std::vector<Note>();
    if (gone)
        notes.push_back(
            {"data-gone", "made from what was measured before; outputs cannot be compared: " + gone->line(), {}});
    compression.notes.insert(compression.notes.begin(), notes.begin(), notes.end());
    if (!dataset)
        return;
    for (Note& note : sampleNotes(snapshot, *dataset))
        compression.notes.push_back(std::move(note));
}

Result<Compression> measured(const Snapshot& snapshot, const CalibrationInputs& inputs, const Dataset& dataset,
    KnownStatistics& statistics, const JobContext& job)
{
    DUO_TRY(compression, duo::calibrate(snapshot, dataset, defaultThreads(), job, measureOptions(snapshot, inputs)));
    if (compression.floatChanges.empty())
        statistics = {compression.statistics, inputs.data, subsetSize(snapshot), {}, false,
            snapshot.recipe.quantization.stopWhenConverged};
    return compression;
}

Recalibrate recalibrationOf(
    const CalibrationResult& calibration, const CalibrationInputs& inputs, const JobContext& job)
{
    return recalibration(*calibration.compression,
        {calibration.statistics.path, calibration.dataset.get(), measureOptions(calibration.snapshot, inputs)},
        defaultThreads(), job);
}

Result<KnownStatistics> knownStatistics(
    const Snapshot& snapshot, const CalibrationInputs& inputs, bool isOnlyRemembered, const JobContext& job)
{
    DUO_TRY(wanted, withWanted(snapshot, inputs.recipe, job));
    DUO_TRY(dataset, openDataset(inputs.data.spec, *snapshot.model, inputs.data.options, job));
    MeasureOptions options = measureOptions(wanted, inputs);
    options.isOnlyRemembered = isOnlyRemembered;
    DUO_TRY(measured, measureStatistics(wanted, *dataset, options, defaultThreads(), job));
    const bool fromCache = measured.fromCache;
    auto file = std::make_shared<const StatisticsFile>(std::move(measured.file));
    return KnownStatistics{std::move(file), inputs.data, subsetSize(wanted), {}, fromCache,
        wanted.recipe.quantization.stopWhenConverged, measuringNotes(wanted, *dataset)};
}

} // namespace

Result<Snapshot> withWanted(const Snapshot& snapshot, const Recipe& recipe, const JobContext& job)
{
    if (snapshot.recipe == recipe)
        return snapshot;
    return withRecipe(snapshot, recipe, job);
}

Status checkRules(const Snapshot& wanted, const std::string& nothing)
{
    return checkRulesMatch(wanted, nothing, "correct, disable or remove it in the rules table");
}

Result<std::shared_ptr<CalibrationResult>> runCalibration(
    const Snapshot& snapshot, const CalibrationInputs& inputs, const JobContext& job)
{
    auto result = std::make_shared<CalibrationResult>();
    DUO_TRY(wanted, withWanted(snapshot, inputs.recipe, job));
    result->snapshot = std::move(wanted);
    result->statistics = inputs.known;
    const bool isRead = inputs.known.file && !inputs.known.path.empty();
    if (isRead)
        DUO_CHECK(checkStatisticsSuffice(inputs.recipe.quantization, inputs.known.path.string()));
    const bool isKnown = isRead
        || (areOfData(inputs.known, result->snapshot, inputs.data) && sufficesWithoutData(result->snapshot.settings));
    std::optional<Error> gone; // data that was measured, and cannot be read any more
    if (!inputs.data.spec.empty()) {
        auto dataset = openDataset(inputs.data.spec, *snapshot.model, inputs.data.options, job);
        if (dataset)
            result->dataset = *std::move(dataset);
        else if (!isKnown || job.stopped())
            return dataset.error();
        else
            gone = dataset.error();
    }
    if (isKnown) {
        auto compression = isRead
            ? compressionFromFile(result->snapshot, inputs.known.file, inputs.known.path, defaultThreads(), job)
            : compressionFrom(result->snapshot, inputs.known.file, defaultThreads(), job);
        const bool lacksValues = !compression && compression.error().code == ErrorCode::BadData; // of another profile
        if (!compression && (isRead || !lacksValues))
            return compression.error();
        if (job.stopped())
            return cancelledError();
        if (compression) {
            addDataNotes(*compression, result->snapshot, isRead ? nullptr : result->dataset.get(), gone);
            result->compression = std::make_shared<const Compression>(*std::move(compression));
            return result;
        }
    }
    if (gone)
        return *gone;
    DUO_TRY(compression, measured(result->snapshot, inputs, *result->dataset, result->statistics, job));
    result->compression = std::make_shared<const Compression>(std::move(compression));
    return result;
}

Result<KnownStatistics> runMeasuring(const Snapshot& snapshot, const CalibrationInputs& inputs, const JobContext& job)
{
    return knownStatistics(snapshot, inputs, false, job);
}

Result<TimesResult> runTiming(const Snapshot& snapshot, const DataSource& data, const JobContext& job)
{
    DUO_TRY(dataset, openDataset(data.spec, *snapshot.model, data.options, job));
    DUO_TRY(feeds, dataset->sample(0));
    DUO_TRY(times, measureNodeTimes(*snapshot.model, feeds, {}, 1, job));
    return TimesResult{std::make_shared<const NodeTimes>(std::move(times)), snapshot.model};
}

Result<KnownStatistics> runRemembering(const Snapshot& snapshot, const CalibrationInputs& inputs, const JobContext& job)
{
    return knownStatistics(snapshot, inputs, true, job);
}

Result<SensitivityResult> runSensitivity(
    const Snapshot& snapshot, const CalibrationInputs& inputs, SensitivityDepth by, const JobContext& job)
{
    DUO_TRY(wanted, withWanted(snapshot, inputs.recipe, job));
    DUO_CHECK(checkRules(wanted, "nothing was measured"));
    DUO_TRY(calibration, runCalibration(wanted, inputs, job));
    if (!calibration->dataset)
        return Error{ErrorCode::BadData, "there are no samples to compare outputs on", {},
            "choose calibration data in the Quantize menu"};
    DUO_TRY(report,
        measureSensitivity(calibration->snapshot, *calibration->compression, *calibration->dataset,
            recalibrationOf(*calibration, inputs, job), {.by = by}, defaultThreads(), job));
    return SensitivityResult{std::make_shared<const SensitivityReport>(std::move(report)),
        std::make_shared<const Snapshot>(calibration->snapshot), calibration->statistics};
}

Result<ExportResult> runExport(std::shared_ptr<CalibrationResult> calibration, const CalibrationInputs& inputs,
    const ExportDemands& demands, const std::filesystem::path& target, const JobContext& job)
{
    DUO_TRY(made,
        exportWithin(withLabelsFound(demands, inputs.data.spec, *calibration->snapshot.model), calibration->snapshot,
            *calibration->compression, calibration->dataset.get(), target, recalibrationOf(*calibration, inputs, job),
            defaultThreads(), job));
    auto result = calibration;
    if (!made.kept.empty()) {
        result = std::make_shared<CalibrationResult>(*calibration);
        result->snapshot = std::move(made.snapshot);
        result->compression = std::make_shared<const Compression>(std::move(made.compression));
    }
    return ExportResult{std::move(result), std::make_shared<const ExportReport>(std::move(made.report)),
        static_cast<int>(made.kept.size())};
}

Result<KnownStatistics> runReadingStatistics(
    const Snapshot& snapshot, const std::filesystem::path& path, const JobContext& job)
{
    DUO_TRY(file, readStatisticsOf(*snapshot.model, path, job));
    return KnownStatistics{std::make_shared<const StatisticsFile>(std::move(file)), {}, 0, path, false, false};
}

} // namespace duo::app
