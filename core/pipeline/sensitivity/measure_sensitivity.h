// SPDX-License-Identifier: Apache-2.0
// measureSensitivity: where the output error of a quantized model comes from, and what some scopes in float would give.
#pragma once

#include "core/calibrate/samples/dataset.h"
#include "core/pipeline/calibration/known_statistics.h"
#include "core/pipeline/snapshot/compression.h"
#include "core/report/sensitivity_report.h"

#include <cstddef>
#include <cstdint>

namespace duo {

struct SensitivityOptions {
    SensitivityDepth by = SensitivityDepth::Scopes;
    std::int64_t samples = 4; // at most
    std::size_t mostGroups = 64; // looked at by scopes
    bool suggests = true;
};

/// Runs the model with single groups quantized and with all but single groups, in one session. The costs are
/// samples * (2 * groups + 1) runs, and a session for each suggestion. The result does not depend on `threads`.
/// @param compression of `snapshot`; its parameters are used
/// @return Unsupported where nothing is quantized; EngineFailed, BadData, Cancelled
Result<SensitivityReport> measureSensitivity(const Snapshot& snapshot, const Compression& compression,
    const Dataset& dataset, const Recalibrate& recalibrate, const SensitivityOptions& options, int threads,
    const JobContext& job);

} // namespace duo
