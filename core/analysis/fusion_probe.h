// SPDX-License-Identifier: Apache-2.0
// Fusion probe: what ONNX Runtime makes of a written model, node by node: an int8 kernel or a float one.
#pragma once

#include "core/model/model.h"
#include "core/quantize/edits/qdq_edits.h"
#include "core/support/job.h"

#include <filesystem>
#include <map>

namespace duo {

enum class Kernel { Int8, Float, Gone };

/// How one node of the original model runs in the written one.
struct NodeKernel {
    Kernel kernel = Kernel::Gone; // Gone: fused into or folded with another, not found by its outputs
    std::string opType; // in the optimized graph
};

/// Loads `written` with ONNX Runtime's extended optimizations, reads the optimized graph back and finds the kernel of
/// each node of `nodes`, also in bodies, by the names its outputs have there. O(size of both graphs).
/// @return EngineFailed; errors of reading the optimized graph
Result<std::map<NodeId, NodeKernel>> probeFusion(const Model& original, const QdqEdits& edits,
    const std::vector<NodeId>& nodes, const std::filesystem::path& written, const JobContext& job);

} // namespace duo
