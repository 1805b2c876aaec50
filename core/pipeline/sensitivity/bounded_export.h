// SPDX-License-Identifier: Apache-2.0
// exportWithin: an export whose outputs stay within bounds, because what harms them most stays in float.
#pragma once

#include "core/pipeline/sensitivity/fallback.h"
#include "core/pipeline/sensitivity/measure_sensitivity.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace duo {

/// What the outputs must reach on the samples they are compared on.
struct OutputBounds {
    std::optional<double> minSqnrDb; // of the worst output
    std::optional<double> minAgreement; // rows with the same largest element, 0..1
    [[nodiscard]] bool any() const { return minSqnrDb || minAgreement; }
};

struct BoundedExport {
    ExportReport report; // with a check "output-bounds" that says what was kept
    Snapshot snapshot; // whose recipe holds the rules of what was kept
    Compression compression; // what was exported
    std::vector<FallbackStep> kept; // in float for the bounds
};

/// Keeps scopes in float, most sensitive first, until a session with switchable quantizers says that the bounds hold,
/// then exports and measures the written file; where that misses a bound, more is kept and it is written again.
/// @param compression of `snapshot`
/// @return errors of measureSensitivity and exportModel; BadData where no output has rows to agree on
Result<BoundedExport> exportWithin(const OutputBounds& bounds, const Snapshot& snapshot, Compression compression,
    const Dataset& dataset, const std::filesystem::path& target, const Recalibrate& recalibrate, int threads,
    const JobContext& job);

} // namespace duo
