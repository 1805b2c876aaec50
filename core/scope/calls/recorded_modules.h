// SPDX-License-Identifier: Apache-2.0
// The module tree that a model file or a checkpoint records.
#pragma once

#include "core/model/model.h"
#include "core/scope/calls/aliases.h"
#include "core/scope/facts/module_paths.h"
#include "core/scope/facts/sources.h"

#include <vector>

namespace duo {

/// The modules that the model records, else those of the checkpoint under the paths the model gives them; definition
/// order, none where neither records any.
std::vector<RecordedModule> recordedModules(const Model& model, const ScopeSources& sources);

/// Makes their paths and classes known.
void internModules(const std::vector<RecordedModule>& modules, ModulePaths& paths);

/// Whether the record tells objects from paths. State dictionaries list paths only, without classes.
bool recordsObjects(const std::vector<RecordedModule>& modules);

/// Paths that are recorded to lead to one object.
ModuleAliases recordedAliases(const std::vector<RecordedModule>& modules, ModulePaths& paths);

} // namespace duo
