// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/calibration/calibrate.h"

#include "core/calibrate/convergence.h"
#include "core/pipeline/calibration/corrections.h"
#include "core/pipeline/calibration/kept_snapshot.h"
#include "core/pipeline/calibration/measured_values.h"
#include "core/pipeline/calibration/never_finite.h"
#include "core/pipeline/calibration/ranges.h"
#include "core/pipeline/calibration/sequential_bias.h"
#include "core/quantize/points/pair_saturation.h"
#include "core/quantize/points/profile_rules.h"
#include "core/quantize/points/setup_parameters.h"
#include "core/report/inspect_report.h"
#include "core/support/phrases.h"

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
            counted(static_cast<std::size_t>(found->nonFinite()), "element is", "elements are")
                + " NaN or infinite, first in sample " + std::to_string(found->firstNonFiniteSample)
                + "; left out of the range",
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
    if (!targetOf(snapshot.recipe.quantization).runsOnOrtCpu)
        return success();
    const Model& model = *snapshot.model;
    DUO_TRY(found,
        saturatingNodes(
            model, compression.setup, compression.parameters,
            [&](ValueId value) { return rangesOfChannels(measured.of(value)); }, threads, job));
    if (found.empty())
        return success();
    compression.notes.push_back({std::string(kPairSaturation),
        "CPUs without VNNI may compute wrong sums in " + nodesText(found.size()) + " (up to "
            + shortText(100 * found.front().share())
            + " % of the pairs of weights leave 16 bits with data as measured); overflow_fix: enable avoids it"
            + (found.size() > 1 ? "; the worst" : ""),
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
    notes.push_back({"convergence", text, {}, Severity::Remark});
}

/// A placement without what has to stay in float.
struct Placed {
    Snapshot snapshot;
    KeptFloats kept; // of it
    std::vector<Note> notes;
};

/// What is kept moves quantizers, also to values without a range: what reads those is kept as well.
Result<Placed> placedWith(const Snapshot& opened, KeptFloats kept, const Statistics& statistics)
{
    Placed placed{opened, std::move(kept), {}};
    if (!placed.kept.empty()) {
        DUO_TRY(next, withKeptFloat(opened, placed.kept));
        placed.snapshot = std::move(next);
    }
    DUO_TRY(finite, withoutNeverFinite(placed.snapshot, statistics));
    placed.notes = std::move(finite.notes);
    if (!finite.changed)
        return placed;
    KeptFloats found = keptBetween(placed.snapshot, *finite.changed);
    if (placed.kept.empty()) {
        placed.snapshot = *finite.changed;
        placed.kept = std::move(found);
        return placed;
    }
    const std::size_t before = placed.kept.size();
    placed.kept.merge(found);
    if (placed.kept.size() == before)
        return placed;
    return placedWith(opened, std::move(placed.kept), statistics);
}

/// Parameters and closed-form corrections for a snapshot as it is placed.
Result<Compression> compressionOf(
    const Snapshot& snapshot, std::shared_ptr<const StatisticsFile> file, int threads, const JobContext& job)
{
    Compression compression;
    compression.setup = snapshot.placement->setup;
    DUO_TRY(estimators, EstimatorOfNode::of(snapshot));
    const MeasuredValues measured(*snapshot.model, file->statistics);
    DUO_TRY(ranges, rangesOf(snapshot, estimators, measured));
    DUO_TRY(parameters,
        setupParameters(
            *snapshot.model, compression.setup, ranges.byValue, snapshot.recipe.quantization, threads, job));
    compression.parameters = std::move(parameters);
    compression.samples = file->statistics.samples();
    compression.engine = file->origin.engine;
    DUO_CHECK(correctBiasesInPlace(snapshot, file->statistics, compression, threads, job));
    noteNonFinite(*snapshot.model, measured, ranges, compression);
    compression.notes.insert(compression.notes.end(), ranges.notes.begin(), ranges.notes.end());
    noteSamples(*file, compression.notes);
    for (const std::string& remark : file->statistics.remarks)
        compression.notes.push_back({"slower-calibration", remark, {}});
    DUO_CHECK(noteSaturation(snapshot, measured, compression, threads, job));
    compression.statistics = std::move(file);
    return compression;
}

Result<Compression> compressionWith(const Snapshot& opened, KeptFloats kept, std::shared_ptr<const StatisticsFile> file,
    int threads, const JobContext& job)
{
    DUO_TRY(placed, placedWith(opened, std::move(kept), file->statistics));
    DUO_TRY(compression, compressionOf(placed.snapshot, std::move(file), threads, job));
    compression.notes.insert(compression.notes.begin(), placed.notes.begin(), placed.notes.end());
    if (placed.snapshot.placement != opened.placement)
        compression.changed = std::make_shared<const Snapshot>(std::move(placed.snapshot));
    compression.keptFloat = std::move(placed.kept);
    return compression;
}

} // namespace

std::vector<Note> mergedNotes(const std::vector<Note>& before, const std::vector<Note>& now)
{
    std::vector<Note> notes = before;
    std::erase_if(notes, [&](const Note& note) {
        return note.kind == kPairSaturation || note.kind == "non-finite"
            || std::ranges::find(now, note.kind, &Note::kind) != now.end();
    });
    notes.insert(notes.end(), now.begin(), now.end());
    return notes;
}

Result<Compression> compressionFrom(
    const Snapshot& opened, std::shared_ptr<const StatisticsFile> file, int threads, const JobContext& job)
{
    DUO_CHECK(opened.checkPlaced());
    return compressionWith(opened, {}, std::move(file), threads, job);
}

Result<Compression> withNodesInFloat(const Snapshot& snapshot, const Compression& compression, const KeptFloats& nodes,
    const Dataset* dataset, int threads, const JobContext& job)
{
    if (!compression.statistics)
        return Error{ErrorCode::Internal, "there are no statistics to place quantizers again with", {}, {}};
    const Snapshot& placed = placedBy(compression, snapshot);
    DUO_TRY(opened, withRecipe(placed, placed.recipe));
    KeptFloats kept = compression.keptFloat;
    kept.insert(nodes.begin(), nodes.end());
    DUO_TRY(next, compressionWith(opened, std::move(kept), compression.statistics, threads, job));
    const QuantizationSettings& settings = snapshot.recipe.quantization;
    if (correctsBiases(settings) && !correctsBiasesFast(settings) && dataset != nullptr)
        DUO_CHECK(correctBiasesInTurn(placedBy(next, opened), *dataset, subsetSize(snapshot), next, threads, job));
    next.floatChanges = compression.floatChanges;
    for (const CorrectionMade& made : compression.corrections) {
        if (made.kind != "bias-correction")
            next.corrections.insert(next.corrections.end() - (next.corrections.empty() ? 0 : 1), made);
    }
    next.isMeasured = compression.isMeasured;
    next.notes = mergedNotes(compression.notes, next.notes);
    return next;
}

Result<Compression> calibrate(
    const Snapshot& snapshot, const Dataset& dataset, int threads, const JobContext& job, const MeasureOptions& options)
{
    DUO_CHECK(snapshot.checkPlaced());
    MeasureOptions chosen = options;
    chosen.samples = subsetSize(snapshot);
    const QuantizationSettings& settings = snapshot.recipe.quantization;
    DUO_TRY(correction, correctFloatModel(snapshot, dataset, chosen, threads, job));
    const Snapshot& used = correction.changed ? *correction.changed : snapshot;
    DUO_TRY(measured, measureStatistics(used, dataset, chosen, threads, job));
    auto file = std::make_shared<const StatisticsFile>(std::move(measured.file));
    DUO_TRY(compression, compressionFrom(used, std::move(file), threads, job));
    compression.isMeasured = true;
    const Snapshot& placed = placedBy(compression, used);
    if (correctsBiases(settings) && !correctsBiasesFast(settings))
        DUO_CHECK(correctBiasesInTurn(placed, dataset, chosen.samples, compression, threads, job));
    if (!compression.changed)
        compression.changed = std::move(correction.changed);
    compression.floatChanges = std::move(correction.changes);
    compression.corrections.insert(compression.corrections.begin(), correction.made.begin(), correction.made.end());
    std::vector<Note> notes = dataset.notes();
    notes.insert(notes.end(), correction.notes.begin(), correction.notes.end());
    if (measured.fromCache)
        notes.push_back({"cached-statistics", "measured before: no sample was run (--no-cache measures again)", {},
            Severity::Remark});
    compression.notes.insert(compression.notes.begin(), notes.begin(), notes.end());
    for (Note& note : sampleNotes(snapshot, dataset))
        compression.notes.push_back(std::move(note));
    return compression;
}

} // namespace duo
