// SPDX-License-Identifier: Apache-2.0
// ONNX test data: folders of input_0.pb, input_1.pb, ... (github.com/onnx/onnx, docs/OnnxBackendTest.md).
#pragma once

#include "core/calibrate/samples/dataset.h"

namespace duo {

/// One sample per folder; the i-th file is the i-th input, unless its tensor has the name of an input.
/// Of `optional` inputs the last files may be missing. @return BadData for a missing file or a tensor that does not fit
Result<std::shared_ptr<const Dataset>> testDataDataset(
    std::vector<std::filesystem::path> folders, const Model& model, std::vector<std::string> optional);

} // namespace duo
