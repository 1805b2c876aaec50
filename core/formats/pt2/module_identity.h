// SPDX-License-Identifier: Apache-2.0
// Which registered module paths are one object, and what classes modules are of.
#pragma once

#include "core/formats/pt2/exported_program.h"
#include "core/model/recorded_module.h"

#include <vector>

namespace duo {

/// The modules of the program in definition order, with the classes that the frames of nodes record. Two paths are one
/// object where frames of strict export name one object under both; else where the modules below both have the same
/// relative paths and own the same tensors under the same names, both own one themselves or end in the same name (`a`
/// and `b` whose only child is shared may be two), and neither classes nor objects that frames name speak against it.
/// Where a class is not known, all modules that own the tensors must be of one. Modules without parameters are told
/// apart only by frames. O(modules + keys) if few keys share a tensor.
/// @param keys in definition order
std::vector<RecordedModule> identifyModules(const ExportedProgram& program, const std::vector<RecordedKey>& keys);

} // namespace duo
