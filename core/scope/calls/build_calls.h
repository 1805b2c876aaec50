// SPDX-License-Identifier: Apache-2.0
// buildCalls: tells the calls of every module apart.
#pragma once

#include "core/model/model.h"
#include "core/scope/facts/call_tree.h"
#include "core/scope/facts/canonical_order.h"
#include "core/scope/facts/framed_node.h"
#include "core/scope/facts/module_aliases.h"
#include "core/scope/facts/parameters.h"

#include <vector>

namespace duo {

/// Tells calls apart. All nodes of one module that one call of its caller holds are one call of it, unless there is
/// evidence of several (call_splitter.h) or branches of one If hold them. A node that holds a constant makes no
/// call; it goes with the call it is named after, if that is known. O(nodes * depth^2).
CallTree buildCalls(const Model& model, const NodeOrder& order, const std::vector<FramedNode>& nodes,
    const CodeLines& code, const Parameters& parameters, const ModuleAliases& aliases, ModulePaths& paths);

/// Writes Call::isForeign and Call::element of calls whose module and number are settled. The callee's path relative to
/// the caller's: by the path used, else by the first registered path that allows it.
void writeElements(CallTree& tree, const ModuleAliases& aliases, const ModulePaths& paths);

} // namespace duo
