// SPDX-License-Identifier: Apache-2.0
// Names of blocks, from what they do.
#pragma once

#include "core/model/model.h"
#include "core/scope/structure/block_tree.h"

#include <string>

namespace duo {

/// A path atom: "conv-bn-relu", "attention", "block", "conv-relu×3". Blocks of equal hash have equal names, but for the
/// number of copies. O(nodes of the block).
std::string blockName(const Model& model, const WorkSequence& sequence, const BlockTree& tree, std::uint32_t block);

} // namespace duo
