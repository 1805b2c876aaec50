// SPDX-License-Identifier: Apache-2.0
// findGatesInPlace: weights and biases of LSTM, GRU and RNN nodes, put together from the keys of each direction.
#pragma once

#include "core/content/search/wanted_tensors.h"

namespace duo {

/// ONNX stacks the directions, concatenates the two biases of each, and orders the gates i, o, f, c (LSTM) and z, r, h
/// (GRU), where PyTorch has i, f, g, o and r, z, n. Each piece is found by its order-free sum and proven block by
/// block, in these orders or any other. @return Cancelled
Status findGatesInPlace(ContentSearch& search);

} // namespace duo
