// SPDX-License-Identifier: Apache-2.0
#include "core/scope/parameters/aliases.h"

#include "core/scope/keys/key_names.h"

#include <algorithm>
#include <map>

namespace duo {
namespace {

using PathPair = std::pair<PathId, PathId>;

/// The key is not in the file and nothing reads it, and no checkpoint holds a tensor of its own for it.
bool mayBeTied(const Key& unread, const Key& read)
{
    const bool isApart = unread.stored != kNoKey && read.stored != kNoKey && unread.stored != read.stored;
    return !unread.readBy && !unread.tensor.valid() && !isApart;
}

void joinKeys(const ModulePaths& paths, const std::vector<FramedNode>& nodes, Parameters& parameters)
{
    for (std::size_t n = 0; n < nodes.size(); ++n) {
        const auto& reads = parameters.reads[n];
        const bool isFused = std::any_of(reads.begin(), reads.end(), [](const auto& read) { return read.isFolded; });
        if (nodes[n].from != Provenance::Recorded || nodes[n].frames.empty() || isFused)
            continue;
        const PathId running = nodes[n].frames.back().path;
        for (const ParameterRead& read : reads) {
            if (read.key == kNoKey || !parameters.key(read.key).isRecorded || read.owner == running)
                continue;
            std::string own = paths.text(running);
            own += own.empty() ? "" : ".";
            own += keyLeaf(parameters.key(read.key).name);
            const std::int32_t key = parameters.find(own);
            if (key != kNoKey && mayBeTied(parameters.key(key), parameters.key(read.key)))
                parameters.join(key, read.key);
        }
    }
}

/// Counts, for each pair of modules, how many parameters below them are the same tensor under the same relative name.
/// Modules that run under both paths are two, not one: pairs stop above them. Where calls name the path used, not the
/// first one, nothing tells, and only modules of the same name count.
class SharedPairs
{
public:
    SharedPairs(const ModulePaths& paths, const std::vector<FramedNode>& nodes)
        : m_paths(paths)
        , m_runs(paths.size(), false)
    {
        for (const FramedNode& node : nodes) {
            m_namesFirstPath = m_namesFirstPath && node.from != Provenance::Recorded;
            for (const Frame& frame : node.frames)
                m_runs[frame.path.index] = true;
        }
    }

    std::map<PathPair, std::size_t> count(const Parameters& parameters) const
    {
        std::map<PathPair, std::size_t> shared;
        for (const Key& key : parameters.keys) {
            const Key& first = parameters.key(key.first);
            if (&first == &key || keyLeaf(first.name) != keyLeaf(key.name))
                continue;
            PathId a = first.owner;
            PathId b = key.owner;
            for (bool isFirst = true; mayBeOne(a, b) && (isFirst || m_namesFirstPath || isSameAtom(a, b));
                 isFirst = false) {
                ++shared[{a, b}];
                if (!isSameAtom(a, b))
                    break;
                a = m_paths.parent(a);
                b = m_paths.parent(b);
            }
        }
        return shared;
    }

private:
    bool isSameAtom(PathId a, PathId b) const { return m_paths.atom(a) == m_paths.atom(b); }
    bool mayBeOne(PathId a, PathId b) const
    {
        return a != b && a != ModulePaths::root() && b != ModulePaths::root() && !(m_namesFirstPath && m_runs[b.index]);
    }

    const ModulePaths& m_paths;
    std::vector<bool> m_runs;
    bool m_namesFirstPath = true;
};

std::vector<std::size_t> keysBelow(const ModulePaths& paths, const Parameters& parameters)
{
    std::vector<std::size_t> below(paths.size(), 0);
    for (const Key& key : parameters.keys)
        ++below[key.owner.index];
    for (std::size_t p = paths.size(); p-- > 1;) // parents have smaller ids
        below[paths.parent(PathId(p)).index] += below[p];
    return below;
}

/// What is read under one key is read under all keys of the tensor; the first one's module owns it.
void spreadReads(Parameters& parameters)
{
    for (const Key& key : parameters.keys) {
        auto& first = parameters.key(key.first).readBy;
        if (key.readBy)
            first = std::min(first.value_or(*key.readBy), *key.readBy);
    }
    for (Key& key : parameters.keys)
        key.readBy = parameters.key(key.first).readBy;
    for (auto& reads : parameters.reads) {
        for (ParameterRead& read : reads) {
            if (read.key != kNoKey)
                read.owner = parameters.key(parameters.key(read.key).first).owner;
        }
    }
}

} // namespace

void ModuleAliases::add(PathId first, PathId other)
{
    if (m_first.emplace(other, first).second)
        m_others[first].push_back(other);
}

std::string ModuleAliases::firstText(const ModulePaths& paths, PathId path) const
{
    for (PathId above = path; above.valid(); above = paths.parent(above)) {
        const auto found = m_first.find(above);
        if (found == m_first.end())
            continue;
        std::string text = paths.text(found->second);
        if (above != path)
            text += "." + std::string(paths.relative(above, path));
        return text;
    }
    return paths.text(path);
}

PathId ModuleAliases::canonical(ModulePaths& paths, PathId path) const
{
    return m_first.empty() ? path : paths.intern(firstText(paths, path));
}

PathId ModuleAliases::known(const ModulePaths& paths, PathId path) const
{
    if (m_first.empty())
        return path;
    const PathId first = paths.find(firstText(paths, path));
    return first.valid() ? first : path;
}

std::vector<PathId> ModuleAliases::others(PathId first) const
{
    const auto found = m_others.find(first);
    return found == m_others.end() ? std::vector<PathId>{} : found->second;
}

void joinTiedKeys(const ModulePaths& paths, const std::vector<FramedNode>& nodes, Parameters& parameters)
{
    joinKeys(paths, nodes, parameters);
    for (std::size_t k = 0; k < parameters.keys.size(); ++k)
        parameters.keys[k].first = parameters.firstOf(static_cast<std::int32_t>(k));
    spreadReads(parameters);
}

ModuleAliases findAliases(const ModulePaths& paths, const std::vector<FramedNode>& nodes, const Parameters& parameters)
{
    ModuleAliases aliases;
    const auto below = keysBelow(paths, parameters);
    for (const auto& [pair, count] : SharedPairs(paths, nodes).count(parameters)) {
        const std::string& a = paths.className(pair.first);
        const std::string& b = paths.className(pair.second);
        const bool isSameClass = a.empty() || b.empty() || a == b;
        if (isSameClass && count == below[pair.first.index] && count == below[pair.second.index])
            aliases.add(pair.first, pair.second);
    }
    return aliases;
}

} // namespace duo
