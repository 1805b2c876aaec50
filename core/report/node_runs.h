// SPDX-License-Identifier: Apache-2.0
// NodeRuns: how the planned nodes of an export run in the engine.
#pragma once

#include "core/report/export_report.h"

#include <vector>

namespace duo {

using NodeRuns = std::vector<NodeRun>; // in node order

/// Those of the check "int8-kernels"; null: it was not made.
const NodeRuns* runsIn(const ExportReport& report);

} // namespace duo
