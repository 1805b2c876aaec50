// SPDX-License-Identifier: Apache-2.0
#include "core/model/key_names.h"
#include "core/scope/calls/aliases.h"
#include "core/scope/parameters/key_counts.h"

#include <algorithm>
#include <map>

namespace duo {
namespace {

using PathPair = std::pair<PathId, PathId>;

/// Pairs of modules with tensors in common under the same relative names. Where names of nodes print the first path of
/// every module, one that runs under its own path is no alias.
class SharedPairs
{
public:
    SharedPairs(const ModulePaths& paths, const std::vector<FramedNode>& nodes, Parameters& parameters)
        : m_paths(paths)
        , m_parameters(parameters)
        , m_counts(paths, parameters)
        , m_runs(paths.size(), false)
    {
        for (const FramedNode& node : nodes) {
            m_namesFirstPath = m_namesFirstPath && node.from != Provenance::Recorded;
            for (const Frame& frame : node.frames)
                m_runs[frame.path.index] = true;
        }
    }

    ModuleAliases find()
    {
        std::map<PathPair, std::size_t> pairs; // to the number of tensors in common
        for (std::size_t k = 0; k < m_parameters.keys.size(); ++k)
            count(m_parameters.keys[k], pairs);
        ModuleAliases aliases;
        bool hasJoined = false;
        for (const auto& [pair, shared] : pairs) {
            const auto [a, b] = pair;
            if (!isLikely(a, b) || m_counts.below(a) != m_counts.below(b))
                continue;
            if (shared < m_counts.below(b)) {
                if (!joinRest(a, b))
                    continue;
                hasJoined = true;
            }
            aliases.add(a, b);
        }
        if (hasJoined)
            spreadReads(m_parameters);
        return aliases;
    }

private:
    bool isSameAtom(PathId a, PathId b) const { return m_paths.atom(a) == m_paths.atom(b); }

    bool mayBeOne(PathId a, PathId b) const
    {
        return a != b && a != ModulePaths::root() && b != ModulePaths::root() && !m_paths.contains(a, b)
            && !m_paths.contains(b, a) && !(m_namesFirstPath && m_runs[b.index]);
    }

    void count(const Key& key, std::map<PathPair, std::size_t>& pairs) const
    {
        const Key& first = m_parameters.key(key.first);
        PathId a = first.owner;
        PathId b = key.owner;
        if (&first == &key || keyLeaf(first.name) != keyLeaf(key.name))
            return;
        while (mayBeOne(a, b)) {
            ++pairs[{a, b}];
            if (!isSameAtom(a, b))
                break;
            a = m_paths.parent(a);
            b = m_paths.parent(b);
        }
    }

    /// Modules of one tensor that share it are tied, as embeddings are: it does not tell one object from two.
    bool isLikely(PathId a, PathId b) const
    {
        if (m_counts.isOneKey(a))
            return false;
        const std::string& classA = m_paths.className(a);
        const std::string& classB = m_paths.className(b);
        return (classA.empty() || classB.empty() || classA == classB)
            && (m_namesFirstPath || isSameAtom(a, b) || m_counts.isOfSeveralParts(a));
    }

    /// Joins the other keys of both, if every one of `b` has its like below `a`, and nothing keeps the two apart.
    bool joinRest(PathId a, PathId b)
    {
        std::vector<std::pair<std::int32_t, std::int32_t>> rest;
        for (const std::int32_t other : m_counts.keysBelow(b)) {
            const Key& key = m_parameters.key(other);
            const std::int32_t like = m_parameters.find(m_paths.text(a) + key.name.substr(m_paths.text(b).size()));
            if (like == kNoKey)
                return false;
            const bool isOne = m_parameters.firstOf(like) == m_parameters.firstOf(other);
            if (!isOne && !mayBeTied(m_parameters.key(like), key) && !mayBeTied(key, m_parameters.key(like)))
                return false;
            rest.emplace_back(like, other);
        }
        for (const auto& [like, other] : rest)
            m_parameters.join(like, other);
        return true;
    }

    const ModulePaths& m_paths;
    Parameters& m_parameters;
    KeyCounts m_counts;
    std::vector<bool> m_runs;
    bool m_namesFirstPath = true;
};

} // namespace

ModuleAliases findAliases(const ModulePaths& paths, const std::vector<FramedNode>& nodes, Parameters& parameters)
{
    return SharedPairs(paths, nodes, parameters).find();
}

} // namespace duo
