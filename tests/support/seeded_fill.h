// SPDX-License-Identifier: Apache-2.0
// Turns the recipes of a `*.structure.onnx` into values (tests/data/models/README.md).
#pragma once

#include "core/support/result.h"

#include <onnx.pb.h>

#include <string>

namespace duo::test {

/// Fills one tensor if it holds a recipe; others stay as they are. Result is little-endian raw_data.
/// @return BadData naming the tensor if its recipe or type is not one of those documented
Status fillTensor(onnx::TensorProto& tensor);

/// Fills all initializers and what Constant nodes hold, bodies and functions included.
Status fillModel(onnx::ModelProto& model);

} // namespace duo::test
