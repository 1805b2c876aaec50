// SPDX-License-Identifier: Apache-2.0
#include "core/scope/parameters/aliases.h"

#include "core/scope/parameters/key_names.h"

#include <algorithm>
#include <map>

namespace duo {
namespace {

using PathPair = std::pair<PathId, PathId>;

Key& keyAt(Parameters& parameters, std::int32_t key)
{
    return parameters.keys[static_cast<std::size_t>(key)];
}

std::int32_t firstOf(const Parameters& parameters, std::int32_t key)
{
    while (parameters.keys[static_cast<std::size_t>(key)].first != key)
        key = parameters.keys[static_cast<std::size_t>(key)].first;
    return key;
}

void join(Parameters& parameters, std::int32_t a, std::int32_t b)
{
    a = firstOf(parameters, a);
    b = firstOf(parameters, b);
    keyAt(parameters, std::max(a, b)).first = std::min(a, b);
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
            if (read.key == kNoKey || !keyAt(parameters, read.key).isRecorded || read.owner == running)
                continue;
            std::string own = paths.text(running);
            own += own.empty() ? "" : ".";
            own += keyLeaf(keyAt(parameters, read.key).name);
            const std::int32_t key = parameters.find(own);
            if (key != kNoKey && !keyAt(parameters, key).isRead && !keyAt(parameters, key).tensor.valid())
                join(parameters, key, read.key);
        }
    }
}

/// Counts, for each pair of modules, how many parameters below them are the same tensor under the same relative name.
std::map<PathPair, std::size_t> sharedBelow(const ModulePaths& paths, const Parameters& parameters)
{
    std::map<PathPair, std::size_t> shared;
    for (const Key& key : parameters.keys) {
        const Key& first = parameters.keys[static_cast<std::size_t>(key.first)];
        if (&first == &key || keyLeaf(first.name) != keyLeaf(key.name))
            continue;
        PathId a = first.owner;
        PathId b = key.owner;
        ++shared[{a, b}];
        while (a != b && paths.atom(a) == paths.atom(b)) {
            a = paths.parent(a);
            b = paths.parent(b);
            if (a == b || !a.valid() || !b.valid() || paths.atom(a) != paths.atom(b))
                break;
            ++shared[{a, b}];
        }
    }
    return shared;
}

std::vector<std::size_t> keysBelow(const ModulePaths& paths, const Parameters& parameters)
{
    std::vector<std::size_t> below(paths.size(), 0);
    for (const Key& key : parameters.keys)
        ++below[key.owner.index];
    for (std::size_t p = paths.size(); p-- > 1;) // parents have smaller ids
        below[paths.parent(PathId(p)).index] += below[p];
    return below;
}

} // namespace

void ModuleAliases::add(PathId first, PathId other)
{
    if (m_first.emplace(other, first).second)
        m_others[first].push_back(other);
}

PathId ModuleAliases::canonical(ModulePaths& paths, PathId path) const
{
    if (m_first.empty())
        return path;
    for (PathId above = path; above.valid(); above = paths.parent(above)) {
        const auto found = m_first.find(above);
        if (found == m_first.end())
            continue;
        if (above == path)
            return found->second;
        return paths.intern(paths.text(found->second) + "." + std::string(paths.relative(above, path)));
    }
    return path;
}

std::vector<PathId> ModuleAliases::others(PathId first) const
{
    const auto found = m_others.find(first);
    return found == m_others.end() ? std::vector<PathId>{} : found->second;
}

ModuleAliases findAliases(const ModulePaths& paths, const std::vector<FramedNode>& nodes, Parameters& parameters)
{
    joinKeys(paths, nodes, parameters);
    bool any = false;
    for (std::size_t k = 0; k < parameters.keys.size(); ++k) {
        Key& key = parameters.keys[k];
        key.first = firstOf(parameters, static_cast<std::int32_t>(k));
        any = any || key.first != static_cast<std::int32_t>(k);
    }
    ModuleAliases aliases;
    if (!any)
        return aliases;
    for (const Key& key : parameters.keys)
        keyAt(parameters, key.first).isRead = keyAt(parameters, key.first).isRead || key.isRead;
    for (Key& key : parameters.keys)
        key.isRead = keyAt(parameters, key.first).isRead;
    for (auto& reads : parameters.reads) {
        for (ParameterRead& read : reads) {
            if (read.key != kNoKey)
                read.owner = keyAt(parameters, keyAt(parameters, read.key).first).owner;
        }
    }
    const auto below = keysBelow(paths, parameters);
    for (const auto& [pair, count] : sharedBelow(paths, parameters)) {
        const std::string& a = paths.className(pair.first);
        const std::string& b = paths.className(pair.second);
        const bool isSameClass = a.empty() || b.empty() || a == b;
        if (isSameClass && count == below[pair.first.index] && count == below[pair.second.index])
            aliases.add(pair.first, pair.second);
    }
    return aliases;
}

} // namespace duo
