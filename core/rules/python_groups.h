// SPDX-License-Identifier: Apache-2.0
// Groups of a Python pattern while it is read: their numbers, names, flags, and what may refer to them.
#pragma once

#include "core/rules/python_pattern.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace duo {

/// Of an identifier of Python; letters beyond ASCII are not told from other signs.
constexpr bool isNameStart(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || static_cast<unsigned char>(c) >= 0x80U;
}

class PythonGroups
{
public:
    explicit PythonGroups(std::string_view pattern);

    /// What stands at a '(' up to the first part of the group's content, or all of a reference, comment or flags.
    struct Opening {
        std::string pcre;
        std::size_t length = 0;
        bool isGroup = false; // a ')' is to come
        bool isReference = false;
        std::string remark;
        std::optional<PatternProblem> problem;
    };

    /// @param written bytes of PCRE2 spelling so far; @param hasItems global flags are too late
    Opening open(std::size_t at, std::size_t written, bool hasItems);
    void close(const std::string& pcre);
    /// A '|'. @return what is wrong with it
    std::optional<std::string> alternative(std::size_t written);
    [[nodiscard]] std::optional<std::string> checkReference(const std::string& number) const;

    [[nodiscard]] bool isOpen() const { return !m_open.empty(); }
    [[nodiscard]] std::size_t openedAt() const { return m_open.front().at; }
    [[nodiscard]] bool isVerbose() const { return m_open.empty() ? m_isVerbose : m_open.back().isVerbose; }
    [[nodiscard]] std::optional<PatternProblem> unresolved() const; // conditions on groups that never came
    std::vector<std::vector<std::string>> takeLookBehinds() { return std::move(m_lookBehinds); }

private:
    struct Group {
        std::size_t at = 0;
        int number = 0; // 0: does not capture
        bool isVerbose = false;
        bool isCondition = false;
        bool isLookBehind = false;
        std::vector<std::size_t> starts; // of alternatives in the PCRE2 spelling
    };
    struct Condition {
        std::size_t at = 0;
        int number = 0;
    };

    [[nodiscard]] char peek(std::size_t at) const { return at < m_pattern.size() ? m_pattern[at] : '\0'; }
    Opening group(std::size_t at, std::size_t written, std::string pcre, std::size_t length);
    Opening capture(std::size_t at, std::size_t written, std::size_t length);
    Opening named(std::size_t at, std::size_t written);
    Opening namedReference(std::size_t at) const;
    Opening condition(std::size_t at, std::size_t written);
    Opening flags(std::size_t at, std::size_t written, bool hasItems);
    static Opening failed(std::size_t at, std::string text);

    std::string_view m_pattern;
    bool m_isVerbose = false;
    int m_count = 0;
    std::map<std::string, int> m_names;
    std::vector<Group> m_open;
    std::vector<Condition> m_conditions;
    std::vector<std::vector<std::string>> m_lookBehinds;
};

} // namespace duo
