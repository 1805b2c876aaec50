// SPDX-License-Identifier: Apache-2.0
// Insertion order: the order in which NNCF puts the quantizers of a setup into a model, on which node numbers depend.
#pragma once

#include "core/model/model.h"
#include "core/quantize/points/quantizer_setup.h"

#include <vector>

namespace duo {

/// All points of a setup: those of unified groups first, then the others by their target node in topological order; of
/// nodes that are ready the one of the smaller number in the file, inputs of the model counted after all nodes.
/// O(n log n).
std::vector<PointId> insertionOrder(const Model& model, const QuantizerSetup& setup);

} // namespace duo
