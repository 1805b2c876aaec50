// SPDX-License-Identifier: Apache-2.0
// A model made for asking the engine what its values are: it computes the same, and no weight is in it.
#pragma once

#include "core/transform/main_nodes.h"

#include <cstddef>
#include <span>
#include <vector>

namespace duo {

/// The file's model as a ModelProto in which every value that a node of the main graph computes is an output, and every
/// large initializer of the main graph an input: what shapes follow from (sizes, axes, limits) stays. Works also where
/// external data are absent. O(structure).
/// @return Internal for a model that is not from a file; Unsupported beyond 2 GB without the weights
Result<std::vector<std::byte>> typeProbe(const Model& model);

/// The same of some nodes of the main graph, in their order. What they read and none of them computes is an input of
/// the type that `types` [values] has for it, or, if it is a small initializer, stays. O(what they hold).
/// @return as above
Result<std::vector<std::byte>> typeProbe(
    const Model& model, const MainNodes& mainNodes, std::span<const NodeId> nodes, std::span<const ValueType> types);

} // namespace duo
