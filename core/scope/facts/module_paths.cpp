// SPDX-License-Identifier: Apache-2.0
#include "core/scope/facts/module_paths.h"

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
    std::size_t start = 0; // behind the longest prefix that is known
    PathId path = root();
    for (std::size_t dot = dotted.rfind('.'); dot != std::string_view::npos && dot > 0 && start == 0;
         dot = dotted.rfind('.', dot - 1)) {
        if (const PathId above = find(dotted.substr(0, dot)); above.valid()) {
            path = above;
            start = dot + 1;
        }
    }
    while (start <= dotted.size()) {
        const std::size_t dot = std::min(dotted.find('.', start), dotted.size());
        path = child(path, dotted.substr(start, dot - start));
        start = dot + 1;
    }
    return path;
}

PathId ModulePaths::child(PathId parent, std::string_view atom)
{
    const Path& above = m_paths[parent.index];
    std::string text;
    text.reserve(above.text.size() + 1 + atom.size());
    text += above.text;
    if (parent != root())
        text += '.';
    text += atom;
    if (const PathId known = find(text); known.valid())
        return known;
    const PathId id(m_paths.size());
    m_paths.push_back({std::move(text), parent, above.depth + 1, {}});
    m_index.emplace(m_paths.back().text, id);
    return id;
}

PathId ModulePaths::find(std::string_view dotted) const
{
    const auto found = m_index.find(dotted);
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
