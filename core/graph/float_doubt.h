// SPDX-License-Identifier: Apache-2.0
// Kernels in float where the plan says quantized: why the two differ.
#pragma once

#include "core/graph/run_graph.h"

#include <string>

namespace duo {

/// Why a kernel of an export computes in float although a node that it came from is planned to be quantized, as "the
/// export scales what it gives (k_smooth_quant) before codes are made"; "" where they agree, or no export is run.
std::string floatDoubt(const RunGraph& run, const Placement& plan, NodeId kernel);

} // namespace duo
