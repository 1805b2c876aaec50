// SPDX-License-Identifier: Apache-2.0
// Sequential bias correction: biases are shifted layer after layer, each by what the quantized model, corrected so far,
// gives less than the float model.
#pragma once

#include "core/pipeline/snapshot/compression.h"

namespace duo {

/// Sets the shifts of a compression of this snapshot, over the first fifth of the recipe's samples as NNCF does. Nodes
/// that do not depend on each other are measured at once: as many passes as the longest chain has nodes.
/// @return EngineFailed, BadData, Cancelled
Status correctBiasesInTurn(const Snapshot& snapshot, const Dataset& dataset, std::int64_t samples,
    Compression& compression, int threads, const JobContext& job);

} // namespace duo
