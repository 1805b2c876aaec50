// SPDX-License-Identifier: Apache-2.0
// Kernel origins: which nodes of a model each node of the graph was made from that the engine runs.
#pragma once

#include "core/model/model.h"

#include <vector>

namespace duo {

/// [nodes of `optimized`]: the nodes of `original` whose work it does, ascending: those between what it reads and what
/// it gives, by the addresses of values (core/model/value_address.h). Empty for what the engine put in itself and where
/// no name tells. A node by whose name a kernel goes is that kernel's, and no other's: the way back ends there. Work on
/// constants that the engine did beforehand counts to who reads it, what is computed to the kernel that computes and
/// not to one that brings its result into shape. O(nodes + edges) but for what several kernels compute again.
std::vector<std::vector<NodeId>> kernelOrigins(const Model& original, const Model& optimized);

/// Of the nodes one kernel does the work of, the one it is called after: the first product, else the last node that
/// is no quantizer. Invalid for none.
NodeId leadingNode(const Model& original, const std::vector<NodeId>& origins);

} // namespace duo
