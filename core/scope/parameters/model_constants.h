// SPDX-License-Identifier: Apache-2.0
// Model constants: the tensors that are no parameters, for whoever wants to see them all the same.
#pragma once

#include "core/model/held_tensors.h"
#include "core/scope/facts/scopes.h"

#include <vector>

namespace duo {

/// Shapes, axes, limits, masks and the like, each tensor once, in the order of heldTensors. Empty for scopes written
/// down by hand. O(values).
std::vector<HeldTensor> modelConstants(const Model& model, const Scopes& scopes);

} // namespace duo
