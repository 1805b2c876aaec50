// SPDX-License-Identifier: Apache-2.0
// How the planned nodes of a selection run in the engine, as the last export found it, and why not in int8.
#pragma once

#include "core/report/export_report.h"
#include "views/properties/page.h"

#include <vector>

namespace duo::ui {

/// Nothing where none of the nodes was planned, or the check "int8-kernels" was not made.
void addEngine(Page& page, const Model& model, const ExportReport& report, const std::vector<NodeId>& nodes);

} // namespace duo::ui
