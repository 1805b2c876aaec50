// SPDX-License-Identifier: Apache-2.0
// A copy of the original proto with an EditList applied to it.
#pragma once

#include "core/model/model.h"
#include "core/onnx/source.h"
#include "core/transform/edit_list.h"

#include <google/protobuf/arena.h>
#include <onnx.pb.h>

#include <memory>
#include <vector>

namespace duo {

struct EditedModel {
    std::unique_ptr<google::protobuf::Arena> arena;
    onnx::ModelProto* proto = nullptr; // a skeleton, in the arena
    std::vector<SharedBytes> payloads; // what its tokens name
    std::vector<onnx::TensorProto*> newTensors; // of the EditList, inline
};

/// O(size of the structure + edits). Payload bytes are shared; those of new tensors are views into `edits`, which must
/// outlive the result.
/// @return Internal for an edit that does not fit the model, naming it
Result<EditedModel> applyEdits(const Model& model, const Source& source, const EditList& edits);

} // namespace duo
