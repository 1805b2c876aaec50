// SPDX-License-Identifier: Apache-2.0
// Frames of nodes that carry none of their own, and of nodes that a rewrite rule gave the frames of another.
#pragma once

#include "core/model/model.h"
#include "core/scope/facts/framed_node.h"
#include "core/scope/facts/parameters.h"

#include <vector>

namespace duo {

/// Nodes in bodies and in functions run where their owner runs. A call inside a function that bears no scope gets a
/// module of its own, found from the owners of the parameters below it. Owners must come before their regions' nodes.
void inheritFrames(
    const Model& model, const Parameters& parameters, ModulePaths& paths, std::vector<FramedNode>& nodes);

/// A module that the program does not reach through its parents (kept in a plain list) is recorded with right path, but
/// its children with their paths below it: "enc.0", then "dec" for "enc.0.dec". They get their whole path where that is
/// known and the recorded one is not. Paths below `knownPaths` come from keys or a recorded module tree.
void completeRelativeFrames(std::size_t knownPaths, ModulePaths& paths, std::vector<FramedNode>& nodes);

/// A convolution that took in a batch norm carries the frames of the batch norm: it gets its own module back, found
/// from the weight it still names.
void restoreFusedFrames(const Parameters& parameters, const ModulePaths& paths, std::vector<FramedNode>& nodes);

/// For files that name scopes: a node that says nothing of its own, as optimizers make, and works with the weights of
/// one module that nothing else works with is taken to run in that module, unless it has modules inside.
void frameReaders(
    const Model& model, const Parameters& parameters, const ModulePaths& paths, std::vector<FramedNode>& nodes);

/// For files that name no scopes at all: a node that reads a parameter is taken to run in the module that owns it, one
/// call per module. A guess: it cannot see a difference between the two.
void guessFrames(const Parameters& parameters, const ModulePaths& paths, std::vector<FramedNode>& nodes);

} // namespace duo
