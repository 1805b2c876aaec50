// SPDX-License-Identifier: Apache-2.0
// Which keys are of one tensor, and which paths of one module, as far as the exporter's record shows it.
#pragma once

#include "core/scope/facts/framed_node.h"
#include "core/scope/facts/module_aliases.h"
#include "core/scope/facts/parameters.h"

#include <vector>

namespace duo {

/// Joins keys of one tensor, and gives reads the owner of the first key: keys that a list records as tied; and a key
/// that the exporter lists, that nothing in the file reads, while its module runs and reads a parameter of the same
/// name from another module.
void joinTiedKeys(const ModulePaths& paths, const std::vector<FramedNode>& nodes, Parameters& parameters);

/// Whether nothing speaks against `unread` being another key of the tensor that is read as `read`.
bool mayBeTied(const Key& unread, const Key& read);

/// Settles Key::first, next, readBy and the owners of reads after keys were joined.
void spreadReads(Parameters& parameters);

/// Modules whose parameters are all shared under the same relative names are taken for one object, where nothing says
/// which modules are; their other keys are joined, too. O(keys * depth).
ModuleAliases findAliases(const ModulePaths& paths, const std::vector<FramedNode>& nodes, Parameters& parameters);

} // namespace duo
