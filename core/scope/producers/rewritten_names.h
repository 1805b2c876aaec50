// SPDX-License-Identifier: Apache-2.0
// Names that optimizers give: "conv/Conv/MatMulAddFusion/", "model/relu/Relu:0_nchwc", "reorder_token_3".
#pragma once

#include <string_view>

namespace duo {

/// The name of the operation that a rewritten node stands for: ONNX Runtime puts the fusion behind the name of one of
/// the nodes that went into it, or "_nchwc" behind the name of the value it gives.
std::string_view rewrittenName(std::string_view name);

/// Names that optimizers give to tensors of their own: "reorder", "reorder_token_3", "_v_12",
/// "const_transpose_optimizer".
bool isMadeByOptimizer(std::string_view tensorName);

} // namespace duo
