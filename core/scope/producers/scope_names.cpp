// SPDX-License-Identifier: Apache-2.0
#include "core/scope/producers/scope_names.h"

#include "core/support/digits.h"

#include <algorithm>

namespace duo {
namespace {

constexpr std::size_t kLongestName = 1000;
constexpr std::size_t kMostComponents = 64;

} // namespace

std::optional<std::vector<std::string_view>> scopeComponents(std::string_view nodeName, std::string_view opType)
{
    if (nodeName.size() < 2 || nodeName.front() != '/' || nodeName.size() > kLongestName)
        return std::nullopt;
    std::vector<std::string_view> parts;
    std::size_t start = 1;
    while (start <= nodeName.size()) {
        const std::size_t slash = std::min(nodeName.find('/', start), nodeName.size());
        parts.push_back(nodeName.substr(start, slash - start));
        start = slash + 1;
    }
    const std::string_view op = parts.back();
    parts.pop_back();
    const bool hasEmptyPart = std::any_of(parts.begin(), parts.end(), [](std::string_view p) { return p.empty(); });
    if (hasEmptyPart || parts.size() > kMostComponents || !isOpPart(op, opType))
        return std::nullopt;
    return parts;
}

bool isOpPart(std::string_view part, std::string_view opType)
{
    if (!part.starts_with(opType))
        return false;
    part.remove_prefix(opType.size());
    return part.empty() || (part.front() == '_' && allDigits(part.substr(1)));
}

std::optional<std::string_view> withoutCallSuffix(std::string_view component)
{
    const std::size_t underscore = component.rfind('_');
    if (underscore == std::string_view::npos || underscore == 0 || !allDigits(component.substr(underscore + 1)))
        return std::nullopt;
    return component.substr(0, underscore);
}

ScopeSpellings::ScopeSpellings(std::size_t expected)
{
    m_index.reserve(expected);
    m_spellings.emplace_back();
}

SpellingId ScopeSpellings::intern(const std::vector<std::string_view>& components)
{
    SpellingId id = root();
    for (const std::string_view component : components)
        id = child(id, component);
    return id;
}

SpellingId ScopeSpellings::child(SpellingId parent, std::string_view component)
{
    if (const SpellingId known = find(parent, component); known.valid())
        return known;
    const SpellingId id(m_spellings.size());
    m_spellings[parent.index].hasChildren = true;
    m_spellings.push_back({std::string(component), parent, m_spellings[parent.index].depth + 1, false});
    m_index.emplace(Place{parent, m_spellings.back().component}, id);
    return id;
}

SpellingId ScopeSpellings::find(SpellingId parent, std::string_view component) const
{
    const auto found = m_index.find({parent, component});
    return found == m_index.end() ? SpellingId{} : found->second;
}

} // namespace duo
