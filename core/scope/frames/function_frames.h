// SPDX-License-Identifier: Apache-2.0
// Scopes of files in which nothing but local functions tells of modules: onnxscript's, and those written by hand.
#pragma once

#include "core/model/model.h"
#include "core/scope/facts/canonical_order.h"
#include "core/scope/facts/framed_node.h"
#include "core/scope/facts/module_paths.h"

#include <vector>

namespace duo {

/// Whether most nodes that are no constants stand in calls of local functions that are not operators of an exporter.
bool functionsTellModules(const Model& model);

/// Frames for every node: one for each such call around it. A call is named as its node, else, where that is no name
/// but a number, after its function, from the second one in canonical order on with a number ("Block", "Block_1"); its
/// class is the function. Calls of one function in one call that are given the same initializers run one module again.
/// A name that would make a path longer than ModulePaths::kLongest gives no frame.
/// O(nodes * depth).
void readFunctionFrames(const Model& model, const NodeOrder& order, ModulePaths& paths, std::vector<FramedNode>& nodes);

} // namespace duo
