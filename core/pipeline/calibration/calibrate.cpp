// SPDX-License-Identifier: Apache-2.0
#include "core/calibrate/convergence.h"
#include "core/pipeline/calibration/corrections.h"
#include "core/pipeline/calibration/measured_values.h"
#include "core/pipeline/calibration/never_finite.h"
#include "core/pipeline/calibration/ranges.h"
#include "core/pipeline/calibration/sequential_bias.h"
#include "core/pipeline/compression.h"
#include "core/quantize/points/setup_parameters.h"
#include "core/quantize/profiles/profile_rules.h"
#include "core/quantize/saturation/pair_saturation.h"
#include "core/report/inspect_report.h"

#include <algorithm>

namespace duo {
namespace {

/// Of the values the setup needs.
void noteNonFinite(
    const Model& model, const MeasuredValues& measured, const SetupRanges& ranges, Compression& compression)
{
    for (const auto& [name, range] : ranges.byValue) {
        const ValueStatistics* found = measured.of(model.findValue(name));
        if (found == nullptr || found->nonFinite() == 0)
            continue;
        compression.notes.push_back({"non-finite",
            std::to_string(found->nonFinite()) + " elements are NaN or infinite, first in sample "
                + std::to_string(found->firstNonFiniteSample) + "; they were left out of the range",
            name});
        std::optional<std::int64_t>& first = compression.firstNanSample;
        if (found->nan > 0)
            first = std::min(first.value_or(found->firstNonFiniteSample), found->firstNonFiniteSample);
    }
}

/// Of the channels that products sum over where they were measured, else of the value.
std::vector<Range> rangesOfChannels(const ValueStatistics* statistics)
{
    if (statistics == nullptr)
        return {};
    std::vector<Range> ranges;
    for (std::size_t c = 0; c < statistics->channels.min.size(); ++c)
        ranges.push_back({statistics->channels.min[c], statistics->channels.max[c]});
    if (ranges.empty())
        ranges.push_back({statistics->min, statistics->max});
    return ranges;
}

Status noteSaturation(const Snapshot& snapshot, const MeasuredValues& measured, Compression& compression, int threads,
    const JobContext& job)
{
    if (!profileRules(snapshot.recipe.quantization.profile).usesOrtCpuKernels)
        return success();
    const Model& model = *snapshot.model;
    DUO_TRY(found,
        saturatingNodes(
            model, compression.setup, compression.parameters,
            [&](ValueId value) { return rangesOfChannels(measured.of(value)); }, threads, job));
    if (found.empty())
        return success();
    compression.notes.push_back({"pair-saturation",
        "CPUs without VNNI may compute wrong sums in " + std::to_string(found.size())
            + (found.size() == 1 ? " node" : " nodes") + " (up to " + shortText(100 * found.front().share())
            + " % of the pairs of weights leave 16 bits with data as measured); overflow_fix: enable avoids it",
        model.node(found.front().node).name});
    return success();
}

/// Where fewer samples were measured than the data hold.
void noteSamples(const StatisticsFile& file, std::vector<Note>& notes)
{
    const std::int64_t taken = file.statistics.samples();
    const std::string all = std::to_string(file.origin.samplesInData);
    if (!file.origin.untilConverged) {
        if (taken < file.origin.samplesInData)
            notes.push_back({"missing-shards",
                "the statistics are of " + std::to_string(taken) + " of " + all
                    + " samples: merge-statistics joins the other shards",
                {}});
        return;
    }
    const std::string text = taken < file.origin.samplesInData
        ? "stopped after " + std::to_string(taken) + " of " + all + " samples: in "
            + std::to_string(Convergence::kQuietRounds) + " rounds of " + std::to_string(Convergence::kRound)
            + " no scale changed by more than 0.5 %"
        : "all " + all + " samples were measured: scales did not converge before";
    notes.push_back({"convergence", text, {}});
}

} // namespace

Result<Compression> compressionFrom(
    const Snapshot& opened, const StatisticsFile& file, int threads, const JobContext& job)
{
    if (!opened.placement)
        return opened.refusal.value_or(Error{ErrorCode::Internal, "there is no placement", {}, {}});
    DUO_TRY(finite, withoutNeverFinite(opened, file.statistics));
    const Snapshot& snapshot = finite.changed ? *finite.changed : opened;
    Compression compression;
    compression.changed = finite.changed;
    compression.notes = std::move(finite.notes);
    compression.setup = snapshot.placement->setup;
    DUO_TRY(estimators, EstimatorOfNode::of(snapshot));
    const MeasuredValues measured(*snapshot.model, file.statistics);
    DUO_TRY(ranges, rangesOf(snapshot, estimators, measured));
    DUO_TRY(parameters,
        setupParameters(
            *snapshot.model, compression.setup, ranges.byValue, snapshot.recipe.quantization, threads, job));
    compression.parameters = std::move(parameters);
    compression.samples = file.statistics.samples();
    compression.engine = file.origin.engine;
    DUO_CHECK(correctBiasesInPlace(snapshot, file.statistics, compression, threads, job));
    noteNonFinite(*snapshot.model, measured, ranges, compression);
    compression.notes.insert(compression.notes.end(), ranges.notes.begin(), ranges.notes.end());
    noteSamples(file, compression.notes);
    for (const std::string& remark : file.statistics.remarks)
        compression.notes.push_back({"slower-calibration", remark, {}});
    DUO_CHECK(noteSaturation(snapshot, measured, compression, threads, job));
    return compression;
}

Result<Compression> calibrate(
    const Snapshot& snapshot, const Dataset& dataset, int threads, const JobContext& job, const MeasureOptions& options)
{
    if (!snapshot.placement)
        return snapshot.refusal.value_or(Error{ErrorCode::Internal, "there is no placement", {}, {}});
    MeasureOptions chosen = options;
    chosen.samples = subsetSize(snapshot);
    const QuantizationSettings& settings = snapshot.recipe.quantization;
    DUO_TRY(correction, correctFloatModel(snapshot, dataset, chosen, threads, job));
    const Snapshot& used = correction.changed ? *correction.changed : snapshot;
    DUO_TRY(measured, measureStatistics(used, dataset, chosen, threads, job));
    auto file = std::make_shared<const StatisticsFile>(std::move(measured.file));
    DUO_TRY(compression, compressionFrom(used, *file, threads, job));
    compression.measured = std::move(file);
    const Snapshot& placed = compression.changed ? *compression.changed : used;
    if (correctsBiases(settings) && !correctsBiasesFast(settings))
        DUO_CHECK(correctBiasesInTurn(placed, dataset, chosen.samples, compression, threads, job));
    if (!compression.changed)
        compression.changed = std::move(correction.changed);
    compression.floatChanges = std::move(correction.changes);
    compression.corrections.insert(compression.corrections.begin(), correction.made.begin(), correction.made.end());
    std::vector<Note> notes = dataset.notes();
    notes.insert(notes.end(), correction.notes.begin(), correction.notes.end());
    if (measured.fromCache)
        notes.push_back({"cached-statistics", "measured before: no sample was run (--no-cache measures again)", {}});
    compression.notes.insert(compression.notes.begin(), notes.begin(), notes.end());
    for (Note& note : sampleNotes(snapshot, dataset))
        compression.notes.push_back(std::move(note));
    return compression;
}

} // namespace duo
