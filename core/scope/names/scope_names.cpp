// SPDX-License-Identifier: Apache-2.0
#include "core/scope/names/scope_names.h"

#include <algorithm>

namespace duo {
namespace {

constexpr std::size_t kLongestName = 1000;
constexpr std::size_t kMostComponents = 64;

bool allDigits(std::string_view text)
{
    return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

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
    std::string_view op = parts.back();
    parts.pop_back();
    const bool hasEmptyPart = std::any_of(parts.begin(), parts.end(), [](std::string_view p) { return p.empty(); });
    if (hasEmptyPart || parts.size() > kMostComponents || !op.starts_with(opType))
        return std::nullopt;
    op.remove_prefix(opType.size());
    if (!op.empty() && !(op.front() == '_' && allDigits(op.substr(1))))
        return std::nullopt;
    return parts;
}

std::optional<std::string_view> withoutCallSuffix(std::string_view component)
{
    const std::size_t underscore = component.rfind('_');
    if (underscore == std::string_view::npos || underscore == 0 || !allDigits(component.substr(underscore + 1)))
        return std::nullopt;
    return component.substr(0, underscore);
}

ScopeSpellings::ScopeSpellings()
{
    m_spellings.emplace_back();
}

std::string ScopeSpellings::keyOf(SpellingId parent, std::string_view component)
{
    std::string key = std::to_string(parent.index);
    key += '/';
    key += component;
    return key;
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
    const auto [entry, isNew] = m_index.try_emplace(keyOf(parent, component), SpellingId(m_spellings.size()));
    if (isNew) {
        m_spellings[parent.index].hasChildren = true;
        m_spellings.push_back({std::string(component), parent, m_spellings[parent.index].depth + 1, false});
    }
    return entry->second;
}

SpellingId ScopeSpellings::find(SpellingId parent, std::string_view component) const
{
    const auto found = m_index.find(keyOf(parent, component));
    return found == m_index.end() ? SpellingId{} : found->second;
}

} // namespace duo
