// SPDX-License-Identifier: Apache-2.0
// suggestScope: what of an export that came out too far from float should go back to float first.
#pragma once

#include "core/pipeline/sensitivity/measure_sensitivity.h"

namespace duo {

/// Fills Verdict::suggestedScope of a regression with the scope or node that the output error depends on most, from two
/// samples and coarse groups. Other verdicts, and models whose sensitivity cannot be measured, stay as they are.
/// @param compression of `snapshot`, as exported
/// @return Cancelled
Status suggestScope(ExportReport& report, const Snapshot& snapshot, const Compression& compression,
    const Dataset& dataset, int threads, const JobContext& job);

} // namespace duo
