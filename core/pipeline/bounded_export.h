// SPDX-License-Identifier: Apache-2.0
// exportWithin: an export whose outputs stay within bounds, because what harms them most stays in float.
#pragma once

#include "core/pipeline/export_demands.h"
#include "core/pipeline/fallback.h"
#include "core/pipeline/sensitivity/measure_sensitivity.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace duo {

struct BoundedExport {
    ExportReport
        report; // where more than its verdict was asked for, with a check "output-bounds" that says what was kept
    Snapshot snapshot; // whose recipe holds the rules of what was kept
    Compression compression; // of `snapshot`, as asked for
    Compression written; // that the file holds: without what the engine would run in float
    std::vector<FallbackStep> kept; // in float for the bounds
};

/// Exports. Where a bound is missed, keeps scopes in float, most sensitive first: for output bounds until a session
/// with switchable quantizers says that they hold, then as the written file is measured; for labels and a metric in
/// steps that double and then halve, each a written file, so that a metric is asked for about twice the logarithm of
/// the number of scopes. A verdict that is a regression all the same names the scope that would help most, and
/// one that is not accepted says what to do (way_out.h).
/// @param compression of `snapshot`; @param dataset null: only a metric can be asked for, and nothing is kept for it
/// @return errors of measureSensitivity and exportModel; BadData where no output has rows to agree on; Usage for bounds
/// and labels without data
Result<BoundedExport> exportWithin(const ExportDemands& demands, const Snapshot& snapshot, Compression compression,
    const Dataset* dataset, const std::filesystem::path& target, const Recalibrate& recalibrate, int threads,
    const JobContext& job);

} // namespace duo
