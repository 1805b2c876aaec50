// SPDX-License-Identifier: Apache-2.0
// Node names that an optimizer made from those of PyTorch's TorchScript exporter, led back to them.
#pragma once

#include <string_view>

namespace duo {

/// "x" of "x_token_12", which ONNX Runtime makes of "x" where that is taken.
std::string_view withoutToken(std::string_view name);

/// "/act/Mul" of "/act/Mul/QuickGeluFusion/": ONNX Runtime puts the fusion behind the name of one of the nodes that
/// went into it.
std::string_view withoutFusions(std::string_view name);

/// The exporter's name of the node that this one was named after: without "_token_3" and parts such as
/// "/QuickGeluFusion/" (ONNX Runtime), and of a name made from that of a value ("/fc/MatMul_output_0_pre_reshape",
/// onnxslim; "..._output_0_nchwc", ONNX Runtime) the part before "_output_0"; without what quantizers put behind it
/// ("/fc/Gemm_quant", "/fc/MatMul_Q4"). Other names as they are. A piece of `name`.
std::string_view exporterName(std::string_view name);

/// Whether the last part of a name is an operator's as exporters write it, of any type: "Conv", "MatMul_1". Optimizers
/// keep the name when they change the type.
bool isAnyOpPart(std::string_view part);

} // namespace duo
