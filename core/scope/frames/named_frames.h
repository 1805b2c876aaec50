// SPDX-License-Identifier: Apache-2.0
// Module stacks from node names of PyTorch's TorchScript exporter, made whole with the owners of the parameters read.
#pragma once

#include "core/model/model.h"
#include "core/scope/facts/canonical_order.h"
#include "core/scope/facts/framed_node.h"
#include "core/scope/facts/parameters.h"
#include "core/scope/producers/producer_names.h"

#include <vector>

namespace duo {

/// Frames of nodes named by the TorchScript exporter, not scoped yet (resources/docs/names.md, "How a name is read").
/// A component is the tail of a module's first path, its last one perhaps with the number of the call; which reading
/// holds, and the full path, is decided by the owners of the parameters that nodes of the scope read, then by the
/// scopes beside it; a module that owns nothing in the file becomes a child of the one that calls it.
/// O(nodes * depth).
void readNamedFrames(const Model& model, const NodeOrder& order, const ProducerNames& names,
    const Parameters& parameters, ModulePaths& paths, std::vector<FramedNode>& nodes);

} // namespace duo
