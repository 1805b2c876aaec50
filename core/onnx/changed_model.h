// SPDX-License-Identifier: Apache-2.0
// A model made anew from its file's proto, changed beyond what an EditList says.
#pragma once

#include "core/model/model.h"
#include "core/support/job.h"

#include <onnx.pb.h>

#include <functional>
#include <memory>

namespace duo {

using ProtoChange = std::function<Status(onnx::ModelProto&)>;

/// The model that `change` makes of a copy of the proto; the same file in another form, with its path, and the size
/// that it would be written with.
/// Payloads are shared and must not be changed. O(structure).
/// @return what `change` and readModel() return; Internal for a model that was not read from an ONNX file; Cancelled
Result<std::shared_ptr<const Model>> changedModel(
    const std::shared_ptr<const Model>& original, const ProtoChange& change, const JobContext& job);

} // namespace duo
