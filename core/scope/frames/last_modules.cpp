// SPDX-License-Identifier: Apache-2.0
#include "core/scope/frames/align_path.h"
#include "core/scope/frames/spelled_node.h"

#include <algorithm>
#include <span>

namespace duo {
namespace {

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
