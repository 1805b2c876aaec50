// SPDX-License-Identifier: Apache-2.0
// Notes on a placement: what about the whole model limits quantization.
#pragma once

#include "core/quantize/operators/op_graph.h"

#include <vector>

namespace duo {

/// Opsets below 13, values that are not float32, parts that are quantized already. At most one note of a kind.
std::vector<Note> placementNotes(const Model& model, const OpGraph& graph);

} // namespace duo
