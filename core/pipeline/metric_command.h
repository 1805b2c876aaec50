// SPDX-License-Identifier: Apache-2.0
// A metric of the user's: a command that is run for the float and the quantized model.
#pragma once

#include "core/analysis/verdict.h"
#include "core/support/job.h"

#include <filesystem>

namespace duo {

/// Runs `command` with every "{model}" replaced by a path, quoted for the shell, once for each model; the last number
/// it prints is the metric, higher is better. NaN or infinity of `after` is a result. @param known of `before`, which
/// is not asked then
/// @return Usage without "{model}"; BadData for a command that fails, prints no number (of `before`: no finite one), or
/// does not leave `after` as it was; Cancelled
Result<QualityMeasure> metricOf(const std::string& command, const std::filesystem::path& before,
    const std::filesystem::path& after, std::optional<double> known, const JobContext& job);

/// The last word that is a number; nothing without one.
std::optional<double> lastNumber(std::string_view text);

} // namespace duo
