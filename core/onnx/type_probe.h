// SPDX-License-Identifier: Apache-2.0
// A model made for asking the engine what its values are: it computes the same, and no weight is in it.
#pragma once

#include "core/model/model.h"

#include <cstddef>
#include <vector>

namespace duo {

/// The file's model as a ModelProto in which every value that a node of the main graph computes is an output, and every
/// large initializer of the main graph an input: what shapes follow from (sizes, axes, limits) stays. Works also where
/// external data are absent. O(structure).
/// @return Internal for a model that is not from a file; Unsupported beyond 2 GB without the weights
Result<std::vector<std::byte>> typeProbe(const Model& model);

} // namespace duo
