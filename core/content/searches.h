// SPDX-License-Identifier: Apache-2.0
// Searches for tensors that no stored one equals as it is: each explains what it can, and leaves the rest to the next.
#pragma once

#include "core/content/wanted_tensors.h"

namespace duo {

/// Weights and biases of LSTM, GRU and RNN nodes, put together from the keys of each direction.
///
/// ONNX stacks the directions, concatenates the two biases of each, and orders the gates i, o, f, c (LSTM) and z, r, h
/// (GRU), where PyTorch has i, f, g, o and r, z, n. Each piece is found by its order-free sum and proven block by
/// block, in these orders or any other. @return Cancelled
Status findGatesInPlace(ContentSearch& search);

/// Tensors whose rows, or columns, are rows of a stored table.
///
/// For telling tensors that nothing was found for: `table[index]` that the exporter folded, such as the relative
/// position bias of a Swin transformer, seen as [n, row] or transposed. An integer key of the table's module that holds
/// the very indices is an owner too. @return Cancelled
Status findGatheredInPlace(ContentSearch& search);

/// Tensors put together from several keys, or cut out of one.
///
/// For telling tensors that nothing was found for. Order-free sums add up, so sums along an axis find the members of a
/// concatenation (fused query, key and value, of any sizes) and the place of a slice; strided compares prove them. Keys
/// that are the whole owner of another tensor are not cut. @return Cancelled
Status findPiecesInPlace(ContentSearch& search);

/// Tensors that are a stored one times a factor per channel: folded, normed, quantized.
///
/// For tensors that nothing was found for. Candidates by name and by where channels have their largest elements;
/// factors by least squares; explanations recomputed on every element. Memory: for each thread 12 bytes an element of
/// the tensor at hand. @return Cancelled
Status findScaledInPlace(ContentSearch& search);

} // namespace duo
