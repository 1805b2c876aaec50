// SPDX-License-Identifier: Apache-2.0
// NNCF's order: how NNCF visits operators, on which ties depend (resources/docs/quantization.md, "Order").
#pragma once

#include "core/quantize/operators/fusion.h"

#include <vector>

namespace duo {

/// Operators of the inference graph, sorted topologically; of those that are ready the one whose number in the file
/// comes first as decimal text ("10" before "2"), inputs and outputs counted after all nodes. O(n log n).
std::vector<OpIndex> nncfOperatorOrder(const OpGraph& graph);

/// Vertices in the order of NNCF's graph of operators and places: ready operators first, then places behind operators,
/// then places at inputs by port and reader, numbers compared as text. O(n log n).
std::vector<VertexIndex> nncfVertexOrder(const OpGraph& graph, const FusedGraph& fused);

} // namespace duo
