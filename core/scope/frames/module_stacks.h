// SPDX-License-Identifier: Apache-2.0
// Scopes that torch.export records with nodes of a program (resources/docs/names.md, "Module stacks of programs").
#pragma once

#include "core/model/model.h"
#include "core/scope/facts/framed_node.h"
#include "core/scope/facts/parameters.h"

#include <vector>

namespace duo {

/// Frames of every node whose metadata holds a module stack, with the numbers of calls where they are recorded: since
/// PyTorch 2.6, and in any file that has one. Classes go into `paths`. Other nodes stay unscoped. PyTorch 2.5 records
/// "proj" where a module calls a foreign `enc.proj`: what such a node reads tells the module (dataflow).
/// @return the lines of the program that `stack_trace` tells of; nothing for models of other formats
CodeLines readModuleStacks(
    const Model& model, const Parameters& parameters, ModulePaths& paths, std::vector<FramedNode>& nodes);

} // namespace duo
