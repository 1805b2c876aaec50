// SPDX-License-Identifier: Apache-2.0
#include "core/scope/calls/aliases.h"

#include "core/model/key_names.h"

#include <algorithm>

namespace duo {
namespace {

/// Keys that are listed, but neither in the file nor read: each may be another name of what its module reads instead.
class UnreadKeys
{
public:
    UnreadKeys(const ModulePaths& paths, const Parameters& parameters)
        : m_paths(paths)
    {
        for (std::size_t k = 0; k < parameters.keys.size(); ++k) {
            const Key& key = parameters.keys[k];
            if (key.readBy || key.tensor.valid())
                continue;
            const auto number = static_cast<std::int32_t>(k);
            const PathId parent = paths.parent(key.owner);
            if (parent.valid())
                addTo(m_ofChildren, name(parent, keyLeaf(key.name)), number);
            m_own.emplace(name(key.owner, keyLeaf(key.name)), number);
        }
    }

    /// The key of this last part that the module owns itself, else the only one that its children own.
    [[nodiscard]] std::int32_t find(PathId module, std::string_view leaf) const
    {
        const std::string text = name(module, leaf);
        if (const auto own = m_own.find(text); own != m_own.end())
            return own->second;
        const auto child = m_ofChildren.find(text);
        return child == m_ofChildren.end() ? kNoKey : child->second;
    }

private:
    using Index = std::unordered_map<std::string, std::int32_t>;

    static void addTo(Index& index, std::string text, std::int32_t key)
    {
        const auto [entry, isNew] = index.emplace(std::move(text), key);
        if (!isNew)
            entry->second = kNoKey;
    }

    [[nodiscard]] std::string name(PathId module, std::string_view leaf) const
    {
        return m_paths.text(module) + "." + std::string(leaf);
    }

    const ModulePaths& m_paths;
    Index m_own;
    Index m_ofChildren;
};

void joinKeys(const ModulePaths& paths, const std::vector<FramedNode>& nodes, Parameters& parameters)
{
    const UnreadKeys unread(paths, parameters);
    for (std::size_t n = 0; n < nodes.size(); ++n) {
        const auto& reads = parameters.reads[n];
        const bool isFused = std::any_of(reads.begin(), reads.end(), [](const auto& read) { return read.isFolded; });
        if (nodes[n].from != Provenance::Recorded || nodes[n].frames.empty() || isFused)
            continue;
        const PathId running = nodes[n].frames.back().path;
        for (const ParameterRead& read : reads) {
            if (read.key == kNoKey || !parameters.key(read.key).isRecorded || paths.contains(running, read.owner))
                continue;
            const std::int32_t key = unread.find(running, keyLeaf(parameters.key(read.key).name));
            if (key != kNoKey && mayBeTied(parameters.key(key), parameters.key(read.key)))
                parameters.join(key, read.key);
        }
    }
}

} // namespace

bool mayBeTied(const Key& unread, const Key& read)
{
    const bool isApart = unread.stored != kNoKey && read.stored != kNoKey && unread.stored != read.stored;
    return !unread.readBy && !unread.tensor.valid() && !isApart;
}

void spreadReads(Parameters& parameters)
{
    std::vector<std::int32_t> last(parameters.keys.size(), kNoKey); // by first key
    for (std::size_t k = 0; k < parameters.keys.size(); ++k) {
        const auto number = static_cast<std::int32_t>(k);
        Key& key = parameters.keys[k];
        key.first = parameters.firstOf(number);
        key.next = kNoKey;
        std::int32_t& before = last[static_cast<std::size_t>(key.first)];
        if (before != kNoKey)
            parameters.key(before).next = number;
        before = number;
    }
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

void joinTiedKeys(const ModulePaths& paths, const std::vector<FramedNode>& nodes, Parameters& parameters)
{
    joinKeys(paths, nodes, parameters);
    spreadReads(parameters);
}

} // namespace duo
