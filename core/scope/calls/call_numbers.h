// SPDX-License-Identifier: Apache-2.0
// Numbers the calls of each module, along the dataflow.
#pragma once

#include "core/scope/facts/call_tree.h"
#include "core/scope/facts/canonical_order.h"

#include <vector>

namespace duo {

/// Fills Call::number and CallTree::runs; Call::module must be known. Of two calls of a module the one that depends on
/// the other has the higher number; independent ones go by the number the exporter gave them, then by the path used,
/// then by their place in the canonical order. Numbers that the file records are kept, each series on top of the
/// others. O((nodes + uses) * repeated calls / 64), for at most 4,096 repeated calls; beyond, and for modules called
/// more than 64 times, the canonical order stands for dependence.
void numberCalls(const Model& model, const NodeOrder& order, const std::vector<FramedNode>& nodes,
    const ModulePaths& paths, CallTree& tree);

} // namespace duo
