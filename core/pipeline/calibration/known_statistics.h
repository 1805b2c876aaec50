// SPDX-License-Identifier: Apache-2.0
// What statistics measured before, and data with few samples, mean for a calibration: for window and command line
// alike.
#pragma once

#include "core/pipeline/calibration/measure.h"
#include "core/pipeline/snapshot/compression.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace duo {

/// Statistics in use, and where they come from.
struct KnownStatistics {
    std::shared_ptr<const StatisticsFile> file; // null: none
    DataSource data; // measured with
    std::int64_t subset = 0; // samples at most
    std::filesystem::path path; // read from, they stand for data; "": measured
    bool fromCache = false; // measured before
    bool stopsEarly = false; // where more samples changed no scale
    std::vector<Note> notes = {}; // of measuring
};

/// What a calibration is made from besides its snapshot.
struct CalibrationSource {
    KnownStatistics known = {};
    DataSource data = {}; // what the dataset was opened from
    const Dataset* dataset = nullptr; // null: statistics alone. It must outlive what keeps this
    std::optional<Error> gone = {}; // why data that were measured cannot be read any more
    MeasureOptions measuring = {}; // of the dataset
};

/// Parameters follow from what is known: statistics of a file, or of the same data while no correction runs the model.
bool needsNoData(const Snapshot& snapshot, const KnownStatistics& known, const DataSource& data);

struct Calibration {
    Compression compression;
    KnownStatistics statistics; // used or measured; a rescaled model's are not kept
};

/// Parameters of every quantizer: from statistics of a file; else from those known of the same data; else, also where
/// these hold too few values for the profile, measured.
/// @return Usage where the recipe asks for what needs data; `gone` where it has to be measured; errors of calibrate
Result<Calibration> calibrateFrom(
    const Snapshot& snapshot, const CalibrationSource& source, int threads, const JobContext& job);

/// Gives setup and parameters for other rules from what was measured before.
using Recalibrate = std::function<Result<Compression>(const Snapshot&)>;

/// From the statistics that `compression` was made from, where they are of a file or the recipe changes nothing else by
/// data; else by calibrating again. Keeps a reference to `job`.
Recalibrate recalibration(const Compression& compression, CalibrationSource source, int threads, const JobContext& job);

/// How to measure these data for a recipe. @param cache nothing: they are measured anew, and not remembered
MeasureOptions measureOptions(
    const Snapshot& snapshot, const DataSource& data, std::optional<StatisticsCache> cache = std::nullopt);

/// What measuring without quantizing says of its data: their own notes, and a word on few samples.
/// @param asked samples asked for; nothing: as many as the recipe says
std::vector<Note> measuringNotes(
    const Snapshot& snapshot, const Dataset& dataset, std::optional<std::int64_t> asked = std::nullopt);

} // namespace duo
