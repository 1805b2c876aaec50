// SPDX-License-Identifier: Apache-2.0
// Scopes recorded in the metadata of nodes (resources/docs/names.md, "Recorded scopes of ONNX files").
#pragma once

#include "core/model/model.h"
#include "core/scope/facts/canonical_order.h"
#include "core/scope/facts/framed_node.h"

#include <vector>

namespace duo {

/// Frames of every node whose metadata names its scopes: `pkg.torch.onnx.name_scopes` and `class_hierarchy`, else
/// `namespace`. Classes go into `paths`. Nodes without, or with lists that do not parse, stay unscoped.
/// @return the lines of the program that `pkg.torch.onnx.stack_trace` tells of
CodeLines readRecordedFrames(
    const Model& model, const NodeOrder& order, ModulePaths& paths, std::vector<FramedNode>& nodes);

} // namespace duo
