// SPDX-License-Identifier: Apache-2.0
#include "core/scope/facts/module_paths.h"
#include "core/scope/frames/spelled_node.h"
#include "core/scope/producers/scope_names.h"

#include <algorithm>
#include <optional>
#include <span>
#include <vector>

namespace duo {
namespace {

bool isItem(std::string_view atom)
{
    return !atom.empty() && std::all_of(atom.begin(), atom.end(), [](char c) { return c >= '0' && c <= '9'; });
}

/// One way to place a component: the depth of its prefix, what the calls inside it skip, and the place below.
struct Place {
    int depth = 0;
    int cost = 0;
    std::optional<std::size_t> below; // the place of the component further in; nothing: this is the module itself
};

class Alignment
{
public:
    Alignment(const ModulePaths& paths, PathId module)
        : m_paths(paths)
        , m_prefixes(static_cast<std::size_t>(paths.depth(module)) + 1)
    {
        for (PathId path = module; path.valid(); path = paths.parent(path))
            m_prefixes[static_cast<std::size_t>(paths.depth(path))] = path;
        m_places.push_back({paths.depth(module), 0, std::nullopt});
    }

    /// @return false if no prefix of what was placed last ends with the component
    bool place(std::string_view component)
    {
        const std::size_t inner = m_levels.back();
        const std::size_t own = m_places.size();
        for (int depth = 1; depth < static_cast<int>(m_prefixes.size()); ++depth) {
            if (!m_paths.endsWith(prefix(depth), component))
                continue;
            std::optional<Place> best;
            for (std::size_t i = inner; i < own; ++i) {
                if (m_places[i].depth <= depth)
                    continue;
                const int cost = m_places[i].cost + skipped(depth, m_places[i].depth);
                if (!best || cost < best->cost)
                    best = Place{depth, cost, i};
            }
            if (best)
                m_places.push_back(*best);
        }
        if (m_places.size() == own)
            return false;
        m_levels.push_back(own);
        return true;
    }

    /// Prefixes of the components placed, the one placed last first.
    std::vector<PathId> best(bool isWhole) const
    {
        std::vector<PathId> modules;
        std::size_t at = m_levels.back();
        const auto total = [&](const Place& place) { return place.cost + (isWhole ? skipped(0, place.depth) : 0); };
        for (std::size_t i = at + 1; i < m_places.size(); ++i) {
            if (total(m_places[i]) < total(m_places[at]))
                at = i;
        }
        for (; m_places[at].below; at = *m_places[at].below)
            modules.push_back(prefix(m_places[at].depth));
        return modules;
    }

private:
    PathId prefix(int depth) const { return m_prefixes[static_cast<std::size_t>(depth)]; }

    /// Lists are skipped all the time, their items being called one by one; other modules rarely.
    int skipped(int above, int below) const
    {
        int cost = 0;
        for (int depth = above + 1; depth < below; ++depth)
            cost += isItem(m_paths.atom(prefix(depth + 1))) ? 1 : 2;
        return cost;
    }

    const ModulePaths& m_paths;
    std::vector<PathId> m_prefixes; // by depth
    std::vector<Place> m_places; // the module itself, then component by component outwards
    std::vector<std::size_t> m_levels{0}; // where the places of each begin
};

/// The modules of the components of `spelling` but the last, outermost first; invalid from the first one outwards that
/// is no prefix of `module`: there somebody calls who does not contain it. Where several prefixes end alike, the calls
/// skip as few modules as possible, lists rather than others. O(components * depth^2).
std::vector<PathId> outerModules(
    const ScopeSpellings& spellings, const ModulePaths& paths, SpellingId spelling, PathId module)
{
    Alignment alignment(paths, module);
    const auto outer = static_cast<std::size_t>(spellings.depth(spelling) - 1);
    std::size_t placed = 0;
    for (SpellingId s = spellings.parent(spelling); placed < outer && alignment.place(spellings.component(s));
         s = spellings.parent(s))
        ++placed;
    std::vector<PathId> modules(outer - placed);
    const std::vector<PathId> best = alignment.best(placed == outer);
    modules.insert(modules.end(), best.begin(), best.end());
    return modules;
}

/// One module that may be the innermost frame, best first by `rank`.
struct Candidate {
    PathId module;
    Reading reading = Reading::Literal;
    int rank = 0; // 0: the module itself owns a parameter; 1: a module below it does
    int aligned = 0; // outer components that are prefixes of the module

    bool operator==(const Candidate& other) const { return module == other.module && reading == other.reading; }
};

/// The deepest proper prefix of `path` that ends with `component`; invalid if there is none.
PathId prefixEndingWith(const ModulePaths& paths, PathId path, std::string_view component)
{
    for (PathId above = paths.parent(path); above.valid() && above != ModulePaths::root();
         above = paths.parent(above)) {
        if (paths.endsWith(above, component))
            return above;
    }
    return {};
}

int alignedComponents(const ScopeSpellings& spellings, const ModulePaths& paths, SpellingId spelling, PathId module)
{
    const std::vector<PathId> outer = outerModules(spellings, paths, spelling, module);
    return static_cast<int>(std::count_if(outer.begin(), outer.end(), [](PathId path) { return path.valid(); }));
}

class LastModules
{
public:
    LastModules(const ScopeSpellings& spellings, const ModulePaths& paths)
        : m_spellings(spellings)
        , m_paths(paths)
    {
    }

    std::vector<Candidate> candidates(const SpelledNode& node) const
    {
        std::vector<Candidate> found;
        const std::string& literal = m_spellings.component(node.spelling);
        const auto stripped = m_spellings.hasChildren(node.spelling) ? std::nullopt : withoutCallSuffix(literal);
        for (const PathId owner : node.owners) {
            add(found, owner, literal, Reading::Literal);
            if (stripped)
                add(found, owner, *stripped, Reading::WithCallSuffix);
        }
        return found;
    }

    /// All nodes of one spelling: one module, unless a module's own name looks like the call of another (`fc_1`).
    void settle(std::span<SpelledNode* const> nodes) const
    {
        std::vector<Candidate> all;
        int best = 1;
        for (const SpelledNode* node : nodes) {
            for (const Candidate& candidate : candidates(*node)) {
                best = std::min(best, candidate.rank);
                if (all.size() < kMostCandidates && std::find(all.begin(), all.end(), candidate) == all.end())
                    all.push_back(candidate);
            }
        }
        std::erase_if(all, [&](const Candidate& c) { return c.rank != best; });
        if (all.empty())
            return;
        if (all.size() > 1)
            align(nodes.front()->spelling, all);
        if (best > 0)
            keepBestAligned(all);
        const bool isClash
            = std::any_of(all.begin(), all.end(), [&](const Candidate& c) { return c.reading != all[0].reading; });
        const auto closest = std::max_element(
            all.begin(), all.end(), [](const Candidate& a, const Candidate& b) { return a.aligned < b.aligned; });
        const Candidate* current = isClash ? nullptr : &*closest;
        for (SpelledNode* node : nodes) {
            if (isClash) {
                for (const Candidate& candidate : candidates(*node)) {
                    const auto known = std::find(all.begin(), all.end(), candidate);
                    if (known != all.end() && (candidate.rank == best))
                        current = &*known;
                }
            }
            assign(*node, current != nullptr ? *current : all[0]);
        }
    }

private:
    static constexpr std::size_t kMostCandidates = 32;

    /// Modules that only lie above an owner say little: those that more of the scope agrees with are meant.
    static void keepBestAligned(std::vector<Candidate>& all)
    {
        int most = 0;
        for (const Candidate& candidate : all)
            most = std::max(most, candidate.aligned);
        std::erase_if(all, [&](const Candidate& c) { return c.aligned != most; });
    }

    static void assign(SpelledNode& node, const Candidate& candidate)
    {
        node.reading = candidate.reading;
        node.modules.back() = candidate.module;
    }

    void align(SpellingId spelling, std::vector<Candidate>& all) const
    {
        for (Candidate& candidate : all)
            candidate.aligned = alignedComponents(m_spellings, m_paths, spelling, candidate.module);
    }

    void add(std::vector<Candidate>& found, PathId owner, std::string_view component, Reading reading) const
    {
        Candidate candidate{owner, reading, 0, 0};
        if (!m_paths.endsWith(owner, component)) {
            candidate.module = prefixEndingWith(m_paths, owner, component);
            candidate.rank = 1;
        }
        if (candidate.module.valid())
            found.push_back(candidate);
    }

    const ScopeSpellings& m_spellings;
    const ModulePaths& m_paths;
};

} // namespace

void findLastModules(const ScopeSpellings& spellings, const ModulePaths& paths, std::vector<SpelledNode>& nodes)
{
    std::vector<SpelledNode*> bySpelling;
    for (SpelledNode& node : nodes) {
        if (node.spelling != ScopeSpellings::root())
            bySpelling.push_back(&node);
    }
    std::stable_sort(bySpelling.begin(), bySpelling.end(),
        [](const SpelledNode* a, const SpelledNode* b) { return a->spelling < b->spelling; });
    const LastModules lastModules(spellings, paths);
    for (auto first = bySpelling.begin(); first != bySpelling.end();) {
        const auto last = std::find_if(
            first, bySpelling.end(), [&](const SpelledNode* node) { return node->spelling != (*first)->spelling; });
        lastModules.settle({first, last});
        first = last;
    }
}

void findOuterModules(const ScopeSpellings& spellings, const ModulePaths& paths, std::vector<SpelledNode>& nodes)
{
    const SpelledNode* last = nullptr; // nodes of one call stand side by side and have the same modules
    for (SpelledNode& node : nodes) {
        if (node.modules.empty() || !node.modules.back().valid())
            continue;
        const bool isAlike
            = last != nullptr && last->spelling == node.spelling && last->modules.back() == node.modules.back();
        const std::vector<PathId> found
            = isAlike ? std::vector<PathId>{} : outerModules(spellings, paths, node.spelling, node.modules.back());
        const std::span<const PathId> outer
            = isAlike ? last->modules.first(last->modules.size() - 1) : std::span(found);
        std::copy(outer.begin(), outer.end(), node.modules.begin());
        last = &node;
    }
}

} // namespace duo
