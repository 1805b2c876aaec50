// SPDX-License-Identifier: Apache-2.0
#include "core/rules/scope_rule.h"

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
        if (at < text.size() && text[at] != '.' && text[at] != '/')
            continue;
        if (at > start)
            atoms.push_back(parseAtom(text.substr(start, at - start)));
        start = at + 1;
    }
    return atoms;
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
        caught[i] = matched[i] == all;
    }
    return caught;
}

} // namespace duo
