// SPDX-License-Identifier: Apache-2.0
// NNCF dot: a compressed graph as .dot text in the form of NNCF's reference graphs.
#pragma once

#include "core/graph/compressed_graph.h"

#include <string>

namespace duo {

/// Keys "<id> <name>" (":" as "^", with the true text as label), attributes id and type; edges with shape ("[1, 3]",
/// -1 for unknown sizes, "[]" for unknown ranks), dashed where the value is no float32.
std::string nncfDot(const Model& model, const CompressedGraph& graph);

} // namespace duo
