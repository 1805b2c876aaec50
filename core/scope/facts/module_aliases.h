// SPDX-License-Identifier: Apache-2.0
// ModuleAliases: several paths for one module.
#pragma once

#include "core/scope/facts/module_paths.h"

#include <string>
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

} // namespace duo
