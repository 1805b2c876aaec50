// SPDX-License-Identifier: Apache-2.0
// Where quantizers go and what is decided about every node, as JSON and as text.
#pragma once

#include "core/quantize/placement.h"
#include "core/report/forecast.h"
#include "core/support/write_text.h"

namespace duo {

/// The text of the document of `plan` (resources/schemas/plan.schema.json), indented by two, a quantizer and a node at
/// a time: the setup with NNCF's keys, decisions and notes.
/// @param size nothing where none is quantized
void writePlanJson(
    const Model& model, const Placement& placement, const std::optional<ForeseenSize>& size, const WriteText& write);

/// Nodes by state, the size, then a line per quantizer.
void writePlanText(
    const Model& model, const Placement& placement, const std::optional<ForeseenSize>& size, const WriteText& write);

} // namespace duo
