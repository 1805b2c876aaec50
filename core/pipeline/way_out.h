// SPDX-License-Identifier: Apache-2.0
// addWayOut: what to do about an export that was not accepted.
#pragma once

#include "core/calibrate/samples/dataset.h"
#include "core/pipeline/calibration/known_statistics.h"
#include "core/pipeline/snapshot/compression.h"
#include "core/report/export_report.h"

namespace duo {

/// Gives a verdict that is not accepted its note "way-out": one sentence on what to do, or that it is not known. Where
/// an export is neither faster nor smaller enough, scopes are kept in float on trial, at most eight and then those
/// that gained together, each choice written to a temporary folder and run in turns with the float model; where some
/// make it worth having they become Verdict::suggested. Ends its search after ten seconds.
/// @param compression of `snapshot`, as asked for; @param dataset null: nothing is tried
/// @return Cancelled
Status addWayOut(ExportReport& report, const Snapshot& snapshot, const Compression& compression, const Dataset* dataset,
    const Recalibrate& recalibrate, int threads, const JobContext& job);

} // namespace duo
