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

/// Parameters follow from statistics of the model as it is: no correction of these settings runs it.
bool sufficesWithoutData(const QuantizationSettings& settings);

/// Parameters from the statistics of a file, which stand for data; "not-smoothed" notes what had to be left out.
/// @param path of the file, for messages. @return Usage where the recipe asks for what needs data; errors of
/// compressionFrom
Result<Compression> compressionFromFile(const Snapshot& snapshot, std::shared_ptr<const StatisticsFile> file,
    const std::filesystem::path& path, int threads, const JobContext& job);

/// Gives setup and parameters for other rules from what was measured before.
using Recalibrate = std::function<Result<Compression>(const Snapshot&)>;

/// What a compression was made from, besides its snapshot. `dataset` must outlive what keeps this.
struct CalibrationSource {
    std::filesystem::path statistics = {}; // a file that stands for data; "": measured
    const Dataset* dataset = nullptr; // null: statistics alone
    MeasureOptions measuring = {}; // of the dataset
};

/// From the statistics that `compression` was made from, where they are of a file or the recipe changes nothing else by
/// data; else by calibrating again. Keeps a reference to `job`.
Recalibrate recalibration(const Compression& compression, CalibrationSource source, int threads, const JobContext& job);

/// What measuring without quantizing says of its data: their own notes, and a word on few samples.
/// @param asked samples asked for; nothing: as many as the recipe says
std::vector<Note> measuringNotes(
    const Snapshot& snapshot, const Dataset& dataset, std::optional<std::int64_t> asked = std::nullopt);

} // namespace duo
