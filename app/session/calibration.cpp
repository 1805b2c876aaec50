// SPDX-License-Identifier: Apache-2.0
#include "app/session/calibration.h"

#include "app/layout/deploy_folder.h"
#include "core/pipeline/calibration/usable_statistics.h"
#include "core/pipeline/continue_setup.h"
#include "core/pipeline/rule_findings.h"
#include "core/pipeline/session_file.h"
#include "core/support/parallel.h"

#include <utility>

namespace duo::app {
namespace {

Result<std::shared_ptr<const Dataset>> dataOf(
    const Snapshot& snapshot, const CalibrationInputs& inputs, const JobContext& job)
{
    DatasetOptions options = inputs.data.options;
    options.arrays = inputs.arrays;
    return openDataset(inputs.data.spec, *snapshot.model, options, job);
}

Recalibrate recalibrationOf(
    const CalibrationResult& calibration, const CalibrationInputs& inputs, const JobContext& job)
{
    return recalibration(*calibration.compression,
        {.known = calibration.statistics,
            .dataset = calibration.dataset.get(),
            .measuring = measureOptions(calibration.snapshot, inputs.data, inputs.cache)},
        defaultThreads(), job);
}

Result<KnownStatistics> knownStatistics(
    const Snapshot& snapshot, const CalibrationInputs& inputs, bool isOnlyRemembered, const JobContext& job)
{
    DUO_TRY(wanted, withWanted(snapshot, inputs.recipe, job));
    DUO_TRY(dataset, openDataset(inputs.data.spec, *snapshot.model, inputs.data.options, job));
    MeasureOptions options = measureOptions(wanted, inputs.data, inputs.cache);
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
    CalibrationSource source{.known = inputs.known,
        .data = inputs.data,
        .measuring = measureOptions(result->snapshot, inputs.data, inputs.cache)};
    if (!inputs.data.spec.empty()) {
        auto dataset = dataOf(snapshot, inputs, job);
        if (dataset)
            result->dataset = *std::move(dataset);
        else if (!needsNoData(result->snapshot, inputs.known, inputs.data) || job.stopped())
            return dataset.error();
        else
            source.gone = dataset.error();
    }
    source.dataset = result->dataset.get();
    DUO_TRY(made, calibrateFrom(result->snapshot, source, defaultThreads(), job));
    result->compression = std::make_shared<const Compression>(std::move(made.compression));
    result->statistics = std::move(made.statistics);
    return result;
}

Result<ContinuedResult> runContinuing(
    const CalibrationResult& taken, const CalibrationInputs& inputs, const JobContext& job)
{
    const Resumed& from = *taken.taken->from;
    CalibrationSource source{.known = inputs.known,
        .data = inputs.data,
        .measuring = measureOptions(from.snapshot, inputs.data, inputs.cache)};
    std::shared_ptr<const Dataset> dataset;
    if (!inputs.data.spec.empty()) {
        auto opened = dataOf(from.snapshot, inputs, job);
        if (job.stopped())
            return cancelledError();
        if (opened)
            dataset = *std::move(opened);
        else
            source.gone = opened.error();
    }
    source.dataset = dataset.get();
    DUO_TRY(wanted, withWanted(from.snapshot, inputs.recipe, job));
    DUO_CHECK(checkRules(wanted, "no quantizers were kept"));
    DUO_TRY(continued, continueSetup(from, wanted, source, defaultThreads(), job));
    auto made = std::make_shared<CalibrationResult>(taken);
    made->snapshot = continued.resumed.snapshot;
    made->compression = std::make_shared<const Compression>(continued.resumed.compression);
    return ContinuedResult{std::move(made), continuedText(continued)};
}

Result<KnownStatistics> runMeasuring(const Snapshot& snapshot, const CalibrationInputs& inputs, const JobContext& job)
{
    return knownStatistics(snapshot, inputs, false, job);
}

Result<TimesResult> runTiming(const Snapshot& snapshot, const DataSource& data, const JobContext& job)
{
    DUO_TRY(dataset, openDataset(data.spec, *snapshot.model, data.options, job));
    DUO_TRY(times, measureNodeTimes(*snapshot.model, *dataset, 0, job));
    times.date = dateNow();
    return TimesResult{std::make_shared<const NodeTimes>(std::move(times)), snapshot.model};
}

bool HalvesResult::isOf(const Snapshot& now) const
{
    return report && of->model == now.model && of->recipe.transforms == now.recipe.transforms
        && floatRules(of->recipe.rules) == floatRules(now.recipe.rules);
}

Result<Transformed> runHalving(const Snapshot& snapshot, const DataSource& data, const JobContext& job)
{
    DUO_TRY(dataset, openDataset(data.spec, *snapshot.model, data.options, job));
    const Snapshot before = beforeTransforms(snapshot);
    HalfOptions options = halfOptions(snapshot.recipe.transforms.value_or(TransformOptions()), snapshot.recipe.rules);
    options.threads = defaultThreads();
    options.original = before.model.get();
    options.originalScopes = before.scopes.get();
    Transformed whole{snapshot.model, snapshot.transforms ? *snapshot.transforms : TransformReport()};
    return halvedModel(std::move(whole), *dataset, options, job);
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
    if (calibration->taken && !calibration->dataset && !inputs.data.spec.empty()) { // to be judged on
        auto dataset = dataOf(calibration->snapshot, inputs, job);
        if (job.stopped())
            return cancelledError();
        calibration = std::make_shared<CalibrationResult>(*calibration);
        calibration->dataset = dataset ? *std::move(dataset) : nullptr; // it is exported without data, too
    }
    DUO_TRY(made,
        exportWithin(withLabelsFound(demands, inputs.data.spec, *calibration->snapshot.model), calibration->snapshot,
            *calibration->compression, calibration->dataset.get(), target, recalibrationOf(*calibration, inputs, job),
            defaultThreads(), job));
    if (calibration->taken && !calibration->taken->differs.empty())
        made.report
            = withChecks(std::move(made.report), {{"same-setup", false, calibration->taken->differs.front(), {}}});
    auto result = calibration;
    if (!made.kept.empty()) {
        result = std::make_shared<CalibrationResult>(*calibration);
        result->taken.reset();
        result->snapshot = std::move(made.snapshot);
        result->compression = std::make_shared<const Compression>(std::move(made.compression));
    }
    return ExportResult{std::move(result), std::make_shared<const Compression>(std::move(made.written)),
        std::make_shared<const ExportReport>(std::move(made.report)), static_cast<int>(made.kept.size())};
}

Result<ExportResult> runDeployment(std::shared_ptr<CalibrationResult> calibration, const CalibrationInputs& inputs,
    const ExportDemands& demands, const std::filesystem::path& folder, const JobContext& job)
{
    DUO_TRY(staged, StagedDeployment::in(folder, *calibration->snapshot.model));
    DUO_TRY(made, runExport(std::move(calibration), inputs, demands, staged.model(), job));
    const CalibrationResult& from = *made.calibration;
    DUO_TRY(files, deployFolder({from.snapshot, *made.written, *made.report, from.dataset.get(), {}}, staged, job));
    auto report = std::make_shared<ExportReport>(*made.report);
    report->files = std::move(files);
    made.report = std::move(report);
    return made;
}

Result<KnownStatistics> runReadingStatistics(
    const Snapshot& snapshot, const std::filesystem::path& path, const JobContext& job)
{
    DUO_TRY(file, readStatisticsOf(*snapshot.model, path, job));
    return KnownStatistics{std::make_shared<const StatisticsFile>(std::move(file)), {}, 0, path, false, false};
}

} // namespace duo::app
