// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/calibration/known_statistics.h"

#include "core/pipeline/calibration/calibrate.h"
#include "core/pipeline/calibration/usable_statistics.h"
#include "core/support/file.h"

#include <utility>

namespace duo {
namespace {

bool sufficesWithoutData(const QuantizationSettings& settings)
{
    return checkStatisticsSuffice(settings, {}).hasValue();
}

bool isOfFile(const KnownStatistics& known)
{
    return known.file && !known.path.empty();
}

/// "not-smoothed" notes what had to be left out.
Result<Compression> compressionFromFile(const Snapshot& snapshot, std::shared_ptr<const StatisticsFile> file,
    const std::filesystem::path& path, int threads, const JobContext& job)
{
    DUO_CHECK(checkStatisticsSuffice(snapshot.recipe.quantization, path.string()));
    DUO_TRY(compression, compressionFrom(snapshot, std::move(file), threads, job));
    if (auto note = unsmoothedNote(snapshot))
        compression.notes.push_back(*std::move(note));
    return compression;
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

/// Of the model as it was before a correction rescaled it, which took them to find its scales. @return null where no
/// cache has them: with cross-layer equalization alone
std::shared_ptr<const StatisticsFile> measuredBefore(
    const Snapshot& snapshot, const CalibrationSource& source, int threads, const JobContext& job)
{
    MeasureOptions options = source.measuring;
    options.isOnlyRemembered = true;
    auto measured = measureStatistics(snapshot, *source.dataset, options, threads, job);
    return measured ? std::make_shared<const StatisticsFile>(std::move(measured->file)) : nullptr;
}

} // namespace

bool needsNoData(const Snapshot& snapshot, const KnownStatistics& known, const DataSource& data)
{
    if (!known.file || isOfFile(known))
        return known.file != nullptr;
    return known.data == data && known.subset == subsetSize(snapshot)
        && (!known.stopsEarly || snapshot.recipe.quantization.stopWhenConverged)
        && sufficesWithoutData(snapshot.settings);
}

namespace {

Result<Calibration> calibrated(
    const Snapshot& snapshot, const CalibrationSource& source, int threads, const JobContext& job)
{
    const KnownStatistics& known = source.known;
    if (isOfFile(known)) {
        DUO_TRY(compression, compressionFromFile(snapshot, known.file, known.path, threads, job));
        addDataNotes(compression, snapshot, nullptr, source.gone);
        return Calibration{std::move(compression), known};
    }
    if (needsNoData(snapshot, known, source.data)) {
        auto compression = compressionFrom(snapshot, known.file, threads, job);
        if (compression) {
            addDataNotes(*compression, snapshot, source.dataset, source.gone);
            return Calibration{*std::move(compression), known};
        }
        if (compression.error().code != ErrorCode::BadData) // otherwise they were measured for another profile
            return compression.error();
    }
    if (source.gone)
        return *source.gone;
    if (source.dataset == nullptr)
        return Error{ErrorCode::BadData, "there is nothing to calibrate with", {}, "give calibration data"};
    DUO_TRY(compression, calibrate(snapshot, *source.dataset, threads, job, source.measuring));
    auto file
        = compression.floatChanges.empty() ? compression.statistics : measuredBefore(snapshot, source, threads, job);
    if (!file)
        return Calibration{std::move(compression), known};
    return Calibration{std::move(compression),
        {std::move(file), source.data, subsetSize(snapshot), {}, false,
            snapshot.recipe.quantization.stopWhenConverged}};
}

} // namespace

Result<Calibration> calibrateFrom(
    const Snapshot& snapshot, const CalibrationSource& source, int threads, const JobContext& job)
{
    return ifFilesWhole(calibrated(snapshot, source, threads, job)); // codes are made of weights, whatever is known
}

Recalibrate recalibration(const Compression& compression, CalibrationSource source, int threads, const JobContext& job)
{
    return [statistics = compression.statistics, notes = compression.notes, isMeasured = compression.isMeasured,
               source = std::move(source), threads, &job](const Snapshot& snapshot) -> Result<Compression> {
        if (isOfFile(source.known))
            return compressionFromFile(snapshot, statistics, source.known.path, threads, job);
        if (!statistics || !sufficesWithoutData(snapshot.settings))
            return calibrate(snapshot, *source.dataset, threads, job, source.measuring);
        DUO_TRY(made, compressionFrom(snapshot, statistics, threads, job));
        made.isMeasured = isMeasured;
        made.notes = mergedNotes(notes, made.notes);
        return made;
    };
}

MeasureOptions measureOptions(const Snapshot& snapshot, const DataSource& data, std::optional<StatisticsCache> cache)
{
    MeasureOptions options;
    options.samples = subsetSize(snapshot);
    options.data = dataDigest(data.spec, data.options, false);
    options.freshData = dataDigest(data.spec, data.options, true);
    options.cache = std::move(cache);
    return options;
}

std::vector<Note> measuringNotes(const Snapshot& snapshot, const Dataset& dataset, std::optional<std::int64_t> asked)
{
    std::vector<Note> notes = dataset.notes();
    if (!asked)
        asked = snapshot.recipe.quantization.subsetSize;
    if (auto few = fewSamples(dataset.size(), asked))
        notes.push_back(*std::move(few));
    return notes;
}

} // namespace duo
