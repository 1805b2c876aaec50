// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/export.h"

#include "core/analysis/found_accuracy.h"
#include "core/engine/open_model.h"
#include "core/engine/session.h"
#include "core/onnx/writer.h"
#include "core/pipeline/calibration/measure.h"
#include "core/pipeline/data_findings.h"
#include "core/pipeline/engine_note.h"
#include "core/pipeline/export_target.h"
#include "core/pipeline/fitted_plan.h"
#include "core/pipeline/functions_check.h"
#include "core/pipeline/halved_export.h"
#include "core/pipeline/measure_export.h"
#include "core/pipeline/outline_model.h"
#include "core/pipeline/recorded_compression.h"
#include "core/pipeline/resume.h"
#include "core/pipeline/snapshot/exported_edits.h"
#include "core/pipeline/snapshot/opened_model.h"
#include "core/quantize/points/compressed.h"
#include "core/quantize/points/profile_rules.h"
#include "core/quantize/recipe/setting_choices.h"
#include "core/report/decision_sentences.h"
#include "core/rules/match.h"
#include "core/scope/parameters/learned_tensors.h"
#include "core/state/compression_state.h"
#include "core/support/file.h"
#include "core/support/text_file.h"
#include "core/support/version.h"
#include "core/transform/raise_opset.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace duo {
namespace {

/// Seconds per stage, also of those that are made again, for people; never part of what is written.
class StageClock
{
public:
    StageClock(ExportReport& report, const JobContext& job)
        : m_report(report)
        , m_job(job)
    {
    }

    /// Ends the stage before, and tells the job.
    void begin(std::string stage)
    {
        end();
        m_job.tell({stage, 0, 0});
        m_stage = std::move(stage);
    }

    void end()
    {
        const auto now = std::chrono::steady_clock::now();
        const double passed = std::chrono::duration<double>(now - std::exchange(m_start, now)).count();
        if (m_stage.empty())
            return;
        const auto known = std::ranges::find(m_report.seconds, m_stage, &std::pair<std::string, double>::first);
        if (known == m_report.seconds.end())
            m_report.seconds.emplace_back(m_stage, passed);
        else
            known->second += passed;
        m_stage.clear();
    }

private:
    ExportReport& m_report;
    const JobContext& m_job;
    std::string m_stage;
    std::chrono::steady_clock::time_point m_start = std::chrono::steady_clock::now();
};

std::vector<std::string> defaultsUsed(const QuantizationSettings& settings, std::int64_t opset)
{
    const std::string weights
        = opset < kPerChannelOpset ? "symmetric weights per tensor" : "symmetric weights per channel";
    std::vector<std::string> defaults;
    const QuantizationSettings unset;
    const Target target = targetOf(settings);
    if (settings.profile == unset.profile)
        defaults.push_back("profile: " + std::string(profileText(settings.profile)));
    if (!settings.preset)
        defaults.push_back(target.takesNncfTables ? "preset: NNCF's (performance, mixed for transformers)"
                                                  : "preset: the profile's ("
                    + std::string(enumText(kModeTexts, target.activations)) + " activations, " + weights + ")");
    if (!settings.subsetSize)
        defaults.push_back("subset_size: " + std::to_string(kDefaultSamples) + " samples at most");
    if (!settings.overflowFix)
        defaults.push_back("overflow_fix: " + std::string(enumText(kOverflowFixTexts, target.overflowFix))
            + (target.overflowFix == OverflowFix::Disable ? " (CPUs without VNNI may saturate)" : ""));
    return defaults;
}

std::int64_t ignoredCount(const Placement& placement)
{
    return std::ranges::count_if(
        placement.decisions, [](const Decision& decision) { return isIgnored(decision.state); });
}

/// @return the text's digest
Result<std::string> writeState(const std::filesystem::path& path, const std::string& text)
{
    DUO_CHECK(writeTextFile(path, text));
    return textHash(text);
}

/// Model and state of a compression, at their staged place.
Result<WrittenPlan> writeWithState(const Snapshot& snapshot, Compression compression, const StagedExport& staged,
    const ModelHashes& hashes, StageClock& clock, const JobContext& job)
{
    clock.begin("quantize");
    const Model& model = *placedBy(compression, snapshot).model;
    staged.clear(); // of a plan before this one
    DUO_TRY(digest, writeState(statePathFor(staged.model()), stateText(model, stateOf(snapshot, compression, hashes))));
    const auto begins = [&](const std::string& stage) { clock.begin(stage); };
    DUO_TRY(plan, writePlan(snapshot, std::move(compression), std::move(digest), staged.model(), begins, job));
    clock.end();
    return plan;
}

/// How far what was written is from the original, and what is odd about the data.
Status judgeInPlace(ExportReport& report, const WrittenExport& made, std::optional<Session> session,
    const Dataset* dataset, int threads, const JobContext& job, const VerdictOptions& options)
{
    const Compression& compression = made.compression;
    const bool isMeasurable = report.checks.front().ok;
    DUO_TRY(verdict, measureVerdict(made, isMeasurable ? dataset : nullptr, options, threads, job, std::move(session)));
    report.verdict = std::move(verdict);
    for (const JudgedOutput& output : report.verdict.outputs)
        report.outputs.push_back(
            {output.measure.name, output.measure.sqnrDb, output.measure.identical, output.text, output.isGood});
    DataFindings ofData;
    if (dataset != nullptr) {
        const auto used = compression.isMeasured ? std::optional(compression.samples) : std::nullopt;
        DUO_TRY(found, dataFindings(*dataset, verdictSamples(dataset->size(), used).indices));
        ofData = std::move(found);
    }
    if (compression.firstNanSample)
        ofData.checks.push_back({"finite-data", false,
            "values are NaN, in the data or computed of infinities in them, first in sample "
                + std::to_string(*compression.firstNanSample) + "; they were left out of the ranges",
            {}});
    report.verdict.notes.insert(report.verdict.notes.end(), ofData.notes.begin(), ofData.notes.end());
    report = withChecks(std::move(report), std::move(ofData.checks));
    return success();
}

/// What was written, in numbers and notes.
void describeInPlace(ExportReport& report, const Snapshot& snapshot, const WrittenPlan& plan)
{
    const Compression& compression = plan.compression;
    const Model& model = *placedBy(compression, snapshot).model;
    report.quantizers = static_cast<std::int64_t>(compression.setup.points.size());
    report.bytesBefore = openedBytes(snapshot);
    report.corrections = compression.corrections;
    const auto parameters = static_cast<double>(parameterTotals(model).parameters);
    report.int8Share = parameters == 0 ? 0 : std::min(1.0, static_cast<double>(plan.int8Elements) / parameters);
    report.ignoredNodes = ignoredCount(*snapshot.placement);
    for (const auto& [node, why] : compression.keptFloat)
        report.keptFloat.push_back({model.node(node).name, keptTexts(model, why).reason});
    report.defaults = defaultsUsed(snapshot.settings, model.opset());
    report.notes = snapshot.placement->notes;
    if (auto note = engineNote(snapshot.settings.profile, engineVersion()))
        report.notes.push_back(*std::move(note));
    report.notes.insert(report.notes.end(), compression.notes.begin(), compression.notes.end());
    report.notes.insert(report.notes.end(), report.verdict.notes.begin(), report.verdict.notes.end());
    std::erase_if(report.verdict.notes, [](const Note& note) { return note.kind == kLabelsFound; }); // it is no doubt
}

Result<ExportedModel> written(const Snapshot& snapshot, const Compression& wanted, const Dataset* dataset,
    const std::filesystem::path& target, int threads, const JobContext& job, const VerdictOptions& options,
    const KnownOfFloat& known)
{
    DUO_CHECK(snapshot.checkPlaced());
    const Model& original = *snapshot.model;
    DUO_CHECK(checkExportTarget(original, {}, target));
    ExportReport report;
    StageClock clock(report, job);
    clock.begin("quantize");
    ModelHashes hashes = known.hashes.value_or(ModelHashes());
    if (!known.hashes) {
        DUO_TRY(made, hashModel(original, job));
        hashes = std::move(made);
    }
    DUO_TRY(staged, StagedExport::beside(target));
    const auto write = [&](Compression compression) {
        return writeWithState(snapshot, std::move(compression), staged, hashes, clock, job);
    };
    if (isHalvedInExport(snapshot))
        clock.begin("halve");
    DUO_TRY(halved, withHalvedNodes(snapshot, wanted, dataset, threads, job));
    DUO_TRY(plan, writeFittedPlan(snapshot, std::move(halved), write, dataset, threads, job));
    report.checks = std::move(plan.checks);
    report.bytesAfter = plan.bytes;
    clock.begin("verdict");
    const std::filesystem::path file = staged.model();
    const WrittenExport made{snapshot, plan.compression, file, plan.bytes, known.metric};
    DUO_CHECK(judgeInPlace(report, made, std::exchange(plan.session, {}), dataset, threads, job, options));
    if (wantsFunctions(snapshot))
        clock.begin("functions"); // after all that looks for nodes by their names
    DUO_TRY(functions, makeFunctions(snapshot, file, report.bytesAfter, job));
    if (functions)
        report = withChecks(std::move(report), {*std::move(functions)});
    if (job.stopped())
        return cancelledError();
    DUO_CHECK(checkMappedFiles());
    DUO_TRY(files, staged.putInPlace());
    report.files = std::move(files);
    clock.end();
    describeInPlace(report, snapshot, plan);
    return ExportedModel{std::move(report), std::move(plan.compression)};
}

} // namespace

Result<ExportedModel> exportCompression(const Snapshot& snapshot, const Compression& compression,
    const Dataset* dataset, const std::filesystem::path& target, int threads, const JobContext& job,
    const VerdictOptions& options, const KnownOfFloat& known)
{
    auto exported = written(snapshot, compression, dataset, target, threads, job, options, known);
    return exported ? std::move(exported) : ifFilesWhole(std::move(exported));
}

Result<ExportReport> exportModel(const Snapshot& snapshot, const Compression& compression, const Dataset* dataset,
    const std::filesystem::path& target, int threads, const JobContext& job, const VerdictOptions& options)
{
    DUO_TRY(exported, exportCompression(snapshot, compression, dataset, target, threads, job, options));
    return std::move(exported.report);
}

} // namespace duo
