// SPDX-License-Identifier: Apache-2.0
// ScopeFacts: everything read and inferred about a model's scopes, before it becomes trees and texts.
#pragma once

#include "core/model/model.h"
#include "core/scope/calls/call_tree.h"
#include "core/scope/parameters/aliases.h"
#include "core/scope/parameters/parameters.h"
#include "core/scope/reading/framed_node.h"
#include "core/scope/reading/module_paths.h"
#include "core/scope/sources.h"

#include <vector>

namespace duo {

struct ScopeFacts {
    ModulePaths paths;
    Parameters parameters;
    std::vector<FramedNode> frames; // [nodes]
    CodeLines code; // [line marks]
    ModuleAliases aliases;
    CallTree tree;
    std::vector<Provenance> executionFrom; // [nodes]
    bool namesScopes = false; // the file says of some node where it runs
    const Checkpoint* checkpoint = nullptr; // may be null
};

ScopeFacts gatherScopeFacts(const Model& model, const ScopeSources& sources);

} // namespace duo
