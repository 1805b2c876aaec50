// SPDX-License-Identifier: Apache-2.0
// SuggestionList: what a rule that matches nothing may have meant, as it is collected.
#pragma once

#include "core/rules/match.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace duo {

/// Leaves out repeats, the rule itself and what is more than enough.
class SuggestionList
{
public:
    static constexpr std::size_t kMost = 5;

    explicit SuggestionList(const Rule& rule)
        : m_rule(rule)
    {
    }

    void add(RuleKind kind, const std::string& value, std::string text);
    void addSubgraph(std::vector<std::string> inputs, std::vector<std::string> outputs, std::string text);
    /// The names that the rule's value may be a slip of the pen for.
    void addNear(RuleKind kind, std::string_view what, std::span<const std::string_view> names);
    void addNear(RuleKind kind, std::string_view what, const std::vector<std::string>& names);

    [[nodiscard]] bool hasNames() const;
    [[nodiscard]] bool isEmpty() const { return m_list.empty(); }
    std::vector<Suggestion> take() { return std::move(m_list); }

private:
    const Rule& m_rule;
    std::vector<Suggestion> m_list;
};

} // namespace duo
