// SPDX-License-Identifier: Apache-2.0
#include "core/scope/reading/module_paths.h"

#include <algorithm>

namespace duo {

ModulePaths::ModulePaths()
{
    m_paths.emplace_back();
    m_index.emplace("", root());
}

PathId ModulePaths::intern(std::string_view dotted)
{
    const PathId known = find(dotted);
    if (known.valid())
        return known;
    PathId path = root();
    std::size_t start = 0;
    while (start <= dotted.size()) {
        const std::size_t dot = std::min(dotted.find('.', start), dotted.size());
        path = child(path, dotted.substr(start, dot - start));
        start = dot + 1;
    }
    return path;
}

PathId ModulePaths::child(PathId parent, std::string_view atom)
{
    std::string text = m_paths[parent.index].text;
    if (parent != root())
        text += '.';
    text += atom;
    const auto [entry, isNew] = m_index.try_emplace(std::move(text), PathId(m_paths.size()));
    if (isNew)
        m_paths.push_back({entry->first, parent, m_paths[parent.index].depth + 1, {}});
    return entry->second;
}

PathId ModulePaths::find(std::string_view dotted) const
{
    const auto found = m_index.find(std::string(dotted));
    return found == m_index.end() ? PathId{} : found->second;
}

std::string_view ModulePaths::atom(PathId id) const
{
    const std::string_view text = m_paths[id.index].text;
    return text.substr(text.rfind('.') + 1);
}

bool ModulePaths::contains(PathId above, PathId below) const
{
    const std::string& prefix = text(above);
    const std::string& whole = text(below);
    return above == root()
        || (whole.starts_with(prefix) && (whole.size() == prefix.size() || whole[prefix.size()] == '.'));
}

std::string_view ModulePaths::relative(PathId above, PathId below) const
{
    const std::string_view whole = text(below);
    if (above == root())
        return whole;
    return above == below ? std::string_view{} : whole.substr(text(above).size() + 1);
}

bool ModulePaths::endsWith(PathId id, std::string_view component) const
{
    const std::string_view whole = text(id);
    return !component.empty() && whole.ends_with(component)
        && (whole.size() == component.size() || whole[whole.size() - component.size() - 1] == '.');
}

void ModulePaths::setClassName(PathId id, std::string_view name)
{
    if (m_paths[id.index].className.empty())
        m_paths[id.index].className = name;
}

} // namespace duo
