// SPDX-License-Identifier: Apache-2.0
// NewNode -> NodeProto.
#pragma once

#include "core/support/result.h"
#include "core/transform/edit_list.h"

#include <google/protobuf/arena.h>
#include <onnx.pb.h>

namespace duo {

/// @return a node in the arena; Internal for an attribute that is no number, string or list of them
Result<onnx::NodeProto*> newNodeProto(const NewNode& node, google::protobuf::Arena& arena);

} // namespace duo
