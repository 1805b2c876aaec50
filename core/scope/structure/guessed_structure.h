// SPDX-License-Identifier: Apache-2.0
// Scopes for files that name none: the blocks that repeat, as a guess.
#pragma once

#include "core/model/model.h"
#include "core/scope/facts/framed_node.h"
#include "core/scope/facts/parameters.h"

#include <vector>

namespace duo {

/// Whether the names of parameters tell of modules: then nodes are better placed by what they read (guessFrames).
bool ownersTellModules(const Parameters& parameters, const ModulePaths& paths);

/// A parameter whose name tells no owner belongs, as a guess, to the innermost module that all its readers run in.
/// O(uses * depth).
void giveOwners(const std::vector<FramedNode>& nodes, const ModulePaths& paths, Parameters& parameters);

/// Frames for every node that does work, one call for each block found (findBlocks); a node in no block, or of a body,
/// runs in what is around it. Constants and what is computed from shapes get none. Parameters get owners (giveOwners).
/// O(nodes log nodes + uses * depth).
void guessStructure(const Model& model, Parameters& parameters, ModulePaths& paths, std::vector<FramedNode>& nodes);

} // namespace duo
