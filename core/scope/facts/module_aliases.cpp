// SPDX-License-Identifier: Apache-2.0
#include "core/scope/facts/module_aliases.h"

namespace duo {

void ModuleAliases::add(PathId first, PathId other)
{
    if (m_first.emplace(other, first).second)
        m_others[first].push_back(other);
}

std::string ModuleAliases::firstText(const ModulePaths& paths, PathId path) const
{
    for (PathId above = path; above.valid(); above = paths.parent(above)) {
        const auto found = m_first.find(above);
        if (found == m_first.end())
            continue;
        std::string text = paths.text(found->second);
        if (above != path)
            text += "." + std::string(paths.relative(above, path));
        return text;
    }
    return paths.text(path);
}

PathId ModuleAliases::canonical(ModulePaths& paths, PathId path) const
{
    return m_first.empty() ? path : paths.intern(firstText(paths, path));
}

PathId ModuleAliases::known(const ModulePaths& paths, PathId path) const
{
    if (m_first.empty())
        return path;
    const PathId first = paths.find(firstText(paths, path));
    return first.valid() ? first : path;
}

std::vector<PathId> ModuleAliases::others(PathId first) const
{
    const auto found = m_others.find(first);
    return found == m_others.end() ? std::vector<PathId>{} : found->second;
}

} // namespace duo
