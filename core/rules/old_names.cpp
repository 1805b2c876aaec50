// SPDX-License-Identifier: Apache-2.0
#include "core/rules/old_names.h"

#include "core/rules/scope_rule.h"
#include "core/support/digits.h"

#include <algorithm>
#include <optional>
#include <unordered_set>
#include <utility>

namespace duo {
namespace {

constexpr std::size_t kLongestName = 1000;

std::vector<std::string_view> componentsOf(std::string_view name)
{
    std::vector<std::string_view> parts;
    for (std::size_t start = 0; start < name.size();) {
        const std::size_t end = std::min(name.find('/', start), name.size());
        if (end > start)
            parts.push_back(name.substr(start, end - start));
        start = end + 1;
    }
    return parts;
}

/// "Conv" of "Conv_1".
std::string_view withoutNumber(std::string_view text)
{
    const std::size_t at = text.rfind('_');
    return at != std::string_view::npos && allDigits(text.substr(at + 1)) ? text.substr(0, at) : text;
}

/// "layer1", "layer1.0", "conv1" is layer1.0.conv1.
std::string joined(const std::vector<std::string_view>& parts)
{
    std::string path;
    std::string_view last;
    for (const std::string_view part : parts) {
        if (path.empty() || part.starts_with(path + "."))
            path = part;
        else if (!last.empty() && part.starts_with(std::string(last) + "."))
            path += part.substr(last.size());
        else
            path += "." + std::string(part);
        last = part;
    }
    return path;
}

/// "enc" of "Encoder[enc]"; nothing without brackets.
std::string_view inBrackets(std::string_view part)
{
    const std::size_t start = part.find('[');
    return start == std::string_view::npos || !part.ends_with(']') ? std::string_view()
                                                                   : part.substr(start + 1, part.size() - start - 2);
}

std::vector<std::string> atomNames(std::string_view scope)
{
    std::vector<std::string> names;
    for (ScopeAtom& atom : scopeAtoms(scope))
        names.push_back(std::move(atom.name));
    return names;
}

/// Which call of its module the last atom of a scope is.
std::int64_t lastCall(std::string_view scope)
{
    const auto atoms = scopeAtoms(scope);
    return atoms.empty() ? 0 : atoms.back().call.value_or(0);
}

/// Length of the longest common subsequence.
std::size_t commonAtoms(const std::vector<std::string>& a, const std::vector<std::string>& b)
{
    std::vector<std::size_t> row(b.size() + 1, 0);
    for (const std::string& atom : a) {
        std::size_t diagonal = 0;
        for (std::size_t j = 0; j < b.size(); ++j) {
            const std::size_t above = row[j + 1];
            row[j + 1] = atom == b[j] ? diagonal + 1 : std::max(above, row[j]);
            diagonal = above;
        }
    }
    return row.back();
}

/// Atoms that one of both has and the other has not; nothing where they are not alike.
std::optional<std::size_t> unlikeAtoms(const std::vector<std::string>& wanted, const std::vector<std::string>& names)
{
    constexpr std::size_t kMostUnlike = 4;
    if (names.empty() || names.back() != wanted.back())
        return std::nullopt;
    const std::size_t common = commonAtoms(wanted, names);
    const std::size_t unlike = wanted.size() + names.size() - 2 * common;
    const bool isAlike = unlike <= kMostUnlike && 2 * common >= wanted.size() && (common > 1 || wanted.size() == 1);
    return isAlike ? std::optional(unlike) : std::nullopt;
}

} // namespace

OldName readOldName(std::string_view name)
{
    if (name.size() > kLongestName)
        return {};
    auto parts = componentsOf(name);
    const bool isRooted = name.starts_with('/');
    const bool isBracketed
        = std::any_of(parts.begin(), parts.end(), [](auto part) { return !inBrackets(part).empty(); });
    if (parts.size() < 2)
        return {};
    if (!isRooted && !isBracketed) { // enc/fc/linear/0
        if (parts.size() < 3 || !allDigits(parts.back()))
            return {};
        parts.pop_back();
        const std::string operation(parts.back());
        parts.pop_back();
        return {joined(parts), operation};
    }
    const std::string operation(withoutNumber(parts.back()));
    parts.pop_back();
    if (!isBracketed)
        return {joined(parts), operation};
    std::vector<std::string_view> modules;
    for (const std::string_view part : parts) {
        if (!inBrackets(part).empty())
            modules.push_back(inBrackets(part));
    }
    return {joined(modules), operation};
}

std::string scopeOfPattern(std::string_view pattern)
{
    constexpr std::string_view kSigns = "*+?()[]{}|^$";
    std::string literal;
    for (std::size_t i = 0; i < pattern.size() && kSigns.find(pattern[i]) == std::string_view::npos; ++i) {
        const bool isRepeated
            = i + 1 < pattern.size() && std::string_view("*+?{").find(pattern[i + 1]) != std::string_view::npos;
        if (pattern[i] == '.' && isRepeated)
            break;
        if (pattern[i] == '\\' && (i + 1 == pattern.size() || (pattern[i + 1] >= 'A' && pattern[i + 1] <= 'z')))
            break;
        if (pattern[i] != '\\')
            literal += pattern[i];
    }
    const std::size_t end = literal.rfind('/');
    return end == std::string::npos ? std::string() : joined(componentsOf(literal.substr(0, end)));
}

std::vector<ScopeId> likeScopes(const ScopeTree& tree, std::string_view path, std::size_t count, Calls calls)
{
    const std::vector<std::string> wanted = atomNames(path);
    const bool areSingle = calls == Calls::Single || everyCall(path) != path;
    std::vector<std::pair<std::pair<std::size_t, bool>, ScopeId>> found; // atoms that differ, another call; scope
    std::unordered_set<std::string> known;
    for (std::size_t i = 1; i < tree.scopes.size() && !wanted.empty(); ++i) {
        const Scope& scope = tree.scopes[i];
        if (scope.totalNodes == 0)
            continue;
        const auto unlike = unlikeAtoms(wanted, atomNames(scope.path));
        if (unlike && (areSingle || known.insert(everyCall(scope.path)).second))
            found.push_back({{*unlike, areSingle && lastCall(path) != lastCall(scope.path)}, ScopeId(i)});
    }
    std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<ScopeId> scopes;
    for (std::size_t i = 0; i < std::min(count, found.size()) && found[i].first == found.front().first; ++i)
        scopes.push_back(found[i].second);
    return scopes;
}

ScopeId nearestAround(const ScopeTree& tree, std::string_view path)
{
    std::vector<std::string> wanted = atomNames(path);
    ScopeId nearest;
    std::size_t most = 0;
    for (std::size_t i = 1; i < tree.scopes.size(); ++i) {
        const std::vector<std::string> names = atomNames(tree.scopes[i].path);
        if (tree.scopes[i].totalNodes > 0 && names.size() > most && names.size() < wanted.size()
            && std::equal(names.begin(), names.end(), wanted.begin())) {
            nearest = ScopeId(i);
            most = names.size();
        }
    }
    return nearest;
}

} // namespace duo
