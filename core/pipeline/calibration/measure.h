// SPDX-License-Identifier: Apache-2.0
// Statistics of a model for every later choice of rules, preset, target and estimator: measured, or found in the cache.
#pragma once

#include "core/calibrate/samples/dataset.h"
#include "core/pipeline/snapshot/snapshot.h"
#include "core/state/statistics_cache.h"

#include <optional>
#include <vector>

namespace duo {

inline constexpr std::int64_t kDefaultSamples = 300; // NNCF's subset_size

/// What to measure on and where to remember it.
struct MeasureOptions {
    std::int64_t samples = kDefaultSamples; // at most
    std::int64_t shard = 0; // of `shards`, from 0
    std::int64_t shards = 1;
    std::string data; // digest of the data (dataDigest); "": not known, nothing is remembered
    std::string freshData; // the same with the files' times, which tells changed files; for the cache
    std::optional<StatisticsCache> cache; // none: always measure
    bool isOfEveryValue = false; // of the main graph, also those that no quantizer may stand on; nothing is remembered
    bool isOnlyRemembered = false; // no sample is run: where the cache has none, there are none
};

struct MeasuredStatistics {
    StatisticsFile file;
    bool fromCache = false;
};

/// Statistics of every value a quantizer may stand on (measurable_values.h), remembered or not: which values are looked
/// at decides how the engine fuses, so others could differ in their last bits.
/// @return BadData, also where none are remembered and nothing may be run; EngineFailed, Cancelled; Usage for shards
/// where the recipe stops when scales have converged
Result<MeasuredStatistics> measureStatistics(const Snapshot& snapshot, const Dataset& dataset,
    const MeasureOptions& options, int threads, const JobContext& job);

/// What the recipe says, or kDefaultSamples.
std::int64_t subsetSize(const Snapshot& snapshot);

/// A word on data that hold fewer samples than asked for, or so few that ranges say little; nothing otherwise.
std::optional<Note> fewSamples(std::int64_t held, std::optional<std::int64_t> asked);
/// That word, and where the data hold more samples than a calibration uses, how many those are.
std::vector<Note> sampleNotes(const Snapshot& snapshot, const Dataset& dataset);

} // namespace duo
