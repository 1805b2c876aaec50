// SPDX-License-Identifier: Apache-2.0
// Classes of modules from the tags that winml-cli gives nodes: "/BertModel/BertEncoder/BertLayer.0".
#pragma once

#include "core/model/model.h"
#include "core/scope/facts/canonical_order.h"
#include "core/scope/facts/framed_node.h"

#include <vector>

namespace duo {

/// A tag names the class of each module that runs, but leaves out some and may stop above the node's own: only where it
/// has as many parts as the node has modules around it, the model itself included, does each part name the class of
/// one. Numbers behind a class must be those of the path. Frames must be known.
void readTaggedClasses(
    const Model& model, const NodeOrder& order, const std::vector<FramedNode>& nodes, ModulePaths& paths);

} // namespace duo
