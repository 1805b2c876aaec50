// SPDX-License-Identifier: Apache-2.0
// readTensorFile: a single TensorProto in a file, as ONNX test data have them (input_0.pb).
#pragma once

#include "core/model/tensor.h"
#include "core/support/result.h"

#include <filesystem>

namespace duo {

/// @return FileNotReadable; BadData if it holds no tensor, or one whose bytes do not fit its shape
Result<Tensor> readTensorFile(const std::filesystem::path& path);

} // namespace duo
