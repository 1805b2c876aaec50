// SPDX-License-Identifier: Apache-2.0
#include "core/rules/python_groups.h"

#include "core/support/digits.h"

#include <algorithm>
#include <charconv>

namespace duo {
namespace {

bool isIdentifier(std::string_view name)
{
    return !name.empty() && isNameStart(name.front())
        && std::all_of(name.begin(), name.end(), [](char c) { return isNameStart(c) || isDigit(c); });
}

bool isGroupNumber(std::string_view text)
{
    return text.size() < 10 && allDigits(text);
}

int numberOf(std::string_view text)
{
    int number = 0;
    std::from_chars(text.data(), text.data() + text.size(), number);
    return number;
}

constexpr std::string_view kFlags = "imsxu";

} // namespace

PythonGroups::PythonGroups(std::string_view pattern)
    : m_pattern(pattern)
{
}

PythonGroups::Opening PythonGroups::failed(std::size_t at, std::string text)
{
    Opening opening;
    opening.problem = PatternProblem{at, std::move(text)};
    return opening;
}

PythonGroups::Opening PythonGroups::group(std::size_t at, std::size_t written, std::string pcre, std::size_t length)
{
    Group group;
    group.at = at;
    group.isVerbose = isVerbose();
    group.starts.push_back(written + pcre.size());
    m_open.push_back(std::move(group));
    Opening opening;
    opening.pcre = std::move(pcre);
    opening.length = length;
    opening.isGroup = true;
    return opening;
}

PythonGroups::Opening PythonGroups::capture(std::size_t at, std::size_t written, std::size_t length)
{
    Opening opening = group(at, written, "(", length);
    m_open.back().number = ++m_count;
    return opening;
}

PythonGroups::Opening PythonGroups::open(std::size_t at, std::size_t written, bool hasItems)
{
    if (peek(at + 1) != '?')
        return capture(at, written, 1);
    const char kind = peek(at + 2);
    switch (kind) {
    case 'P':
        if (peek(at + 3) == '<')
            return named(at, written);
        if (peek(at + 3) == '=')
            return namedReference(at);
        return failed(
            at + 1, "unknown extension ?P" + std::string(m_pattern.substr(std::min(at + 3, m_pattern.size()), 1)));
    case '#': {
        const std::size_t end = m_pattern.find(')', at);
        if (end == std::string_view::npos)
            return failed(at, "missing ), unterminated comment");
        Opening opening;
        opening.length = end + 1 - at;
        return opening;
    }
    case '<': {
        const char side = peek(at + 3);
        if (side != '=' && side != '!')
            return failed(at + 1,
                "unknown extension ?<" + std::string(m_pattern.substr(std::min(at + 3, m_pattern.size()), 1))
                    + ", Python names groups (?P<name>...)");
        Opening opening = group(at, written, std::string("(?<") + side, 4);
        m_open.back().isLookBehind = true;
        return opening;
    }
    case '>': {
        Opening opening = group(at, written, "(?>", 3);
        opening.remark = "atomic groups need Python 3.11 or newer";
        return opening;
    }
    case ':':
    case '=':
    case '!':
        return group(at, written, std::string("(?") + kind, 3);
    case '(':
        return condition(at, written);
    default:
        return flags(at, written, hasItems);
    }
}

PythonGroups::Opening PythonGroups::named(std::size_t at, std::size_t written)
{
    const std::size_t end = m_pattern.find('>', at);
    if (end == std::string_view::npos)
        return failed(at + 4, "missing >, unterminated name");
    const std::string name(m_pattern.substr(at + 4, end - at - 4));
    if (!isIdentifier(name))
        return failed(at + 4, name.empty() ? "missing group name" : "bad character in group name '" + name + "'");
    if (m_names.contains(name))
        return failed(at + 4, "redefinition of group name '" + name + "'");
    Opening opening = capture(at, written, end + 1 - at);
    m_names.emplace(name, m_count);
    opening.remark = "a group named as Python does; other engines write (?<name>...)";
    return opening;
}

PythonGroups::Opening PythonGroups::namedReference(std::size_t at) const
{
    const std::size_t end = m_pattern.find(')', at);
    if (end == std::string_view::npos)
        return failed(at + 4, "missing ), unterminated name");
    const std::string name(m_pattern.substr(at + 4, end - at - 4));
    if (!isIdentifier(name))
        return failed(at + 4, name.empty() ? "missing group name" : "bad character in group name '" + name + "'");
    const auto found = m_names.find(name);
    if (found == m_names.end())
        return failed(at + 4, "unknown group name '" + name + "'");
    const std::string number = std::to_string(found->second);
    if (auto problem = checkReference(number))
        return failed(at + 4, *problem);
    Opening opening;
    opening.pcre = "\\g{" + number + "}";
    opening.length = end + 1 - at;
    opening.isReference = true;
    return opening;
}

PythonGroups::Opening PythonGroups::condition(std::size_t at, std::size_t written)
{
    const std::size_t end = m_pattern.find(')', at);
    if (end == std::string_view::npos)
        return failed(at + 3, "missing ), unterminated name");
    const std::string name(m_pattern.substr(at + 3, end - at - 3));
    int number = 0;
    if (isIdentifier(name)) {
        const auto found = m_names.find(name);
        if (found == m_names.end())
            return failed(at + 3, "unknown group name '" + name + "'");
        number = found->second;
    } else if (isGroupNumber(name)) {
        number = numberOf(name);
        if (number == 0)
            return failed(at + 3, "bad group number");
    } else {
        return failed(at + 3, name.empty() ? "missing group name" : "bad character in group name '" + name + "'");
    }
    m_conditions.push_back({at + 3, number});
    Opening opening = group(at, written, "(?(" + std::to_string(number) + ")", end + 1 - at);
    m_open.back().isCondition = true;
    return opening;
}

/// "(?i)" at the start, or "(?i-s:"; `u` is what Python does anyway, x is resolved while reading.
PythonGroups::Opening PythonGroups::flags(std::size_t at, std::size_t written, bool hasItems)
{
    const char first = peek(at + 2);
    if (first == 'a' || first == 'L')
        return failed(at + 1, "the flags a and L are not read: names are Unicode");
    if (kFlags.find(first) == std::string_view::npos && first != '-')
        return failed(
            at + 1, "unknown extension ?" + std::string(m_pattern.substr(std::min(at + 2, m_pattern.size()), 1)));
    std::size_t here = at + 2;
    std::string on;
    std::string off;
    for (; kFlags.find(peek(here)) != std::string_view::npos && here < m_pattern.size(); ++here)
        on += peek(here);
    const bool hasOff = peek(here) == '-';
    for (here += hasOff ? 1 : 0; hasOff && kFlags.find(peek(here)) != std::string_view::npos && here < m_pattern.size();
         ++here)
        off += peek(here);
    const char end = peek(here);
    if (hasOff && off.empty())
        return failed(here, "missing flag");
    if (end != ':' && (end != ')' || hasOff))
        return failed(here, hasOff ? "missing :" : "missing -, : or )");
    if (off.find('u') != std::string::npos)
        return failed(here, "bad inline flags: cannot turn off flags 'a', 'u' and 'L'");
    if (off.find_first_of(on) != std::string::npos)
        return failed(here, "bad inline flags: flag turned on and off");
    if (end == ')' && (hasItems || isOpen()))
        return failed(at, "global flags not at the start of the expression");

    const bool turnsOn = on.find('x') != std::string::npos;
    const bool turnsOff = off.find('x') != std::string::npos;
    const auto isResolved = [](char c) { return c == 'x' || c == 'u'; };
    std::erase_if(on, isResolved);
    std::erase_if(off, isResolved);
    const std::string kept = on + (off.empty() ? "" : "-" + off);
    if (end == ')') {
        m_isVerbose = m_isVerbose || turnsOn;
        Opening opening;
        opening.pcre = kept.empty() ? "" : "(?" + kept + ")";
        opening.length = here + 1 - at;
        opening.remark = "flags inside a pattern: Python takes them at its start only";
        return opening;
    }
    Opening opening = group(at, written, "(?" + kept + ":", here + 1 - at);
    m_open.back().isVerbose = (isVerbose() || turnsOn) && !turnsOff;
    return opening;
}

void PythonGroups::close(const std::string& pcre)
{
    const Group group = std::move(m_open.back());
    m_open.pop_back();
    if (!group.isLookBehind || group.starts.size() < 2)
        return;
    std::vector<std::string> alternatives;
    for (std::size_t i = 0; i < group.starts.size(); ++i) {
        const std::size_t end = i + 1 < group.starts.size() ? group.starts[i + 1] - 1 : pcre.size();
        alternatives.push_back(pcre.substr(group.starts[i], end - group.starts[i]));
    }
    m_lookBehinds.push_back(std::move(alternatives));
}

std::optional<std::string> PythonGroups::alternative(std::size_t written)
{
    if (m_open.empty())
        return std::nullopt;
    Group& group = m_open.back();
    group.starts.push_back(written + 1);
    if (group.isCondition && group.starts.size() > 2)
        return "conditional backref with more than two branches";
    return std::nullopt;
}

std::optional<std::string> PythonGroups::checkReference(const std::string& number) const
{
    const int wanted = numberOf(number);
    if (wanted > m_count)
        return "invalid group reference " + number;
    const bool isInside
        = std::any_of(m_open.begin(), m_open.end(), [&](const Group& group) { return group.number == wanted; });
    return isInside ? std::optional<std::string>("cannot refer to an open group") : std::nullopt;
}

std::optional<PatternProblem> PythonGroups::unresolved() const
{
    for (const Condition& condition : m_conditions) {
        if (condition.number > m_count)
            return PatternProblem{condition.at, "invalid group reference " + std::to_string(condition.number)};
    }
    return std::nullopt;
}

} // namespace duo
