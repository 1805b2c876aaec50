// SPDX-License-Identifier: Apache-2.0
// NNCF dot: a compressed graph as .dot text in the form of NNCF's reference graphs.
#pragma once

#include "core/graph/compressed_graph.h"
#include "core/support/write_text.h"

namespace duo {

/// Writes it piece by piece: keys "<id> <name>" (":" as "^", with the true text as label), attributes id and type;
/// edges with shape ("[1, 3]", -1 for unknown sizes, "[]" for unknown ranks), dashed where the value is no float32.
void writeNncfDot(const Model& model, const CompressedGraph& graph, const WriteText& write);

} // namespace duo
