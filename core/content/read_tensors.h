// SPDX-License-Identifier: Apache-2.0
// ReadTensors: the tensors of a model that may be parameters, and the nodes that work with them.
#pragma once

#include "core/model/model.h"

#include <cstdint>
#include <vector>

namespace duo {

/// One read of a tensor's values by a node that works with them.
struct TensorUse {
    NodeId reader;
    std::uint32_t port = 0; // of the reader; the values may have come through nodes that change layout or type
    ValueId named; // the value under whose name they were read first: the initializer's, or an Identity's output
};

struct ReadTensor {
    TensorId tensor;
    ValueId value; // that it gives
    std::vector<TensorUse> uses; // ascending by reader, then port; at least one
    NodeId dequantizer; // the DequantizeLinear that reads it; invalid for most
};

/// Every initializer and constant that a node reads and whose bytes are all there, followed through Identity,
/// Transpose, Reshape, Cast, DequantizeLinear, Concat and their like to the nodes that use the values. A value made of
/// more than 16 tensors is not followed. Ascending by tensor. O(nodes + uses).
std::vector<ReadTensor> readTensors(const Model& model);

/// The values of this operator's input pass to its output, with other layout, type or scale.
bool passesTensor(const Node& node, std::size_t port);

} // namespace duo
