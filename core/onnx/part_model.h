// SPDX-License-Identifier: Apache-2.0
// A part of a model as a model of its own, to be computed.
#pragma once

#include "core/model/model.h"

#include <cstddef>
#include <span>
#include <vector>

namespace duo {

/// A ModelProto of these nodes of the main graph, which need no input, with the initializers that they read in it, and
/// these values as its outputs. O(nodes + initializers of the graph + bytes of those read).
/// @return Internal for a model that is not from a file; Unsupported beyond 1 GB
Result<std::vector<std::byte>> partModel(
    const Model& model, std::span<const NodeId> nodes, std::span<const ValueId> outputs);

} // namespace duo
