// SPDX-License-Identifier: Apache-2.0
// Opens a model file of any format that can be looked at, told by its content.
#pragma once

#include "core/model/model.h"
#include "core/onnx/reader.h"

namespace duo {

/// An ONNX model, as structure where its external data are not there, or a program of torch.export.save (.pt2).
/// @return the errors of both readers
Result<std::shared_ptr<const Model>> readModelFile(
    const std::filesystem::path& path, const ReadOptions& options = {}, const JobContext& job = {});

/// Only ONNX models with all their data are quantized, run and exported.
/// @return Unsupported, with the call that makes one; FileNotReadable, naming the file that is not there
Status checkCanRun(const Model& model);

} // namespace duo
