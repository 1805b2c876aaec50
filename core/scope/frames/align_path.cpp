// SPDX-License-Identifier: Apache-2.0
#include "core/scope/frames/align_path.h"

#include <algorithm>
#include <optional>

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

} // namespace

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

} // namespace duo
