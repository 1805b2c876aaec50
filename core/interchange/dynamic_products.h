// SPDX-License-Identifier: Apache-2.0
// DynamicProduct: a product of integers with what its tool puts around it to make floats again.
#pragma once

#include "core/model/model.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace duo {

/// DynamicQuantizeLinear -> MatMulInteger or ConvInteger -> Cast -> Mul by (scale of the data * scale of the weight),
/// or one operator of ONNX Runtime for all or most of it.
struct DynamicProduct {
    NodeId quantizer; // of the data; invalid where the product is its own
    ValueId data; // what is quantized in each run, as floats
    const Tensor* weightScale = nullptr; // [1] or one per column
    std::optional<std::uint32_t> bias; // port; as floats
    ValueId result; // as floats
    std::vector<NodeId> behind; // Cast and Mul
    NodeId scaleProduct; // of both scales, which others may read as well; invalid where there is none
};

/// Whether all attributes of a node are numbers, texts and lists of them, which a new node can have as well.
bool canBeCopied(const Node& node);

/// Of ONNX Runtime: an LSTM whose weights are codes, and whose data is quantized in each run.
bool isDynamicLstm(const Node& node);

/// Nothing for other nodes, where they are not of one graph, where more reads what stands between, and where the weight
/// or its scale is no constant.
std::optional<DynamicProduct> dynamicProduct(const Model& model, NodeId product);

} // namespace duo
