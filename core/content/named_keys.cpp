// SPDX-License-Identifier: Apache-2.0
#include "core/content/named_keys.h"

#include "core/content/telling.h"
#include "core/model/key_names.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <unordered_set>

namespace duo {
namespace {

constexpr int kDeepestPrefix = 8; // atoms
constexpr std::string_view kCompiled = "_orig_mod.";

std::string withoutCompiled(std::string name)
{
    for (std::size_t at = name.find(kCompiled); at != std::string::npos; at = name.find(kCompiled, at)) {
        if (at == 0 || name[at - 1] == '.')
            name.erase(at, kCompiled.size());
        else
            ++at;
    }
    return name;
}

/// Calls visit(prefix, rest) for every way to cut a name behind one of its first dots; the empty prefix first.
template <typename Visit> void forEachCut(std::string_view name, const Visit& visit)
{
    visit(std::string_view{}, name);
    std::size_t at = 0;
    for (int i = 0; i < kDeepestPrefix; ++i) {
        at = name.find('.', at);
        if (at == std::string_view::npos)
            return;
        ++at;
        visit(name.substr(0, at), name.substr(at));
    }
}

/// A prefix of the keys, or else of the model's names.
struct PrefixChoice {
    bool isOfModel = false;
    std::string_view text;
    auto operator<=>(const PrefixChoice&) const = default;
};

bool looksEqual(const Tensor& a, const Tensor& b)
{
    if (a.type != b.type || a.dims != b.dims || !hasAllBytes(a) || !hasAllBytes(b))
        return false;
    return std::memcmp(a.bytes().data(), b.bytes().data(), std::min<std::size_t>(a.bytes().size(), 64)) == 0;
}

} // namespace

NamedKeys::NamedKeys(const Checkpoint& checkpoint, std::span<const NameInModel> names)
{
    for (const CheckpointKey& key : checkpoint.keys)
        m_names.push_back(withoutCompiled(key.name));
    choosePrefix(checkpoint, names);
    for (std::string& name : m_names) {
        if (name.starts_with(m_prefix))
            name = m_modelPrefix + name.substr(m_prefix.size());
    }
    for (std::uint32_t key = 0; key < m_names.size(); ++key) {
        m_index.emplace(m_names[key], key);
        m_byModule[owner(key)].push_back(key);
        if (module(key) != owner(key))
            m_byModule[module(key)].push_back(key);
    }
}

void NamedKeys::choosePrefix(const Checkpoint& checkpoint, std::span<const NameInModel> names)
{
    std::unordered_map<std::string_view, const Tensor*> inModel;
    for (const NameInModel& name : names) {
        if (!name.name.empty())
            inModel.emplace(name.name, name.tensor);
    }
    std::unordered_map<std::string_view, const Tensor*> inKeys;
    for (std::uint32_t key = 0; key < m_names.size(); ++key) {
        const std::uint32_t tensor = checkpoint.keys[key].tensor;
        inKeys.emplace(m_names[key], tensor < checkpoint.tensors.size() ? &checkpoint.tensors[tensor] : nullptr);
        if (!keyOwner(m_names[key]).empty())
            inKeys.emplace(keyOwner(m_names[key]), nullptr);
    }
    struct Votes {
        std::int64_t names = 0;
        std::int64_t values = 0;
        auto operator<=>(const Votes&) const = default;
    };
    std::map<PrefixChoice, Votes> votes;
    const auto count = [&](const auto& of, const auto& in, bool isOfModel) {
        for (const auto& entry : of) {
            const auto& tensor = entry.second;
            forEachCut(entry.first, [&](std::string_view prefix, std::string_view rest) {
                const auto found = in.find(rest);
                if (found == in.end())
                    return;
                Votes& vote = votes[{isOfModel && !prefix.empty(), prefix}];
                ++vote.names;
                if (tensor != nullptr && found->second != nullptr && looksEqual(*tensor, *found->second))
                    ++vote.values;
            });
        }
    };
    count(inKeys, inModel, false);
    const auto plain = votes[{}]; // counted once, though it is a cut of both
    count(inModel, inKeys, true);
    votes[{}] = plain;
    const auto best = std::ranges::max_element(votes, {}, [](const auto& entry) { return entry.second; });
    const auto tied = std::ranges::count_if(votes, [&](const auto& entry) { return entry.second == best->second; });
    if (tied > 1 || best->second == plain)
        return;
    (best->first.isOfModel ? m_modelPrefix : m_prefix) = best->first.text;
}

std::string_view NamedKeys::owner(std::uint32_t key) const
{
    return keyOwner(m_names[key]);
}

std::string_view NamedKeys::module(std::uint32_t key) const
{
    constexpr std::string_view kParametrizations = "parametrizations.";
    const std::string_view path = owner(key);
    const std::size_t at = path.rfind(kParametrizations);
    if (at == std::string_view::npos || (at > 0 && path[at - 1] != '.'))
        return path;
    return path.substr(0, at > 0 ? at - 1 : 0);
}

std::string_view NamedKeys::leaf(std::uint32_t key) const
{
    return keyLeaf(m_names[key]);
}

std::optional<std::uint32_t> NamedKeys::find(std::string_view nameInModel) const
{
    const auto found = m_index.find(nameInModel);
    if (found == m_index.end())
        return std::nullopt;
    return found->second;
}

std::span<const std::uint32_t> NamedKeys::keysOf(std::string_view module) const
{
    const auto found = m_byModule.find(module);
    if (found == m_byModule.end())
        return {};
    return found->second;
}

std::optional<std::uint32_t> NamedKeys::sibling(std::uint32_t key, std::string_view leaf) const
{
    std::string name(owner(key));
    name += name.empty() ? "" : ".";
    name += leaf;
    return find(name);
}

std::optional<std::uint32_t> NamedKeys::magnitudes(std::uint32_t key) const
{
    std::string name(leaf(key));
    if (name == "original1")
        name = "original0";
    else if (name.ends_with("_v"))
        name.back() = 'g';
    else
        return std::nullopt;
    return sibling(key, name);
}

} // namespace duo
