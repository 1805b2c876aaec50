// SPDX-License-Identifier: Apache-2.0
// Batch norm behind a product: folded into its weight and bias. On export too, because ONNX Runtime cannot do so once
// the weight is quantized and would run the convolution in float.
#pragma once

#include "core/transform/pass.h"

#include <optional>
#include <set>
#include <vector>

namespace duo {

/// y = scale * product + shift per output channel [C].
struct FoldedNorm {
    NodeId node; // the BatchNormalization
    std::vector<float> scale; // gamma / sqrt(variance + epsilon)
    std::vector<float> shift; // beta - mean * scale
};

/// The norm that alone reads what a product gives, in inference mode, all parameters constant float32 and all
/// factors finite; the product's bias, if any, constant. Whether axis 1 is that of the product's channels is the
/// caller's to know. Nothing for nodes that are no product.
/// @param last what alone reads the product, and the norm behind it; invalid: the product itself
std::optional<FoldedNorm> normBehind(const Model& model, NodeId product, NodeId last = {});

/// The norm that gives a product its data and nothing else reads, likewise. Whether its axis 1 is the one that the
/// product sums over is the caller's to know.
std::optional<FoldedNorm> normBefore(const Model& model, NodeId product);

/// The norm that can be folded into a Conv: its only reader, in inference mode, all parameters constant float32; the
/// Conv's bias, if any, constant. Nothing for other nodes.
std::optional<FoldedNorm> foldableNorm(const Model& model, NodeId conv);

/// Takes out the norms that can be folded into nodes of `written`, whose outputs take their names. O(written).
PassResult foldBatchNorms(const Model& model, const std::set<NodeId>& written);

} // namespace duo
