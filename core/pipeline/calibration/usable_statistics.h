// SPDX-License-Identifier: Apache-2.0
// Statistics from a file, where they are of the model and enough for the recipe.
#pragma once

#include "core/pipeline/snapshot/snapshot.h"
#include "core/state/statistics_file.h"

#include <filesystem>
#include <optional>

namespace duo {

/// @return BadData for statistics of another model, and the errors of readStatistics
Result<StatisticsFile> readStatisticsOf(const Model& model, const std::filesystem::path& path, const JobContext& job);

/// SmoothQuant that was chosen for the model, but cannot be made of statistics alone.
std::optional<Note> unsmoothedNote(const Snapshot& snapshot);

/// Some corrections run the model, so that statistics alone do not do. @param where the file, for the message
/// @return Usage
Status checkStatisticsSuffice(const QuantizationSettings& settings, const std::string& where);

} // namespace duo
