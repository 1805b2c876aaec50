// SPDX-License-Identifier: Apache-2.0
// FoldScales: which parameters divide a value's channels, so that no Mul has to.
#pragma once

#include "core/model/model.h"

#include <optional>
#include <vector>

namespace duo {

/// A parameter whose elements along `axis` are those of the value's channels, one each.
struct ChannelTensor {
    const Tensor* tensor = nullptr;
    std::size_t axis = 0;
};

/// Dividing all `tensors` by scales divides the value by them.
struct ScaledProducer {
    NodeId node;
    std::vector<ChannelTensor> tensors; // each read by one node only
};

/// Looks up from `value` through what f(s x) = s f(x) holds for with s > 0 (Relu, LeakyRelu, pooling, Clip to [0,
/// inf)), reshaping of values whose channels come last, and Add of a constant, to a Conv, Gemm or MatMul with a weight
/// of its own, a norm, or a Mul by a constant. Nothing where `readers` are not all that reads the value, or others read
/// what lies between. O(length of the chain + reads of the value).
/// @param readers Conv, or Gemm and MatMul, which read `value` at input 0
/// @param channels of the value: axis 1 for Conv, the last one for products
std::optional<ScaledProducer> scaledProducer(
    const Model& model, ValueId value, const std::vector<NodeId>& readers, std::size_t channels);

} // namespace duo
