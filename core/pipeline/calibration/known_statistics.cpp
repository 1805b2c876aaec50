// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/calibration/known_statistics.h"

#include "core/pipeline/calibration/calibrate.h"
#include "core/pipeline/calibration/usable_statistics.h"

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
