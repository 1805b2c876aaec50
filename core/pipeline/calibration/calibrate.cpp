// SPDX-License-Identifier: Apache-2.0
#include "core/calibrate/convergence.h"
#include "core/pipeline/calibration/corrections.h"
#include "core/pipeline/calibration/ranges.h"
#include "core/pipeline/calibration/sequential_bias.h"
#include "core/pipeline/compression.h"
#include "core/quantize/place/measurable_values.h"
#include "core/quantize/points/setup_parameters.h"

#include <algorithm>

namespace duo {
namespace {

/// Of the values the setup needs, by the names they are measured under.
void noteNonFinite(
    const Model& model, const Statistics& statistics, const SetupRanges& ranges, Compression& compression)
{
    const SharedMeasures shared(model);
    for (const auto& [name, range] : ranges.byValue) {
        auto found = statistics.values.find(name);
        if (found == statistics.values.end())
            found = statistics.values.find(shared.of(name));
        if (found == statistics.values.end() || found->second.nonFinite() == 0)
            continue;
        compression.notes.push_back({"non-finite",
            std::to_string(found->second.nonFinite()) + " elements are NaN or infinite, first in sample "
                + std::to_string(found->second.firstNonFiniteSample) + "; they were left out of the range",
            name});
        std::optional<std::int64_t>& first = compression.firstNanSample;
        if (found->second.nan > 0)
            first = std::min(first.value_or(found->second.firstNonFiniteSample), found->second.firstNonFiniteSample);
    }
}

void noteConvergence(const StatisticsFile& file, std::vector<Note>& notes)
{
    if (!file.origin.untilConverged)
        return;
    const std::int64_t taken = file.statistics.samples();
    const std::string all = std::to_string(file.origin.samplesInData);
    const std::string text = taken < file.origin.samplesInData
        ? "stopped after " + std::to_string(taken) + " of " + all + " samples: in "
            + std::to_string(Convergence::kQuietRounds) + " rounds of " + std::to_string(Convergence::kRound)
            + " no scale changed by more than 0.5 %"
        : "all " + all + " samples were measured: scales did not converge before";
    notes.push_back({"convergence", text, {}});
}

} // namespace

Result<Compression> compressionFrom(
    const Snapshot& snapshot, const StatisticsFile& file, int threads, const JobContext& job)
{
    if (!snapshot.placement)
        return snapshot.refusal.value_or(Error{ErrorCode::Internal, "there is no placement", {}, {}});
    Compression compression;
    compression.setup = snapshot.placement->setup;
    DUO_TRY(estimators, EstimatorOfNode::of(snapshot));
    DUO_TRY(ranges, rangesOf(snapshot, estimators, file.statistics));
    DUO_TRY(parameters,
        setupParameters(
            *snapshot.model, compression.setup, ranges.byValue, snapshot.recipe.quantization, threads, job));
    compression.parameters = std::move(parameters);
    compression.samples = file.statistics.samples();
    compression.engine = file.origin.engine;
    DUO_CHECK(correctBiasesInPlace(snapshot, file.statistics, compression, threads, job));
    noteNonFinite(*snapshot.model, file.statistics, ranges, compression);
    compression.notes.insert(compression.notes.end(), ranges.notes.begin(), ranges.notes.end());
    noteConvergence(file, compression.notes);
    for (const std::string& remark : file.statistics.remarks)
        compression.notes.push_back({"slower-calibration", remark, {}});
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
    // What is not remembered need not be known.
    chosen.everything = chosen.cache.has_value() || chosen.forOtherRecipes || changesFloatModel(settings)
        || settings.stopWhenConverged; // which looks at every value, lest it depend on the cache where it stops
    DUO_TRY(correction, correctFloatModel(snapshot, dataset, chosen, threads, job));
    const Snapshot& used = correction.changed ? *correction.changed : snapshot;
    DUO_TRY(measured, measureStatistics(used, dataset, chosen, threads, job));
    auto file = std::make_shared<const StatisticsFile>(std::move(measured.file));
    DUO_TRY(compression, compressionFrom(used, *file, threads, job));
    compression.measured = std::move(file);
    if (correctsBiases(settings) && !correctsBiasesFast(settings))
        DUO_CHECK(correctBiasesInTurn(used, dataset, chosen.samples, compression, threads, job));
    compression.changed = std::move(correction.changed);
    compression.floatChanges = std::move(correction.changes);
    compression.corrections.insert(compression.corrections.begin(), correction.made.begin(), correction.made.end());
    std::vector<Note> notes = dataset.notes();
    if (measured.fromCache)
        notes.push_back({"cached-statistics", "measured before: no sample was run (--no-cache measures again)", {}});
    compression.notes.insert(compression.notes.begin(), notes.begin(), notes.end());
    if (dataset.size() > chosen.samples)
        compression.notes.push_back({"subset",
            "the first " + std::to_string(chosen.samples) + " of " + std::to_string(dataset.size())
                + " samples were used (subset_size)",
            {}});
    return compression;
}

} // namespace duo
