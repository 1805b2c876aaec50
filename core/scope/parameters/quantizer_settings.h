// SPDX-License-Identifier: Apache-2.0
// quantizerSettings: scales and zero points, which have names like keys but are no parameters of the network.
#pragma once

#include "core/model/held_tensors.h"

#include <span>
#include <vector>

namespace duo {

/// [Model::tensors] whether every reader takes the tensor as a scale or a zero point. Among what quantized operators
/// read, weights are integers of rank 2 or more, biases have 32 bits, all else are settings. O(values + uses).
std::vector<bool> quantizerSettings(const Model& model, std::span<const HeldTensor> held);

} // namespace duo
