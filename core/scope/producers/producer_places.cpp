// SPDX-License-Identifier: Apache-2.0
// Where nodes run, once their scopes and what is called again are known.
#include "core/model/key_names.h"
#include "core/scope/facts/module_paths.h"
#include "core/scope/producers/producer_names.h"

#include <algorithm>

namespace duo {
namespace {

constexpr std::size_t kDeepest = 64;
constexpr std::int32_t kFirstSite = 1 << 30; // above those of other grammars

/// A name as an atom of a path: dots inside it stay, as long as they part something.
std::string asAtom(std::string_view name)
{
    std::string atom(name);
    if (hasEmptyAtom(atom))
        std::replace(atom.begin(), atom.end(), '.', '_');
    return atom;
}

} // namespace

std::string joinedPath(const std::string& above, std::string_view name)
{
    return above.empty() ? asAtom(name) : above + "." + asAtom(name);
}

/// The outermost scope that was entered several times by the same name; invalid: none.
SpellingId ProducerNames::callRoot(SpellingId scope) const
{
    SpellingId found;
    for (; scope != ScopeSpellings::root(); scope = m_spellings->parent(scope)) {
        if (m_repeated.calls[scope.index] > 1)
            found = scope;
    }
    return found;
}

void ProducerNames::layOutPaths()
{
    constexpr std::int32_t kMostSites = kFirstSite - 1;
    const std::size_t size = m_spellings->size();
    m_paths.resize(size);
    m_sites.resize(size);
    std::int32_t used = 0;
    for (std::size_t s = 1; s < size; ++s) {
        const SpellingId split = callRoot(SpellingId(s));
        m_sites[s] = kFirstSite + used;
        used += std::min(split.valid() ? m_repeated.calls[split.index] : 1, kMostSites - used);
    }
    std::vector<bool> isOpen(size, true);
    const auto write = [&](const auto& self, SpellingId scope, std::size_t depth) -> const std::string& {
        std::string& path = m_paths[scope.index];
        if (scope == ScopeSpellings::root() || !isOpen[scope.index])
            return path;
        const SpellingId same = m_repeated.sameAs[scope.index];
        isOpen[scope.index] = false;
        if (same.valid() && depth < kDeepest)
            path = self(self, same, depth + 1);
        else
            path = joinedPath(self(self, m_spellings->parent(scope), depth + 1), m_spellings->component(scope));
        return path;
    };
    for (std::size_t s = 1; s < size; ++s)
        (void)write(write, SpellingId(s), 0);
}

std::string_view ProducerNames::nodeName(NodeId node) const
{
    const auto readable = m_readable.find(node.index);
    return readable != m_readable.end() ? std::string_view(readable->second) : m_model.node(node).localName;
}

/// Which call of a scope that was entered several times; below 0 if that is not told.
std::int32_t ProducerNames::callOf(const Named& named) const
{
    const auto of = [&](std::int32_t operation) {
        return operation < 0 ? -1 : m_repeated.callOf[static_cast<std::size_t>(operation)];
    };
    if (named.cluster < 0)
        return of(named.operation);
    const auto& beside = m_clusters[static_cast<std::size_t>(named.cluster)];
    const bool isOne
        = std::ranges::all_of(beside, [&](std::int32_t operation) { return of(operation) == of(beside[0]); });
    return beside.empty() || !isOne ? -1 : of(beside[0]);
}

std::optional<ProducerNames::Place> ProducerNames::place(NodeId node) const
{
    if (m_named.empty() || !m_named[node.index].scope.valid())
        return std::nullopt;
    const Named& named = m_named[node.index];
    const SpellingId split = callRoot(named.scope);
    const std::int32_t call = callOf(named);
    if (split.valid() && call < 0)
        return std::nullopt;
    Place place;
    place.from = named.from;
    bool isInside = split.valid();
    for (SpellingId at = named.scope; at != ScopeSpellings::root(); at = m_spellings->parent(at)) {
        place.steps.push_back({m_paths[at.index], m_sites[at.index] + (isInside ? call : 0)});
        isInside = isInside && at != split;
    }
    std::reverse(place.steps.begin(), place.steps.end());
    if (!place.steps.empty() && place.steps.back().path.size() > ModulePaths::kLongest)
        return std::nullopt;
    return place;
}

} // namespace duo
