// SPDX-License-Identifier: Apache-2.0
// Counts nodes before any call is expanded, so that a small file that would explode costs nothing.
#pragma once

#include "core/onnx/function_table.h"

namespace duo {

/// Nodes of the graph, of its bodies and of every call, at most `limit` + 1. Graphs that a call hands to its function
/// are not counted, and recursion ends the count: GraphReader refuses what this misses. O(nodes of the file).
std::int64_t expandedNodes(const onnx::GraphProto& graph, const FunctionTable& functions, std::int64_t limit);

} // namespace duo
