// SPDX-License-Identifier: Apache-2.0
// Clamps: Relu and Clip behind a node, which ONNX Runtime computes together with it.
#pragma once

#include "core/model/model.h"

namespace duo {

/// The last node of the Relu and Clip chain behind a node: ONNX Runtime drops them before a QuantizeLinear whose range
/// already implies them. A batch norm that the export folds into its convolution counts as that convolution.
NodeId endOfClamps(const Model& model, NodeId node);

/// The value behind the Relu or Clip that alone reads `value`, or behind a few in a row; `value` where there is none. A
/// quantizer in front of clamps takes its range: what is cut off need not be told apart.
ValueId behindClamps(const Model& model, ValueId value);

} // namespace duo
