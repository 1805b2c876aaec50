// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/calibration/known_statistics.h"

#include "core/pipeline/calibration/calibrate.h"
#include "core/pipeline/calibration/usable_statistics.h"

#include <utility>

namespace duo {

bool sufficesWithoutData(const QuantizationSettings& settings)
{
    return checkStatisticsSuffice(settings, {}).hasValue();
}

Result<Compression> compressionFromFile(const Snapshot& snapshot, std::shared_ptr<const StatisticsFile> file,
    const std::filesystem::path& path, int threads, const JobContext& job)
{
    DUO_CHECK(checkStatisticsSuffice(snapshot.recipe.quantization, path.string()));
    DUO_TRY(compression, compressionFrom(snapshot, std::move(file), threads, job));
    if (auto note = unsmoothedNote(snapshot))
        compression.notes.push_back(*std::move(note));
    return compression;
}

Recalibrate recalibration(const Compression& compression, CalibrationSource source, int threads, const JobContext& job)
{
    return [statistics = compression.statistics, notes = compression.notes, isMeasured = compression.isMeasured,
               source = std::move(source), threads, &job](const Snapshot& snapshot) -> Result<Compression> {
        if (!source.statistics.empty())
            return compressionFromFile(snapshot, statistics, source.statistics, threads, job);
        if (!statistics || !sufficesWithoutData(snapshot.settings))
            return calibrate(snapshot, *source.dataset, threads, job, source.measuring);
        DUO_TRY(made, compressionFrom(snapshot, statistics, threads, job));
        made.isMeasured = isMeasured;
        made.notes = mergedNotes(notes, made.notes);
        return made;
    };
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
