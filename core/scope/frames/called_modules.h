// SPDX-License-Identifier: Apache-2.0
// CalledModules: which module a call of a local function runs.
#pragma once

#include "core/model/model.h"
#include "core/scope/facts/module_paths.h"
#include "core/scope/facts/parameters.h"

#include <vector>

namespace duo {

/// Whether a node calls a function that a module was exported as; those of exporters and runtimes are operators.
bool isModuleCall(const Node& node);

/// Module of every such call, from what its body reads: the module that owns all of it, or the one above the modules
/// that its inner calls run.
class CalledModules
{
public:
    CalledModules(const Model& model, const Parameters& parameters, const ModulePaths& paths);
    [[nodiscard]] PathId module(std::size_t call) const; // invalid where nothing tells

private:
    void merge(PathId& into, PathId path) const;

    std::vector<PathId> m_own; // common owner of what the body's own nodes read
    std::vector<PathId> m_inner; // common prefix of the modules that hold those of inner calls
    const ModulePaths& m_paths;
};

} // namespace duo
