// SPDX-License-Identifier: Apache-2.0
// NewNode -> NodeProto, and attributes of nodes.
#pragma once

#include "core/support/result.h"
#include "core/transform/edit_list.h"

#include <google/protobuf/arena.h>
#include <onnx.pb.h>

namespace duo {

/// @return a node in the arena; Internal for an attribute that is no number, string or list of them
Result<onnx::NodeProto*> newNodeProto(const NewNode& node, google::protobuf::Arena& arena);

/// Instead of the attribute of this name, or in addition; one without a value is removed.
/// @return Internal for a value that is no number, string or list of them
Status setAttribute(onnx::NodeProto& node, const Attribute& attribute);

} // namespace duo
