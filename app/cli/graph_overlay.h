// SPDX-License-Identifier: Apache-2.0
// What the boxes of a picture are coloured by, measured first where that is needed (resources/docs/overlays.md).
#pragma once

#include "app/cli/command.h"
#include "core/graph/overlay.h"
#include "core/pipeline/sensitivity/measure_sensitivity.h"

namespace duo::cli {

/// What a value may be measured with.
struct OverlayCall {
    const CommonOptions& common;
    const DataOptions& data; // DataOptions::data is "": none
    const std::string& statistics; // a file of `statistics`; "": none
};

/// What measuredOverlay() takes, as texts: all but those of two setups.
std::vector<std::string> overlaysOfOne();

/// @param kind of overlaysOfOne(). @param placement of the snapshot's model; null where nothing is quantized in what is
/// drawn
/// @return Usage where the value takes data, statistics or a placement that are not there; errors of measuring
Result<Overlay> measuredOverlay(OverlayKind kind, const Snapshot& snapshot, const Placement* placement,
    const OverlayCall& call, const JobContext& job);

/// As `sensitivity` measures it. @param isCached ranges measured before are taken
Result<SensitivityReport> sensitivityOn(const Snapshot& snapshot, const CommonOptions& common, const DataOptions& data,
    const SensitivityOptions& options, bool isCached, const JobContext& job);

} // namespace duo::cli
