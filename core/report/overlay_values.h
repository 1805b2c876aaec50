// SPDX-License-Identifier: Apache-2.0
// Overlay values: what is known of every node, from where it is known (resources/docs/overlays.md, "Values").
#pragma once

#include "core/analysis/node_times.h"
#include "core/calibrate/measure/statistics.h"
#include "core/graph/overlay.h"
#include "core/quantize/placement.h"
#include "core/report/forecast.h"
#include "core/report/sensitivity_report.h"
#include "core/transform/pass_report.h"

#include <map>
#include <optional>
#include <string>

namespace duo {

/// What has to be done before an overlay has values.
enum class OverlayNeed { Nothing, Placement, Statistics, Sensitivity, Times, Halving, Comparison };
OverlayNeed overlayNeed(OverlayKind kind);

/// What overlays are made from; null: not known.
struct OverlaySources {
    const Model& model;
    const Scopes& scopes;
    const Placement* placement = nullptr;
    const Statistics* statistics = nullptr;
    const Forecast* forecast = nullptr;
    const SensitivityReport* sensitivity = nullptr;
    const NodeTimes* times = nullptr;
    const PassReport* half = nullptr; // of halvedModel()
    const std::map<std::string, std::string>* differences = nullptr; // in what a node differs, by its name
};

/// @return nothing where what it needs is not known. O(nodes * depth)
std::optional<Overlay> makeOverlay(OverlayKind kind, const OverlaySources& sources);

} // namespace duo
