// SPDX-License-Identifier: Apache-2.0
// OwnError: what the quantizers around a node add to its result, apart from what the node makes of errors in its
// inputs.
#pragma once

#include "core/engine/session.h"
#include "core/model/model.h"

#include <span>
#include <vector>

namespace duo {

/// Power of a difference over that of the float model's value; infinite where one is not finite.
struct OwnError {
    NodeId node;
    double total = 0; // the quantized model's value against the float model's
    double own = 0; // the same against what the float node makes of the quantized model's inputs
    struct Input {
        ValueId value; // computed, of float32, in both models
        double noise = 0; // in the float node's result, where only this input has the quantized model's error
    };
    std::vector<Input> inputs;
};

/// Of the first outputs of nodes of the main graph of `a`, on one sample. Where the quantized model `b` does not
/// compute a value (a batch norm was folded), the nodes before it count as part of the node. Nodes of which this cannot
/// be told are left out, the last half of them, and so on, where their values are too large to be held at once.
/// Sessions of both models one after the other, one of `a` with inputs swapped, and of that as many runs as one node
/// has inputs.
/// @return EngineFailed, Unsupported, Cancelled
Result<std::vector<OwnError>> measureOwnErrors(const Model& a, const Model& b, std::span<const NodeId> nodes,
    std::span<const HostTensor> feeds, const JobContext& job);

} // namespace duo
