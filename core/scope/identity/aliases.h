// SPDX-License-Identifier: Apache-2.0
// Several keys for one tensor, and several paths for one module, as far as the exporter's record shows them.
#pragma once

#include "core/scope/parameters/parameters.h"
#include "core/scope/reading/framed_node.h"

#include <unordered_map>
#include <vector>

namespace duo {

/// Paths of modules that are one object.
class ModuleAliases
{
public:
    void add(PathId first, PathId other);
    /// The first path of the module: that of its nearest aliased ancestor replaced, or the path itself.
    PathId canonical(ModulePaths& paths, PathId path) const;
    /// As canonical(), for paths that are interned; the path itself where its first one is not.
    [[nodiscard]] PathId known(const ModulePaths& paths, PathId path) const;
    /// The other paths of a first path; empty for most.
    [[nodiscard]] std::vector<PathId> others(PathId first) const;

private:
    [[nodiscard]] std::string firstText(const ModulePaths& paths, PathId path) const;

    std::unordered_map<PathId, PathId> m_first;
    std::unordered_map<PathId, std::vector<PathId>> m_others;
};

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
