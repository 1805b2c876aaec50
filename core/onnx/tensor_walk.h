// SPDX-License-Identifier: Apache-2.0
// Visits every TensorProto of a file, wherever onnx.proto allows one.
#pragma once

#include <onnx.pb.h>

#include <functional>

namespace duo {

using TensorVisitor = std::function<void(onnx::TensorProto&)>;

/// Graphs, their bodies, functions, sparse tensors and training information, in file order. Recursion is as deep as
/// the bodies of the file, which splitPayloads bounds.
void forEachTensor(onnx::ModelProto& model, const TensorVisitor& visit);

} // namespace duo
