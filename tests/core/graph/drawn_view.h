// SPDX-License-Identifier: Apache-2.0
// Views drawn as text, and execution scopes written down by hand.
#pragma once

#include "core/graph/view_graph.h"

#include <string>
#include <vector>

namespace duo::test {

/// Scopes whose execution tree is given per node as "a/b" ("" is the root), in node order. Storage stays empty.
Scopes scopesOf(const std::vector<std::string>& executionPerNode);

/// A box per line, indented in its open scope, then an edge per line:
///   "[input x]", "[enc 3]" closed scope with 3 nodes, "[-enc 3]" open, "(Conv /a)" node, "<stub mask>",
///   "x -> Conv /a", "enc =2=> dec" for two values, " : u8" for a badge.
std::string drawn(const ViewGraph& view);

} // namespace duo::test
