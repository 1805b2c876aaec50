// SPDX-License-Identifier: Apache-2.0
#include "core/rules/scope_rule.h"

#include <algorithm>
#include <charconv>

namespace duo {
namespace {

constexpr int kMiss = -1;

/// One atom between separators: a leading `@`, letters with escapes, a trailing `#n`.
ScopeAtom parseAtom(std::string_view text)
{
    ScopeAtom atom;
    std::size_t at = 0;
    if (!text.empty() && text[0] == '@') {
        atom.isForeign = true;
        at = 1;
    }
    for (; at < text.size(); ++at) {
        if (text[at] == '\\' && at + 1 < text.size()) {
            atom.name += text[++at];
            continue;
        }
        if (text[at] == '#') {
            std::int64_t number = 0;
            const char* end = text.data() + text.size();
            const auto [rest, error] = std::from_chars(text.data() + at + 1, end, number);
            if (error == std::errc{} && rest == end && number >= 0) {
                atom.call = number;
                return atom;
            }
        }
        atom.name += text[at];
    }
    return atom;
}

bool atomMatches(const ScopeAtom& rule, const ScopeAtom& atom)
{
    if (rule.name != atom.name || rule.isForeign != atom.isForeign)
        return false;
    return !rule.call || *rule.call == atom.call.value_or(0);
}

bool isSeparator(char c)
{
    return c == '.' || c == '/';
}

/// Where the number of a call that begins with the `#` at this place ends; npos if it is no such number.
std::size_t endOfNumber(std::string_view text, std::size_t at)
{
    const std::size_t end = std::min(text.find_first_not_of("0123456789", at + 1), text.size());
    const bool isNumber = end > at + 1 && (end == text.size() || isSeparator(text[end]));
    return isNumber ? end : std::string_view::npos;
}

/// Whether the module that a scope is a call of runs again in the same place.
bool hasLaterCalls(const ScopeTree& tree, const Scope& scope)
{
    const auto& siblings = tree.scope(scope.parent).children;
    return std::any_of(siblings.begin(), siblings.end(), [&](ScopeId id) {
        const std::string& name = tree.scope(id).name;
        return name.size() > scope.name.size() + 1 && name[scope.name.size()] == '#' && name.starts_with(scope.name);
    });
}

/// How many rule atoms match after this scope's own atoms, or kMiss.
int advance(const std::vector<ScopeAtom>& rule, int matched, std::string_view name)
{
    for (const ScopeAtom& atom : scopeAtoms(name)) {
        if (matched == static_cast<int>(rule.size()))
            return matched;
        if (!atomMatches(rule[static_cast<std::size_t>(matched)], atom))
            return kMiss;
        ++matched;
    }
    return matched;
}

} // namespace

std::vector<ScopeAtom> scopeAtoms(std::string_view text)
{
    std::vector<ScopeAtom> atoms;
    std::size_t start = 0;
    for (std::size_t at = 0; at <= text.size(); ++at) {
        if (at < text.size() && text[at] == '\\') {
            ++at;
            continue;
        }
        if (at < text.size() && !isSeparator(text[at]))
            continue;
        if (at > start)
            atoms.push_back(parseAtom(text.substr(start, at - start)));
        start = at + 1;
    }
    return atoms;
}

std::string everyCall(std::string_view text)
{
    std::string result;
    result.reserve(text.size());
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (text[at] == '\\' && at + 1 < text.size()) {
            result += text[at++];
        } else if (const std::size_t end = text[at] == '#' ? endOfNumber(text, at) : std::string_view::npos;
                   end != std::string_view::npos) {
            at = end - 1;
            continue;
        }
        result += text[at];
    }
    return result;
}

std::string oneCall(const ScopeTree& execution, ScopeId id)
{
    const Scope& scope = execution.scope(id);
    if (!scope.parent.valid())
        return {};
    const std::string above = oneCall(execution, scope.parent);
    return above + (above.empty() ? "" : "/") + scope.name + (hasLaterCalls(execution, scope) ? "#0" : "");
}

std::vector<ScopeId> callsAlike(const ScopeTree& execution, ScopeId scope)
{
    const std::string text = everyCall(execution.scope(scope).path);
    std::vector<ScopeId> calls;
    for (std::size_t i = 0; i < execution.scopes.size(); ++i) {
        const std::string& path = execution.scopes[i].path;
        if (path.find('#') == std::string::npos ? path == text : everyCall(path) == text)
            calls.emplace_back(i);
    }
    return calls;
}

std::vector<bool> scopesCaught(const ScopeTree& tree, std::string_view rule)
{
    const std::vector<ScopeAtom> atoms = scopeAtoms(rule);
    const int all = static_cast<int>(atoms.size());
    std::vector<int> matched(tree.scopes.size(), kMiss);
    std::vector<bool> caught(tree.scopes.size(), false);
    for (std::size_t i = 0; i < tree.scopes.size(); ++i) {
        const Scope& scope = tree.scopes[i];
        const int above = scope.parent.valid() ? matched[scope.parent.index] : 0;
        if (above == kMiss)
            continue;
        matched[i] = above == all ? all : advance(atoms, above, scope.name);
        if (scope.isBody && matched[i] == kMiss)
            matched[i] = above; // a rule need not name the bodies on the way
        caught[i] = matched[i] == all;
    }
    return caught;
}

} // namespace duo
