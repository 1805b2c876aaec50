// SPDX-License-Identifier: Apache-2.0
#include "core/rules/suggestion_list.h"

#include "core/rules/near_names.h"
#include "core/support/phrases.h"

#include <algorithm>

namespace duo {
namespace {

std::string listText(const std::vector<std::string>& names)
{
    std::string text;
    for (const std::string& name : names)
        text += (text.empty() ? "" : ", ") + name;
    return "[" + text + "]";
}

} // namespace

void SuggestionList::add(RuleKind kind, const std::string& value, std::string text)
{
    const auto isSame = [&](const Suggestion& s) { return s.kind == kind && s.value == value; };
    const bool isRule = kind == m_rule.kind && value == m_rule.value;
    if (isRule || m_list.size() == kMost || std::any_of(m_list.begin(), m_list.end(), isSame))
        return;
    m_list.push_back({std::move(text), kind, value});
}

void SuggestionList::addSubgraph(std::vector<std::string> inputs, std::vector<std::string> outputs, std::string text)
{
    const std::string value = listText(inputs) + " to " + listText(outputs);
    m_list.push_back({std::move(text), RuleKind::Subgraph, value, std::move(inputs), std::move(outputs)});
}

void SuggestionList::addNear(RuleKind kind, std::string_view what, std::span<const std::string_view> names)
{
    for (const std::string& name : nearestNames(m_rule.value, names))
        add(kind, name, "did you mean " + std::string(what) + " " + inQuotes(name) + "?");
}

void SuggestionList::addNear(RuleKind kind, std::string_view what, const std::vector<std::string>& names)
{
    const std::vector<std::string_view> views(names.begin(), names.end());
    addNear(kind, what, std::span<const std::string_view>(views));
}

bool SuggestionList::hasNames() const
{
    return std::any_of(m_list.begin(), m_list.end(), [](const Suggestion& s) { return s.kind == RuleKind::Name; });
}

} // namespace duo
