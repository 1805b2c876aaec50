// SPDX-License-Identifier: Apache-2.0
#include "app/cli/command.h"
#include "app/layout/deploy_folder.h"
#include "core/pipeline/bounded_export.h"
#include "core/pipeline/calibration/known_statistics.h"
#include "core/pipeline/calibration/usable_statistics.h"
#include "core/pipeline/export_demands.h"
#include "core/pipeline/export_target.h"
#include "core/pipeline/snapshot/compression.h"
#include "core/report/note_groups.h"
#include "core/report/verdict_report.h"
#include "core/support/phrases.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace duo::cli {
namespace {

namespace fs = std::filesystem;

struct QuantizeOptions {
    std::shared_ptr<CommonOptions> common;
    std::shared_ptr<DataOptions> data = std::make_shared<DataOptions>();
    std::shared_ptr<std::string> recipe = std::make_shared<std::string>();
    std::shared_ptr<std::string> statistics = std::make_shared<std::string>();
    std::shared_ptr<bool> functions = std::make_shared<bool>(false);
    std::shared_ptr<bool> flat = std::make_shared<bool>(false);
    std::shared_ptr<bool> noCache = std::make_shared<bool>(false);
    std::shared_ptr<std::string> output = std::make_shared<std::string>();
    std::shared_ptr<std::string> deploy = std::make_shared<std::string>();
    std::shared_ptr<ExportDemands> demands = std::make_shared<ExportDemands>();
};

/// What is given to calibrate with. @param dataset null: statistics alone
Result<CalibrationSource> sourceOf(
    const QuantizeOptions& options, const Snapshot& snapshot, const Dataset* dataset, const JobContext& job)
{
    CalibrationSource source{.dataset = dataset};
    if (options.statistics->empty()) {
        DUO_TRY(data, dataSource(*options.data));
        source.data = std::move(data);
        source.measuring
            = measureOptions(snapshot, source.data, *options.noCache ? std::nullopt : StatisticsCache::ofUser());
        return source;
    }
    DUO_CHECK(checkStatisticsSuffice(snapshot.recipe.quantization, *options.statistics)); // before a long read
    DUO_TRY(file, readStatisticsOf(*snapshot.model, *options.statistics, job));
    source.known.file = std::make_shared<const StatisticsFile>(std::move(file));
    source.known.path = *options.statistics;
    return source;
}

/// Null where statistics alone are given.
Result<std::shared_ptr<const Dataset>> dataOf(
    const QuantizeOptions& options, const Snapshot& snapshot, const JobContext& job)
{
    const bool hasLabels = options.demands->verdict.hasNamedLabels();
    if (hasLabels && options.data->data.empty())
        return Error{ErrorCode::Usage, "labels are an array of the data", "--labels", "give --data too"};
    if (options.data->data.empty() && options.statistics->empty())
        return Error{ErrorCode::Usage, "there is nothing to calibrate with", {}, "give --data, or --statistics"};
    const FilesRead read{.data = options.data->data,
        .recipe = *options.recipe,
        .statistics = *options.statistics,
        .checkpoint = options.common->checkpoint};
    DUO_CHECK(options.deploy->empty() ? checkExportTarget(*snapshot.model, read, *options.output)
                                      : checkDeployment(*snapshot.model, read, *options.deploy));
    if (options.data->data.empty())
        return std::shared_ptr<const Dataset>();
    const std::vector<std::string> arrays = arraysOf(options.demands->verdict);
    DUO_TRY(data, openData(*options.data, *snapshot.model, job, arrays));
    for (const std::string& array : arrays)
        DUO_CHECK(data->array(array)); // now, not after hours of calibration
    return data;
}

Result<ExportReport> quantize(
    const QuantizeOptions& options, const Snapshot& snapshot, Console& console, const JobContext& job)
{
    const int threads = options.common->threadCount();
    DUO_TRY(dataset, dataOf(options, snapshot, job));
    DUO_TRY(source, sourceOf(options, snapshot, dataset.get(), job));
    DUO_TRY(calibration, calibrateFrom(snapshot, source, threads, job));
    const Recalibrate again = recalibration(calibration.compression, std::move(source), threads, job);
    std::optional<StagedDeployment> deployment;
    if (!options.deploy->empty()) {
        console.writes(deployedModel(*snapshot.model, *options.deploy));
        DUO_TRY(staged, StagedDeployment::in(*options.deploy, *snapshot.model));
        deployment.emplace(std::move(staged));
    }
    auto made = exportWithin(withLabelsFound(*options.demands, options.data->data, *snapshot.model), snapshot,
        std::move(calibration.compression), dataset.get(), deployment ? deployment->model() : fs::path(*options.output),
        again, threads, job);
    if (made && deployment) {
        DUO_TRY(
            files, deployFolder({made->snapshot, made->written, made->report, dataset.get(), {}}, *deployment, job));
        made->report.files = std::move(files);
    }
    console.endProgress();
    if (!made)
        return made.error();
    for (const FallbackStep& step : made->kept)
        console.note("kept in float for the bounds: " + step.name);
    return std::move(made->report);
}

constexpr const char* kNothingQuantized = "nothing-quantized"; // the note

/// Nothing to quantize, or nothing left of it, is a finding. @return whether it is so
bool warnOfNothing(const ExportReport& report, const Console& console)
{
    if (report.quantizers != 0)
        return false;
    if (const Note* reason = noteOf(report.notes, kNothingQuantized))
        console.warn(reason->text);
    else if (report.keptFloat.empty())
        console.warn("0 nodes are quantized: nothing is left that could be");
    else
        console.warn("0 nodes are quantized: " + nodesText(report.keptFloat.size())
            + " that could be must stay in float, '" + report.keptFloat.front().node
            + "': " + report.keptFloat.front().reason);
    return true;
}

/// What makes the verdict doubtful is a warning.
void tellNotes(const ExportReport& report, Console& console)
{
    std::vector<Note> notes = report.notes;
    const std::vector<Note>& doubts = report.verdict.notes;
    std::erase_if(notes, [&](const Note& note) { return std::ranges::find(doubts, note) != doubts.end(); });
    if (report.quantizers == 0) // a warning then
        std::erase_if(notes, [](const Note& note) { return note.kind == kNothingQuantized; });
    console.notes(notes);
    for (const Note& doubt : doubts) {
        if (doubt.kind != kWayOut) // stands in the report
            console.warn(doubt.text);
    }
}

/// Functions of all modules, where the recipe names none; or none at all.
Snapshot withFunctions(Snapshot snapshot, const QuantizeOptions& options)
{
    if (*options.flat)
        snapshot.recipe.functions = OutlineRequest{.flat = true};
    else if (*options.functions && snapshot.recipe.functions.isEmpty())
        snapshot.recipe.functions.all = true;
    return snapshot;
}

/// An unmatched rule stops everything before any work where the recipe says so.
int run(const QuantizeOptions& options, Console& console, const std::stop_token& stop)
{
    const JobContext job = console.job(stop);
    if (options.output->empty() && options.deploy->empty())
        return console.fail({ErrorCode::Usage, "nothing says where to write", {}, "give -o FILE, or --deploy FOLDER"});
    console.writes(*options.output);
    return runUnderRecipe(
        *options.common, *options.recipe, "nothing was written", console, job, [&](const Snapshot& opened) -> int {
            const Snapshot snapshot = withFunctions(opened, options);
            const auto report = quantize(options, snapshot, console, job);
            if (!report)
                return console.fail(report.error());
            tellNotes(*report, console);
            console.result(exportJson(*report), exportText(*report));
            const bool isNothing = warnOfNothing(*report, console);
            if (options.common->quiet && !isNothing && !report->verdict.isAccepted())
                console.warn(verdictHeadline(report->verdict));
            return report->isGood() ? kDone : kFindings;
        });
}

/// For CLI11, whose ranges let NaN pass. @return what is wrong, or ""
std::string finiteNumber(const std::string& text)
{
    return std::isfinite(std::strtod(text.c_str(), nullptr)) ? "" : "a finite number is wanted, not " + text;
}

void addBounds(CLI::App* command, const std::shared_ptr<ExportDemands>& demands)
{
    command
        ->add_option("--min-sqnr", demands->bounds.minSqnrDb,
            "decibels every output must reach: the most sensitive scopes stay in float until it does")
        ->check(finiteNumber);
    command
        ->add_option("--min-agreement", demands->bounds.minAgreement,
            "share of predictions (0 to 1) that must stay the same; scopes stay in float likewise")
        ->check(finiteNumber)
        ->check(CLI::Range(0.0, 1.0));
    command->add_option("--labels", demands->verdict.labels,
        "array of the data with the right classes: top-1 accuracy of the first output decides of the result, and "
        "scopes stay in float until it holds; left out: those that lie with the data decide too, but keep no scope in "
        "float; none: without");
    command->add_option("--metric", demands->verdict.metricCommand,
        "command that is run for both models, {model} being the file: the last number it prints, higher being better, "
        "decides of the result, and scopes stay in float until it holds");
    command
        ->add_option("--max-drop", demands->verdict.maxDrop,
            "how far accuracy may drop (0.01: one point), or the metric as a share of what it was")
        ->check(finiteNumber)
        ->check(CLI::Range(0.0, 1.0));
}

} // namespace

void addQuantize(Commands& commands)
{
    CLI::App* command = addCommand(commands, "quantize", "calibrate, quantize and export, with a compression state");
    addCustomOpsOption(command, commands.common);
    QuantizeOptions options;
    options.common = commands.common;
    addDataOptions(command, options.data, false);
    command->add_option("--statistics", *options.statistics, "calibrate from this file of statistics, not from data");
    command->add_flag("--no-cache", *options.noCache, "measure even what was measured before, and remember nothing");
    addConvergenceOption(command, options.common);
    addBounds(command, options.demands);
    addRecipeOption(command, options.recipe);
    auto* functions = command->add_flag(
        "--functions", *options.functions, "write modules as ONNX functions: those that the recipe names, else all");
    command
        ->add_flag("--no-functions", *options.flat,
            "write no functions (default: those that the model came with, quantized inside)")
        ->excludes(functions);
    addProfileOption(command, options.common);
    addCheckpointOption(command, options.common);
    auto* output = command->add_option("-o,--output", *options.output, "the quantized model to write");
    command
        ->add_option("--deploy", *options.deploy,
            "folder to write instead: the model with its state, recipe, checks, a report as a page, "
            "overlays for other viewers, and programs that run it on one sample")
        ->excludes(output);
    command->callback([&chosen = commands.chosen, options] {
        chosen = [options](Console& console, const std::stop_token& stop) { return run(options, console, stop); };
    });
}

} // namespace duo::cli
